// From shard results to one answer: hits in order, totals, and facets added up.

import {
  type FacetPartial,
  type FacetSpec,
  entriesIn,
  refuseTooManyEntries,
  facetKind,
} from '../../facets/index';
import {
  AggregationRenderer,
  type ReducedAggregation,
  type PlannedPartial,
  reduceAggregation,
} from '../../aggregations/index';
import { writeJson } from '../../json/index';
import type { IndexPlan, ShardHit, ShardResult } from '../plan/search-plan';
import { compareHits } from '../sort/hit-order';
import { HITS_FINDER } from '../top-hits/hits-finder';

/** A shard's result with the plan it ran under. */
export interface PlannedResult {
  readonly plan: IndexPlan;
  readonly result: ShardResult;
}

/**
 * The result of a shard from those of parts of it, at least one, that have no segment in common. Where there
 * are several, none of them skips hits.
 */
export function joinParts(plan: IndexPlan, parts: readonly ShardResult[]): ShardResult {
  if (parts.length === 1) return parts[0]!;
  let total = 0;
  let maxScore = NaN;
  for (const part of parts) {
    total += part.total;
    if (Number.isNaN(maxScore) || part.maxScore > maxScore) maxScore = part.maxScore;
  }
  const hits = parts.flatMap((part) => part.hits);
  // A scan is not divided, because where it stops depends on what was found before.
  hits.sort((a, b) => compareHits(plan.sort, a, b));
  if (hits.length > plan.window) hits.length = plan.window;
  return {
    total,
    maxScore,
    hits,
    skipped: 0,
    facets: plan.facets.map((_, i) => parts.flatMap((part) => part.facets[i]!)),
    aggregations: plan.aggregations.map((_, i) => parts.flatMap((part) => part.aggregations[i]!)),
    terminatedEarly: parts.some((part) => part.terminatedEarly),
    timedOut: parts.some((part) => part.timedOut),
  };
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
  if (first.plan.scan === true) return results.flatMap(({ result }) => result.hits);
  const to = from + size;
  if (results.length === 1) {
    const { hits, skipped } = first.result;
    return hits.slice(from - skipped, to - skipped);
  }
  const hits = inOrder(results);
  if (!perShard) return hits.slice(from, to);
  return pagesOfShards(hits.slice(from, from + size * results.length), results, from, to);
}

/**
 * The hits behind a first page, by the position of their shard, in the order in which {@link mergeHits} shows
 * them.
 */
export function hitsBehind(
  results: readonly PlannedResult[],
  size: number,
): ReadonlyMap<number, readonly ShardHit[]> {
  const behind = new Map<number, ShardHit[]>();
  for (const hit of inOrder(results).slice(size)) {
    const known = behind.get(hit.shard);
    if (known === undefined) behind.set(hit.shard, [hit]);
    else known.push(hit);
  }
  return behind;
}

/** The hits of all shards, best first. */
function inOrder(results: readonly PlannedResult[]): ShardHit[] {
  const hits = results.flatMap(({ result }) => result.hits);
  return hits.sort((a, b) => compareHits(results[0]!.plan.sort, a, b));
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

/**
 * The facets of a response as JSON texts, in request order; null when none was asked for.
 *
 * @throws EngineError when indices disagree about the types of a facet, or there are too many entries
 */
export function mergeFacets(results: readonly PlannedResult[]): ReadonlyMap<string, string> | null {
  const first = results[0];
  if (first === undefined || first.plan.facets.length === 0) return null;
  const facets = new Map<string, string>();
  let entries = 0;
  first.plan.facets.forEach((facet, i) => {
    const specs: FacetSpec[] = [];
    const partials: FacetPartial[] = [];
    for (const { plan, result } of results) {
      for (const partial of result.facets[i]!) {
        specs.push(plan.facets[i]!.spec);
        partials.push(partial);
      }
    }
    const reduced = facetKind(facet.type).reduce(specs, partials);
    entries += entriesIn(reduced);
    refuseTooManyEntries(facet.name, entries);
    facets.set(facet.name, writeJson(reduced));
  });
  return facets;
}

/** The aggregations of a response with everything added up, in request order. */
export function reduceAggregations(
  results: readonly PlannedResult[],
): readonly ReducedAggregation[] {
  const plans = results[0]?.plan.aggregations ?? [];
  return plans.map((aggregation, i) => {
    const parts = results.flatMap(({ plan, result }, shard) =>
      result.aggregations[i]!.map((partial): PlannedPartial => ({
        plan: plan.aggregations[i]!,
        partial,
        shard,
      })),
    );
    return reduceAggregation(parts, aggregation, results.length, HITS_FINDER);
  });
}

/**
 * Aggregations as JSON texts by name; null when none was asked for.
 *
 * @param hit gives the text of a hit
 * @throws EngineError when there are too many buckets
 */
export function renderAggregations(
  reduced: readonly ReducedAggregation[],
  hit: ConstructorParameters<typeof AggregationRenderer>[0],
): ReadonlyMap<string, string> | null {
  if (reduced.length === 0) return null;
  const renderer = new AggregationRenderer(hit);
  return new Map(reduced.map((each) => [each.name, renderer.render(each)]));
}
