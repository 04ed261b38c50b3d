// From shard results to one answer: hits in order, totals, and facets added up.

import { facetKind } from '../facets/kinds';
import type { JsonOutput } from '../json/json';
import type { IndexPlan, ShardHit, ShardResult } from './request';
import { compareHits } from './sort-order';

/** A shard's result with the plan it ran under. */
export interface PlannedResult {
  readonly plan: IndexPlan;
  readonly result: ShardResult;
}

/**
 * The page of the best hits of all shards.
 *
 * @param perShard every shard brings a page of its own (`query_and_fetch`)
 */
export function mergeHits(
  results: readonly PlannedResult[],
  from: number,
  size: number,
  perShard: boolean,
): readonly ShardHit[] {
  const first = results[0];
  if (first === undefined || size === 0) return [];
  const to = from + size;
  if (results.length === 1) {
    const { hits, skipped } = first.result;
    return hits.slice(from - skipped, to - skipped);
  }
  const hits = results.flatMap(({ result }) => result.hits);
  hits.sort((a, b) => compareHits(first.plan.sort, a, b));
  if (!perShard) return hits.slice(from, to);
  return pagesOfShards(hits.slice(from, from + size * results.length), results, from, to);
}

/**
 * compat: `from` is cut off from every shard's hits and once more from all of them. What is left decides
 * which shard's page has the next hit to show, and which score and sort values that is shown with.
 */
function pagesOfShards(
  order: readonly ShardHit[],
  results: readonly PlannedResult[],
  from: number,
  to: number,
): readonly ShardHit[] {
  const pages = new Map<number, ShardHit[]>();
  for (const { result } of results) {
    const [hit] = result.hits;
    if (hit !== undefined) pages.set(hit.shard, result.hits.slice(from, to).reverse());
  }
  const shown: ShardHit[] = [];
  for (const { shard, score, sort } of order) {
    const hit = pages.get(shard)?.pop();
    if (hit !== undefined) shown.push({ ...hit, score, sort });
  }
  return shown;
}

/**
 * `max_score`: 0 when shards kept no hits (`size: 0`, also without any shard), null when there are none
 * or they were not scored.
 */
export function maxScore(results: readonly PlannedResult[]): number | null {
  if (results.every(({ plan }) => plan.window === 0)) return 0;
  let best: number | null = null;
  for (const { plan, result } of results) {
    const isShown = plan.sort === null || plan.trackScores;
    if (isShown && !Number.isNaN(result.maxScore) && (best === null || result.maxScore > best)) {
      best = result.maxScore;
    }
  }
  return best;
}

/** The facets of a response in request order; undefined when none was asked for. */
export function mergeFacets(results: readonly PlannedResult[]): JsonOutput | undefined {
  const first = results[0];
  if (first === undefined || first.plan.facets.length === 0) return undefined;
  const facets = new Map<string, JsonOutput>();
  first.plan.facets.forEach((facet, i) => {
    const specs = results.map(({ plan }) => plan.facets[i]!.spec);
    const partials = results.map(({ result }) => result.facets[i]!);
    facets.set(facet.name, facetKind(facet.type).reduce(specs, partials));
  });
  return facets;
}
