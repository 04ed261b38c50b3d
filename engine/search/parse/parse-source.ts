// What of a hit is returned: `_source`, `fields`, `fielddata_fields` (reference server).

import { appendAll } from '../../common/index';
import { EngineError, NoLeaf } from '../../errors';
import { JsonNumber, type JsonValue, type SourceFilter } from '../../json/index';
import { misplaced } from '../../query/index';
import { type IndexMapping, refuseUnloadable } from '../../mapping/index';
import type { FetchField, FielddataField } from '../plan/search-plan';

const BOOLEAN_TEXTS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['off', false],
  ['no', false],
  ['0', false],
]);

type Metadata = NonNullable<FetchField['metadata']>;

/** Metadata fields that `fields` returns as scalars. */
const METADATA: ReadonlyMap<string, Metadata> = new Map<string, Metadata>([
  ['_routing', '_routing'],
  ['_parent', '_parent'],
  ['_timestamp', '_timestamp'],
  ['_ttl', '_ttl'],
  ['_size', '_size'],
]);

/** Metadata fields that are returned only when their mapping says `store`. */
const STORED_ON_DEMAND: ReadonlySet<string> = new Set(['_timestamp', '_size']);

/** Names that give nothing. */
const NEVER_RETURNED: ReadonlySet<string> = new Set([
  '_id',
  '_type',
  '_index',
  '_uid',
  '_all',
  '_source',
]);

/** @throws EngineError ElasticsearchParseException */
export function parseSourceFilter(value: JsonValue): SourceFilter {
  if (value === null) throw parseError('source element value can be of type VALUE_NULL');
  if (typeof value === 'boolean') return value;
  if (value instanceof JsonNumber) {
    if (/^-?\d+$/.test(value.text)) return value.value !== 0;
    throw parseError('source element value can be of type VALUE_NUMBER');
  }
  if (typeof value === 'string')
    return BOOLEAN_TEXTS.get(value) ?? { includes: [value], excludes: [] };
  if (Array.isArray(value)) return withPatterns(namesIn(value, '_source'), []);
  const includes: string[] = [];
  const excludes: string[] = [];
  for (const [name, member] of value) {
    if (name === 'include' || name === 'includes') appendAll(includes, patternList(member));
    else if (name === 'exclude' || name === 'excludes') appendAll(excludes, patternList(member));
    else throw parseError(`Source definition may not contain ${name}`);
  }
  return withPatterns(includes, excludes);
}

function withPatterns(includes: readonly string[], excludes: readonly string[]): SourceFilter {
  return includes.length === 0 && excludes.length === 0 ? true : { includes, excludes };
}

function patternList(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return namesIn(value, '_source');
  if (value === null || value instanceof Map)
    throw parseError('unexpected token while parsing source settings');
  return [String(value)];
}

/**
 * Names of a `fields` element; undefined for what counts as not given.
 *
 * @throws EngineError ElasticsearchParseException for lists and objects among the names
 */
export function parseFieldNames(value: JsonValue): readonly string[] | undefined {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return undefined;
  return namesIn(value, 'fields');
}

/** compat: every token between the ends of a list is a name. */
function namesIn(list: readonly JsonValue[], element: string): string[] {
  const names: string[] = [];
  addNames(list, element, names);
  return names;
}

function addNames(list: readonly JsonValue[], element: string, names: string[]): void {
  list.forEach((name, i) => {
    if (Array.isArray(name)) throw misplaced(element, list[i + 1]);
    if (!(name instanceof Map)) {
      names.push(String(name));
      return;
    }
    names.push('{');
    for (const [key, value] of name) {
      names.push(key);
      addNames([value], element, names);
    }
    names.push('}');
  });
}

/** @throws EngineError ElasticsearchIllegalStateException */
export function parseFielddataNames(value: JsonValue): readonly string[] {
  const names = parseFieldNames(value);
  if (names !== undefined) return names;
  const token =
    value === null
      ? 'VALUE_NULL'
      : value instanceof JsonNumber
        ? 'VALUE_NUMBER'
        : value instanceof Map
          ? 'START_OBJECT'
          : 'VALUE_BOOLEAN';
  const message = `Expected either a VALUE_STRING or an START_ARRAY but got ${token}`;
  throw new EngineError('ElasticsearchIllegalStateException', message);
}

/**
 * Resolves `fields` for one index. A lone `*` stands for all that is stored; names of fields that are not
 * stored are looked up in `_source` as they are. compat: what is not mapped is not looked for.
 *
 * @throws NoLeaf for an object
 */
export function resolveFields(
  names: readonly string[],
  mapping: IndexMapping,
  types: readonly string[],
): readonly FetchField[] {
  const stored = new Map<string, FetchField>();
  // compat: what comes from the source comes as often as it is named.
  const extracted: FetchField[] = [];
  for (const name of names) {
    if (NEVER_RETURNED.has(name)) continue;
    const metadata = METADATA.get(name) ?? null;
    if (metadata !== null) {
      const field = metadataField(metadata, mapping);
      if (field !== null) stored.set(name, field);
    } else if (name === '*') {
      for (const field of storedFields(mapping)) stored.set(field.name, field);
    } else {
      const mapped = mapping.find(name, types)?.mapped;
      const isObject =
        mapped === undefined
          ? mapping.nestedObject(name, types) !== null
          : mapped.type === 'object' || mapped.type === 'nested';
      if (isObject) throw new NoLeaf(name);
      if (mapped?.store === true) {
        const { indexName, path, type } = mapped;
        stored.set(indexName, { name: indexName, path, metadata: null, stored: type });
      } else if (mapped !== undefined) {
        extracted.push({ name, path: name, metadata: null, stored: null });
      }
    }
  }
  return [...stored.values(), ...extracted];
}

/** Null: no type keeps it. */
function metadataField(metadata: Metadata, mapping: IndexMapping): FetchField | null {
  const field = { name: metadata, path: metadata, metadata, stored: null };
  if (!STORED_ON_DEMAND.has(metadata)) return field;
  const keptIn = mapping.types.filter(
    (type) => mapping.find(metadata, [type])?.mapped.store === true,
  );
  return keptIn.length === 0 ? null : { ...field, keptIn };
}

/** Everything that is stored of documents: what `*` stands for. */
function storedFields(mapping: IndexMapping): FetchField[] {
  const fields = [...METADATA.values()]
    .map((metadata) => metadataField(metadata, mapping))
    .filter((field) => field !== null);
  for (const { store, path, indexName, type } of mapping.match('*', [])) {
    if (store && !path.startsWith('_'))
      fields.push({ name: indexName, path, metadata: null, stored: type });
  }
  return fields;
}

/** Resolves `fielddata_fields` for one index; what is not indexed is left out. */
export function resolveFielddata(
  names: readonly string[],
  mapping: IndexMapping,
  types: readonly string[],
): readonly FielddataField[] {
  return names.flatMap((name) => {
    const mapped = mapping.find(name, types)?.mapped;
    if (mapped !== undefined) refuseUnloadable(mapped);
    const field = mapped?.field ?? null;
    return field === null ? [] : [{ name, field: field.id, kind: field.kind }];
  });
}

function parseError(message: string): EngineError {
  return new EngineError('ElasticsearchParseException', message);
}
