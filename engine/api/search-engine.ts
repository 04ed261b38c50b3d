// The public face of the engine. Routes call nothing else; a second implementation may stand behind it.
//
// Index expressions arrive as the parts of the comma list; names are resolved here. Every method rejects
// with EngineError where the reference answers with an error.

import type { ClusterState, AccessKey } from '../metadata/index';
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
  ScrollRequest,
  SearchRequest,
  SearchResponse,
  ShardsHeader,
  CountRequest,
  CountResponse,
  ExplainRequest,
  ExplainResult,
  FieldStatsRequest,
  FieldStatsResult,
  QueryValidation,
  MoreLikeThisRequest,
  SuggestRequest,
  SuggestResponse,
} from './search';
import type { PercolateRequest, PercolateResponse } from './percolate';
import type {
  TermVectorsControl,
  TermVectorsOutcome,
  TermVectorsRequest,
  TermVectorsResult,
} from './term-vectors';
import type { Administration, Maintenance, StoredScripts } from './admin';
import type { LocalStatistics, NodeStats } from './statistics';
import type { Readers } from './readers';
import type { Reindexing } from './reindex';
import type { Keys, Action } from './keys';

/** Keys, and what they open. */
export interface Access {
  readonly keys: Keys;
  /**
   * The engine as it is to the holder of a key who does something: there is nothing in it but what the key
   * is granted for that.
   *
   * @throws EngineError AuthorizationException (403) when the key is granted nothing of the kind
   */
  engineFor(key: AccessKey, action: Action): SearchEngine;
}

/** A search engine as the server sees it. */
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
  /** Ends what several bulks did: refreshes the indices that they wrote to, as `bulk` does on demand. */
  refreshWritten(names: ReadonlySet<string>): Promise<void>;

  /** The terms of a document. */
  termVectors(request: TermVectorsRequest, control: TermVectorsControl): Promise<TermVectorsResult>;
  /** The same of several; errors that concern one are returned in its place. */
  multiTermVectors(
    requests: readonly TermVectorsRequest[],
    control: TermVectorsControl,
  ): Promise<readonly TermVectorsOutcome[]>;

  // search
  search(request: SearchRequest): Promise<SearchResponse>;
  /** The next page of a search that is kept open. */
  scroll(request: ScrollRequest): Promise<SearchResponse>;
  /** Ends scrolls, `_all` of them; resolves with whether there was one. */
  clearScroll(ids: readonly string[]): Promise<boolean>;
  count(request: CountRequest): Promise<CountResponse>;
  /** Suggests without searching. */
  suggest(request: SuggestRequest): Promise<SuggestResponse>;
  /** Whether a query can be read: an entry for each shard that would be asked. Nothing is searched. */
  validateQuery(request: CountRequest): Promise<readonly QueryValidation[]>;
  /**
   * Deletes what a query matches, through the filters and routing of aliases; the deletions are visible
   * when it resolves. Per index what happened on its shards.
   */
  deleteByQuery(request: CountRequest): Promise<ReadonlyMap<string, ShardsHeader>>;
  /** Tries a document against stored queries. Shard failures are part of the response. */
  percolate(request: PercolateRequest): Promise<PercolateResponse>;
  /** What the indices know of the values of fields. */
  fieldStats(request: FieldStatsRequest): Promise<FieldStatsResult>;
  /** Why a document has its score by a query, or why it does not match. */
  explain(request: ExplainRequest): Promise<ExplainResult>;
  /** Searches for documents like one. */
  moreLikeThis(request: MoreLikeThisRequest): Promise<SearchResponse>;

  /** Epoch milliseconds at which the node was started. */
  readonly startedAt: number;

  /** Reads templates, mappings and scripts of the configuration folder again. */
  reloadConfigured(): Promise<void>;

  /** How many searches are worth running at one time. */
  readonly searchesAtOnce: number;
  /** Sums over all shards, and what is counted once per node; cheap enough to be asked every second. */
  nodeStats(): Promise<NodeStats>;
  /** What an engine on this machine can tell besides. */
  readonly local?: LocalStatistics;
  /** More threads that read, and take requests; an engine may do without. */
  readonly readers?: Readers;

  readonly admin: Administration;
  readonly maintenance: Maintenance;
  readonly storedScripts: StoredScripts;
  /** Copying indices; an engine may do without. */
  readonly reindexing?: Reindexing;
  /** Keys and what they open; an engine may do without. */
  readonly access?: Access;
  /** Repositories and snapshots. */
  readonly snapshots: Snapshots;

  close(): Promise<void>;
}
