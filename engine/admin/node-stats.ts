// The statistics of the whole node: sums over all its shards and those that are gone, and what is counted
// once per node. Asked for often and with many indices, so sums are made in one loop without copies.

import { type IndicesService, ShardReadCounters, ShardOperationCounters } from '../shard/index';
import type { ClusterState } from '../metadata/index';
import {
  EMPTY_SHARD,
  type LocalShardTotals,
  type ShardStats,
  type ShardStatsSum,
} from '../api/index';

/**
 * What shards have done that no open index has: those of deleted and of closed indices, and all of them
 * before storage was reopened. As the statistics of one shard that holds nothing.
 */
export function formerStats(state: ClusterState, indicesService: IndicesService): ShardStats {
  return {
    ...EMPTY_SHARD,
    local: {
      ...formerCounters(state, indicesService),
      segments: [],
      commitGeneration: 0,
      unindexedOperations: 0,
      unindexedBytes: 0,
      opening: { ms: 0, operations: 0, restored: null },
      queries: { count: 0, bytes: 0, evaluated: 0 },
    },
  };
}

function formerCounters(state: ClusterState, indicesService: IndicesService) {
  const operations = new ShardOperationCounters();
  const reads = new ShardReadCounters();
  operations.absorb(indicesService.former.operations);
  reads.absorb(indicesService.former.reads);
  for (const { name, shards } of indicesService.all()) {
    if (isOpen(state, name)) continue;
    for (const shard of shards) {
      operations.absorb(shard.counters);
      reads.absorb(shard.reads);
    }
  }
  return { operations, reads };
}

/** The sums over all shards of a node. */
interface ShardSums {
  readonly totals: ShardStatsSum;
  readonly local: LocalShardTotals;
}

/** Sums up all shards of a node. */
export function shardTotals(state: ClusterState, indicesService: IndicesService): ShardSums {
  const { operations, reads } = formerCounters(state, indicesService);
  const totals = {
    openIndices: 0,
    closedIndices: 0,
    shards: 0,
    damagedShards: 0,
    rebuildingShards: 0,
    docCount: 0,
    deletedCount: 0,
    storeBytes: 0,
  };
  const local = { segments: 0, unindexedOperations: 0, unindexedBytes: 0, operations, reads };
  for (const { name, shards } of indicesService.all()) {
    if (!isOpen(state, name)) {
      totals.closedIndices++;
      continue;
    }
    totals.openIndices++;
    for (const shard of shards) {
      operations.absorb(shard.counters);
      reads.absorb(shard.reads);
      const { merges } = shard.counters;
      operations.merges.current += merges.current;
      operations.merges.currentDocs += merges.currentDocs;
      operations.merges.currentBytes += merges.currentBytes;
      reads.searches.current += shard.reads.searches.current;
      reads.warmers.current += shard.reads.warmers.current;
      reads.percolations.current += shard.reads.percolations.current;
      totals.shards++;
      if (shard.failure !== null) totals.damagedShards++;
      else if (shard.rebuilding !== null) totals.rebuildingShards++;
      local.unindexedOperations += shard.backlog;
      local.unindexedBytes += shard.backlogBytes;
      const segments = shard.segments();
      local.segments += segments.length;
      for (const { docCount, deletedCount, bytes } of segments) {
        totals.docCount += docCount - deletedCount;
        totals.deletedCount += deletedCount;
        totals.storeBytes += bytes;
      }
    }
  }
  return { totals, local };
}

function isOpen(state: ClusterState, index: string): boolean {
  return state.indices.get(index)?.state === 'open';
}
