// A real mapping to parse against, and query trees as short texts in the notation of the reference.

import { children } from '../../../../../engine/query/ast/children';
import { NO_SCRIPTS } from '../../../../support/no-scripts';
import type { Analyzer } from '../../../../../engine/analysis/chain/analyzer';
import { STANDARD_ANALYZER } from '../../../../../engine/analysis/builtin';
import { buildAnalysis } from '../../../../../engine/analysis/registry';
import { DEFAULT_REQUEST_LIMITS, RequestMeter } from '../../../../../engine/common/request-meter';
import { type JsonObject, type JsonValue, isJsonObject } from '../../../../../engine/json/json';
import { parseJson } from '../../../../../engine/json/parse';
import { compileMapping } from '../../../../../engine/mapping/compile';
import { META_FIELD } from '../../../../../engine/mapping/fields/field-sink';
import type { IndexMapping } from '../../../../../engine/mapping/schema/index-mapping';
import type { AnalyzerLookup } from '../../../../../engine/mapping/schema/mapping-context';
import { putMapping } from '../../../../../engine/mapping/merge';
import { NO_MAPPING_LIMITS } from '../../../../../engine/metadata/limits';
import type { IndexMetadata } from '../../../../../engine/metadata/state';
import { parseFilter, parseQuery } from '../../../../../engine/query/parse/parse';
import type { QueryParseContext } from '../../../../../engine/query/parse/scope/parse-context';
import type { PhraseSlot, Query, Rewrite, SpanTree } from '../../../../../engine/query/ast/query';
import type { FieldId } from '../../../../../engine/metadata/field';

const MAX_DEPTH = 2000;

const SETTINGS = new Map<string, string | readonly string[]>([
  ['index.analysis.analyzer.stp.type', 'stop'],
]);

/** Puts a second word at the place of some words. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['wifi', 'wlan'],
  ['fast', 'quick'],
]);

const SYNONYM_ANALYZER: Analyzer = {
  name: 'syn',
  positionGap: 0,
  analyze(text) {
    return STANDARD_ANALYZER.analyze(text).flatMap((token) => {
      const synonym = SYNONYMS.get(token.term);
      if (synonym === undefined) return [token];
      return [token, { ...token, term: synonym, positionIncrement: 0, type: 'SYNONYM' }];
    });
  },
  forEachTerm(text, emit) {
    for (const { term, positionIncrement } of this.analyze(text)) emit(term, positionIncrement);
  },
};

const REGISTRY = buildAnalysis(SETTINGS);
const ANALYSIS: AnalyzerLookup = {
  defaultIndex: REGISTRY.defaultIndex,
  defaultSearch: REGISTRY.defaultSearch,
  analyzer: (name) => (name === 'syn' ? SYNONYM_ANALYZER : REGISTRY.analyzer(name)),
};

const MAPPINGS = `{
  "d": {"properties": {
    "t": {"type": "string", "fields": {"raw": {"type": "string", "index": "not_analyzed"}}},
    "u": {"type": "string"},
    "k": {"type": "string", "index": "not_analyzed"},
    "s": {"type": "string", "analyzer": "syn"},
    "st": {"type": "string", "analyzer": "stp"},
    "n": {"type": "integer"},
    "l": {"type": "long"},
    "fl": {"type": "float"},
    "db": {"type": "double"},
    "b": {"type": "boolean"},
    "dt": {"type": "date"},
    "ip": {"type": "ip"},
    "nv": {"type": "integer", "null_value": -1},
    "o": {"properties": {"x": {"type": "string"}, "y": {"type": "integer"}}},
    "c": {"type": "nested", "properties": {
      "a": {"type": "string"},
      "r": {"type": "nested", "properties": {"z": {"type": "string"}}}
    }}
  }},
  "e": {"properties": {"t": {"type": "string"}, "q": {"type": "string"}}},
  "child": {"_parent": {"type": "e"}, "properties": {"cn": {"type": "string"}}}
}`;

function metadata(mappings: string): IndexMetadata {
  let result: IndexMetadata = {
    id: 1,
    name: 'i',
    uuid: 'u',
    state: 'open',
    settings: SETTINGS,
    mappings: new Map(),
    aliases: new Map(),
    warmers: new Map(),
    shardIds: [1],
    fields: new Map(),
    version: 1,
  };
  for (const [type, body] of object(mappings)) {
    if (!isJsonObject(body)) throw new Error('mapping is no object');
    result = putMapping(result, type, body, ANALYSIS, {
      ignoreConflicts: false,
      limits: NO_MAPPING_LIMITS,
    });
  }
  return result;
}

const METADATA = metadata(MAPPINGS);
const MAPPING: IndexMapping = compileMapping(METADATA, ANALYSIS);
const EMPTY_MAPPING: IndexMapping = compileMapping(metadata('{}'), ANALYSIS);

const FIELD_NAMES = new Map<FieldId, string>([
  [0, '?'],
  ...Object.entries(META_FIELD).map(([name, id]): [FieldId, string] => [id, name]),
  ...[...METADATA.fields.values()].map(({ id, name }): [FieldId, string] => [id, name]),
]);

/** 2014-06-15T12:00:00Z */
export const NOW = Date.UTC(2014, 5, 15, 12);

/** A context on the test index, with parts replaced. */
export function context(parts: Partial<QueryParseContext> = {}): QueryParseContext {
  return {
    indexName: 'i',
    mapping: MAPPING,
    types: [],
    now: () => NOW,
    texts: null,
    asWritten: false,
    strictFields: false,
    defaultField: '_all',
    nestedPath: null,
    meter: new RequestMeter(DEFAULT_REQUEST_LIMITS),
    getSource: () => undefined,
    scripts: () => NO_SCRIPTS,
    ...parts,
  };
}

/** A context on an index without any mapping. */
export function emptyContext(parts: Partial<QueryParseContext> = {}): QueryParseContext {
  return context({ mapping: EMPTY_MAPPING, ...parts });
}

/** A JSON value from text or from a plain value. */
export function json(value: unknown): JsonValue {
  return parseJson(typeof value === 'string' ? value : JSON.stringify(value), MAX_DEPTH);
}

function object(value: unknown): JsonObject {
  const parsed = json(value);
  if (!isJsonObject(parsed)) throw new Error('not an object');
  return parsed;
}

/** A query body as a short text. */
export function query(body: unknown, parts: Partial<QueryParseContext> = {}): string {
  return show(parseQuery(object(body), context(parts)));
}

/** A filter body as a short text; `null` for no filter. */
export function filter(body: unknown, parts: Partial<QueryParseContext> = {}): string {
  const parsed = parseFilter(json(body), context(parts));
  return parsed === null ? 'null' : show(parsed);
}

/** A query_string text (default field t) as a short text. */
export function queryString(
  text: string,
  options: Record<string, unknown> = {},
  parts: Partial<QueryParseContext> = {},
): string {
  return query({ query_string: { query: text, default_field: 't', ...options } }, parts);
}

/** The error text of the response that parsing `body` leads to. */
export function failure(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof Error && 'toWireString' in error) {
      return (error as { toWireString(): string }).toWireString();
    }
    throw error;
  }
  throw new Error('no error');
}

/** A tree as text: `+` must, `-` must not, bare should, `|` dis_max, `~n` minimum, `!` no coord. */
export function show(query: Query): string {
  return 'boost' in query && query.boost !== 1 ? `${bare(query)}^${query.boost}` : bare(query);
}

function bare(query: Query): string {
  switch (query.kind) {
    case 'matchAll':
      return '*:*';
    case 'matchNone':
      return 'none';
    case 'term':
      return `${name(query.field)}:${query.term}${query.scored ? '' : '(unscored)'}`;
    case 'termSet':
      return `${name(query.field)}:{${query.terms.join(',')}}`;
    case 'numberSet':
      return `${name(query.field)}:{${query.values.map(number).join(',')}}`;
    case 'numericRange':
      return `${name(query.field)}:[${number(query.from)} TO ${number(query.to)}]`;
    case 'stringRange': {
      const open = query.includeFrom ? '[' : '{';
      const close = query.includeTo ? ']' : '}';
      return `${name(query.field)}:${open}${query.from ?? '*'} TO ${query.to ?? '*'}${close}`;
    }
    case 'prefix':
      return `${name(query.field)}:${query.prefix}*${rewrite(query.rewrite)}`;
    case 'wildcard':
      return `${name(query.field)}:${query.pattern}${rewrite(query.rewrite)}`;
    case 'regexp':
      return `${name(query.field)}:/${query.pattern}/${query.flags === 0xffff ? '' : query.flags}${rewrite(query.rewrite)}`;
    case 'fuzzy':
      return `${name(query.field)}:${query.term}~${query.maxEdits}`;
    case 'phrase':
      return `${name(query.field)}:"${slots(query.slots)}"${query.slop === 0 ? '' : `~${query.slop}`}`;
    case 'phrasePrefix': {
      const last = { terms: query.prefixes, position: query.prefixPosition };
      return `${name(query.field)}:"${slots([...query.slots, last])}*"`;
    }
    case 'spans':
      return spans(query.tree);
    case 'functionScore':
      return `score(${show(query.query)}, ${query.functions.map((entry) => entry.function.kind).join(',')})`;
    case 'script':
      return `script(${query.script.source})`;
    case 'bool':
      return children(query).length === 0 ? 'none' : bool(query);
    case 'similar':
      return `similar(${query.terms.map((terms) => JSON.stringify(terms)).join()})`;
    case 'fuzzyWords':
      return `fuzzyWords(${JSON.stringify(query.words)})`;
    case 'disMax': {
      const tie = query.tieBreaker === 0 ? '' : `~${query.tieBreaker}`;
      return `(${query.queries.map(show).join(' | ')})${tie}`;
    }
    case 'blended': {
      const terms = query.terms.map(({ field, term, boost }) => {
        return `${name(field)}:${term}${boost === 1 ? '' : `^${boost}`}`;
      });
      const tie = query.tieBreaker === 0 || query.asBool ? '' : `~${query.tieBreaker}`;
      return `blended(${terms.join(query.asBool ? ' ' : ' | ')})${tie}`;
    }
    case 'commonTerms': {
      const { field, terms, cutoff, lowOperator, highOperator, lowMinimum, highMinimum } = query;
      const coord = query.disableCoord ? '!' : '';
      return `common(${name(field)}:${terms.join(',')} ${cutoff} ${lowOperator}${lowMinimum ?? ''} ${highOperator}${highMinimum ?? ''})${coord}`;
    }
    case 'constantScore':
      return `const(${show(query.query)})`;
    case 'filtered':
      return `filtered(${show(query.query)} -> ${show(query.filter)})`;
    case 'boosting':
      return `boosting(${show(query.positive)}, ${show(query.negative)}, ${query.negativeBoost})`;
    case 'exists':
      return `exists(${query.fields.map(name).join(',')})`;
    case 'nested':
      return `nested(${query.parentPath ?? ''}>${query.path} ${query.scoreMode} ${show(query.query)})`;
    case 'hasChild': {
      const { parentType, scoreMode, minChildren, maxChildren } = query;
      const top = query.alwaysWeighs ? 'top' : 'has';
      return `${top}Child(${parentType} ${scoreMode} ${minChildren}-${maxChildren} ${show(query.query)})`;
    }
    case 'hasParent':
      return `hasParent(${query.parentType}${query.scored ? ' score' : ''} ${show(query.query)})`;
    case 'uids':
      return `uids(${query.uids.join(',')})`;
    case 'geoShape':
      return `geoShape(${name(query.field)} ${query.relation} ${JSON.stringify(query.shape)})`;
    case 'geo':
      return `geo(${name(query.field)} ${JSON.stringify(query.region)})`;
    case 'sequences':
      return `sequences(${query.after}-${query.upTo})`;
    case 'types':
      return `types(${query.types.join(',')})`;
    case 'limit':
      return `limit(${query.count})`;
    case 'named':
      return `${query.name}@${show(query.query)}`;
  }
}

function spans(tree: SpanTree): string {
  const label = tree.name === undefined ? '' : `${tree.name}@`;
  const list = (clauses: readonly SpanTree[]) => clauses.map(spans).join(', ');
  switch (tree.type) {
    case 'term':
      return `${label}${tree.field.unmapped ?? name(tree.field.id)}:${tree.term}`;
    case 'multi':
      return `${label}multi(${show(tree.query)})`;
    case 'or':
      return `${label}or(${list(tree.clauses)})`;
    case 'near':
      return `${label}${tree.isOrdered ? 'ordered' : 'near'}~${tree.slop}(${list(tree.clauses)})`;
    case 'first':
      return `${label}first(${spans(tree.match)}, ${tree.end})`;
    case 'not':
      return `${label}not(${list([tree.include, tree.exclude])}, ${tree.pre}, ${tree.post})`;
    case 'masked':
      return `${label}mask(${spans(tree.match)} as ${name(tree.field.id)})`;
  }
}

function bool(query: Extract<Query, { kind: 'bool' }>): string {
  const clauses = [
    ...query.must.map((clause) => `+${show(clause)}`),
    ...query.should.map(show),
    ...query.mustNot.map((clause) => `-${show(clause)}`),
  ];
  const minimum = query.minimumShouldMatch === 0 ? '' : `~${query.minimumShouldMatch}`;
  return `(${clauses.join(' ')})${minimum}${query.disableCoord ? '!' : ''}`;
}

function slots(list: readonly PhraseSlot[]): string {
  let next = 0;
  let text = '';
  for (const { terms, position } of list) {
    text += `${text === '' ? '' : ' '}${'? '.repeat(position - next)}`;
    text += terms.length === 1 ? terms[0] : `(${terms.join(' ')})`;
    next = position + 1;
  }
  return text;
}

function number(value: number | bigint | null): string {
  return value === null ? '*' : `${value}${typeof value === 'bigint' ? 'L' : ''}`;
}

function rewrite(rewrite: Rewrite): string {
  if (rewrite.method === 'constant') return '';
  if (rewrite.method !== 'topTerms') return `<${rewrite.method}>`;
  return `<topTerms${rewrite.size}${rewrite.boost ? 'boost' : ''}>`;
}

function name(field: FieldId): string {
  return FIELD_NAMES.get(field) ?? `#${field}`;
}
