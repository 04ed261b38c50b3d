// What merging has in common: arrays by bucket of the parent, and aggregations with one bucket for each
// of them.

import { type BucketMap, type Merged, type MergePart, NO_BUCKET } from './aggregation';

/** Calls `visit` with every bucket of a part's parent that is left, and with what it became. */
export function forOwners(
  owners: BucketMap,
  count: number,
  visit: (from: number, to: number) => void,
): void {
  for (let from = 0; from < count; from++) {
    const to = owners === null ? from : owners[from]!;
    if (to !== NO_BUCKET) visit(from, to);
  }
}

/** Adds `from` to `into`, bucket by bucket. */
export function addByOwner(into: Float64Array, from: Float64Array, owners: BucketMap): void {
  for (let i = 0; i < from.length; i++) {
    const to = owners === null ? i : owners[i]!;
    if (to !== NO_BUCKET) into[to]! += from[i]!;
  }
}

/** How many documents each bucket of the parent has. Plain data. */
export interface DocCounts {
  readonly counts: Float64Array;
}

/** Adds up aggregations whose buckets are those of the parent. */
export function mergeCounts(
  parts: readonly Pick<MergePart<object, DocCounts>, 'data' | 'owners'>[],
  owners: number,
): Merged<DocCounts> {
  const counts = new Float64Array(owners);
  for (const part of parts) addByOwner(counts, part.data.counts, part.owners);
  return { data: { counts }, size: owners, maps: parts.map((part) => part.owners) };
}

/** An array of at least so many elements, with those there were. */
export function grown(
  array: Float64Array<ArrayBuffer>,
  size: number,
  fill = 0,
): Float64Array<ArrayBuffer> {
  if (size <= array.length) return array;
  const larger = new Float64Array(Math.max(size, 2 * array.length));
  larger.set(array);
  return fill === 0 ? larger : larger.fill(fill, array.length);
}

/** A copy of so many elements. */
export function sized(
  array: Float64Array<ArrayBuffer>,
  size: number,
  fill = 0,
): Float64Array<ArrayBuffer> {
  return grown(array, size, fill).slice(0, size);
}
