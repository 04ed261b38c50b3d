// The figures of the whole node: sums over all its shards and those that are gone, and what is counted once per node.
// Asked for often and with many indices, so sums are made in one loop without copies.

import { type IndexCatalog, ReadCounters, ShardCounters } from '../shard/index';
import type { ClusterState } from '../metadata/index';
import type { LocalShardTotals, ShardFigures, ShardTotals } from '../api/index';

/**
 * What shards have done that no open index has: those of deleted and of closed indices, and all of them before storage
 * was reopened. As the figures of one shard that holds nothing.
 */
export function formerFigures(state: ClusterState, catalog: IndexCatalog): ShardFigures {
  return {
    docCount: 0,
    deletedCount: 0,
    storeBytes: 0,
    isDamaged: false,
    local: {
      ...formerCounters(state, catalog),
      segments: [],
      commitGeneration: 0,
      unindexedOperations: 0,
      unindexedBytes: 0,
      opening: { ms: 0, operations: 0, restored: null },
    },
  };
}

function formerCounters(state: ClusterState, catalog: IndexCatalog) {
  const activity = new ShardCounters();
  const reads = new ReadCounters();
  activity.absorb(catalog.former.activity);
  reads.absorb(catalog.former.reads);
  for (const { name, shards } of catalog.all()) {
    if (isOpen(state, name)) continue;
    for (const shard of shards) {
      activity.absorb(shard.counters);
      reads.absorb(shard.reads);
    }
  }
  return { activity, reads };
}

/** The sums over all shards of a node. */
export interface ShardSums {
  readonly totals: ShardTotals;
  readonly local: LocalShardTotals;
}

/** Sums up all shards of a node. */
export function shardTotals(state: ClusterState, catalog: IndexCatalog): ShardSums {
  const { activity, reads } = formerCounters(state, catalog);
  const totals = {
    openIndices: 0,
    closedIndices: 0,
    shards: 0,
    damagedShards: 0,
    docCount: 0,
    deletedCount: 0,
    storeBytes: 0,
  };
  const local = { segments: 0, unindexedOperations: 0, unindexedBytes: 0, activity, reads };
  for (const { name, shards } of catalog.all()) {
    if (!isOpen(state, name)) {
      totals.closedIndices++;
      continue;
    }
    totals.openIndices++;
    for (const shard of shards) {
      activity.absorb(shard.counters);
      reads.absorb(shard.reads);
      const { merges } = shard.counters;
      activity.merges.current += merges.current;
      activity.merges.currentDocs += merges.currentDocs;
      activity.merges.currentBytes += merges.currentBytes;
      reads.searches.current += shard.reads.searches.current;
      reads.warmers.current += shard.reads.warmers.current;
      totals.shards++;
      if (shard.failure !== null) totals.damagedShards++;
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
