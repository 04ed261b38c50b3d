// What the body of a percolation asks for, for one index (reference server).

import { EngineError, illegalArgument } from '../errors';
import { NO_AGGREGATIONS, parseAggregations, type ParsedAggregations } from '../aggregations/index';
import { parseFacets, type FacetPlan } from '../facets/index';
import { parseHighlight, type HighlightRequest } from '../highlight/index';
import {
  isJsonObject,
  lenientBoolean,
  lenientInteger,
  mapperParsing,
  type JsonObject,
  type JsonValue,
  writeJson,
} from '../json/index';
import { parseTopHits } from '../search/index';
import type { Query, SearchContext } from '../query/index';

/** A body that was read. */
export interface PercolateBody {
  /** Null: there is none. */
  readonly document: Buffer | null;
  /** Which of the matching queries are wanted, by their own documents. Null: all. */
  readonly query: Query | null;
  /** Null: as many as there are. */
  readonly size: number | null;
  /** Best score first. */
  readonly isSorted: boolean;
  readonly trackScores: boolean;
  readonly facets: readonly FacetPlan[];
  readonly aggregations: ParsedAggregations;
  /** What of the document is shown with each match; null: nothing. */
  readonly highlight: readonly HighlightRequest[] | null;
}

/**
 * Reads a body. Members that it does not know are passed over.
 *
 * @param isStored the document is one that is stored, whatever the body says
 * @throws EngineError, ElementFailure what the shards of the index fail with
 */
export function readPercolateBody(
  body: JsonObject,
  context: SearchContext,
  isStored: boolean,
): PercolateBody {
  let document: Buffer | null = null;
  let query: Query | null = null;
  let size: number | null = null;
  let isSorted = false;
  let trackScores = false;
  let facets: readonly FacetPlan[] = [];
  let aggregations = NO_AGGREGATIONS;
  let highlight: readonly HighlightRequest[] | null = null;
  for (const [name, value] of body) {
    switch (name) {
      case 'doc':
        if (!isStored) document = documentOf(value);
        break;
      case 'query':
      case 'filter':
        if (!isJsonObject(value)) break;
        if (query !== null) throw malformed('Either specify query or filter, not both');
        query = name === 'query' ? context.parseQuery(value) : filterOf(value, context);
        break;
      case 'size':
        size = sizeOf(value, size);
        break;
      case 'sort':
        if (value === null) break;
        requireScoreOrder(value);
        isSorted = true;
        break;
      case 'track_scores':
      case 'trackScores':
        trackScores = lenientBoolean(value, trackScores);
        break;
      case 'facets':
        facets = parseFacets(value, context);
        break;
      case 'aggs':
      case 'aggregations':
        aggregations = parseAggregations(value, context, parseTopHits);
        break;
      case 'highlight':
        // Its fields are those of the document.
        if (isJsonObject(value)) highlight = parseHighlight(value, context.withoutTypes());
        break;
      default:
        break;
    }
  }
  return { document, query, size, isSorted, trackScores, facets, aggregations, highlight };
}

function documentOf(value: JsonValue): Buffer {
  if (isJsonObject(value)) return Buffer.from(writeJson(value));
  throw mapperParsing('Malformed content, must start with an object');
}

function filterOf(value: JsonValue, context: SearchContext): Query {
  const filter = context.parseFilter(value, null);
  if (filter === null) throw new EngineError('NullPointerException', 'the filter is empty');
  return { kind: 'constantScore', query: filter, boost: 1 };
}

function sizeOf(value: JsonValue, current: number | null): number | null {
  if (value === null) return current;
  const size = lenientInteger(value, 0);
  if (size >= 0) return size;
  throw malformed(`size is set to [${size}] and is expected to be higher or equal to 0`);
}

/** Matches may be sorted by score, best first; a list may be empty. */
function requireScoreOrder(sort: JsonValue): void {
  if (typeof sort === 'string') {
    if (sort !== '_score') throw wrongOrder();
  } else if (Array.isArray(sort)) {
    for (const one of sort) {
      if (Array.isArray(one)) throw wrongOrder();
      requireScoreOrder(one);
    }
  } else if (isJsonObject(sort)) {
    for (const [name, value] of sort) {
      const order = isJsonObject(value) ? (value.get('order') ?? 'desc') : value;
      if (name !== '_score' || order !== 'desc') throw wrongOrder();
    }
  } else {
    throw illegalArgument(
      'malformed sort format, either start with array, object, or an actual string',
    );
  }
}

function wrongOrder(): EngineError {
  return malformed('Only _score desc is supported');
}

function malformed(message: string): EngineError {
  return new EngineError('ElasticsearchParseException', message);
}
