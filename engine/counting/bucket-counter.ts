// Counting keys by bucket in one segment, with or without statistics of numbers. Knows nothing of requests
// and responses. Hot: visits every key and value of every document in scope.

import type { Bitset } from '../segment/index';
import { StatsTable } from './bucket-stats';
import type { NumberKeys } from './key-reader';
import type { KeyReader } from './bucket-window';
import type { NumberReader } from './number-reader';
import { Windows } from './windows';

const FIRST_ROOM = 64;

/** Counts by bucket; several keys of a document in one bucket count several times. */
export function countBuckets(keys: KeyReader, docs: Bitset): Float64Array {
  const { words } = docs;
  let counts = new Float64Array(FIRST_ROOM);
  const windows = new Windows(words);
  while (windows.next()) {
    const { from, to } = windows;
    const n = keys.load(words, from, to);
    const { buckets } = keys;
    if (keys.size > counts.length) {
      const grown = new Float64Array(2 * keys.size);
      grown.set(counts);
      counts = grown;
    }
    for (let i = 0; i < n; i++) counts[buckets[i]!]!++;
  }
  return counts.slice(0, keys.size);
}

/**
 * Counts by bucket, and folds all values of a document into every bucket of it, in document order.
 *
 * @param values null: no document has any
 */
export function foldBuckets(
  keys: KeyReader,
  values: NumberReader | null,
  docs: Bitset,
): StatsTable {
  const { words } = docs;
  const stats = new StatsTable();
  /** Words of the documents with a key: the others have to do without what is computed. */
  const withKey = values?.isComputed === true ? new Uint32Array(words.length) : null;
  const windows = new Windows(words);
  while (windows.next()) {
    const { from, to } = windows;
    const n = keys.load(words, from, to);
    countPairs(stats, keys, n);
    if (values === null) continue;
    if (withKey !== null) addDocs(withKey, keys.docs, n, from);
    values.load(withKey ?? words, from, to);
    if (values.offsets !== null) foldSeveral(stats, keys, n, values, values.offsets);
    else foldAt(stats, keys.buckets, n, values.values, keys.docs, values.present, from);
  }
  return stats;
}

/** Adds n documents, counted from the first of the window, to a set of documents. */
function addDocs(words: Uint32Array, docs: Uint32Array, n: number, from: number): void {
  for (let i = 0; i < n; i++) words[from + (docs[i]! >>> 5)]! |= 1 << (docs[i]! & 31);
}

/** Counts by bucket, and folds each key into its own bucket. */
export function foldKeys(keys: NumberKeys, docs: Bitset): StatsTable {
  const { words } = docs;
  const stats = new StatsTable();
  const windows = new Windows(words);
  while (windows.next()) {
    const { from, to } = windows;
    const n = keys.load(words, from, to);
    countPairs(stats, keys, n);
    foldAt(stats, keys.buckets, n, keys.values, keys.valueIndexes, null, from);
  }
  return stats;
}

function countPairs(stats: StatsTable, keys: KeyReader, n: number): void {
  stats.reserve(keys.size);
  const { counts } = stats;
  const { buckets } = keys;
  for (let i = 0; i < n; i++) counts[buckets[i]!]!++;
}

/** Folds values[valueIndexes[i]] into bucket i. `present`: documents that have a value; null: all. */
function foldAt(
  stats: StatsTable,
  buckets: Uint32Array,
  n: number,
  values: Float64Array,
  valueIndexes: Uint32Array,
  present: Uint32Array | null,
  from: number,
): void {
  const { totalCounts, totals, mins, maxs } = stats;
  for (let i = 0; i < n; i++) {
    const valueIndex = valueIndexes[i]!;
    if (present !== null && ((present[from + (valueIndex >>> 5)]! >>> (valueIndex & 31)) & 1) === 0)
      continue;
    const bucket = buckets[i]!;
    const value = values[valueIndex]!;
    totalCounts[bucket]!++;
    totals[bucket]! += value;
    if (value < mins[bucket]!) mins[bucket] = value;
    if (value > maxs[bucket]!) maxs[bucket] = value;
  }
}

function foldSeveral(
  stats: StatsTable,
  { buckets, docs }: KeyReader,
  n: number,
  { values, firstDoc, firstValue }: NumberReader,
  offsets: Uint32Array,
): void {
  for (let i = 0; i < n; i++) {
    const doc = firstDoc + docs[i]!;
    const end = offsets[doc + 1]! - firstValue;
    for (let v = offsets[doc]! - firstValue; v < end; v++) stats.fold(buckets[i]!, values[v]!);
  }
}
