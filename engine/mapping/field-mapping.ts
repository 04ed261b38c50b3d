// Single fields of a mapping, as `GET _mapping/field` shows them (reference server).

import { patternTest, type PatternWork } from '../common/index';
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue, javaText } from '../json/index';
import { renderMapping } from './render';

/** A field under the name it was asked for. */
interface FieldMapping {
  readonly fullName: string;
  /** The last part of the name, under which the mapping is shown. */
  readonly name: string;
  /** Null: a metadata field that is not configured. */
  readonly mapping: JsonObject | null;
}

/** Metadata fields every type has. */
const META_FIELDS = [
  '_all',
  '_boost',
  '_field_names',
  '_id',
  '_index',
  '_parent',
  '_routing',
  '_size',
  '_source',
  '_timestamp',
  '_ttl',
  '_type',
  '_uid',
  '_version',
];

/** So many names and patterns are looked up in any number of mappings. */
const ALWAYS_FEW = 16;

/**
 * The leaf fields of a canonical mapping that names and patterns mean. A name is a full path, else an
 * `index_name`, else the last part of a path.
 *
 * @param patterns counts what names are compared with
 * @param withDefaults show all attributes of fields, also those that were not set
 */
export function fieldMappings(
  canonical: JsonObject,
  names: readonly string[],
  patterns: PatternWork,
  withDefaults: boolean,
): ReadonlyMap<string, FieldMapping> {
  const leaves = leavesOf(canonical);
  const found = new Map<string, FieldMapping>();
  const shown = new Set<Leaf>();
  const add = (key: string, leaf: Leaf): void => {
    if (shown.has(leaf)) return;
    shown.add(leaf);
    if (!found.has(key)) found.set(key, withDefaults ? completed(leaf) : leaf);
  };
  for (const [n, name] of names.entries()) {
    if (n >= ALWAYS_FEW) patterns.add(leaves.length);
    if (name.includes('*')) {
      const matches = patternTest(name);
      for (const leaf of leaves) if (matches(leaf.fullName)) add(leaf.fullName, leaf);
      if (name === '*') continue;
      for (const leaf of leaves) if (matches(leaf.indexName)) add(leaf.indexName, leaf);
      for (const leaf of leaves) if (matches(leaf.name)) add(leaf.name, leaf);
    } else {
      const leaf =
        leaves.find(({ fullName }) => fullName === name) ??
        leaves.find(({ indexName }) => indexName === name) ??
        leaves.find((candidate) => candidate.name === name);
      if (leaf !== undefined) add(name, leaf);
    }
  }
  return found;
}

/** A field with the name under which it is indexed. */
interface Leaf extends FieldMapping {
  readonly indexName: string;
}

function leavesOf(canonical: JsonObject): Leaf[] {
  const leaves = META_FIELDS.map((name): Leaf => {
    const mapping = canonical.get(name);
    const own = isJsonObject(mapping) ? mapping : null;
    return { fullName: name, name, indexName: name, mapping: own };
  });
  addLeaves(canonical.get('properties'), '', '', leaves);
  return leaves;
}

/**
 * @param prefix of the full names
 * @param indexPrefix of the names in the index: nothing inside an object with `path: just_name`
 */
function addLeaves(
  fields: JsonValue | undefined,
  prefix: string,
  indexPrefix: string,
  leaves: Leaf[],
): void {
  if (!isJsonObject(fields)) return;
  for (const [name, mapping] of fields) {
    if (!isJsonObject(mapping)) continue;
    const fullName = prefix + name;
    const type = mapping.get('type');
    const isObject = type === undefined || type === 'object' || type === 'nested';
    if (!isObject) {
      const own = mapping.get('index_name');
      const indexName = indexPrefix + (typeof own === 'string' ? own : name);
      leaves.push({ fullName, name, indexName, mapping: renderMapping(mapping) });
    }
    const inner = `${fullName}.`;
    const isBare = isObject && mapping.get('path') === 'just_name';
    addLeaves(mapping.get(isObject ? 'properties' : 'fields'), inner, isBare ? '' : inner, leaves);
  }
}

const NUMERIC: ReadonlyMap<string, readonly [analyzer: string, precisionStep: number]> = new Map([
  ['byte', ['_byte', 2147483647]],
  ['short', ['_short', 8]],
  ['integer', ['_int', 8]],
  ['token_count', ['_int', 8]],
  ['long', ['_long', 16]],
  ['float', ['_float', 8]],
  ['double', ['_double', 16]],
  ['date', ['_date', 16]],
  ['ip', ['_ip', 16]],
]);

/** A field with the attributes that were not set. Metadata fields stay as they are. */
function completed(leaf: FieldMapping): FieldMapping {
  const { mapping, name } = leaf;
  const type = mapping?.get('type');
  if (mapping === null || typeof type !== 'string') return leaf;
  const fields = mapping.get('fields');
  const own = new Map(mapping);
  if (isJsonObject(fields)) {
    own.set(
      'fields',
      new Map(
        [...fields].map(([sub, body]): [string, JsonValue] => {
          const inner = { fullName: sub, name: sub, mapping: isJsonObject(body) ? body : null };
          return [sub, completed(inner).mapping];
        }),
      ),
    );
  }
  return { ...leaf, mapping: new Map([...defaultsOf(type, name, mapping), ...own]) };
}

function defaultsOf(type: string, name: string, mapping: JsonObject): JsonObject {
  const numeric = NUMERIC.get(type);
  const isAnalyzed = type === 'string' && (mapping.get('index') ?? 'analyzed') === 'analyzed';
  const analyzer = isAnalyzed ? textOf(mapping.get('analyzer'), 'default') : '_keyword';
  const step =
    numeric === undefined ? 0 : Number(textOf(mapping.get('precision_step'), String(numeric[1])));
  return new Map<string, JsonValue>([
    ['type', type],
    ['index_name', name],
    ['boost', new JsonNumber('1.0')],
    ['index', isAnalyzed ? 'analyzed' : 'not_analyzed'],
    ['store', false],
    ['doc_values', false],
    ['term_vector', 'no'],
    ['norms', new Map([['enabled', isAnalyzed]])],
    ['index_options', isAnalyzed ? 'positions' : 'docs'],
    ...(numeric === undefined
      ? ([['analyzer', analyzer]] as const)
      : ([
          ['index_analyzer', `${numeric[0]}/${step}`],
          ['search_analyzer', `${numeric[0]}/max`],
        ] as const)),
    ['postings_format', 'default'],
    ['doc_values_format', 'default'],
    ['similarity', 'default'],
    ['fielddata', new Map()],
    ...(numeric === undefined
      ? []
      : ([
          ['ignore_malformed', false],
          ['coerce', true],
          ['precision_step', new JsonNumber(String(step))],
        ] as const)),
    ...(type === 'date' ? ([['format', 'dateOptionalTime']] as const) : []),
    ['null_value', null],
    ...(type === 'boolean' ? [] : ([['include_in_all', false]] as const)),
    ...(type === 'date'
      ? ([
          ['numeric_resolution', 'milliseconds'],
          ['locale', ''],
        ] as const)
      : []),
    ...(type === 'string'
      ? ([
          ['position_offset_gap', new JsonNumber('0')],
          ['search_quote_analyzer', textOf(mapping.get('search_quote_analyzer'), analyzer)],
          ['ignore_above', new JsonNumber('-1')],
        ] as const)
      : []),
  ]);
}

function textOf(value: JsonValue | undefined, otherwise: string): string {
  const isScalar = typeof value === 'string' || value instanceof JsonNumber;
  return isScalar ? javaText(value) : otherwise;
}
