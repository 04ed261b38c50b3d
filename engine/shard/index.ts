// From the document log to segments: one shard, its refreshes, merges, garbage and statistics.

export type { DiskRoom } from './disk-room';
export { IndexCompiler } from './index-compiler';
export type { IndexService } from './index-service';
export {
  type EncodedBuild,
  type IndexerRequests,
  type IndexerWorkerOptions,
  KnownIndices,
  type Warning,
} from './indexer-messages';
export { IndexerThread } from './indexer-thread';
export { Indexer } from './indexer';
export { IndicesService } from './indices-service';
export { ShardReadCounters, SharedReadCounters } from './read-stats';
export { SegmentIds } from './segment-ids';
export type { SegmentIndexer, SegmentRemovals } from './segment-jobs';
export { ShardOperationCounters } from './shard-stats';
export type { PinnedLog, Shard } from './shard';
export type {
  PinnedShard,
  ReadableIndex,
  ReadableIndices,
  ReadableShard,
  ShardIdentity,
} from './readable';
export type { WritableIndex, WritableIndices, WritableShard } from './writable';
export {
  logSlowSearch,
  logSlowWrite,
  NO_SLOW_LOGGER,
  type SlowLogger,
  timesIndexing,
  timesSearches,
} from './slow-log';
export {
  describeDamage,
  segmentDamageOf,
  type SegmentDamage,
  translateStorageError,
} from './storage-errors';
