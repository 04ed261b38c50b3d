// Changes of an index's mappings: put mapping, and the fields that documents add.
//
// Behaviour as on the reference server. Nothing here changes its arguments: the result holds new
// maps, and a field table in which ids are only ever added.

import { atOnce } from '../common/index';
import { EngineError } from '../errors';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  classCast,
  javaText,
  mapperParsing,
  optionBoolean,
} from '../json/index';
import {
  SCRIPTS_INDEX,
  type FieldIdentity,
  type IndexMetadata,
  type MappingLimits,
} from '../metadata/index';
import { DEFAULT_TYPE, fieldKey } from './compile';
import { FIRST_USER_FIELD_ID } from './fields/field-sink';
import {
  mappingContext,
  readCanonical,
  remember,
  type AnalyzerLookup,
} from './schema/mapping-context';
import { assertMappingLimits, assertReadable, sizeOfType } from './schema/mapping-size';
import { FieldRegistry, TypeMapper } from './schema/type-mapper';
import { PERCOLATOR_MAPPING, PERCOLATOR_TYPE, SCRIPTS_MAPPING } from './schema/own-mappings';
import { TypeMapping } from './schema/type-mapping';
import { similarityRegistry } from '../similarity/index';
import type { MappingContext } from './types/options';

interface PutMappingOptions {
  /** Applies what can be merged and passes over the rest. */
  readonly ignoreConflicts: boolean;
  /** What the mappings of the index must not exceed by it. */
  readonly limits: MappingLimits;
}

/**
 * The metadata after a put mapping. `body` may name the type around the mapping or leave it out.
 * The same object is returned when nothing changes.
 *
 * @throws EngineError MapperParsingException and what field types throw for a bad mapping, or for one that
 *         grows beyond `limits`;
 *         MergeMappingException when it contradicts the type's present one
 */
export function putMapping(
  metadata: IndexMetadata,
  type: string,
  body: JsonObject,
  analysis: AnalyzerLookup,
  { ignoreConflicts, limits }: PutMappingOptions,
): IndexMetadata {
  const { settings } = metadata;
  const context = mappingContext(analysis, settings);
  const content = unwrap(type, body);
  assertReadable(metadata.name, content, limits);
  refuseTransform(type, content);
  const current = metadata.mappings.get(type);
  if (current === undefined || type === DEFAULT_TYPE) {
    const standard = standardMapping(metadata, type);
    const complete = standard === undefined ? content : withDefaults(content, standard);
    return replaceType(metadata, TypeMapping.parse(type, complete, context), analysis, limits);
  }
  const next = TypeMapping.parse(type, content, context);
  const conflicts: string[] = [];
  const known = readCanonical(type, current, settings, context);
  const merged = known.merge(next, conflicts);
  if (conflicts.length > 0 && !ignoreConflicts) throw mergeFailed(conflicts);
  return replaceType(metadata, merged, analysis, limits);
}

/** Documents would be indexed as they are, and not as a script makes them. @throws EngineError */
function refuseTransform(type: string, content: JsonObject): void {
  if ((content.get('transform') ?? null) === null) return;
  throw mapperParsing(
    `[transform] of mapping [${type}] is not supported: change documents before they are indexed`,
  );
}

/**
 * The metadata after a document: the type is added (with `_default_`) when it is missing, and the new
 * fields of `update`, a mapping that holds nothing else, are merged in.
 *
 * @throws EngineError MergeMappingException when another document got there first with other types;
 *         TypeMissingException when the index adds no types by itself
 */
export function mergeDynamic(
  metadata: IndexMetadata,
  type: string,
  update: JsonObject,
  analysis: AnalyzerLookup,
  limits: MappingLimits,
): IndexMetadata {
  return atOnce(mergeDynamicSteps(metadata, type, update, analysis, limits));
}

/**
 * The same in steps, of some ten milliseconds each where there are thousands of fields.
 *
 * @throws EngineError as {@link mergeDynamic}
 */
export function* mergeDynamicSteps(
  metadata: IndexMetadata,
  type: string,
  update: JsonObject,
  analysis: AnalyzerLookup,
  limits: MappingLimits,
): MergeSteps {
  const { settings, mappings } = metadata;
  const current = mappings.get(type);
  if (current === undefined) {
    refuseUnlessDynamic(metadata, type);
    const added = putMapping(metadata, type, new Map([[type, new Map()]]), analysis, {
      ignoreConflicts: false,
      limits,
    });
    if (update.size === 0) return added;
    return yield* mergeDynamicSteps(added, type, update, analysis, limits);
  }
  if (update.size === 0) return metadata;
  const context = mappingContext(analysis, settings);
  const conflicts: string[] = [];
  const known = readCanonical(type, current, settings, context);
  const next = TypeMapping.parse(type, update, context);
  yield;
  const merged = known.mergeFields(next, conflicts);
  if (conflicts.length > 0) throw mergeFailed(conflicts);
  return yield* replaceTypeSteps(metadata, merged, analysis, limits);
}

/** Metadata in the making. */
type MergeSteps = Generator<void, IndexMetadata, void>;

/** What a new type begins with. Undefined: nothing. */
function standardMapping({ name, mappings }: IndexMetadata, type: string): JsonObject | undefined {
  if (type === PERCOLATOR_TYPE) return PERCOLATOR_MAPPING;
  if (type === DEFAULT_TYPE) return undefined;
  return mappings.get(DEFAULT_TYPE) ?? (name === SCRIPTS_INDEX ? SCRIPTS_MAPPING : undefined);
}

function refuseUnlessDynamic({ name, settings }: IndexMetadata, type: string): void {
  const setting = settings.get('index.mapper.dynamic');
  if (typeof setting !== 'string' || optionBoolean(setting)) return;
  throw new EngineError(
    'TypeMissingException',
    `[${name}] type[[${type}, trying to auto create mapping, but dynamic mapping is disabled]] missing`,
  );
}

function mergeFailed(conflicts: readonly string[]): EngineError {
  return new EngineError(
    'MergeMappingException',
    `Merge failed with failures {[${conflicts.join(', ')}]}`,
  );
}

/** The mapping without the type's name around it. */
function unwrap(type: string, body: JsonObject): JsonObject {
  if (body.size === 0) throw mapperParsing('malformed mapping no root object found');
  const [first] = body;
  if (first === undefined || first[0] !== type) return body;
  const inner = first[1];
  if (inner === null) return new Map();
  if (!isJsonObject(inner)) throw classCast(inner, 'java.util.Map');
  return inner;
}

/** Puts a type's mapping into the metadata and gives ids to its new fields. */
function replaceType(
  metadata: IndexMetadata,
  mapping: TypeMapping,
  analysis: AnalyzerLookup,
  limits: MappingLimits,
): IndexMetadata {
  return atOnce(replaceTypeSteps(metadata, mapping, analysis, limits));
}

function* replaceTypeSteps(
  metadata: IndexMetadata,
  mapping: TypeMapping,
  analysis: AnalyzerLookup,
  limits: MappingLimits,
): MergeSteps {
  const { type } = mapping;
  const { settings } = metadata;
  const reading = mappingContext(analysis, settings);
  const known = metadata.mappings.get(type);
  const before = known === undefined ? null : readCanonical(type, known, settings, reading);
  assertMappingLimits(
    metadata.name,
    before,
    mapping,
    () => sizeOfMappings(metadata, reading, type),
    limits,
  );
  const canonical = mapping.render();
  const mappings = new Map(metadata.mappings);
  mappings.set(type, canonical);
  remember(canonical, settings, mapping);
  if (type === DEFAULT_TYPE) return { ...metadata, mappings };
  yield;
  const fields = new Map(metadata.fields);
  let nextId = nextFieldId(metadata.fields);
  const registry = new FieldRegistry((name, kind) => {
    const key = fieldKey(name, kind);
    const known = fields.get(key);
    if (known !== undefined) return known.id;
    const identity: FieldIdentity = { id: nextId++, name, kind };
    fields.set(key, identity);
    return identity.id;
  });
  // Compiling asks for every physical field of the type.
  const similarities = similarityRegistry(settings);
  new TypeMapper(mapping, { analysis, settings, reading, fields: registry, similarities });
  return {
    ...metadata,
    mappings,
    fields: fields.size === metadata.fields.size ? metadata.fields : fields,
  };
}

/** The size of all types together, but for one. */
function sizeOfMappings(
  { mappings, settings }: IndexMetadata,
  reading: MappingContext,
  except: string | null,
): number {
  let size = 0;
  for (const [type, canonical] of mappings) {
    if (type !== except)
      size += sizeOfType(readCanonical(type, canonical, settings, reading)).fields;
  }
  return size;
}

function nextFieldId(fields: IndexMetadata['fields']): number {
  let next = FIRST_USER_FIELD_ID;
  for (const { id } of fields.values()) next = Math.max(next, id + 1);
  return next;
}

/** `mapping` with what `defaults` says and it does not; templates are merged by name, other lists joined. */
function withDefaults(mapping: JsonObject, defaults: JsonObject): JsonObject {
  const merged = new Map(mapping);
  for (const [name, standard] of defaults) {
    const own = merged.get(name);
    if (own === undefined) merged.set(name, standard);
    else if (isJsonObject(own) && isJsonObject(standard))
      merged.set(name, withDefaults(own, standard));
    else if (Array.isArray(own) && Array.isArray(standard)) merged.set(name, joined(own, standard));
  }
  return merged;
}

function joined(own: JsonValue[], standard: JsonValue[]): JsonValue[] {
  const isNamed = (item: JsonValue): item is JsonObject => isJsonObject(item) && item.size === 1;
  if (own.every(isNamed) && standard.every(isNamed)) {
    const byName = new Map<string, JsonObject>();
    for (const item of own) for (const name of item.keys()) byName.set(name, item);
    for (const item of standard) {
      for (const name of item.keys()) {
        const known = byName.get(name);
        byName.set(name, known === undefined ? item : withDefaults(known, item));
      }
    }
    return [...byName.values()];
  }
  const seen = new Set(standard.map(javaText));
  return [...standard, ...own.filter((item) => !seen.has(javaText(item)))];
}
