// From a search source (the body, then what the URL adds) to its elements, for one index. Elements are
// read in order: what an error text says of `from` and `size` depends on it.

import { EngineError, illegalArgument } from '../../errors';
import {
  NO_AGGREGATIONS,
  parseAggregations,
  type ParsedAggregations,
} from '../../aggregations/index';
import { parseFacets, type FacetPlan } from '../../facets/index';
import { type HighlightRequest, parseHighlight } from '../../highlight/index';
import {
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  decodeUtf8,
  parseJsonObject,
  isScalar,
  lenientBoolean,
  lenientFloat,
  lenientInteger,
  startsWithObject,
  type SourceFilter,
} from '../../json/index';
import {
  misplaced,
  refuseSecondMember,
  tokenName,
  type Query,
  type SearchContext,
  ElementFailure,
} from '../../query/index';
import { parseTimeValue } from '../../common/index';
import { parseSuggest, type SuggestSpec } from '../../suggest/index';
import { SourceFailure, type Progress } from '../plan/errors';
import { parseRescore } from './parse-rescore';
import { parsePartialFields, parseScriptFields } from './parse-script-fields';
import { parseSort } from './parse-sort';
import { parseTopHits } from './parse-top-hits';
import { parseFielddataNames, parseFieldNames, parseSourceFilter } from './parse-source';
import type { RescorePlan } from '../plan/rescore-plan';
import type { PartialField, ScriptField, SortKey } from '../plan/search-plan';

/** What a search asks for, with names resolved against one index. */
export interface SearchElements {
  /** Null: all documents. */
  readonly query: Query | null;
  readonly postFilter: Query | null;
  /** -1: not given. */
  readonly from: number;
  readonly size: number;
  readonly sort: readonly SortKey[] | null;
  /** Why sorting will fail, once there is something to sort. */
  readonly sortFailure: EngineError | null;
  readonly trackScores: boolean;
  readonly minScore: number | null;
  /** 0: none. Milliseconds. */
  readonly timeout: number;
  /** 0: not asked for. */
  readonly terminateAfter: number;
  /** What the scores of this index are multiplied by. */
  readonly indexBoost: number;
  readonly facets: readonly FacetPlan[];
  readonly aggregations: ParsedAggregations;
  /** Null: not given. */
  readonly suggest: readonly SuggestSpec[] | null;
  /** Undefined: not given. */
  readonly source: SourceFilter | undefined;
  readonly fields: readonly string[] | undefined;
  readonly fielddataFields: readonly string[];
  readonly scriptFields: readonly ScriptField[];
  readonly partialFields: readonly PartialField[];
  /** Null: not asked for. */
  readonly highlight: readonly HighlightRequest[] | null;
  readonly version: boolean;
  readonly explain: boolean;
  /** Stages of rescoring; without sort keys they have an effect. */
  readonly rescores: readonly RescorePlan[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** The elements while they are read. */
export type Elements = Mutable<SearchElements>;

/** A source with its text for error messages. */
export interface SearchSource {
  readonly members: JsonObject;
  readonly text: string;
}

/**
 * Parses the sources of a search one after the other; later elements replace earlier ones.
 *
 * @throws SourceFailure what the shards of the index fail with
 */
export function parseSearch(
  sources: readonly SearchSource[],
  context: SearchContext,
): SearchElements {
  const elements = noElements();
  for (const source of sources) {
    try {
      readElements(elements, source.members, context);
    } catch (error) {
      if (!(error instanceof EngineError || error instanceof ElementFailure)) throw error;
      throw new SourceFailure(source.text, elements, error);
    }
  }
  return elements;
}

/** What a search is that says nothing. */
export function noElements(): Elements {
  return {
    query: null,
    postFilter: null,
    from: -1,
    size: -1,
    sort: null,
    sortFailure: null,
    trackScores: false,
    minScore: null,
    timeout: 0,
    terminateAfter: 0,
    indexBoost: 1,
    facets: [],
    aggregations: NO_AGGREGATIONS,
    suggest: null,
    source: undefined,
    fields: undefined,
    fielddataFields: [],
    scriptFields: [],
    partialFields: [],
    highlight: null,
    version: false,
    explain: false,
    rescores: [],
  };
}

/** A source that could not even be read as JSON. */
export function unreadableSource(text: string | null, cause: EngineError): SourceFailure {
  const nothing: Progress = { from: -1, size: -1 };
  const isObject = text !== null && startsWithObject(text);
  return new SourceFailure(isObject ? text : '_na_', nothing, cause);
}

/** Whether a source may ask for explanations of hits: known before queries are read. */
export function mayExplain(sources: readonly SearchSource[]): boolean {
  return sources.some(({ text }) => text.includes('"explain"'));
}

type ElementReader = (elements: Elements, value: JsonValue, context: SearchContext) => void;

/** Elements that take a single value. */
const SCALARS: ReadonlyMap<string, ElementReader> = new Map<string, ElementReader>([
  ['from', (elements, value) => (elements.from = count('from', value, elements.from))],
  ['size', (elements, value) => (elements.size = count('size', value, elements.size))],
  ['track_scores', readTrackScores],
  ['trackScores', readTrackScores],
  ['min_score', readMinScore],
  ['minScore', readMinScore],
  ['timeout', (elements, value) => (elements.timeout = timeout(value))],
  ['terminate_after', readTerminateAfter],
  ['explain', (elements, value) => (elements.explain = lenientBoolean(value, false))],
  ['version', (elements, value) => (elements.version = lenientBoolean(value, false))],
]);

const STRUCTURES: ReadonlyMap<string, ElementReader> = new Map<string, ElementReader>([
  ['query', (elements, value, context) => (elements.query = context.parseQuery(value))],
  ['query_binary', readQueryBinary],
  ['queryBinary', readQueryBinary],
  ['filter', readPostFilter],
  ['post_filter', readPostFilter],
  ['postFilter', readPostFilter],
  ['filter_binary', readFilterBinary],
  ['filterBinary', readFilterBinary],
  ['sort', readSort],
  ['indices_boost', readIndicesBoost],
  ['indicesBoost', readIndicesBoost],
  ['aggs', readAggregations],
  ['aggregations', readAggregations],
  ['facets', (elements, value, context) => (elements.facets = parseFacets(value, context))],
  ['suggest', (elements, value, context) => (elements.suggest = parseSuggest(value, context))],
  ['fields', readFields],
  ['_source', readSource],
  ['fielddata_fields', readFielddata],
  ['fielddataFields', readFielddata],
  ['script_fields', readScriptFields],
  ['scriptFields', readScriptFields],
  ['partial_fields', readPartialFields],
  ['partialFields', readPartialFields],
  ['rescore', readRescore],
  [
    'highlight',
    (elements, value, context) => (elements.highlight = parseHighlight(value, context)),
  ],
  ['stats', () => undefined],
]);

/** Elements that do not look into an object in their place. */
const NOT_OBJECTS: ReadonlySet<string> = new Set([...SCALARS.keys(), 'fields', 'stats']);

/**
 * compat: where an element does not look into an object, its members are read as elements, and its end is
 * taken for the end of the source.
 */
function readElements(elements: Elements, source: JsonObject, context: SearchContext): void {
  for (const [name, value] of source) {
    if (isJsonObject(value) && NOT_OBJECTS.has(name)) {
      readElements(elements, value, context);
      return;
    }
    readElement(elements, name, value, context);
  }
}

/** Reads one element. @throws EngineError, ElementFailure */
export function readElement(
  elements: Elements,
  name: string,
  value: JsonValue,
  context: SearchContext,
): void {
  const scalar = SCALARS.get(name);
  if (scalar !== undefined) {
    if (Array.isArray(value)) throw misplaced(name, value[0]);
    scalar(elements, value, context);
    return;
  }
  const structure = STRUCTURES.get(name);
  if (structure === undefined) throw new ElementFailure(`No parser for element [${name}]`);
  structure(elements, value, context);
}

function readAggregations(elements: Elements, value: JsonValue, context: SearchContext): void {
  elements.aggregations = parseAggregations(value, context, parseTopHits);
}

function count(name: string, value: JsonValue, current: number): number {
  if (value === null) return current;
  const number = lenientInteger(value, current);
  if (number < 0) {
    throw new ElementFailure(
      `${name} is set to [${number}] and is expected to be higher or equal to 0`,
    );
  }
  return number;
}

function readSort(elements: Elements, value: JsonValue, context: SearchContext): void {
  const { keys, failure } = parseSort(value, context);
  elements.sort = keys;
  elements.sortFailure = failure;
}

/** compat: the stages of several elements add up. */
function readRescore(elements: Elements, value: JsonValue, context: SearchContext): void {
  elements.rescores = [...elements.rescores, ...parseRescore(value, context)];
}

function readTrackScores(elements: Elements, value: JsonValue): void {
  elements.trackScores = lenientBoolean(value, false);
}

function readMinScore(elements: Elements, value: JsonValue): void {
  const score = lenientFloat(value, null);
  if (score !== null) elements.minScore = Math.fround(score);
}

function timeout(value: JsonValue): number {
  if (value instanceof JsonNumber) return Math.trunc(value.value);
  return parseTimeValue(isScalar(value) ? String(value) : '');
}

/** Anything but a number is passed over. */
function readTerminateAfter(elements: Elements, value: JsonValue): void {
  if (!(value instanceof JsonNumber)) return;
  const limit = lenientInteger(value, 0);
  if (limit <= 0) throw illegalArgument('terminateAfter must be > 0');
  elements.terminateAfter = limit;
}

function readPostFilter(elements: Elements, value: JsonValue, context: SearchContext): void {
  elements.postFilter = context.parseFilter(value, null);
  if (isJsonObject(value)) refuseSecondMember(value);
}

function readQueryBinary(elements: Elements, value: JsonValue, context: SearchContext): void {
  elements.query = context.parseQuery(binary(value));
}

function readFilterBinary(elements: Elements, value: JsonValue, context: SearchContext): void {
  elements.postFilter = context.parseFilter(binary(value), null);
}

/** Base64 of a JSON object. */
function binary(value: JsonValue): JsonObject {
  if (typeof value !== 'string') throw illegalArgument('a binary element must be a base64 string');
  return parseJsonObject(decodeUtf8(Buffer.from(value, 'base64')));
}

function readIndicesBoost(elements: Elements, value: JsonValue, context: SearchContext): void {
  if (Array.isArray(value) && isJsonObject(value[0])) throw misplaced('indices_boost', value[1]);
  if (!isJsonObject(value)) {
    throw new EngineError(
      'ElasticsearchParseException',
      'End of query source reached but query is not complete.',
    );
  }
  // Those of other indices are not even looked at.
  const boost = value.get(context.index.name);
  if (boost !== undefined) elements.indexBoost = Math.fround(numberOf(boost));
}

function numberOf(value: JsonValue): number {
  const number = isScalar(value) ? lenientFloat(value, null) : null;
  if (number !== null) return number;
  throw new EngineError(
    'JsonParseException',
    `Current token (${tokenName(value)}) not numeric, can not use numeric value accessors`,
  );
}

function readSource(elements: Elements, value: JsonValue, { meter }: SearchContext): void {
  elements.source = parseSourceFilter(value);
  meter.add('fields', patternsIn(elements.source));
}

function patternsIn(filter: SourceFilter): number {
  return typeof filter === 'boolean' ? 0 : filter.includes.length + filter.excludes.length;
}

function readFields(elements: Elements, value: JsonValue, { meter }: SearchContext): void {
  const names = parseFieldNames(value);
  meter.add('fields', names?.length ?? 0);
  elements.fields = names ?? elements.fields;
}

function readFielddata(elements: Elements, value: JsonValue, { meter }: SearchContext): void {
  elements.fielddataFields = parseFielddataNames(value);
  meter.add('fields', elements.fielddataFields.length);
}

function readScriptFields(elements: Elements, value: JsonValue, context: SearchContext): void {
  if (isJsonObject(value)) context.meter.add('fields', value.size);
  elements.scriptFields = parseScriptFields(value, context);
}

function readPartialFields(elements: Elements, value: JsonValue, { meter }: SearchContext): void {
  elements.partialFields = parsePartialFields(value);
  for (const { filter } of elements.partialFields) meter.add('fields', 1 + patternsIn(filter));
}
