// The interface of the engine: all that the server layer may import of it.

export type { NodeSettings } from './admin/index';
export type {
  BulkAction,
  BulkItem,
  CacheStats,
  CacheStatsByKind,
  CountRequest,
  CreateSnapshotRequest,
  DeleteResult,
  GetRequest,
  GetResult,
  HistogramStats,
  IndexRequest,
  IndexResult,
  IndexStats,
  LocalNodeStats,
  LocalShardStats,
  NodeStats,
  RestoredShard,
  RestoreRequest,
  ScriptIdentity,
  ScriptVersion,
  SearchEngine,
  SearchRequest,
  SearchResponse,
  SearchType,
  ShardProgress,
  ShardsHeader,
  ShardStats,
  SnapshotInfo,
  SnapshotStatus,
  ThreadPoolStats,
  ThreadStats,
  UpdateResult,
  VersionType,
  WriteOptions,
} from './api/index';
export {
  badNumber,
  bodyBoolean,
  type CancelSignal,
  type EngineLogger,
  explicitBoolean,
  findPackage,
  integerParameter,
  numberFormat,
  ordinaryBoolean,
  parseTimeValue,
  SILENT_LOGGER,
  splitCommas,
} from './common/index';
export { type EngineOptions, openEngine } from './compose';
export { validateWrite } from './documents/index';
export type { Engine } from './engine';
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
  sourceParameters,
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
export { Histogram } from '../storage/index';
export { FormatVersionError, REOPEN_FREE_BYTES, StorageError } from '../storage/index';
