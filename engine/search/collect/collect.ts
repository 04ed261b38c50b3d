// Collecting on one shard: total and best hits (shard-collector.ts), and what facets and aggregations count.

import type { CollectJob } from '../plan/executor';
import { AggregationRun } from '../../aggregations/index';
import { FacetRun } from '../../facets/index';
import { HITS_FINDER } from '../top-hits/hits-finder';
import type { SegmentReader } from '../../segment/index';
import type { ShardResult } from '../plan/search-plan';
import { ShardCollector } from './shard-collector';

/**
 * Runs a collect job on `segments`, which are all of the shard's; a step per segment and per facet or
 * aggregation in it.
 */
export function* collectSegments(
  job: CollectJob,
  segments: readonly SegmentReader[],
  clock: () => number,
): Generator<void, ShardResult, void> {
  const { plan } = job;
  const shard = new ShardCollector(job, segments, clock);
  const statistics = job.prepared?.statistics ?? null;
  const run = new FacetRun(plan, {
    soleShard: job.soleShard,
    segments,
    statistics,
  });
  const aggregations = new AggregationRun(plan, {
    collected: job.segments,
    segments,
    statistics,
    position: job.position,
    soleShard: job.soleShard,
    hits: HITS_FINDER,
  });
  for (let i = 0; i < segments.length && !shard.isDone; i++) {
    const segment = segments[i]!;
    if (job.segments?.includes(i) === false) {
      shard.skip(segment);
      continue;
    }
    const main = shard.collect(segment, i);
    yield;
    // compat: facets come back empty once terminate_after has fired (reference server).
    if (shard.terminatedEarly) break;
    shard.inTime(() => run.enter(segment, main, !shard.timedOut));
    for (let f = 0; f < run.size; f++) {
      // Facets that time is too short for lack what is behind.
      if (f > 0 && shard.isPastDeadline()) break;
      shard.inTime(() => run.collect(f));
      yield;
    }
    for (let a = 0; a < aggregations.size; a++) {
      yield* aggregations.collect(a, segment, main, shard);
      yield;
    }
  }
  const hits = shard.hits();
  const facets = [];
  for (let f = 0; f < run.size; f++) {
    facets.push([shard.terminatedEarly ? run.emptyPartial(f) : run.partial(f)]);
    yield;
  }
  const added = [];
  for (let a = 0; a < aggregations.size; a++) {
    const partial = shard.terminatedEarly ? aggregations.emptyPartial(a) : aggregations.partial(a);
    added.push([yield* partial]);
    yield;
  }
  return {
    total: shard.total,
    maxScore: shard.maxScore,
    hits,
    skipped: job.skip,
    facets,
    aggregations: added,
    terminatedEarly: shard.terminatedEarly,
    timedOut: shard.timedOut,
  };
}
