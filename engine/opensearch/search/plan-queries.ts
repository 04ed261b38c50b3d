// The queries of a plan: changing them, and whether their scores count.

import type { PreparedQuery, Query } from '../../query/index';
import type { IndexPlan, SortKey } from '../../search/index';
import type { ShardSnapshot } from '../../segment/index';
import { withCountedQueries } from '../aggregations/counts';
import { unsupported } from '../layout/unsupported';

/** The query within what is seen of the shard. @throws EngineError where only some fields are seen */
export function confined(query: Query, { view }: ShardSnapshot): Query {
  if (view === undefined) return query;
  if (view.fields !== null) {
    throw unsupported('a key that sees some fields only', 'documents are not cut to them there');
  }
  const filter = view.filter as Query | null;
  return filter === null ? query : { kind: 'filtered', query, filter, boost: 1 };
}

/** The plan with its query and all filters changed. */
export function withQueries(plan: IndexPlan, change: (query: Query) => Query): IndexPlan {
  return { ...withFilters(plan, change), query: change(plan.query) };
}

/** The plan with all queries changed of which only the documents count. */
export function withFilters(plan: IndexPlan, change: (query: Query) => Query): IndexPlan {
  const changed = <Q extends Query | null>(query: Q): Query | Q =>
    query === null ? query : change(query);
  const { scope, postFilter, sort, facets, aggregations } = withCountedQueries(plan, change);
  return {
    ...plan,
    aggregations,
    scope: changed(scope),
    postFilter: changed(postFilter),
    sort: sort?.map((key) => ({ ...key, nestedFilter: changed(key.nestedFilter) })) ?? null,
    facets: facets.map((facet) => ({
      ...facet,
      filter: changed(facet.filter),
      mainQuery: changed(facet.mainQuery),
    })),
  };
}

/** The queries of which something has to be known of terms. */
export function queriesOf(
  plan: IndexPlan,
  snapshot: ShardSnapshot,
  prepared: PreparedQuery | null,
): readonly Query[] {
  const queries: Query[] = [];
  withFilters(plan, (filter) => {
    queries.push(unscoredForm(filter));
    return filter;
  });
  if (prepared !== null) return queries;
  const query = confined(plan.query, snapshot);
  return [scores(plan) ? query : unscoredForm(query), ...queries];
}

/** A query of which only the documents count: its terms need no figures. */
export function unscoredForm(query: Query): Query {
  return { kind: 'constantScore', query, boost: 1 };
}

/** Whether hits tell their scores. */
export function shows({ sort, trackScores }: IndexPlan): boolean {
  return sort === null || trackScores || sort.some((key) => key.kind === 'score');
}

/** Whether scores are worked out. */
export function scores(plan: IndexPlan): boolean {
  if (plan.scan === true) return plan.trackScores || plan.minScore !== null;
  const counts = shows(plan) || plan.sort?.some(asksForScore) === true;
  return plan.minScore !== null || (counts && plan.window > 0);
}

/** Where the word means something else, scores are worked out in vain. */
function asksForScore({ script }: SortKey): boolean {
  return script?.plan.source.includes('_score') === true;
}
