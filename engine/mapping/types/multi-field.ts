// The legacy type `multi_field`: a field whose sub-field of its own name is the field itself.

import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  classCast,
  mapperParsing,
} from '../../json/index';
import type { FieldMapping } from './field-mapping';
import { optionNode, type MappingContext, type OptionNode } from './options';

/** The type of a main field that is not declared. */
function firstType(fields: JsonObject): JsonValue {
  const [first] = fields.values();
  return (isJsonObject(first) ? optionNode(first).get('type') : null) ?? 'string';
}

/** Reads a `multi_field` as its main field with the others as sub-fields; without one nothing is indexed. */
export function multiField(name: string, node: OptionNode, context: MappingContext): FieldMapping {
  const given = node.get('fields');
  const fields: JsonObject = new Map<string, JsonValue>();
  if (given !== undefined && !(Array.isArray(given) && given.length === 0)) {
    if (!isJsonObject(given)) throw classCast(given, 'java.util.Map');
    for (const [subName, body] of given) fields.set(subName, body);
  }
  const main = fields.get(name);
  fields.delete(name);
  const options = new Map<string, JsonValue>(
    isJsonObject(main)
      ? optionNode(main)
      : [
          ['type', firstType(fields)],
          ['index', 'no'],
        ],
  );
  if ((options.get('type') ?? null) === null) {
    throw mapperParsing(`No type specified for property [${name}]`);
  }
  const ownFields = options.get('fields');
  if (isJsonObject(ownFields)) {
    for (const [subName, body] of ownFields) fields.set(subName, body);
  }
  // compat: a field without any fields forgets where they were to be found.
  const path = main === undefined && fields.size === 0 ? undefined : node.get('path');
  options.set('fields', fields);
  if (path !== undefined) options.set('path', path);
  return context.parseField(name, options);
}
