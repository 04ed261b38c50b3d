// `fields` of the section `fielddata`: what columns take, field by field (reference server).

import {
  matchesPattern,
  type CacheStats,
  type ClusterState,
  type IndexStats,
  type JsonOutput,
  type ShardStats,
} from '../../engine/index';
import type { Params } from '../request/index';
import { localShard } from './local';

/** What single fields take in memory of some shards, in bytes. */
export type FieldColumns = (shards: readonly ShardStats[]) => JsonOutput;

/**
 * The fields that `fields` and `fielddata_fields` name, with patterns; null: not requested. Those of which
 * nothing is in memory are not told.
 *
 * @param indices those that the shards will be of
 */
export function fieldColumns(
  params: Params,
  indices: readonly IndexStats[],
  state: ClusterState,
  caches: CacheStats,
): FieldColumns | null {
  const patterns = [...params.list('fields'), ...params.list('fielddata_fields')];
  if (patterns.length === 0) return null;
  /** By segment: its columns by the name of their field. */
  const bySegment = new Map<number, readonly (readonly [string, number])[]>();
  for (const { name, shards } of indices) {
    const names = new Map<number, string>();
    for (const { id, name: field } of state.indices.get(name)?.fields.values() ?? []) {
      if (patterns.some((pattern) => matchesPattern(pattern, field))) names.set(id, field);
    }
    for (const { id } of shards.flatMap((shard) => localShard(shard).segments)) {
      const columns = [...(caches.columns.get(id) ?? [])];
      bySegment.set(
        id,
        columns.flatMap(([field, bytes]) => {
          const found = names.get(field);
          return found === undefined ? [] : [[found, bytes] as const];
        }),
      );
    }
  }
  return (shards) => {
    const sums = new Map<string, number>();
    for (const { id } of shards.flatMap((shard) => localShard(shard).segments)) {
      for (const [field, bytes] of bySegment.get(id) ?? [])
        sums.set(field, (sums.get(field) ?? 0) + bytes);
    }
    return new Map([...sums].map(([field, bytes]) => [field, { memory_size_in_bytes: bytes }]));
  };
}
