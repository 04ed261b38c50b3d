// Counting documents by ranges of a number in one segment, and folding numbers into the ranges. Ranges may
// overlap. A document counts once in a range, for the first of its keys that lies within. Hot: visits every
// document in scope once per range.

import type { Bitset } from '../segment/index';
import { StatsTable, type BucketStats } from './bucket-stats';
import { endOf, valueIndexesOf, startOf, type NumberReader } from './number-reader';
import { Windows } from './windows';

/** `from` inclusive, `to` exclusive; infinite where open. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/** What is folded into ranges: the key that lies within, all values of the document, or nothing. */
type RangeValues = 'keys' | NumberReader | null;

/**
 * Counts by range, and what is folded in.
 *
 * @param values of the keys it is the first one within the range that is folded in
 */
export function countRanges(
  ranges: readonly NumberRange[],
  keys: NumberReader,
  values: RangeValues,
  docs: Bitset,
): BucketStats {
  const { words } = docs;
  const stats = new StatsTable();
  stats.reserve(ranges.length);
  let valueIndexes = new Uint32Array(0);
  const windows = new Windows(words);
  while (windows.next()) {
    const { from, to } = windows;
    keys.load(words, from, to);
    if (values === 'keys' && keys.offsets === null) {
      if (keys.values.length > valueIndexes.length)
        valueIndexes = new Uint32Array(keys.values.length);
      const n = valueIndexesOf(keys, words, from, to, valueIndexes, valueIndexes);
      for (let r = 0; r < ranges.length; r++)
        countAt(stats, r, ranges[r]!, keys.values, valueIndexes, n);
    } else {
      if (values !== 'keys' && values !== null) values.load(words, from, to);
      countDocuments(stats, ranges, keys, values, words, from, to);
    }
  }
  return stats.first(ranges.length);
}

/** At most one key, which is the value as well. */
function countAt(
  stats: StatsTable,
  r: number,
  range: NumberRange,
  values: Float64Array,
  valueIndexes: Uint32Array,
  n: number,
): void {
  const { from, to } = range;
  let count = 0;
  let total = stats.totals[r]!;
  let min = stats.mins[r]!;
  let max = stats.maxs[r]!;
  for (let i = 0; i < n; i++) {
    const value = values[valueIndexes[i]!]!;
    if (!(value >= from && value < to)) continue;
    count++;
    total += value;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  stats.counts[r]! += count;
  stats.totalCounts[r]! += count;
  stats.totals[r] = total;
  stats.mins[r] = min;
  stats.maxs[r] = max;
}

function countDocuments(
  stats: StatsTable,
  ranges: readonly NumberRange[],
  keys: NumberReader,
  values: RangeValues,
  words: Uint32Array,
  from: number,
  to: number,
): void {
  for (let w = from; w < to; w++) {
    let word = words[w]!;
    if (keys.present !== null) word &= keys.present[w]!;
    while (word !== 0) {
      const bit = word & -word;
      const doc = (w << 5) + 31 - Math.clz32(bit);
      word ^= bit;
      const first = startOf(keys, doc);
      const end = endOf(keys, doc);
      for (let r = 0; r < ranges.length; r++) {
        const valueIndex = firstWithin(keys.values, first, end, ranges[r]!);
        if (valueIndex < 0) continue;
        stats.counts[r]!++;
        if (values === 'keys') stats.fold(r, keys.values[valueIndex]!);
        else if (values !== null) foldDocument(stats, r, values, doc);
      }
    }
  }
}

/** The index of the first value within the range, or -1. */
function firstWithin(values: Float64Array, first: number, end: number, range: NumberRange): number {
  const { from, to } = range;
  for (let i = first; i < end; i++) {
    const value = values[i]!;
    if (value >= from && value < to) return i;
  }
  return -1;
}

function foldDocument(stats: StatsTable, bucket: number, values: NumberReader, doc: number): void {
  const { present } = values;
  if (present !== null && ((present[doc >>> 5]! >>> (doc & 31)) & 1) === 0) return;
  const end = endOf(values, doc);
  for (let i = startOf(values, doc); i < end; i++) stats.fold(bucket, values.values[i]!);
}
