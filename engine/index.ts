// The shop window of the engine: what the server layer may use.

export type {
  BulkAction,
  BulkItem,
  CacheFigures,
  CacheTotals,
  CountRequest,
  CreateSnapshotRequest,
  DeleteResult,
  GetRequest,
  GetResult,
  HistogramFigures,
  IndexFigures,
  IndexRequest,
  IndexResult,
  LocalNodeStats,
  LocalShardStats,
  NodeFigures,
  NodeSettings,
  RestoredShard,
  RestoreRequest,
  ScriptIdentity,
  ScriptVersion,
  SearchEngine,
  SearchRequest,
  SearchResponse,
  SearchType,
  ShardFailure,
  ShardFigures,
  ShardProgress,
  ShardsHeader,
  SnapshotInfo,
  SnapshotStatus,
  ThreadFigures,
  ThreadPools,
  UpdateResult,
  VersionType,
  WriteOptions,
} from './api/index';
export {
  type CancelSignal,
  type EngineLogger,
  findPackage,
  numberFormat,
  parseTimeValue,
  SILENT_LOGGER,
} from './common/index';
export { type EngineOptions, openEngine } from './compose';
export type { Engine } from './engine';
export { requestProblems } from './documents/index';
export { EngineError, illegalArgument, indexMissing, validationFailed } from './errors';
export {
  decodeUtf8,
  Double,
  Float,
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonOutput,
  JsonScanner,
  JsonSyntaxError,
  JsonToken,
  type JsonValue,
  matchesPattern,
  parseJson,
  parseJsonObject,
  prettyJson,
  RawJson,
  readValue,
  type SourceFilter,
  startsWithObject,
  writeJson,
} from './json/index';
export { fieldMappings, parseTtl, renderMappings } from './mapping/index';
export {
  type AliasAction,
  type AliasChanges,
  type AliasMetadata,
  aliasToJson,
  blocksOf,
  type ClusterState,
  flatSettings,
  type FlatSettings,
  flattenIndexSettings,
  flattenSettings,
  type IndexMetadata,
  type IndicesOptions,
  matchingTemplates,
  matchWarmers,
  nestSettings,
} from './metadata/index';
export { searchTargets } from './search/index';
export type { SlowLogger } from './shard/index';

export { FormatVersionError, Histogram, StorageError } from '../storage/index';
