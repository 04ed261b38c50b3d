// Which segments to merge: a pure function over sizes, tried at every refresh.
//
// Only adjacent segments are merged, so that documents stay in log order (ties in search results depend
// on it). Tiered: a run of segments of similar size is merged once it is long enough, and a segment that is
// mostly deleted documents is rewritten on its own.

import type { CommittedSegment } from '../../storage/index';

export interface MergePolicySettings {
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

export const DEFAULT_MERGE_POLICY: MergePolicySettings = {
  segmentsPerTier: 8,
  floorBytes: 256 * 1024,
  maxMergedBytes: 2 * 1024 * 1024 * 1024,
  reclaimShare: 0.3,
};

/** Positions [from, to) of adjacent segments to merge into one, or null when nothing needs doing. */
export type MergeRange = readonly [from: number, to: number];

/** Bytes a segment would contribute to a merge: deleted documents vanish. */
function liveBytes(segment: CommittedSegment): number {
  const live = segment.docCount - segment.deletedCount;
  return segment.docCount === 0 ? 0 : Math.ceil((segment.bytes * live) / segment.docCount);
}

/**
 * Chooses the cheapest merge that is due. Segments in `busy` (being merged already) split the list.
 */
export function chooseMerge(
  segments: readonly CommittedSegment[],
  busy: ReadonlySet<number>,
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
      if (bytes <= settings.maxMergedBytes && bytes < bestBytes) {
        best = [start, to];
        bestBytes = bytes;
      }
    }
    start = last + 1;
  }
  if (best !== null) return best;
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i]!;
    if (busy.has(segment.id)) continue;
    if (
      segment.deletedCount > 0 &&
      segment.deletedCount >= segment.docCount * settings.reclaimShare
    )
      return [i, i + 1];
  }
  return null;
}

/**
 * The merge that brings a shard down to at most `maxSegments` (the `_optimize` API), one step at a time:
 * the adjacent run with the least bytes; null when done.
 */
export function chooseOptimize(
  segments: readonly CommittedSegment[],
  busy: ReadonlySet<number>,
  maxSegments: number,
): MergeRange | null {
  if (segments.some((segment) => busy.has(segment.id))) return null;
  if (segments.length <= maxSegments) {
    const dirty = segments.findIndex((segment) => segment.deletedCount > 0);
    return dirty === -1 ? null : [dirty, dirty + 1];
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
