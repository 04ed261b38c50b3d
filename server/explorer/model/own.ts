// Objects that came as JSON have members with any name, `__proto__` and `constructor` included.

/** An object that came as JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object with members, no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of an object itself, never one of its prototype. */
export function own<T>(
  object: Readonly<Record<string, T>> | undefined,
  name: string,
): T | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A member that is an object; an empty one where there is none. */
export function ownObject(object: unknown, name: string): JsonObject {
  const value = isObject(object) ? own(object, name) : undefined;
  return isObject(value) ? value : {};
}
