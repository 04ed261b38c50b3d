// What several documents add to a type as one update: merging costs as much as the whole mapping is large, so
// a load in which every document brings a field of its own would take the square of its length.

import { isJsonObject, type JsonObject, type JsonValue } from '../json/index';

/**
 * Adds the fields of an update to those of another one, if they have none in common.
 *
 * @param into an update of the same type, as a document's outcome has it; changed
 * @returns false when both name the same field, or an object in different ways; nothing is changed then
 */
export function joinUpdates(into: JsonObject, update: JsonObject): boolean {
  if (!areDisjoint(into, update)) return false;
  join(into, update);
  return true;
}

function areDisjoint(a: JsonObject, b: JsonObject): boolean {
  if (!isContainer(a) || !isContainer(b) || a.get('type') !== b.get('type')) return false;
  const known = propertiesOf(a);
  for (const [name, body] of propertiesOf(b)) {
    const other = known.get(name);
    if (other === undefined) continue;
    if (!isJsonObject(body) || !isJsonObject(other) || !areDisjoint(other, body)) return false;
  }
  return true;
}

/** Whether an object says nothing but which fields it holds. */
function isContainer(body: JsonObject): boolean {
  for (const name of body.keys()) if (name !== 'type' && name !== 'properties') return false;
  return isJsonObject(body.get('properties'));
}

function propertiesOf(body: JsonObject): JsonObject {
  const properties: JsonValue | undefined = body.get('properties');
  return isJsonObject(properties) ? properties : new Map<string, JsonValue>();
}

function join(into: JsonObject, update: JsonObject): void {
  const properties = propertiesOf(into);
  for (const [name, body] of propertiesOf(update)) {
    const known = properties.get(name);
    if (isJsonObject(known) && isJsonObject(body)) join(known, body);
    else properties.set(name, body);
  }
}
