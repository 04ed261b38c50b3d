// The order of hits across segments, shards and indices.

import { compareUtf8 } from '../../segment/index';
import type { ShardHit, SortKey, SortValue } from '../plan/search-plan';

/**
 * Compares two hits by their sort values, or by score when `keys` is null; equal ones stand in shard
 * order, then in document order (reference server).
 */
export function compareHits(keys: readonly SortKey[] | null, a: ShardHit, b: ShardHit): number {
  if (keys === null) {
    if (a.score !== b.score) return a.score > b.score ? -1 : 1;
  } else {
    for (let i = 0; i < keys.length; i++) {
      const order = compareValues(keys[i]!, a.sort[i] ?? null, b.sort[i] ?? null);
      if (order !== 0) return order;
    }
  }
  return a.shard - b.shard || a.segment - b.segment || a.doc - b.doc;
}

/** Compares two sort values of a key, its direction taken into account. */
export function compareValues(key: SortKey, a: SortValue, b: SortValue): number {
  if (a === null || b === null) {
    if (a === b) return 0;
    return (a === null) === (key.missing === '_last') ? 1 : -1;
  }
  const order = compareBare(a, b);
  return key.descending ? -order : order;
}

function compareBare(a: string | number | bigint, b: string | number | bigint): number {
  if (typeof a === 'string') return typeof b === 'string' ? compareUtf8(a, b) : 1;
  // Indices may map one name differently: any order will do as long as it is one.
  if (typeof b === 'string') return -1;
  return a < b ? -1 : a > b ? 1 : 0;
}
