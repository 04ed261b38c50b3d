// The embedded engine as the server sees it: every request passes the gate and goes to the part that serves
// it.

import {
  formerStats,
  shardTotals,
  type AdministrationService,
  type DiskWatch,
  type MaintenanceService,
  type NodeGate,
  type NodeSettings,
  type StoredScriptsService,
} from './admin/index';
import type {
  Access,
  BulkAction,
  BulkItem,
  CacheStats,
  CacheStatsByKind,
  CountRequest,
  CountResponse,
  ExplainRequest,
  ExplainResult,
  FieldStatsRequest,
  FieldStatsResult,
  DeleteRequest,
  DeleteResult,
  GetRequest,
  GetResult,
  IndexRequest,
  IndexResult,
  LocalStatistics,
  MoreLikeThisRequest,
  NodeStats,
  PercolateRequest,
  PercolateResponse,
  QueryValidation,
  ScrollRequest,
  SearchEngine,
  TermVectorsControl,
  TermVectorsOutcome,
  TermVectorsRequest,
  TermVectorsResult,
  SearchRequest,
  SearchResponse,
  ShardStats,
  ShardsHeader,
  SuggestRequest,
  SuggestResponse,
  ThreadPoolStats,
  UpdateRequest,
  UpdateResult,
} from './api/index';
import type { DeleteByQuery, DocumentService } from './documents/index';
import type { NodeLifecycle } from './lifecycle';
import type { ClusterStateService, ClusterState } from './metadata/index';
import { type FieldStats, similarSearch, type SearchQueue, type Searcher } from './search/index';
import type { IndicesService } from './shard/index';
import type { NodeReaders } from './reader-threads';
import type { ReindexService } from './reindex/index';
import type { SnapshotService } from './snapshots/index';
import type { ThreadPools } from './thread-pools';
import type { Percolator } from './percolator/index';
import type { Storage } from '../storage/index';

/** What an engine is put together from. */
interface EngineParts {
  readonly access: Access;
  readonly settings: NodeSettings;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly gate: NodeGate;
  readonly storage: Storage;
  readonly cluster: ClusterStateService;
  readonly indicesService: IndicesService;
  readonly disk: DiskWatch;
  readonly pools: ThreadPools;
  readonly readers: NodeReaders;
  readonly searchQueue: SearchQueue;
  readonly documents: DocumentService;
  readonly searcher: Searcher;
  readonly deletion: DeleteByQuery;
  readonly percolator: Percolator;
  readonly fieldStats: FieldStats;
  readonly admin: AdministrationService;
  readonly maintenance: MaintenanceService;
  readonly storedScripts: StoredScriptsService;
  readonly snapshots: SnapshotService;
  readonly reindexing: ReindexService;
  readonly lifecycle: NodeLifecycle;
  /** Reads the configuration folder. */
  readonly readConfigured: () => Promise<void>;
}

/** The engine that keeps its data in a folder of this machine. */
export class Engine implements SearchEngine {
  readonly clusterName: string;
  readonly nodeName: string;
  readonly nodeId: string;
  readonly startedAt: number;
  readonly searchesAtOnce: number;
  readonly access: Access;
  readonly admin: AdministrationService;
  readonly maintenance: MaintenanceService;
  readonly storedScripts: StoredScriptsService;
  readonly snapshots: SnapshotService;
  readonly reindexing: ReindexService;
  readonly local: LocalStatistics;
  readonly readers: NodeReaders;
  private readonly gate: NodeGate;
  private readonly documents: DocumentService;
  private readonly searcher: Searcher;

  /** See `openEngine`. */
  constructor(private readonly parts: EngineParts) {
    const { settings } = parts;
    this.clusterName = settings.clusterName;
    this.nodeName = settings.nodeName;
    this.nodeId = parts.storage.nodeId;
    this.startedAt = parts.startedAt;
    // One more than there are threads keeps all of them busy.
    this.searchesAtOnce = settings.workers + 1;
    this.access = parts.access;
    this.admin = parts.admin;
    this.maintenance = parts.maintenance;
    this.storedScripts = parts.storedScripts;
    this.snapshots = parts.snapshots;
    this.reindexing = parts.reindexing;
    this.local = new EmbeddedStatistics(parts);
    this.readers = parts.readers;
    this.gate = parts.gate;
    this.documents = parts.documents;
    this.searcher = parts.searcher;
  }

  state(): ClusterState {
    return this.parts.cluster.state();
  }

  index(request: IndexRequest): Promise<IndexResult> {
    return this.gate.grow(() => this.documents.index(request));
  }

  delete(request: DeleteRequest): Promise<DeleteResult> {
    return this.gate.grow(() => this.documents.delete(request));
  }

  update(request: UpdateRequest): Promise<UpdateResult> {
    return this.gate.grow(() => this.documents.update(request));
  }

  get(request: GetRequest): Promise<GetResult> {
    return this.gate.read(() => this.documents.get(request));
  }

  multiGet(requests: readonly GetRequest[]): Promise<readonly (GetResult | Error)[]> {
    return this.gate.read(() => this.documents.multiGet(requests));
  }

  bulk(actions: readonly BulkAction[], refresh: boolean): Promise<readonly BulkItem[]> {
    return this.gate.grow(() => this.documents.bulk(actions, refresh));
  }

  refreshWritten(names: ReadonlySet<string>): Promise<void> {
    return this.gate.grow(() => this.documents.refreshWritten(names));
  }

  search(request: SearchRequest): Promise<SearchResponse> {
    return this.gate.read(() => this.searcher.search(request));
  }

  scroll(request: ScrollRequest): Promise<SearchResponse> {
    return this.gate.read(() => this.searcher.scroller.page(request));
  }

  clearScroll(ids: readonly string[]): Promise<boolean> {
    return this.gate.read(async () => this.searcher.scroller.clear(ids));
  }

  count(request: CountRequest): Promise<CountResponse> {
    return this.gate.read(() => this.searcher.count(request));
  }

  suggest(request: SuggestRequest): Promise<SuggestResponse> {
    return this.gate.read(() => this.searcher.suggest(request));
  }

  validateQuery(request: CountRequest): Promise<readonly QueryValidation[]> {
    return this.gate.read(() => this.searcher.validateQuery(request));
  }

  explain(request: ExplainRequest): Promise<ExplainResult> {
    return this.gate.read(() => this.searcher.explain(request));
  }

  deleteByQuery(request: CountRequest): Promise<ReadonlyMap<string, ShardsHeader>> {
    return this.gate.grow(() => this.parts.deletion.run(request));
  }

  percolate(request: PercolateRequest): Promise<PercolateResponse> {
    return this.gate.read(() => this.parts.percolator.percolate(request));
  }

  fieldStats(request: FieldStatsRequest): Promise<FieldStatsResult> {
    return this.gate.read(() => this.parts.fieldStats.run(request));
  }

  async moreLikeThis(request: MoreLikeThisRequest): Promise<SearchResponse> {
    const { document, mapping } = await this.gate.read(() => this.documents.liked(request));
    return this.search(similarSearch(request, document, mapping));
  }

  termVectors(
    request: TermVectorsRequest,
    control: TermVectorsControl,
  ): Promise<TermVectorsResult> {
    return this.gate.read(() => this.documents.termVectors(request, control));
  }

  multiTermVectors(
    requests: readonly TermVectorsRequest[],
    control: TermVectorsControl,
  ): Promise<readonly TermVectorsOutcome[]> {
    return this.gate.read(() => this.documents.multiTermVectors(requests, control));
  }

  reloadConfigured(): Promise<void> {
    return this.parts.readConfigured();
  }

  async nodeStats(): Promise<NodeStats> {
    const { storage, cluster, indicesService, gate, disk, snapshots } = this.parts;
    const { commits, queuedUnits, segmentsSetAside, damagedTables } = storage.stats();
    const { totals, local } = shardTotals(cluster.state(), indicesService);
    return {
      totals,
      isWritable: gate.isWritable && !disk.isLow,
      newestSnapshots: snapshots.newest(),
      local: {
        shards: local,
        commits,
        queuedUnits,
        storageFailures: gate.failures,
        segmentsSetAside,
        damagedTables,
        disk: disk.stats(),
      },
    };
  }

  /** Refuses new work, finishes what runs, indexes the rest of the logs and closes the data folder. */
  close(): Promise<void> {
    return this.parts.lifecycle.close();
  }
}

class EmbeddedStatistics implements LocalStatistics {
  constructor(private readonly parts: EngineParts) {}

  caches(): Promise<CacheStats> {
    const { gate, pools, readers } = this.parts;
    return gate.read(() => readers.caches(pools.executor.caches()));
  }

  cacheStatsByKind(): Promise<CacheStatsByKind> {
    const { pools, readers } = this.parts;
    return readers.cacheStatsByKind(pools.executor.cacheStatsByKind());
  }

  async threads(): Promise<ThreadPoolStats> {
    const { pools, readers, searchQueue } = this.parts;
    return { ...pools.stats(), http: readers.stats(), searches: searchQueue.stats() };
  }

  async formerStats(): Promise<ShardStats> {
    const { cluster, indicesService } = this.parts;
    return formerStats(cluster.state(), indicesService);
  }
}
