// Statistics by the slot of each document: its one term or bucket. Hot: visits every document in scope.

import type { Bitset, UnsignedArray } from '../segment/index';
import { StatsTable } from './bucket-stats';
import type { NumberReader } from './number-reader';
import { Windows } from './windows';

/** A table of slots larger than this must not be larger than the number of documents. */
const SMALL_TABLE = 1024;

/** Whether values can be folded by slot, and a table with an entry per slot is worth it. */
export function isFoldable(slots: number, values: NumberReader | null, docs: Bitset): boolean {
  // Documents without a slot of their own are counted in slot 0, with their values.
  if (values !== null && (values.offsets !== null || values.isComputed)) return false;
  return slots <= SMALL_TABLE || slots <= docs.cardinality();
}

/**
 * Counts documents by slot and folds their numbers in, in document order.
 *
 * @param slots by document, each below `size`
 * @param values at most one per document (`offsets` null); null: no document has any
 * @returns an entry per slot
 */
export function foldSlots(
  slots: UnsignedArray,
  size: number,
  values: NumberReader | null,
  docs: Bitset,
): StatsTable {
  const { words } = docs;
  const stats = new StatsTable();
  stats.reserve(size);
  const present = values?.present ?? null;
  const isEachCounted = values !== null && present === null;
  const windows = new Windows(words);
  while (windows.next()) {
    const { from, to } = windows;
    if (!isEachCounted) countSlots(slots, words, from, to, stats.counts);
    if (values === null) continue;
    values.load(words, from, to);
    foldWindow(stats, slots, values.values, present, words, from, to);
  }
  if (isEachCounted) stats.counts.set(stats.totalCounts);
  return stats;
}

/** The slots first .. end - 1 with a count, ascending. */
export function usedSlots(
  counts: Float64Array | Uint32Array,
  first: number,
  end: number,
): Uint32Array {
  const used = new Uint32Array(end - first);
  let n = 0;
  for (let slot = first; slot < end; slot++) if (counts[slot]! > 0) used[n++] = slot;
  return used.slice(0, n);
}

function countSlots(
  slots: UnsignedArray,
  words: Uint32Array,
  from: number,
  to: number,
  counts: Float64Array,
): void {
  for (let w = from; w < to; w++) {
    const last = (w << 5) + 31;
    let word = words[w]!;
    while (word !== 0) {
      const bit = word & -word;
      word ^= bit;
      counts[slots[last - Math.clz32(bit)]!]!++;
    }
  }
}

/** `values` begin with the first document of the window. */
function foldWindow(
  { totalCounts, totals, mins, maxs }: StatsTable,
  slots: UnsignedArray,
  values: Float64Array,
  present: Uint32Array | null,
  words: Uint32Array,
  from: number,
  to: number,
): void {
  for (let w = from; w < to; w++) {
    const last = (w << 5) + 31;
    const lastIndex = last - (from << 5);
    let word = words[w]!;
    if (present !== null) word &= present[w]!;
    while (word !== 0) {
      const bit = word & -word;
      word ^= bit;
      const back = Math.clz32(bit);
      const slot = slots[last - back]!;
      const value = values[lastIndex - back]!;
      totalCounts[slot]!++;
      totals[slot]! += value;
      if (value < mins[slot]!) mins[slot] = value;
      if (value > maxs[slot]!) maxs[slot] = value;
    }
  }
}
