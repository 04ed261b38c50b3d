// From a search source (the body, then what the URL adds) to its elements, for one index. Elements are
// read in order: what an error text says of `from` and `size` depends on it.

import { EngineError, illegalArgument, incompleteSource } from '../../errors';
import { parseAggregations } from '../../aggregations/index';
import { parseFacets } from '../../facets/index';
import {
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  decodeUtf8,
  parseJsonObject,
  isScalar,
  lenientFloat,
  lenientInteger,
  startsWithObject,
} from '../../json/index';
import {
  misplaced,
  refuseSecondMember,
  tokenName,
  type SearchContext,
  ElementFailure,
} from '../../query/index';
import { didYouMean, parseTimeValue } from '../../common/index';
import { parseSuggest } from '../../suggest/index';
import { SourceFailure, type Progress } from '../plan/errors';
import {
  type ElementReader,
  type Elements,
  HIT_SCALARS,
  HIT_STRUCTURES,
  noElements,
  patternsIn,
  type SearchElements,
} from './hit-elements';
import { parseInnerHits } from './parse-inner-hits';
import { parseRescore } from './parse-rescore';
import { parsePartialFields } from './parse-script-fields';
import { parseTopHits } from './parse-top-hits';

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

/** Elements that take a single value. */
const SCALARS: ReadonlyMap<string, ElementReader> = new Map<string, ElementReader>([
  ...HIT_SCALARS,
  ['min_score', readMinScore],
  ['minScore', readMinScore],
  ['timeout', (elements, value) => (elements.timeout = timeout(value))],
  ['terminate_after', readTerminateAfter],
]);

const STRUCTURES: ReadonlyMap<string, ElementReader> = new Map<string, ElementReader>([
  ...HIT_STRUCTURES,
  ['query', readQuery],
  ['query_binary', ofBinary(readQuery)],
  ['queryBinary', ofBinary(readQuery)],
  ['filter', readPostFilter],
  ['post_filter', readPostFilter],
  ['postFilter', readPostFilter],
  ['filter_binary', ofBinary(readPostFilter)],
  ['filterBinary', ofBinary(readPostFilter)],
  ['indices_boost', readIndicesBoost],
  ['indicesBoost', readIndicesBoost],
  ['aggs', readAggregations],
  ['aggregations', readAggregations],
  ['facets', readFacets],
  ...['aggregations_binary', 'aggregationsBinary', 'aggs_binary', 'aggsBinary'].map(
    (name) => [name, ofBinary(readAggregations)] as const,
  ),
  ['facets_binary', ofBinary(readFacets)],
  ['facetsBinary', ofBinary(readFacets)],
  ['suggest', (elements, value, context) => (elements.suggest = parseSuggest(value, context))],
  ['partial_fields', readPartialFields],
  ['partialFields', readPartialFields],
  ['rescore', readRescore],
  ['inner_hits', readInnerHits],
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
function readElement(
  elements: Elements,
  name: string,
  value: JsonValue,
  context: SearchContext,
): void {
  const reader = SCALARS.get(name) ?? STRUCTURES.get(name);
  if (reader === undefined) {
    const meant = didYouMean(name, [...SCALARS.keys(), ...STRUCTURES.keys()]);
    throw new ElementFailure(`No parser for element [${name}]${meant}`);
  }
  if (Array.isArray(value) && SCALARS.has(name)) throw misplaced(name, value[0]);
  reader(elements, value, context);
}

function readAggregations(elements: Elements, value: JsonValue, context: SearchContext): void {
  elements.aggregations = parseAggregations(value, context, parseTopHits);
}

/** compat: the stages of several elements add up. */
function readRescore(elements: Elements, value: JsonValue, context: SearchContext): void {
  elements.rescores = [...elements.rescores, ...parseRescore(value, context)];
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

function readQuery(elements: Elements, value: JsonValue, context: SearchContext): void {
  elements.query = context.parseQuery(value);
}

function readFacets(elements: Elements, value: JsonValue, context: SearchContext): void {
  elements.facets = parseFacets(value, context);
}

/** Reads the base64 of an element. */
function ofBinary(read: ElementReader): ElementReader {
  return (elements, value, context) => read(elements, binary(value), context);
}

/** Base64 of a JSON object. */
function binary(value: JsonValue): JsonObject {
  if (typeof value !== 'string') throw illegalArgument('a binary element must be a base64 string');
  return parseJsonObject(decodeUtf8(Buffer.from(value, 'base64')));
}

function readIndicesBoost(elements: Elements, value: JsonValue, context: SearchContext): void {
  if (Array.isArray(value) && isJsonObject(value[0])) throw misplaced('indices_boost', value[1]);
  if (!isJsonObject(value)) {
    throw incompleteSource();
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

function readPartialFields(elements: Elements, value: JsonValue, { meter }: SearchContext): void {
  elements.partialFields = parsePartialFields(value);
  for (const { filter } of elements.partialFields) meter.add('fields', 1 + patternsIn(filter));
}

/** compat: takes the place of what queries before it asked to be shown, and of another element. */
function readInnerHits(elements: Elements, value: JsonValue, context: SearchContext): void {
  const defined = parseInnerHits(value, context);
  if (defined.length === 0) return;
  context.innerHits.length = 0;
  elements.innerHits = defined;
}
