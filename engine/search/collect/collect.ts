// Collecting on one shard: total and best hits (shard-collector.ts), and what facets count.

import type { CollectJob } from '../plan/executor';
import { FacetRun } from '../../facets/index';
import type { SegmentReader } from '../../segment/index';
import type { IndexPlan, ShardResult } from '../plan/search-plan';
import { ShardCollector } from './shard-collector';

/** Runs a collect job on `segments`, which are all of the shard's; a step per segment and per facet in it. */
export function* collectSegments(
  job: CollectJob,
  segments: readonly SegmentReader[],
  clock: () => number,
): Generator<void, ShardResult, void> {
  const { plan } = job;
  const shard = new ShardCollector(job, segments, clock);
  const run = new FacetRun(plan, {
    soleShard: job.soleShard,
    segments,
    statistics: job.prepared?.statistics ?? null,
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
    run.enter(segment, main, !shard.timedOut);
    for (let f = 0; f < run.size; f++) {
      run.collect(f);
      yield;
    }
  }
  const hits = shard.hits();
  const facets = [];
  for (let f = 0; f < run.size; f++) {
    facets.push([shard.terminatedEarly ? run.emptyPartial(f) : run.partial(f)]);
    yield;
  }
  return {
    total: shard.total,
    maxScore: shard.maxScore,
    hits,
    skipped: job.skip,
    facets,
    terminatedEarly: shard.terminatedEarly,
    timedOut: shard.timedOut,
  };
}

/** Whether a plan only wants to know how many documents there are: the commit point says it. */
export function isCommitCount(plan: IndexPlan): boolean {
  return (
    plan.query.kind === 'matchAll' &&
    plan.window === 0 &&
    plan.facets.length === 0 &&
    plan.postFilter === null &&
    plan.minScore === null &&
    plan.terminateAfter === 0
  );
}

/** The result of a job with such a plan; null for any other job. */
export function countFromCommit({ plan, snapshot, segments }: CollectJob): ShardResult | null {
  if (!isCommitCount(plan)) return null;
  let total = 0;
  snapshot.segments.forEach((segment, i) => {
    if (segments?.includes(i) === false) return;
    total += segment.rootCount - segment.deletedRootCount;
  });
  return {
    total,
    maxScore: NaN,
    hits: [],
    skipped: 0,
    facets: [],
    terminatedEarly: false,
    timedOut: false,
  };
}
