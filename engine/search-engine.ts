// The public face of the engine. Routes call nothing else; a second implementation may stand behind it.
//
// Index expressions arrive as the parts of the comma list; names are resolved here. Every method rejects
// with EngineError where the reference answers with an error.

import type { CommittedSegment } from '../storage/index';
import type { CacheFigures, CacheTotals } from './cache';
import type { EngineError } from './errors';
import type { OptimizeTarget } from './indexing/merge-policy';
import type { ReadActivity } from './indexing/read-activity';
import type { RestoredShard, ShardActivity, ShardOpening } from './indexing/shard-activity';
import type { JsonObject, JsonOutput, JsonValue } from './json/json';
import type { BlockLevel } from './metadata/blocks';
import type { ClusterSettingsUpdate } from './metadata/cluster-settings';
import type { AliasMetadata, ClusterState, IndicesOptions } from './metadata/state';
import type { TemplateParameters } from './metadata/templates';
import type { SimilarityOptions } from './search/more-like-this';
import type {
  CancelSignal,
  SearchRequest,
  SearchResponse,
  ShardsHeader,
  SourceFilter,
} from './search/request';
import type { NodeFigures, ShardTotals } from './node-figures';
import type { Snapshots } from './snapshots/api';

export type {
  CacheFigures,
  CacheTotals,
  NodeFigures,
  OptimizeTarget,
  ReadActivity,
  RestoredShard,
  ShardActivity,
  ShardOpening,
  ShardTotals,
};

export type VersionType = 'internal' | 'external' | 'external_gte' | 'force';

/** What all single-document writes share. Undefined: not given. */
export interface WriteOptions {
  readonly index: string;
  readonly type: string;
  readonly routing: string | undefined;
  readonly parent: string | undefined;
  readonly version: number | undefined;
  readonly versionType: VersionType;
  /** Millis or date text as given. */
  readonly timestamp: string | undefined;
  /** Milliseconds, above 0. */
  readonly ttl: number | undefined;
  readonly refresh: boolean;
}

export interface IndexRequest extends WriteOptions {
  /** Undefined: an id is generated. */
  readonly id: string | undefined;
  readonly create: boolean;
  readonly source: Buffer;
}

export interface IndexResult {
  readonly index: string;
  readonly type: string;
  readonly id: string;
  readonly version: number;
  readonly created: boolean;
}

export interface DeleteRequest extends WriteOptions {
  readonly id: string;
}

export interface DeleteResult {
  readonly index: string;
  readonly type: string;
  readonly id: string;
  readonly version: number;
  readonly found: boolean;
}

export interface UpdateRequest extends WriteOptions {
  readonly id: string;
  readonly body: JsonObject;
  readonly retryOnConflict: number;
  /** `fields` of the URL: adds a `get` section. */
  readonly fields: readonly string[] | undefined;
}

export interface UpdateResult extends IndexResult {
  readonly noop: boolean;
  readonly get: GetResult | undefined;
}

export interface GetRequest {
  readonly index: string;
  /** `_all`: any type. */
  readonly type: string;
  readonly id: string;
  readonly routing: string | undefined;
  readonly parent: string | undefined;
  readonly realtime: boolean;
  readonly refresh: boolean;
  readonly version: number | undefined;
  readonly versionType: VersionType;
  readonly source: SourceFilter;
  /** Undefined: not given. */
  readonly fields: readonly string[] | undefined;
}

export interface GetResult {
  readonly index: string;
  readonly type: string;
  readonly id: string;
  readonly found: boolean;
  readonly version: number;
  /** `_source` as stored or filtered; undefined when not asked for or hidden. */
  readonly source: Buffer | undefined;
  /** Undefined: no `fields` member. */
  readonly fields: ReadonlyMap<string, JsonOutput> | undefined;
}

/** One action of a bulk request, in request order. */
export type BulkAction =
  | { readonly kind: 'index'; readonly request: IndexRequest }
  | { readonly kind: 'delete'; readonly request: DeleteRequest }
  | { readonly kind: 'update'; readonly request: UpdateRequest };

/** The outcome of one bulk action: a result, or the error that stopped this action alone. */
export type BulkItem =
  | { readonly kind: 'index'; readonly result: IndexResult }
  | { readonly kind: 'delete'; readonly result: DeleteResult }
  | { readonly kind: 'update'; readonly result: UpdateResult }
  | {
      readonly kind: 'error';
      readonly error: Error;
      readonly index: string;
      readonly type: string;
      readonly id: string | undefined;
    };

export interface CountRequest {
  readonly indices: readonly string[];
  readonly types: readonly string[];
  readonly options: IndicesOptions;
  readonly body: JsonObject;
  readonly bodyText: string | null;
  /** Why the body could not be parsed (`body` is empty then); reported as a failure of every shard. */
  readonly bodyError?: EngineError | undefined;
  readonly params: ReadonlyMap<string, string>;
  readonly routing: string | undefined;
  readonly preference: string | undefined;
  /** Aborted when nobody wants the answer any more. */
  readonly signal?: CancelSignal | undefined;
}

export interface CountResponse {
  readonly count: number;
  readonly shards: ShardsHeader;
  readonly terminatedEarly: boolean | undefined;
}

/** What an index makes of a query. */
export interface QueryValidation {
  readonly index: string;
  /** Why the query cannot be read, with class names as the reference writes them; null: it can. */
  readonly error: string | null;
  /** A valid query as Lucene prints it; null when it has no such text. */
  readonly explanation: string | null;
}

/** Live figures of one index for health, `_cat` and statistics. */
export interface IndexFigures {
  readonly name: string;
  readonly open: boolean;
  readonly primaries: number;
  readonly replicas: number;
  /** Documents including nested ones; deleted ones not yet merged away. */
  readonly docCount: number;
  readonly deletedCount: number;
  readonly storeBytes: number;
  /** The same of every shard, by shard number; empty for a closed index. */
  readonly shards: readonly ShardFigures[];
}

/** What a stored script is known by. */
export interface ScriptIdentity {
  readonly lang: string;
  readonly id: string;
}

/** The version of a stored script that a request counts on. */
export interface ScriptVersion {
  readonly version: number | undefined;
  readonly versionType: VersionType;
}

/** A stored script as it is shown. */
export interface ShownScript {
  readonly script: string;
  readonly version: number;
}

/** What a change of a stored script came to. */
export interface StoredScriptResult {
  /** True when there was one before. */
  readonly found: boolean;
  readonly version: number;
}

/** Live figures of one shard. */
export interface ShardFigures {
  readonly docCount: number;
  readonly deletedCount: number;
  readonly storeBytes: number;
  /** Its data is damaged: it refuses searches and writes. */
  readonly isDamaged: boolean;
  /** What it has done since the node started. */
  readonly activity: ShardActivity;
  readonly reads: ReadActivity;
  /** Segments as committed. */
  readonly segments: readonly CommittedSegment[];
  readonly commitGeneration: number;
  /** Operations that are in the document log and in no segment yet, and the bytes of their sources. */
  readonly unindexedOperations: number;
  readonly unindexedBytes: number;
  readonly opening: ShardOpening;
}

/** Indices, mappings, settings, templates, warmers and aliases: each change is one atomic step of the cluster state. */
export interface Administration {
  // indices
  createIndex(name: string, body: JsonObject): Promise<void>;
  deleteIndices(names: readonly string[], options: IndicesOptions): Promise<void>;
  /**
   * Names of concrete indices an expression stands for.
   *
   * @param level what is going to be done with them; a block that one of them has against it is 403
   */
  resolve(names: readonly string[], options: IndicesOptions, level?: BlockLevel): readonly string[];
  putMapping(
    names: readonly string[],
    type: string,
    body: JsonObject,
    options: IndicesOptions,
    ignoreConflicts: boolean,
  ): Promise<void>;
  /** Deletes types with their documents; type names may be patterns. */
  deleteMapping(
    names: readonly string[],
    types: readonly string[],
    options: IndicesOptions,
  ): Promise<void>;
  updateSettings(
    names: readonly string[],
    settings: JsonObject,
    options: IndicesOptions,
  ): Promise<void>;
  openIndices(names: readonly string[], options: IndicesOptions): Promise<void>;
  closeIndices(names: readonly string[], options: IndicesOptions): Promise<void>;

  // templates and warmers
  /** Adds or replaces an index template; with `create`, refuses to replace one. */
  putTemplate(
    name: string,
    body: JsonObject,
    create: boolean,
    parameters: TemplateParameters,
  ): Promise<void>;
  /** Removes the templates that a name or pattern matches. */
  deleteTemplates(name: string): Promise<void>;
  /** Stores a search with indices; it has to be one that can be run. */
  putWarmer(
    names: readonly string[],
    options: IndicesOptions,
    warmer: string,
    types: readonly string[],
    source: JsonObject,
  ): Promise<void>;
  /** Removes warmers by name or pattern. */
  deleteWarmers(
    names: readonly string[],
    options: IndicesOptions,
    warmers: readonly string[],
  ): Promise<void>;

  // cluster settings
  /** Persistent ones survive restarts, transient ones do not. */
  clusterSettings(): ClusterSettingsUpdate;
  /** Sets what is known of `{"persistent": {...}, "transient": {...}}`, and returns that. */
  updateClusterSettings(body: JsonObject): Promise<ClusterSettingsUpdate>;

  // aliases
  /** Applies the actions as one atomic change. */
  updateAliases(actions: readonly AliasAction[]): Promise<void>;
  /** What {@link updateAliases} would do now; nothing is changed. */
  previewAliases(actions: readonly AliasAction[]): AliasChanges;

  // analysis
  /** The tokens of `text` (reference server). `index` null: node-wide analyzers only. */
  analyze(request: AnalyzeRequest): JsonOutput;
}

/** What is done with the shards of indices as they are. Reports tell of each shard. */
export interface Maintenance {
  /** Makes all acknowledged writes of the indices searchable. */
  refresh(names: readonly string[], options: IndicesOptions): Promise<ShardsHeader>;
  flush(names: readonly string[], options: IndicesOptions): Promise<ShardsHeader>;
  /** Merges the segments of each shard towards `target`. */
  optimize(
    names: readonly string[],
    options: IndicesOptions,
    target: OptimizeTarget,
  ): Promise<ShardsHeader>;
  /** Forgets what is remembered of indices; it is worked out again when needed. */
  clearCaches(names: readonly string[], options: IndicesOptions): Promise<ShardsHeader>;
  figures(names: readonly string[]): readonly IndexFigures[];
}

/** Stored scripts. All methods reject with an EngineError for an unknown language. */
export interface StoredScripts {
  /**
   * Stores a script that compiles, as one atomic step.
   *
   * @param create refuse to replace one
   */
  put(
    identity: ScriptIdentity,
    script: string,
    version: ScriptVersion,
    create: boolean,
  ): Promise<StoredScriptResult>;
  /** A stored script, or null. */
  get(identity: ScriptIdentity, version: ScriptVersion): ShownScript | null;
  /** Deletes a stored script; of a missing one, too, a version is counted. */
  delete(identity: ScriptIdentity, version: ScriptVersion): Promise<StoredScriptResult>;
}

export interface SearchEngine {
  /** The current cluster state; hold it for a consistent view. */
  state(): ClusterState;
  /** Node facts for `/`, `_cluster/health` and `_cat`. */
  readonly clusterName: string;
  readonly nodeName: string;
  readonly nodeId: string;

  // documents
  index(request: IndexRequest): Promise<IndexResult>;
  delete(request: DeleteRequest): Promise<DeleteResult>;
  update(request: UpdateRequest): Promise<UpdateResult>;
  get(request: GetRequest): Promise<GetResult>;
  /** Errors that concern one item are returned in its place; those that fail the request are thrown. */
  multiGet(requests: readonly GetRequest[]): Promise<readonly (GetResult | Error)[]>;
  bulk(actions: readonly BulkAction[], refresh: boolean): Promise<readonly BulkItem[]>;

  // search
  search(request: SearchRequest): Promise<SearchResponse>;
  count(request: CountRequest): Promise<CountResponse>;
  /** Whether a query can be read: an entry for each shard that would be asked. Nothing is searched. */
  validateQuery(request: CountRequest): Promise<readonly QueryValidation[]>;
  /**
   * Deletes what a query matches, through the filters and routing of aliases; the deletions are visible
   * when it resolves. Per index what happened on its shards.
   */
  deleteByQuery(request: CountRequest): Promise<ReadonlyMap<string, ShardsHeader>>;
  /** Searches for documents like one. */
  moreLikeThis(request: MoreLikeThisRequest): Promise<SearchResponse>;

  /** Epoch milliseconds at which the node was started. */
  readonly startedAt: number;

  /** Reads templates, mappings and scripts of the configuration folder again. */
  reloadConfigured(): Promise<void>;

  /** What is kept in memory for searches: by kind, and by segment. */
  caches(): Promise<CacheFigures>;
  /** The same by kind only, cheap and soon: a busy worker's figures are those that it told last. */
  cacheTotals(): Promise<CacheTotals>;
  /** What shards have done that {@link figures} does not show any more: of deleted and closed indices. */
  formerFigures(): ShardFigures;
  /** Sums over all shards, and what is counted once per node; cheap enough to be asked every second. */
  nodeFigures(): NodeFigures;
  /** Counters of the worker threads. */
  threads(): ThreadPools;

  readonly admin: Administration;
  readonly maintenance: Maintenance;
  readonly storedScripts: StoredScripts;
  /** Repositories and snapshots. */
  readonly snapshots: Snapshots;

  close(): Promise<void>;
}

export interface MoreLikeThisRequest {
  readonly index: string;
  readonly type: string;
  readonly id: string;
  /** Of the document only. */
  readonly routing: string | undefined;
  /** Empty: all with text. */
  readonly fields: readonly string[];
  /** Whether the document itself may be found. */
  readonly include: boolean;
  readonly options: SimilarityOptions;
  readonly search: Pick<
    SearchRequest,
    'indices' | 'types' | 'options' | 'searchType' | 'body' | 'bodyText'
  > & { readonly from: number | undefined; readonly size: number | undefined };
}

/** Counters of one thread and those that it replaced. */
export interface ThreadFigures {
  readonly name: string;
  /** Requests that it has and has not answered; one of them may be running. */
  readonly pending: number;
  /** The most there were at one time. */
  readonly largest: number;
  readonly completed: number;
  /** How often another thread had to take the place of a dead or stuck one. */
  readonly replaced: number;
  /** Milliseconds in which its event loop did not wait for work. */
  readonly busyMs: number;
  /** False when it has work, shows no sign of life, and could not be replaced by one that does. */
  readonly isAnswering: boolean;
}

/** The worker threads of a node by what they do; empty on a node without. */
export interface ThreadPools {
  readonly search: readonly ThreadFigures[];
  readonly indexer: readonly ThreadFigures[];
}

/** One entry of an `_aliases` actions array, with lists allowed where single-alias endpoints take them. */
export interface AliasAction {
  readonly kind: 'add' | 'remove' | 'remove_index';
  /** Index expression parts. */
  readonly indices: readonly string[];
  /** add: exactly one literal name. remove: names, patterns, `_all`. remove_index: empty. */
  readonly aliases: readonly string[];
  readonly filter: JsonValue | undefined;
  readonly indexRouting: string | undefined;
  readonly searchRouting: string | undefined;
  /** add, beyond the reference: whether writes through the alias go to this index. */
  readonly isWriteIndex?: boolean | undefined;
  /** remove, beyond the reference: true refuses the request when the alias is missing, false tolerates it. */
  readonly mustExist?: boolean | undefined;
}

/** The difference between two states of the aliases. */
export interface AliasChanges {
  /** By index, only those with changes. */
  readonly indices: ReadonlyMap<
    string,
    {
      readonly added: readonly AliasMetadata[];
      readonly changed: readonly AliasMetadata[];
      readonly removed: readonly string[];
    }
  >;
  readonly removedIndices: readonly string[];
}

export interface AnalyzeRequest {
  readonly index: string | null;
  readonly text: string;
  readonly analyzer: string | undefined;
  readonly tokenizer: string | undefined;
  readonly tokenFilters: readonly string[];
  readonly charFilters: readonly string[];
  readonly field: string | undefined;
}
