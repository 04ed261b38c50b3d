// What an engine tells of indices, shards and itself. What only the embedded one can know is in `local`.

import type {
  LocalNodeStats,
  LocalShardStats,
  CacheStats,
  CacheStatsByKind,
  ThreadPoolStats,
} from './local-stats';

/** Live statistics of one index for health, `_cat` and statistics. */
export interface IndexStats {
  readonly name: string;
  readonly open: boolean;
  readonly primaries: number;
  readonly replicas: number;
  /** Documents including nested ones; deleted ones not yet merged away. */
  readonly docCount: number;
  readonly deletedCount: number;
  readonly storeBytes: number;
  /** The same of every shard, by shard number; empty for a closed index. */
  readonly shards: readonly ShardStats[];
}

/** Live statistics of one shard. */
export interface ShardStats {
  readonly docCount: number;
  readonly deletedCount: number;
  readonly storeBytes: number;
  /** Its data is damaged: it refuses searches and writes. */
  readonly isDamaged: boolean;
  /** Its segments were damaged and are being built again: it refuses searches until then. */
  readonly isRebuilding: boolean;
  /** Copies that serve besides it: none on a single machine. */
  readonly startedReplicas: number;
  /** What it is made of on this machine. */
  readonly local?: LocalShardStats;
}

/** Of a shard that holds nothing. */
export const EMPTY_SHARD: ShardStats = {
  docCount: 0,
  deletedCount: 0,
  storeBytes: 0,
  isDamaged: false,
  isRebuilding: false,
  startedReplicas: 0,
};

/** What the shards of a node hold. Documents and bytes are those of open indices. */
export interface ShardStatsSum {
  readonly openIndices: number;
  readonly closedIndices: number;
  readonly shards: number;
  readonly damagedShards: number;
  readonly rebuildingShards: number;
  /** Documents including nested ones; deleted ones not yet merged away. */
  readonly docCount: number;
  readonly deletedCount: number;
  readonly storeBytes: number;
}

/** How the embedded engine tells of itself. */
export interface LocalStatistics {
  /** What is kept in memory for searches: by kind, and by segment. */
  caches(): Promise<CacheStats>;
  /** The same by kind only, cheap and soon: a busy worker's statistics are those that it told last. */
  cacheStatsByKind(): Promise<CacheStatsByKind>;
  /** Counters of the worker threads. */
  threads(): Promise<ThreadPoolStats>;
  /** What shards have done that no index shows any more: those of deleted and closed indices. */
  formerStats(): Promise<ShardStats>;
}

/** Everything that is counted once per node. */
export interface NodeStats {
  readonly totals: ShardStatsSum;
  /** Whether writes are possible now. */
  readonly isWritable: boolean;
  /**
   * Epoch milliseconds at which the newest complete snapshot of each repository ended, as far as is known.
   */
  readonly newestSnapshots: ReadonlyMap<string, number>;
  /** What it counts of its own machinery. */
  readonly local?: LocalNodeStats;
  /** What it asked of the cluster that its data is in. */
  readonly backend?: BackendStats;
}

/** Requests to a cluster that keeps the data, since the start. */
export interface BackendStats {
  readonly requests: number;
  /** Those without an answer, or with an error that the node did not expect. */
  readonly failures: number;
  /** How often they were sent again, to another of its nodes. */
  readonly retries: number;
  /** From sending to the end of the answer, of all together. */
  readonly milliseconds: number;
}
