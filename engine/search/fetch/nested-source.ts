// Hits that are nested objects: how they are named, and what of a document's source they are (reference
// server).

import {
  decodeUtf8,
  isJsonObject,
  type JsonValue,
  type JsonOutput,
  parseJsonObject,
  writeJson,
} from '../../json/index';
import type { NestedPlace } from '../plan/search-plan';

/**
 * `_nested`: the field and the place of each object around, from the outermost one down, paths being
 * relative.
 */
export function nestedIdentity(places: readonly NestedPlace[]): string {
  let text = '';
  places.forEach(({ path, offset }, i) => {
    const around = places[i - 1]?.path;
    const field = around === undefined ? path : path.slice(around.length + 1);
    text += `${i === 0 ? '' : ',"_nested":'}{"field":${writeJson(field)},"offset":${offset}`;
  });
  return text + '}'.repeat(places.length);
}

/** The source of a nested object; null: the document's source does not have it. */
export function nestedSource(source: Buffer, places: readonly NestedPlace[]): Buffer | null {
  let object: JsonValue = parseJsonObject(decodeUtf8(source), Infinity);
  let around = '';
  for (const { path, offset } of places) {
    const field = around === '' ? path : path.slice(around.length + 1);
    around = path;
    object = objectsAt(object, field)[offset] ?? null;
  }
  return isJsonObject(object) ? Buffer.from(writeJson(object as JsonOutput)) : null;
}

/** A document that has nothing but one nested object of a source, at its path. */
export function wrapped(source: Buffer, places: readonly NestedPlace[]): Buffer {
  const object = nestedSource(source, places)?.toString() ?? '{}';
  const names = places.at(-1)!.path.split('.');
  const heads = names.map((name) => `{${writeJson(name)}:`);
  return Buffer.from(heads.join('') + object + '}'.repeat(names.length));
}

/** The objects at a path, those in lists one by one. */
function objectsAt(object: JsonValue, path: string): readonly JsonValue[] {
  let found: readonly JsonValue[] = [object];
  for (const name of path.split('.')) {
    found = found.flatMap((each) => {
      const value = isJsonObject(each) ? (each.get(name) ?? null) : null;
      return Array.isArray(value) ? value.flat(16) : [value];
    });
  }
  return found.filter(isJsonObject);
}
