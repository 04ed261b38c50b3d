// What was counted by key, in a segment, in a shard or in all of them, and adding it up.

import { sortKeys } from '../segment/number-writer';
import { sortedOrder } from '../segment/sort-order';
import { statsBytes, StatsTable, type BucketStats } from './bucket-stats';
import { NumberIds } from './number-ids';

/** `counts[i]` belongs to keys[i]; keys are distinct, in no particular order. Plain data. */
export interface KeyedCounts {
  readonly keys: Float64Array;
  readonly counts: Float64Array;
}

/** The same with statistics. Plain data. */
export interface KeyedStats {
  readonly keys: Float64Array;
  readonly stats: BucketStats;
}

/** Memory that counts hold, in bytes. */
export function keyedBytes(keyed: KeyedCounts | KeyedStats): number {
  return (
    keyed.keys.byteLength + ('stats' in keyed ? statsBytes(keyed.stats) : keyed.counts.byteLength)
  );
}

/** The sums of all parts, added in their order: statistics where a part with keys has them. */
export function mergeKeyed(parts: readonly (KeyedCounts | KeyedStats)[]): KeyedCounts | KeyedStats {
  const filled = parts.filter(({ keys }) => keys.length > 0);
  const [first] = filled;
  if (first === undefined || filled.length === 1) return first ?? NOTHING;
  const ids = new NumberIds();
  const sums = new StatsTable();
  for (const part of filled) {
    const { keys } = part;
    for (let i = 0; i < keys.length; i++) {
      const id = ids.idOfDouble(keys[i]!);
      sums.reserve(ids.size);
      if ('stats' in part) sums.addBucket(id, part.stats, i);
      else sums.counts[id]! += part.counts[i]!;
    }
  }
  const keys = ids.doubles();
  return 'stats' in first
    ? { keys, stats: sums.first(ids.size) }
    : { keys, counts: sums.counts.slice(0, ids.size) };
}

const NOTHING: KeyedCounts = { keys: new Float64Array(0), counts: new Float64Array(0) };

/** Positions of keys, by ascending key. */
export function keyOrder(keys: Float64Array): Uint32Array {
  if (!ascends(keys)) return sortedOrder(sortKeys(keys));
  const order = new Uint32Array(keys.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  return order;
}

function ascends(keys: Float64Array): boolean {
  for (let i = 1; i < keys.length; i++) if (!(keys[i - 1]! < keys[i]!)) return false;
  return true;
}
