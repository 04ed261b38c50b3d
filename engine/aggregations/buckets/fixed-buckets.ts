// Aggregations with the same list of buckets for each bucket of the parent: bucket b of owner o is o *
// width + b.

import type { BucketMap, Merged, MergePart } from '../contract/aggregation';
import { NO_BUCKET } from '../contract/aggregation';
import { addByOwner, type DocCounts } from '../contract/merging';

/** Adds up. @param width buckets for each of the parent */
export function mergeFixed(
  parts: readonly Pick<MergePart<object, DocCounts>, 'data' | 'owners'>[],
  owners: number,
  width: number,
): Merged<DocCounts> {
  const counts = new Float64Array(owners * width);
  const maps = parts.map((part) => {
    const map = widened(part.owners, width);
    addByOwner(counts, part.data.counts, map);
    return map;
  });
  return { data: { counts }, size: owners * width, maps };
}

function widened(owners: BucketMap, width: number): BucketMap {
  if (owners === null) return null;
  const map = new Uint32Array(owners.length * width).fill(NO_BUCKET);
  for (let o = 0; o < owners.length; o++) {
    if (owners[o] === NO_BUCKET) continue;
    for (let b = 0; b < width; b++) map[o * width + b] = owners[o]! * width + b;
  }
  return map;
}

/** The number of a bucket, or that of an empty one. */
export function fixedBucket(owner: number, width: number, b: number): number {
  return owner < 0 ? owner : owner * width + b;
}
