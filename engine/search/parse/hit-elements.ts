// The elements of a search that say which of the documents found are shown, and how: those of a page, and
// those below a hit (`inner_hits`), read one by one.

import { NO_AGGREGATIONS, type ParsedAggregations } from '../../aggregations/index';
import type { EngineError } from '../../errors';
import type { FacetPlan } from '../../facets/index';
import { type HighlightRequest, parseHighlight } from '../../highlight/index';
import {
  isJsonObject,
  type JsonValue,
  lenientBoolean,
  lenientInteger,
  type SourceFilter,
} from '../../json/index';
import { ElementFailure, type Query, type SearchContext } from '../../query/index';
import type { SuggestSpec } from '../../suggest/index';
import type { RescorePlan } from '../plan/rescore-plan';
import type { InnerHitsPlan, PartialField, ScriptField, SortKey } from '../plan/search-plan';
import { parseScriptFields } from './parse-script-fields';
import { parseSort } from './parse-sort';
import { parseFielddataNames, parseFieldNames, parseSourceFilter } from './parse-source';

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
  /** What is shown below each hit besides what queries ask for, in the order given. */
  readonly innerHits: readonly InnerHitsPlan[];
  /** Stages of rescoring; without sort keys they have an effect. */
  readonly rescores: readonly RescorePlan[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** The elements while they are read. */
export type Elements = Mutable<SearchElements>;

/** Reads the value of one element. @throws EngineError, ElementFailure */
export type ElementReader = (elements: Elements, value: JsonValue, context: SearchContext) => void;

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
    innerHits: [],
    rescores: [],
  };
}

/** Those that take a single value. */
export const HIT_SCALARS: ReadonlyMap<string, ElementReader> = new Map<string, ElementReader>([
  ['from', (elements, value) => (elements.from = count('from', value, elements.from))],
  ['size', (elements, value) => (elements.size = count('size', value, elements.size))],
  ['track_scores', readTrackScores],
  ['trackScores', readTrackScores],
  ['explain', (elements, value) => (elements.explain = lenientBoolean(value, false))],
  ['version', (elements, value) => (elements.version = lenientBoolean(value, false))],
]);

/** Those that look into objects and lists. */
export const HIT_STRUCTURES: ReadonlyMap<string, ElementReader> = new Map<string, ElementReader>([
  ['sort', readSort],
  ['fields', readFields],
  ['_source', readSource],
  ['fielddata_fields', readFielddata],
  ['fielddataFields', readFielddata],
  ['script_fields', readScriptFields],
  ['scriptFields', readScriptFields],
  [
    'highlight',
    (elements, value, context) => (elements.highlight = parseHighlight(value, context)),
  ],
]);

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

function readTrackScores(elements: Elements, value: JsonValue): void {
  elements.trackScores = lenientBoolean(value, false);
}

function readSource(elements: Elements, value: JsonValue, { meter }: SearchContext): void {
  elements.source = parseSourceFilter(value);
  meter.add('fields', patternsIn(elements.source));
}

/** How many patterns a filter of sources has. */
export function patternsIn(filter: SourceFilter): number {
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
