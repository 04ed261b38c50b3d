// `_count`: a search that only wants the total, with a body and failures of its own (reference server).

import { EngineError, illegalArgument } from '../errors';
import type { JsonObject } from '../json/index';
import { broadcastFailure } from './plan/errors';
import { integerParam, queryFromParams } from './parse/extra-source';
import { indexScope, withinScope } from './parse/index-plan';
import type { SearchContext, Query } from '../query/index';
import type { FetchPlan, IndexPlan } from './plan/search-plan';
import type { CountRequest } from '../api/index';
import { STANDARD_SIMILARITIES, type Similarities } from '../similarity/index';
import type { PlannedIndex } from './plan/planned-index';

/** The count on one index; what is wrong with the query becomes the failure of its shards. */
export function planCount(
  request: CountRequest,
  context: SearchContext,
  aliasFilters: readonly JsonObject[] | null,
): PlannedIndex {
  // Wrong parameters fail the request, wrong queries the shards.
  const fromParams = queryFromParams(request.params);
  const terminateAfter = integerParam(request.params, 'terminate_after') ?? 0;
  if (terminateAfter < 0) throw illegalArgument('terminateAfter must be > 0');
  const { index } = context;
  try {
    const query = parseQueryBody(request, fromParams, context);
    const scope = indexScope(context, aliasFilters);
    const { similarities } = context.mapping;
    const options = { terminateAfter, similarities };
    return countPlan(index.name, withinScope(query, scope), scope, options);
  } catch (error) {
    const cause = asQueryError(error, context);
    return { fail: (shard) => broadcastFailure(index.name, shard, cause) };
  }
}

/** What is wrong with a query, as an error of the index's query parser. @throws what is no EngineError */
export function asQueryError(error: unknown, context: SearchContext): EngineError {
  if (!(error instanceof EngineError)) throw error;
  if (error.wireName === 'QueryParsingException') return error;
  return context.queryError('Failed to parse', error);
}

/** What a search for a number of matches says besides its query. */
interface CountOptions {
  /** Missing: 0, all documents are looked at. */
  readonly terminateAfter?: number;
  /** Missing: the standard ones. They count where the query has parts with a least score. */
  readonly similarities?: Similarities;
}

/** A search of an index for the number of matches alone. */
export function countPlan(
  index: string,
  query: Query,
  scope: Query | null,
  { terminateAfter = 0, similarities = STANDARD_SIMILARITIES }: CountOptions = {},
) {
  const plan: IndexPlan = {
    index,
    query,
    scope,
    postFilter: null,
    minScore: null,
    similarities,
    sort: null,
    trackScores: false,
    window: 0,
    facets: [],
    aggregations: [],
    terminateAfter,
    facetMemory: 0,
    indexBoost: 1,
  };
  const fetch: FetchPlan = {
    source: false,
    fields: null,
    resolvedFields: [],
    fielddataFields: [],
    scriptFields: [],
    partialFields: [],
    highlight: null,
    alwaysFields: false,
    version: false,
    explain: null,
    mappedSource: new Map(),
  };
  return { plan, fetch, page: { from: 0, size: 0 }, timeout: 0 };
}

/**
 * The query of a body `{"query": ...}`, else that of the URL. Null: all documents.
 * @throws EngineError for any other member
 */
export function parseQueryBody(
  request: Pick<CountRequest, 'body' | 'bodyText'>,
  fromParams: JsonObject | null,
  context: SearchContext,
): Query | null {
  if (request.body.size === 0 && isBlank(request.bodyText)) {
    return fromParams === null ? null : context.parseQuery(fromParams);
  }
  let query: Query | null = null;
  for (const [name, value] of request.body) {
    if (name !== 'query') throw context.queryError(`request does not support [${name}]`);
    query = context.parseQuery(value);
  }
  if (query === null) throw context.queryError('Required query is missing');
  return query;
}

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === '';
}
