// How large a mapping is, and what it must not exceed: a mapping is compiled, copied and written as a whole
// whenever something is added to it.

import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index';
import { LIMIT_SETTINGS, type MappingLimits } from '../../metadata/index';
import { DocumentError } from '../types/field-mapper';
import { ObjectMapping, type PropertyMapping } from './object-mapping';
import type { TypeMapping } from './type-mapping';

/** What a type counts besides its own fields: it brings the metadata fields of all types along. */
const TYPE_SIZE = 10;

/** Size and depth of a mapping. */
interface MappingSize {
  /** Objects and fields, multi-fields included; dynamic templates; and something for each type. */
  readonly fields: number;
  /** Levels of names: a field of the document itself has depth 1. */
  readonly depth: number;
}

/**
 * A document that would make the mapping too large, or take too long to, adds nothing to it, unlike one that
 * fails otherwise.
 */
export class MappingLimitError extends DocumentError {}

/** 400 for more fields than an index may have. */
export function tooManyFields(index: string, limits: MappingLimits): MappingLimitError {
  const { fieldsPerIndex: allowed } = limits;
  return refused(
    `limit of total fields [${allowed}] in index [${index}] has been exceeded (${LIMIT_SETTINGS.fieldsPerIndex})`,
  );
}

/** 400 for objects within objects within objects. */
export function tooDeep(index: string, limits: MappingLimits): MappingLimitError {
  const { mappingDepth: allowed } = limits;
  return refused(
    `limit of mapping depth [${allowed}] in index [${index}] has been exceeded (${LIMIT_SETTINGS.mappingDepth})`,
  );
}

/** 400 for new fields that are compared with too many dynamic templates. */
export function tooManyTemplates(index: string, most: number): MappingLimitError {
  return refused(
    `new fields of index [${index}] would be compared with more than [${most}] dynamic templates`,
  );
}

function refused(message: string): MappingLimitError {
  return new MappingLimitError('MapperParsingException', message);
}

const sizes = new WeakMap<TypeMapping, MappingSize>();

/** The size of a type's mapping, worked out once. */
export function sizeOfType(mapping: TypeMapping): MappingSize {
  let size = sizes.get(mapping);
  if (size === undefined) {
    const { fields, depth } = sizeOfProperty(mapping.root);
    const templates = mapping.options.dynamicTemplates.length;
    size = { fields: fields - 1 + TYPE_SIZE + templates, depth: depth - 1 };
    sizes.set(mapping, size);
  }
  return size;
}

/** The size of an object or field with everything in it. */
export function sizeOfProperty(property: PropertyMapping): MappingSize {
  let fields = 1;
  let inner = 0;
  const children =
    property instanceof ObjectMapping ? property.properties : property.common.subFields;
  for (const child of children.values()) {
    const size = sizeOfProperty(child);
    fields += size.fields;
    // Multi-fields lie beside the field, not in it.
    if (property instanceof ObjectMapping) inner = Math.max(inner, size.depth);
  }
  return { fields, depth: inner + 1 };
}

/**
 * Refuses more types than an index can have, before they are read.
 * @throws MappingLimitError
 */
export function assertRoomForTypes(index: string, types: number, limits: MappingLimits): void {
  if (types * TYPE_SIZE > limits.fieldsPerIndex) throw tooManyFields(index, limits);
}

/**
 * Refuses the body of a mapping that is larger than any index's may be, before it is read.
 * @throws MappingLimitError
 */
export function assertReadable(index: string, body: JsonObject, limits: MappingLimits): void {
  let fields = 0;
  const open: JsonObject[] = [body];
  const count = (members: JsonValue | undefined): void => {
    if (!isJsonObject(members)) return;
    fields += members.size;
    if (fields > limits.fieldsPerIndex) throw tooManyFields(index, limits);
    for (const member of members.values()) if (isJsonObject(member)) open.push(member);
  };
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    count(next.get('properties'));
    count(next.get('fields'));
  }
}

/**
 * Checks a type that is added or changed.
 *
 * @param before the type as it was, or null
 * @param others sizes of the other types of the index together
 * @throws EngineError MapperParsingException when it grows beyond what an index may have
 */
export function assertMappingLimits(
  index: string,
  before: TypeMapping | null,
  after: TypeMapping,
  others: () => number,
  limits: MappingLimits,
): void {
  const { fields, depth } = sizeOfType(after);
  const known = before === null ? { fields: 0, depth: 0 } : sizeOfType(before);
  if (depth > limits.mappingDepth && depth > known.depth) throw tooDeep(index, limits);
  if (fields > known.fields && others() + fields > limits.fieldsPerIndex) {
    throw tooManyFields(index, limits);
  }
}
