// What a search engine does for its callers: requests, results and statistics. A second engine implements the
// same interfaces, so nothing here names how the embedded one works.

export type {
  Administration,
  AnalyzeRequest,
  Maintenance,
  OptimizeTarget,
  ScriptIdentity,
  ScriptVersion,
  ShownScript,
  StoredScriptResult,
  StoredScripts,
} from './admin';
export type {
  BulkAction,
  BulkItem,
  DeleteRequest,
  DeleteResult,
  GetRequest,
  GetResult,
  IndexRequest,
  IndexResult,
  UpdateRequest,
  UpdateResult,
  VersionType,
  WriteOptions,
} from './documents';
export type {
  CacheStats,
  CacheStatsByKind,
  DiskSpace,
  DiskStats,
  HistogramStats,
  LocalNodeStats,
  LocalShardStats,
  LocalShardTotals,
  OperationCount,
  ReadCount,
  RestoredShard,
  SegmentStats,
  ShardOpening,
  ShardOperationStats,
  ShardReadStats,
  StoredQueryStats,
  SearchQueueStats,
  ThreadPoolStats,
  ThreadStats,
} from './local-stats';
export type { Action, CreatedKey, Keys, KeyUse, NewKey } from './keys';
export type { PercolateMatch, PercolateRequest, PercolateResponse } from './percolate';
export type {
  ReindexFailure,
  Reindexing,
  ReindexRequest,
  ReindexResult,
  ReindexStatus,
  TaskInfo,
} from './reindex';
export type { Readers, ReaderThreads, ReaderThreadsOptions } from './readers';
export type { Access, SearchEngine } from './search-engine';
export {
  SEARCH_BODY,
  type CountRequest,
  type CountResponse,
  type ExplainRequest,
  type ExplainResult,
  type FieldStatsRequest,
  type FieldStatsResult,
  type MoreLikeThisRequest,
  type QueryValidation,
  type ScrollRequest,
  type SearchRequest,
  type SearchResponse,
  type SearchType,
  type SuggestRequest,
  type SuggestResponse,
  type ShardFailure,
  type ShardsHeader,
  type SimilarityOptions,
} from './search';
export type {
  Accepted,
  CreateSnapshotRequest,
  RepositoryRequest,
  RestoreInfo,
  RestoreProgress,
  RestoreRequest,
  ShardProgress,
  SnapshotInfo,
  Snapshots,
  SnapshotState,
  SnapshotStatus,
  VerifiedSnapshot,
} from './snapshots';
export {
  EMPTY_SHARD,
  type BackendStats,
  type LocalStatistics,
  type IndexStats,
  type NodeStats,
  type ShardStats,
  type ShardStatsSum,
} from './statistics';
export type {
  TermVectorsControl,
  TermVectorsOutcome,
  TermVectorsRequest,
  TermVectorsResult,
} from './term-vectors';
