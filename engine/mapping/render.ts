// A mapping as GET prints it.

import { isJsonObject, type JsonObject, type JsonValue } from '../json/index';
import { matchesAny } from '../common/index';
import type { IndexMetadata } from '../metadata/index';

/** The printed mappings of an index's types that match names and patterns; of all types without any. */
export function renderMappings(
  index: IndexMetadata,
  types: readonly string[] = [],
): ReadonlyMap<string, JsonObject> {
  const isAll = types.length === 0 || types.includes('_all');
  const rendered = new Map<string, JsonObject>();
  for (const [type, mapping] of index.mappings) {
    if (isAll || matchesAny(types, type)) rendered.set(type, renderMapping(mapping));
  }
  return rendered;
}

/**
 * The printed form of a canonical mapping: the same members, with properties and sub-fields in the order
 * of their names as the reference sorts them (UTF-16).
 */
export function renderMapping(canonical: JsonObject): JsonObject {
  const out: JsonObject = new Map<string, JsonValue>();
  for (const [name, value] of canonical) {
    const holdsFields = (name === 'properties' || name === 'fields') && isJsonObject(value);
    out.set(name, holdsFields ? sortedFields(value) : value);
  }
  return out;
}

function sortedFields(fields: JsonObject): JsonObject {
  const names = [...fields.keys()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return new Map(
    names.map((name) => {
      const body = fields.get(name) ?? null;
      return [name, isJsonObject(body) ? renderMapping(body) : body];
    }),
  );
}
