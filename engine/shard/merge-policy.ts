// Which segments to merge: a pure function over sizes, tried at every refresh.
//
// Only adjacent segments are merged, so that documents stay in log order (ties in search results depend
// on it). Tiered: a run of segments of similar size is merged once it is long enough, and a segment that is
// mostly deleted documents is rewritten on its own. What tiers leave is merged once nobody writes any more,
// because every search looks up its terms in every segment.

import type { CommittedSegment } from '../../storage/index';
import type { OptimizeTarget } from '../api/index';

/** The statistics that decide what is merged. */
interface MergePolicySettings {
  /** Segments of one tier before they are merged. */
  readonly segmentsPerTier: number;
  /**
   * Segments smaller than this count as this size, so that tiny ones do not form tiers of their own. They are
   * merged again and again until they are this large: the higher, the fewer segments and the more is
   * written.
   */
  readonly floorBytes: number;
  /** Segments above half of this size are left alone unless they hold many deleted documents. */
  readonly maxMergedBytes: number;
  /** Share of deleted documents from which a segment is rewritten. */
  readonly reclaimShare: number;
}

/** What every shard goes by. */
export const DEFAULT_MERGE_POLICY: MergePolicySettings = {
  segmentsPerTier: 10,
  floorBytes: 256 * 1024,
  maxMergedBytes: 2 * 1024 * 1024 * 1024,
  reclaimShare: 0.3,
};

/** Positions [from, to) of adjacent segments to merge into one, or null when nothing needs doing. */
export type MergeRange = readonly [from: number, to: number];

/** Share of deleted documents above which `only_expunge_deletes` rewrites a segment, as on the reference. */
const EXPUNGE_SHARE = 0.1;

/** Bytes a segment would contribute to a merge: deleted documents vanish. */
export function liveBytes(segment: CommittedSegment): number {
  const live = segment.docCount - segment.deletedCount;
  return segment.docCount === 0 ? 0 : Math.ceil((segment.bytes * live) / segment.docCount);
}

/**
 * Chooses the cheapest merge that is due. Segments in `busy` (being merged already) split the list.
 * Deleted documents cost nothing, so segments with many of them come first.
 *
 * @param limitBytes merges that would write more are left for later
 */
export function chooseMerge(
  segments: readonly CommittedSegment[],
  busy: ReadonlySet<number>,
  limitBytes = Infinity,
  settings: MergePolicySettings = DEFAULT_MERGE_POLICY,
): MergeRange | null {
  const sizes = segments.map(liveBytes);
  const tierOf = (bytes: number) =>
    Math.floor(
      Math.log(Math.max(bytes, settings.floorBytes) / settings.floorBytes) /
        Math.log(settings.segmentsPerTier),
    );
  // Levels from the left, as log-structured merge policies do: the largest tier of what remains spans up to
  // its last member, smaller segments in between included. A large segment followed by small ones is a
  // level of its own, so it is not rewritten for their sake.
  let best: MergeRange | null = null;
  const mostBytes = Math.min(settings.maxMergedBytes, limitBytes);
  let bestBytes = Infinity;
  let start = 0;
  while (start < segments.length) {
    if (busy.has(segments[start]!.id) || sizes[start]! > settings.maxMergedBytes / 2) {
      start++;
      continue;
    }
    let end = start;
    let highest = -1;
    let last = start;
    while (
      end < segments.length &&
      !busy.has(segments[end]!.id) &&
      sizes[end]! <= settings.maxMergedBytes / 2
    ) {
      const tier = tierOf(sizes[end]!);
      if (tier >= highest) {
        highest = tier;
        last = end;
      }
      end++;
    }
    const to = start + settings.segmentsPerTier;
    if (last + 1 >= to) {
      let bytes = 0;
      for (let i = start; i < to; i++) bytes += sizes[i]!;
      if (bytes <= mostBytes && bytes < bestBytes) {
        best = [start, to];
        bestBytes = bytes;
      }
    }
    start = last + 1;
  }
  if (best !== null) return best;
  return mostDeleted(segments, busy, settings.reclaimShare, limitBytes, settings.maxMergedBytes);
}

/**
 * Merges of shards that rest write at least and at most so much: it is worth while, done within half a minute
 * after the last write (7 µs of processor time a document of some 150 bytes), and leaves a segment that one
 * worker counts all of in some milliseconds.
 */
const MIN_REST_BYTES = 256 * 1024;
const MAX_REST_BYTES = 256 * 1024 * 1024;
/**
 * What is merged at rest is so many times as large as the largest segment in it, so that a shard that is
 * written to now and then does not rewrite everything each time.
 */
const REST_GROWTH = 2;

/** Chooses the merge that leaves the fewest segments in a shard that is not written to; null: none pays. */
export function chooseRestMerge(
  segments: readonly CommittedSegment[],
  busy: ReadonlySet<number>,
): MergeRange | null {
  let best: MergeRange | null = null;
  let most = 1;
  for (let from = 0; from < segments.length; from++) {
    let bytes = 0;
    let largest = 0;
    for (let to = from; to < segments.length && !busy.has(segments[to]!.id); to++) {
      const size = liveBytes(segments[to]!);
      bytes += size;
      largest = Math.max(largest, size);
      const length = to + 1 - from;
      if (bytes > MAX_REST_BYTES) break;
      if (bytes < MIN_REST_BYTES || largest * REST_GROWTH > bytes || length <= most) continue;
      best = [from, to + 1];
      most = length;
    }
  }
  return best;
}

/**
 * Of the segments with at least this share of deleted documents the one with the highest, together with
 * its neighbours of that kind as long as the result is not too large; null without one.
 */
function mostDeleted(
  segments: readonly CommittedSegment[],
  busy: ReadonlySet<number>,
  share: number,
  limitBytes: number,
  maxMergedBytes: number,
): MergeRange | null {
  const shares = segments.map(({ id, deletedCount, docCount }) =>
    deletedCount === 0 || busy.has(id) ? 0 : deletedCount / docCount,
  );
  const isDue = (i: number, bytes: number): boolean =>
    shares[i]! > 0 && shares[i]! >= share && bytes + liveBytes(segments[i]!) <= limitBytes;
  let from = -1;
  for (let i = 0; i < segments.length; i++) {
    if (isDue(i, 0) && (from === -1 || shares[i]! > shares[from]!)) from = i;
  }
  if (from === -1) return null;
  let bytes = liveBytes(segments[from]!);
  const fits = (i: number): boolean =>
    isDue(i, bytes) && bytes + liveBytes(segments[i]!) <= maxMergedBytes;
  let to = from + 1;
  while (to < segments.length && fits(to)) bytes += liveBytes(segments[to++]!);
  while (from > 0 && fits(from - 1)) bytes += liveBytes(segments[--from]!);
  return [from, to];
}

/**
 * The next merge of the `_optimize` API; null when done. Down to a number of segments it is the adjacent run
 * with the least bytes; one segment alone is rewritten as long as it holds deleted documents.
 */
export function chooseOptimize(
  segments: readonly CommittedSegment[],
  busy: ReadonlySet<number>,
  { maxSegments, onlyExpungeDeletes }: OptimizeTarget,
): MergeRange | null {
  if (segments.some((segment) => busy.has(segment.id))) return null;
  if (onlyExpungeDeletes) {
    const { maxMergedBytes } = DEFAULT_MERGE_POLICY;
    return mostDeleted(segments, busy, EXPUNGE_SHARE + Number.EPSILON, Infinity, maxMergedBytes);
  }
  if (maxSegments === null) return chooseMerge(segments, busy);
  if (segments.length <= maxSegments) {
    const isDirty = maxSegments === 1 && segments.length === 1 && segments[0]!.deletedCount > 0;
    return isDirty ? [0, 1] : null;
  }
  const length = segments.length - maxSegments + 1;
  let best = 0;
  let bestBytes = Infinity;
  for (let from = 0; from + length <= segments.length; from++) {
    let bytes = 0;
    for (let i = from; i < from + length; i++) bytes += liveBytes(segments[i]!);
    if (bytes < bestBytes) {
      best = from;
      bestBytes = bytes;
    }
  }
  return [best, best + length];
}
