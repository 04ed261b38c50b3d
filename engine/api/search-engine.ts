// The public face of the engine. Routes call nothing else; a second implementation may stand behind it.
//
// Index expressions arrive as the parts of the comma list; names are resolved here. Every method rejects
// with EngineError where the reference answers with an error.

import type { CacheFigures, CacheTotals } from '../common/index';
import type { ClusterState } from '../metadata/index';
import type { Snapshots } from './snapshots';
import type {
  IndexRequest,
  IndexResult,
  DeleteRequest,
  DeleteResult,
  UpdateRequest,
  UpdateResult,
  GetRequest,
  GetResult,
  BulkAction,
  BulkItem,
} from './documents';
import type {
  SearchRequest,
  SearchResponse,
  ShardsHeader,
  CountRequest,
  CountResponse,
  QueryValidation,
  MoreLikeThisRequest,
} from './search';
import type { Administration, Maintenance, StoredScripts, OptimizeTarget } from './admin';
import type {
  ShardFigures,
  ThreadPools,
  RestoredShard,
  ShardActivity,
  ShardOpening,
  ReadActivity,
  NodeFigures,
  ShardTotals,
} from './statistics';

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
