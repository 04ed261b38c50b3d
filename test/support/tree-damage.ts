// Damage to trees of JSON, as the parser of requests makes them.

import type { JsonObject, JsonValue } from '../../engine/json/json';
import { parseJson } from '../../engine/json/parse';
import type { Random } from './random';

/** Values as the parser of requests gives them. */
export function trees(values: readonly unknown[]): readonly JsonValue[] {
  return parseJson(JSON.stringify(values)) as JsonValue[];
}

// Test runners look globals up anew each time, and this is asked for every node.
const ObjectClass = Map;

function isObject(value: JsonValue): value is JsonObject {
  return value instanceof ObjectClass;
}

function isList(value: JsonValue): value is JsonValue[] {
  return typeof value === 'object' && value !== null && 'length' in value;
}

/** A tree that may be damaged. */
export function copyOf(value: JsonValue): JsonValue {
  if (isObject(value)) {
    const copy: JsonObject = new ObjectClass<string, JsonValue>();
    for (const [name, member] of value) copy.set(name, copyOf(member));
    return copy;
  }
  return isList(value) ? value.map(copyOf) : value;
}

/** A place in a tree: a member of an object or an element of a list. */
interface Place {
  readonly node: JsonObject | JsonValue[];
  readonly key: string | number;
}

function places(node: JsonValue, found: Place[] = []): Place[] {
  if (!isObject(node) && !isList(node)) return found;
  for (const [key, value] of node.entries()) {
    found.push({ node, key });
    places(value, found);
  }
  return found;
}

function put({ node }: Place, key: string | number, value: JsonValue): void {
  if (isObject(node)) node.set(String(key), value);
  else node[Number.isInteger(key) ? Number(key) : 0] = value;
}

/** Changes up to three places of a body: what is there goes, comes twice, or becomes one of `values`. */
export function damage(random: Random, body: JsonObject, values: readonly JsonValue[]): void {
  const all = places(body);
  for (let times = 1 + random.below(3); times > 0 && all.length > 0; times--) {
    const place = random.pick(all);
    const value = copyOf(random.pick(values));
    switch (random.below(4)) {
      case 0:
        if (isObject(place.node)) place.node.delete(String(place.key));
        else place.node.pop();
        break;
      case 1:
        put(place, random.pick(all).key, value);
        break;
      case 2:
        put(place, place.key, copyOf(random.pick(all).node));
        break;
      default:
        put(place, place.key, value);
    }
  }
}
