// What stands below a hit (`inner_hits`): the nested objects of it, or the documents related to it, that a
// query matches.

import type { LogRecord } from '../../../storage/index';
import type { SegmentReader, ShardSnapshot } from '../../segment/index';
import type { InnerHitsPlan, ShardHit } from '../plan/search-plan';
import type { FetchTime } from './fetch-time';
import type { InnerHits } from './found-inner-hits';
import { nestedFinder } from './nested-hits';
import { relatedFinder } from './related-hits';

/** Finds what stands below a hit, in time. A step per segment, or per some thousand objects. */
export type InnerHitsFinder = (
  hit: ShardHit,
  record: LogRecord,
) => Generator<void, InnerHits, void>;

/** @param segments all segments of the shard */
export function innerHitsFinder(
  inner: InnerHitsPlan,
  snapshot: ShardSnapshot,
  segments: readonly SegmentReader[],
  time: FetchTime,
): InnerHitsFinder {
  const { target, plan, from } = inner;
  const find =
    target.kind === 'nested'
      ? nestedFinder(plan, target, segments, time)
      : relatedFinder(plan, target, snapshot, segments, time);
  return function* (hit, record) {
    const found = yield* find(hit, record);
    // compat: without a page they are only counted, and behind the last one there are none.
    if (found === null) return { total: 0, maxScore: 0, hits: [] };
    if (plan.window === 0) return { total: found.total, maxScore: 0, hits: [] };
    if (found.hits.length <= from) return { total: 0, maxScore: NaN, hits: [] };
    return { ...found, hits: found.hits.slice(from) };
  };
}
