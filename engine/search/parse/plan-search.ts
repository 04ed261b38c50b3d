// From the sources of a search to its plan for one index, or to the failure of each of its shards.

import type { SearchType } from '../../api/index';
import { EngineError, illegalArgument, NoLeaf } from '../../errors';
import type { SearchContext } from '../../query/index';
import { queryFailure, shardFailure, SourceFailure, windowFailure } from '../plan/errors';
import type { PlannedIndex } from '../plan/planned-index';
import type { FetchPlan } from '../plan/search-plan';
import { fetchPlan, indexPlan, indexScope } from './index-plan';
import type { SearchElements } from './hit-elements';
import { MAX_WINDOW, planInnerHits } from './parse-inner-hits';
import { parseSearch, type SearchSource } from './parse-search';

const DEFAULT_SIZE = 10;

/** What a plan depends on besides the sources and the index. */
interface PlanOptions {
  readonly searchType: SearchType;
  /** The filters of the aliases that the index is searched through. */
  readonly aliasFilters: Parameters<typeof indexScope>[1];
  /** Bytes that the facets of a search may hold on a shard. */
  readonly facetMemory: number;
  /** It is kept open for more pages. */
  readonly isScroll: boolean;
}

/** Plans a search for one index. What the index refuses becomes the failure of its shards. */
export function planSearch(
  sources: readonly SearchSource[],
  context: SearchContext,
  { searchType, aliasFilters, facetMemory, isScroll }: PlanOptions,
): PlannedIndex {
  const { name } = context.index;
  try {
    const elements = parseSearch(sources, context);
    const text = sources.at(-1)?.text ?? '_na_';
    const innerHits = planInnerHits(text, elements, context);
    const scope = indexScope(context, aliasFilters);
    if (searchType === 'scan' && !isScroll) throw scanWithoutScroll();
    // compat: a scroll begins with the first hit, whatever its `from` says.
    const page = { from: isScroll ? 0 : Math.max(0, elements.from), size: sizeOf(elements) };
    if (page.from + page.size > MAX_WINDOW) {
      return { fail: (shard) => windowFailure(name, shard, page.from, page.size) };
    }
    const window = searchType === 'count' || searchType === 'scan' ? 0 : page.from + page.size;
    const { sortFailure } = elements;
    if (sortFailure !== null && window > 0) {
      const cause = { status: sortFailure.status, reason: sortFailure.toWireString() };
      return { fail: (shard) => queryFailure(name, shard, page, cause) };
    }
    const { failure, plans } = elements.aggregations;
    if (searchType === 'scan' && plans.length > 0) throw scanWithAggregations();
    if (failure !== null) return { fail: (shard) => shardFailure(name, shard, failure) };
    const plan = indexPlan(context, elements, scope, window, facetMemory);
    const fetch = shownFetch(context, elements);
    return {
      // Each hit is a search more.
      plan: innerHits.length === 0 ? plan : { ...plan, isLarge: true },
      fetch: innerHits.length === 0 ? fetch : { ...fetch, innerHits },
      page,
      timeout: elements.timeout,
    };
  } catch (error) {
    if (error instanceof SourceFailure) return { fail: (shard) => error.onShard(name, shard) };
    if (error instanceof EngineError) return { fail: (shard) => shardFailure(name, shard, error) };
    throw error;
  }
}

/** compat: that there is an object among `fields` is found when hits are fetched. */
function shownFetch(context: SearchContext, elements: SearchElements): FetchPlan {
  try {
    return fetchPlan(context, elements);
  } catch (error) {
    if (!(error instanceof NoLeaf)) throw error;
    const refusal = { status: error.status, reason: error.toWireString() };
    return { ...fetchPlan(context, { ...elements, fields: [] }), refusal };
  }
}

function sizeOf({ size }: SearchElements): number {
  return size < 0 ? DEFAULT_SIZE : size;
}

function scanWithAggregations(): EngineError {
  return illegalArgument('aggregations are not supported with search_type=scan');
}

function scanWithoutScroll(): EngineError {
  return new EngineError('ElasticsearchException', 'Scroll must be provided when scanning...');
}
