// Counts that need no segment: how many documents there are, the commit point says.

import type { CollectJob } from './executor';
import { countsDocuments, type IndexPlan, type ShardResult } from './search-plan';

/** Whether a plan only wants to know how many documents there are: the commit point says it. */
export function isCommitCount(plan: IndexPlan): boolean {
  return (
    plan.query.kind === 'matchAll' &&
    plan.window === 0 &&
    !countsDocuments(plan) &&
    plan.postFilter === null &&
    plan.minScore === null &&
    plan.terminateAfter === 0
  );
}

/** The result of a job with such a plan; null for any other job. */
export function countFromCommit({ plan, snapshot, segments }: CollectJob): ShardResult | null {
  if (!isCommitCount(plan) || snapshot.view !== undefined) return null;
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
    aggregations: [],
    terminatedEarly: false,
    timedOut: false,
  };
}
