// What a search counts on one shard: one request to OpenSearch, and its answer as facetd's own partials,
// which are added up and rendered as ever.

import type { AggregatedSearch, AggregationPartial } from '../../aggregations/index';
import type { FacetedSearch, FacetPartial } from '../../facets/index';
import type { JsonObject } from '../../json/index';
import { type Aggs, type Choose, chooseAll, type CountContext } from '../counting/count-context';
import { facetAggs, readFacets } from '../facets/facet-counts';
import { aggregationAggs, readAggregations } from './aggregation-counts';

/** What a search of one index counts. */
export type Counting = FacetedSearch & AggregatedSearch;

/** What a shard counted, as results of shards have it: one partial for each. */
export interface ShardCounts {
  readonly facets: readonly (readonly FacetPartial[])[];
  readonly aggregations: readonly (readonly AggregationPartial[])[];
}

/**
 * What to ask OpenSearch beside the query of the plan; empty: nothing is counted.
 *
 * @param choose says of which terms there are buckets
 * @throws EngineError ElasticsearchIllegalArgumentException for what cannot be had
 */
export function countRequest(
  plan: Counting,
  context: CountContext,
  choose: Choose = chooseAll,
): { readonly aggs: Aggs } {
  return {
    aggs: { ...facetAggs(plan, context, choose), ...aggregationAggs(plan, context, choose) },
  };
}

/**
 * What the answer of one shard says.
 *
 * @param answer its `aggregations`; null: nothing was asked
 * @throws EngineError ElasticsearchIllegalArgumentException where there is more than can be read
 */
export function readCounts(
  plan: Counting,
  answer: JsonObject | null,
  context: CountContext,
): ShardCounts {
  return {
    facets: readFacets(plan, answer, context).map((partial) => [partial]),
    aggregations: readAggregations(plan, answer, context).map((partial) => [partial]),
  };
}
