// Looking into parsed JSON.

import {
  isJsonObject,
  JsonNumber,
  writeJson,
  type JsonObject,
  type JsonValue,
} from '../../engine/json/index';

/** The value behind a path of names; undefined where one is missing. */
export function valueAt(
  value: JsonValue | undefined,
  ...path: readonly string[]
): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const name of path) {
    if (!isJsonObject(current)) return undefined;
    current = current.get(name);
  }
  return current;
}

/** The object behind a path of names; an empty one where there is none. */
export function objectAt(value: JsonValue | undefined, ...path: readonly string[]): JsonObject {
  const found = valueAt(value, ...path);
  return isJsonObject(found) ? found : new Map<string, JsonValue>();
}

/** A string, or a number or boolean as one; the first element of a list. Null for everything else. */
export function textOf(value: JsonValue | undefined): string | null {
  const one = Array.isArray(value) ? value[0] : value;
  if (typeof one === 'string') return one;
  if (typeof one === 'boolean') return String(one);
  return one instanceof JsonNumber ? one.text : null;
}

/** A number, also one that is spelled in a string or stands first in a list; null for everything else. */
export function numberOf(value: JsonValue | undefined): number | null {
  const text = textOf(value);
  if (text === null || text.trim() === '') return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** Whether two values are the same JSON; the order of members does not matter. */
export function isSameJson(left: JsonValue, right: JsonValue): boolean {
  return writeJson(sorted(left)) === writeJson(sorted(right));
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const members = [...value].sort(([left], [right]) => (left < right ? -1 : 1));
  return new Map(members.map(([name, member]) => [name, sorted(member)]));
}
