// What an engine tells of itself as `local`, with nothing in its place where there is none: statistics
// print zeros.

import type {
  CacheStats,
  CacheStatsByKind,
  LocalNodeStats,
  LocalShardStats,
  SearchEngine,
  ShardStats,
  ThreadPoolStats,
} from '../../engine/index';

const COUNT = { total: 0, ms: 0 };
const READS = { ...COUNT, current: 0 };
const MERGES = { ...COUNT, docs: 0, bytes: 0, current: 0, currentDocs: 0, currentBytes: 0 };
const ACTIVITY = {
  indexing: COUNT,
  deleting: COUNT,
  refreshes: COUNT,
  flushes: COUNT,
  builds: COUNT,
  rebuilds: COUNT,
  failedDocuments: 0,
  merges: MERGES,
};
const READ_ACTIVITY = {
  found: READS,
  missed: READS,
  searches: READS,
  warmers: READS,
  openScrolls: 0,
  percolations: READS,
  suggests: READS,
};
const HISTOGRAM = { bounds: [], counts: [0], count: 0, sum: 0 };

const NO_SHARD: LocalShardStats = {
  operations: ACTIVITY,
  reads: READ_ACTIVITY,
  segments: [],
  commitGeneration: 0,
  unindexedOperations: 0,
  unindexedBytes: 0,
  opening: { ms: 0, operations: 0, restored: null },
  queries: { count: 0, bytes: 0, evaluated: 0 },
};

/** What is counted once per node where there is nothing to count. */
export const NO_NODE: LocalNodeStats = {
  shards: {
    segments: 0,
    unindexedOperations: 0,
    unindexedBytes: 0,
    operations: ACTIVITY,
    reads: READ_ACTIVITY,
  },
  commits: { units: HISTOGRAM, bytes: HISTOGRAM, syncSeconds: HISTOGRAM, refusedUnits: 0 },
  queuedUnits: 0,
  storageFailures: 0,
  segmentsSetAside: 0,
  damagedTables: 0,
  disk: { total: 0, free: 0, available: 0, minFreeBytes: 0, isLow: false },
};

const NO_CACHES: CacheStats = { kinds: new Map(), bytes: new Map(), columns: new Map() };
const NO_CACHE_TOTALS: CacheStatsByKind = { kinds: new Map(), limitBytes: 0 };
const NO_THREADS: ThreadPoolStats = {
  searches: {
    threads: 0,
    active: 0,
    queue: 0,
    capacity: -1,
    rejected: 0,
    largest: 0,
    completed: 0,
  },
  search: [],
  http: [],
  indexer: [],
};

/** What a shard is made of and has done. */
export function localShard({ local = NO_SHARD }: ShardStats): LocalShardStats {
  return local;
}

/** What is kept in memory for searches. */
export async function cachesOf({ local }: SearchEngine): Promise<CacheStats> {
  return local === undefined ? NO_CACHES : local.caches();
}

/** The same by kind only. */
export async function cacheTotalsOf({ local }: SearchEngine): Promise<CacheStatsByKind> {
  return local === undefined ? NO_CACHE_TOTALS : local.cacheStatsByKind();
}

/** Counters of the worker threads. */
export async function threadsOf({ local }: SearchEngine): Promise<ThreadPoolStats> {
  return local === undefined ? NO_THREADS : local.threads();
}

/** Shards, and in addition what those have done that are gone. */
export async function withFormer(
  shards: readonly ShardStats[],
  { local }: SearchEngine,
): Promise<readonly ShardStats[]> {
  return local === undefined ? shards : [...shards, await local.formerStats()];
}
