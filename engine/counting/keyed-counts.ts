// What was counted by key, in a segment, in a shard or in all of them, and adding it up.

import { doubleKeys, sortedOrder } from '../segment/index';
import { statsBytes, StatsTable, type BucketStats } from './bucket-stats';
import { NumberIds } from './number-ids';

/** `counts[i]` belongs to keys[i]; keys are distinct, in no particular order. Plain data. */
export interface KeyedCounts {
  readonly keys: Float64Array;
  readonly counts: Float64Array;
}

/** The same with statistics. Plain data. */
interface KeyedStats {
  readonly keys: Float64Array;
  readonly stats: BucketStats;
}

/** What is added up. */
export type KeyedPart = KeyedCounts | KeyedStats;

/** Memory that counts hold, in bytes. */
export function keyedBytes(keyed: KeyedPart): number {
  return (
    keyed.keys.byteLength + ('stats' in keyed ? statsBytes(keyed.stats) : keyed.counts.byteLength)
  );
}

/** The sums of all parts, added in their order: statistics where a part with keys has them. */
export function mergeKeyed(parts: readonly KeyedPart[]): KeyedPart {
  const filled = parts.filter(({ keys }) => keys.length > 0);
  const [first] = filled;
  if (first === undefined || filled.length === 1) return first ?? NOTHING;
  const inOrder = filled.every(({ keys }) => ascends(keys));
  const { keys, positions } = inOrder ? mergeAscending(filled) : mergeByHash(filled);
  const sums = new StatsTable();
  sums.reserve(keys.length);
  filled.forEach((part, p) => {
    const into = positions[p]!;
    if ('stats' in part)
      for (let i = 0; i < into.length; i++) sums.addBucket(into[i]!, part.stats, i);
    else for (let i = 0; i < into.length; i++) sums.counts[into[i]!]! += part.counts[i]!;
  });
  return 'stats' in first
    ? { keys, stats: sums.first(keys.length) }
    : { keys, counts: sums.counts.slice(0, keys.length) };
}

/** The distinct keys of several lists, and by list where each of its keys is among them. */
interface MergedKeys {
  readonly keys: Float64Array;
  readonly positions: readonly Uint32Array[];
}

/** Of ascending lists, into an ascending one. */
function mergeAscending(parts: readonly KeyedPart[]): MergedKeys {
  const lists = parts.map((part) => part.keys);
  const positions = lists.map((list) => new Uint32Array(list.length));
  const next = new Uint32Array(lists.length);
  const keys = new Float64Array(lists.reduce((sum, list) => sum + list.length, 0));
  let size = 0;
  for (;;) {
    let least = Infinity;
    let isDone = true;
    for (let p = 0; p < lists.length; p++) {
      const at = next[p]!;
      const list = lists[p]!;
      if (at === list.length) continue;
      isDone = false;
      if (list[at]! < least) least = list[at]!;
    }
    if (isDone) return { keys: keys.slice(0, size), positions };
    for (let p = 0; p < lists.length; p++) {
      const at = next[p]!;
      if (at === lists[p]!.length || lists[p]![at]! > least) continue;
      positions[p]![at] = size;
      next[p] = at + 1;
    }
    keys[size++] = least;
  }
}

/** Of any lists, in the order in which keys come. */
function mergeByHash(parts: readonly KeyedPart[]): MergedKeys {
  const ids = new NumberIds();
  const positions = parts.map(({ keys }) => {
    const into = new Uint32Array(keys.length);
    for (let i = 0; i < keys.length; i++) into[i] = ids.idOfDouble(keys[i]!);
    return into;
  });
  return { keys: ids.doubles(), positions };
}

const NOTHING: KeyedCounts = { keys: new Float64Array(0), counts: new Float64Array(0) };

/** Positions of keys, by ascending key. */
export function keyOrder(keys: Float64Array): Uint32Array {
  if (!ascends(keys)) return sortedOrder(doubleKeys(keys));
  const order = new Uint32Array(keys.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  return order;
}

/** Strictly: no key is there twice, or not a number. */
function ascends(keys: Float64Array): boolean {
  let before = -Infinity;
  for (let i = 0; i < keys.length; i++) {
    if (!(keys[i]! > before)) return false;
    before = keys[i]!;
  }
  return true;
}
