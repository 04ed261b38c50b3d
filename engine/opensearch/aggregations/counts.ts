// What a search counts: facets and aggregations together.

import type {
  AggregatedSearch,
  AggregationPartial,
  AggregationPlan,
  FilterSpec,
  FiltersSpec,
} from '../../aggregations/index';
import type { FacetedSearch, FacetPartial, MatchSpec } from '../../facets/index';
import type { Query } from '../../query/index';
import { type Aggs, type Choose, chooseAll, type CountContext } from '../counting/count-context';
import { facetAggs } from '../facets/facet-counts';
import { aggregationAggs } from './aggregation-counts';

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
): Aggs {
  return { ...facetAggs(plan, context, choose), ...aggregationAggs(plan, context, choose) };
}

/** The same with all queries changed that facets and aggregations count by. */
export function withCountedQueries<P extends Counting>(
  plan: P,
  change: (query: Query) => Query,
): P {
  const facets = plan.facets.map((facet) => {
    if (facet.type !== 'filter' && facet.type !== 'query') return facet;
    return { ...facet, spec: { query: change((facet.spec as MatchSpec).query) } };
  });
  const changed = (plans: readonly AggregationPlan[]): readonly AggregationPlan[] =>
    plans.map((each) => {
      let { spec } = each;
      if (each.type === 'filter') spec = { query: change((spec as FilterSpec).query) };
      else if (each.type === 'filters')
        spec = { ...spec, queries: (spec as FiltersSpec).queries.map(change) };
      return { ...each, spec, subs: changed(each.subs) };
    });
  return { ...plan, facets, aggregations: changed(plan.aggregations) };
}
