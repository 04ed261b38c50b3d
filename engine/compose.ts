// The node: storage, cluster state, indices and searching put together behind SearchEngine.
//
// When a batch fails, nothing more is written on the old handles: requests are refused, storage is reopened
// with back-off, and everything in memory is built again from what is on disk.

import {
  type AdministrationService,
  createAdministration,
  DiskWatch,
  type ReadSpace,
  type Gate,
  RefreshScheduler,
  type ScheduledIndex,
  readConfiguredDefaults,
  StoredScriptsService,
  MaintenanceService,
  formerFigures,
  shardTotals,
  Warmer,
} from './admin/index';
import {
  type CacheFigures,
  type CacheTotals,
  SILENT_LOGGER,
  type EngineLogger,
} from './common/index';
import {
  DeleteByQuery,
  ExpiredDocuments,
  DocumentService,
  DocumentWriter,
} from './documents/index';
import { EngineError } from './errors';
import { createLabour, type Labour, type ThreadTuning } from './thread-pools';
import {
  ClusterService,
  type ClusterState,
  refreshIntervalMs,
  NO_DEFAULTS,
  type ConfiguredDefaults,
} from './metadata/index';
import {
  IndexCatalog,
  type IndexRuntime,
  SegmentIds,
  NO_SLOW_LOGGER,
  type SlowLogger,
  translateStorageError,
} from './shard/index';
import { JsonNumber, writeJson } from './json/index';
import { ScriptLibrary } from './script/index';
import type {
  NodeSettings,
  SearchEngine,
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
  SearchRequest,
  SearchResponse,
  ShardsHeader,
  CountRequest,
  CountResponse,
  MoreLikeThisRequest,
  QueryValidation,
  ShardFigures,
  ThreadPools,
  NodeFigures,
} from './api/index';
import { likeDocument, Searcher, type SearchHost } from './search/index';
import { SnapshotService } from './snapshots/index';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ClosedError,
  DiskFullError,
  REOPEN_FREE_BYTES,
  Storage,
  StorageFailure,
  type StorageOptions,
} from '../storage/index';

/** Boolean clauses a query may have. */
const MAX_CLAUSE_COUNT = 1024;

/** The share of the memory budget that the facets of one search may hold on a shard. */
const FACET_SHARE = 0.5;
const FIRST_REOPEN_MS = 1000;
const LAST_REOPEN_MS = 30_000;

/** How an engine is opened. */
export interface EngineOptions {
  readonly settings: NodeSettings;
  readonly logger?: EngineLogger;
  /** Where what is slow by the settings of its index is logged. */
  readonly slowLogger?: SlowLogger;
  /** Epoch milliseconds; tests bring their own clock. */
  readonly now?: () => number;
  /** Wraps the databases, for fault injection. */
  readonly wrap?: StorageOptions['wrap'];
  /** First pause before storage is reopened after a failure, in milliseconds. */
  readonly reopenDelayMs?: number;
  /** How the free space of the data folder is read, and how often in milliseconds, for fault injection. */
  readonly readSpace?: ReadSpace;
  readonly diskCheckMs?: number;
  /** How worker threads are run, for tests. */
  readonly threads?: ThreadTuning;
}

/**
 * Opens the data folder, replays the tails of the document logs and returns the node, ready to serve.
 *
 * @throws LockedError, FormatVersionError, DataLossError, CorruptionError, DataFolderError from storage.
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  let engine: Engine | null = null;
  const storage = await Storage.open({
    path: options.settings.dataPath,
    acceptDataLoss: options.settings.acceptDataLoss,
    onFailure: (error) => engine?.storageFailed(error),
    onWarning: (message) => options.logger?.warn({}, message),
    ...(options.wrap === undefined ? {} : { wrap: options.wrap }),
  });
  try {
    engine = new Engine(storage, options);
    await engine.start();
    return engine;
  } catch (error) {
    await (engine ?? storage).close().catch(() => undefined);
    throw error;
  }
}

export class Engine implements SearchEngine {
  readonly clusterName: string;
  readonly nodeName: string;
  readonly nodeId: string;
  readonly startedAt: number;
  readonly admin: AdministrationService;
  readonly maintenance: MaintenanceService;
  readonly storedScripts: StoredScriptsService;
  readonly snapshots: SnapshotService;
  private readonly logger: EngineLogger;
  private readonly cluster: ClusterService;
  private readonly catalog: IndexCatalog;
  private readonly documents: DocumentService;
  private readonly searcher: Searcher;
  private readonly deletion: DeleteByQuery;
  private readonly scheduler: RefreshScheduler;
  private readonly warmer: Warmer;
  private readonly expired: ExpiredDocuments;
  private readonly labour: Labour;
  private readonly disk: DiskWatch;
  /** What broke storage, until it is open again. */
  private failure: Error | null = null;
  private failures = 0;
  /** Set from a failed batch until writes are possible again. */
  private recovery: Promise<void> | null = null;
  /** Set while storage is being reopened; reads wait for it. */
  private reopening: Promise<void> | null = null;
  /** Not even reads are possible: storage was not opened again. */
  private isUnreadable = false;
  /** What the files of the configuration folder define. */
  private configured: ConfiguredDefaults = NO_DEFAULTS;
  private closing: Promise<void> | null = null;
  private readonly closed = new AbortController();

  /** See {@link openEngine}. */
  constructor(
    private readonly storage: Storage,
    private readonly options: EngineOptions,
  ) {
    const { settings } = options;
    const logger = options.logger ?? SILENT_LOGGER;
    const now = options.now ?? Date.now;
    const log = () => storage.log;
    const gate: Gate = {
      read: (work) => this.read(work),
      write: (work) => this.write(work),
      grow: (work) => this.grow(work),
    };
    this.logger = logger;
    this.clusterName = settings.clusterName;
    this.nodeName = settings.nodeName;
    this.nodeId = storage.nodeId;
    this.startedAt = now();
    this.disk = new DiskWatch({
      path: settings.dataPath,
      minFreeBytes: settings.minFreeBytes,
      logger,
      readSpace: options.readSpace,
      intervalMs: options.diskCheckMs,
    });
    this.labour = createLabour({
      workers: settings.workers,
      memoryBytes: settings.memoryBytes,
      storage,
      logger,
      tuning: options.threads ?? {},
      mapping: (metadata) => this.catalog.compiled(metadata),
      onStorageFailure: (error) => this.storageFailed(error),
    });
    const { indexer, removals, executor, recentRecords } = this.labour;
    this.cluster = new ClusterService(log);
    this.storedScripts = new StoredScriptsService({ gate, cluster: this.cluster, now });
    const scripts = () => new ScriptLibrary(this.cluster.state().scripts, this.configured.scripts);
    this.catalog = new IndexCatalog(
      this.cluster,
      {
        log,
        removals,
        indexer,
        segmentIds: new SegmentIds(log),
        forget: (segments) => this.labour.forget(segments),
        logger,
        now,
        index: (indexId) => this.catalog.metadataOf(indexId),
        disk: this.disk,
      },
      logger,
    );
    const slowLogger = options.slowLogger ?? NO_SLOW_LOGGER;
    const writer = new DocumentWriter(this.cluster, log, now, slowLogger);
    this.documents = new DocumentService(
      {
        cluster: this.cluster,
        log,
        recentRecords,
        now,
        scripts,
        runtime: (metadata) => this.catalog.runtime(metadata),
        autoCreate: (name, types) => this.admin.autoCreate(name, types),
      },
      writer,
    );
    const searchHost: SearchHost = {
      nodeId: storage.nodeId,
      state: () => this.cluster.state(),
      mapping: (metadata) => this.catalog.requireRuntime(metadata).mapping(metadata),
      acquire: (metadata, shard) => this.catalog.requireRuntime(metadata).shards[shard]!.acquire(),
      executor,
      defaultSearchType: settings.defaultSearchType,
      maxClauseCount: MAX_CLAUSE_COUNT,
      facetMemory: settings.memoryBytes * FACET_SHARE,
      slowLogger,
      now,
      getSource: (index, type, id, routing) => this.documents.source(index, type, id, routing),
      scripts,
    };
    const searcher = new Searcher(searchHost);
    this.searcher = searcher;
    this.deletion = new DeleteByQuery({
      ...searchHost,
      services: (state) => searcher.services(state),
      runtime: (metadata) => this.catalog.requireRuntime(metadata),
      writer,
    });
    this.admin = createAdministration({
      gate,
      settings,
      cluster: this.cluster,
      catalog: this.catalog,
      deleteByQuery: this.deletion,
      now,
      maxClauseCount: MAX_CLAUSE_COUNT,
      configured: () => this.configured,
      getSource: (...document) => this.documents.source(...document),
      scripts,
    });
    this.maintenance = new MaintenanceService({
      gate,
      cluster: this.cluster,
      catalog: this.catalog,
      warm: (runtime) => this.warm(runtime),
    });
    this.snapshots = new SnapshotService({
      roots: settings.repositoryPaths,
      cluster: this.cluster,
      catalog: this.catalog,
      log,
      logger,
      now,
      assertSpace: () => this.disk.assertSpace(),
    });
    this.expired = new ExpiredDocuments({
      state: () => this.cluster.state(),
      clusterSetting: (name) => {
        const { persistent, transient } = this.admin.clusterSettings();
        return transient.get(name) ?? persistent.get(name);
      },
      mapping: (metadata) => searchHost.mapping(metadata),
      deleteByQuery: (request) => this.deleteByQuery(request),
      now,
      logger,
    });
    this.scheduler = new RefreshScheduler(
      () => this.scheduled(),
      () => storage.checkpoint(),
      logger,
      (runtime) => this.warm(runtime),
    );
    this.warmer = new Warmer((request) => this.search(request), logger);
  }

  /** Loads everything from disk and begins background work. */
  async start(): Promise<void> {
    await this.disk.start();
    this.labour.open();
    await this.reloadConfigured();
    await this.catalog.load();
    try {
      await this.catalog.recover();
      this.scheduler.start();
    } catch (error) {
      // Reads are possible, and storageFailed is about to make writes possible.
      if (!(error instanceof StorageFailure)) throw error;
    }
    this.expired.start();
  }

  async reloadConfigured(): Promise<void> {
    this.configured = await readConfiguredDefaults(this.options.settings.configPath, this.logger);
  }

  state(): ClusterState {
    return this.cluster.state();
  }

  // --- documents ------------------------------------------------------------------------------------

  index(request: IndexRequest): Promise<IndexResult> {
    return this.grow(() => this.documents.index(request));
  }

  delete(request: DeleteRequest): Promise<DeleteResult> {
    return this.grow(() => this.documents.delete(request));
  }

  update(request: UpdateRequest): Promise<UpdateResult> {
    return this.grow(() => this.documents.update(request));
  }

  get(request: GetRequest): Promise<GetResult> {
    return this.read(() => this.documents.get(request));
  }

  multiGet(requests: readonly GetRequest[]): Promise<readonly (GetResult | Error)[]> {
    return this.read(() => this.documents.multiGet(requests));
  }

  bulk(actions: readonly BulkAction[], refresh: boolean): Promise<readonly BulkItem[]> {
    return this.grow(() => this.documents.bulk(actions, refresh));
  }

  // --- search ---------------------------------------------------------------------------------------

  search(request: SearchRequest): Promise<SearchResponse> {
    return this.read(() => this.searcher.search(request));
  }

  count(request: CountRequest): Promise<CountResponse> {
    return this.read(() => this.searcher.count(request));
  }

  validateQuery(request: CountRequest): Promise<readonly QueryValidation[]> {
    return this.read(async () => this.searcher.validateQuery(request));
  }

  deleteByQuery(request: CountRequest): Promise<ReadonlyMap<string, ShardsHeader>> {
    return this.grow(() => this.deletion.run(request));
  }

  async moreLikeThis(request: MoreLikeThisRequest): Promise<SearchResponse> {
    const { search } = request;
    const { document, mapping } = await this.read(() => this.documents.liked(request));
    const query = likeDocument(document, mapping, request.fields, request.options, request.include);
    const body = new Map(search.body).set('query', query);
    if (search.from !== undefined) body.set('from', new JsonNumber(String(search.from)));
    if (search.size !== undefined) body.set('size', new JsonNumber(String(search.size)));
    return this.search({
      ...search,
      body,
      bodyText: writeJson(body),
      params: new Map(),
      routing: undefined,
      preference: undefined,
    });
  }

  // --- figures --------------------------------------------------------------------------------------

  caches(): Promise<CacheFigures> {
    return this.read(() => this.labour.executor.caches());
  }

  cacheTotals(): Promise<CacheTotals> {
    return this.labour.executor.cacheTotals();
  }

  threads(): ThreadPools {
    return this.labour.figures();
  }

  formerFigures(): ShardFigures {
    return formerFigures(this.cluster.state(), this.catalog);
  }

  nodeFigures(): NodeFigures {
    const { commits, queuedUnits } = this.storage.figures();
    return {
      totals: shardTotals(this.cluster.state(), this.catalog),
      commits,
      queuedUnits,
      storageFailures: this.failures,
      isWritable: this.recovery === null && this.closing === null && !this.disk.isLow,
      disk: this.disk.figures(),
      newestSnapshots: this.snapshots.newest(),
    };
  }

  // --- lifecycle ------------------------------------------------------------------------------------

  /** Refuses new work, finishes what runs, indexes the rest of the logs and closes the data folder. */
  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  /** Told by storage, once per failure: everything in flight was refused, nothing more is written. */
  storageFailed(error: Error): void {
    this.logger.error(
      { err: error },
      'a write failed; writes are refused until storage is reopened',
    );
    this.failure = error;
    this.failures++;
    this.recovery ??= this.recover();
  }

  private async shutDown(): Promise<void> {
    this.closed.abort();
    this.disk.stop();
    this.scheduler.stop();
    await this.expired.stop();
    await this.snapshots.close();
    await this.recovery;
    await this.catalog.flush();
    await this.catalog.close();
    await this.labour.close();
    await this.storage.close();
  }

  /** Tries until storage takes writes again; gives up only when the node is closed. */
  private async recover(): Promise<void> {
    const { signal } = this.closed;
    this.scheduler.stop();
    let pause = this.options.reopenDelayMs ?? FIRST_REOPEN_MS;
    while (this.failure !== null && !signal.aborted) {
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      pause = Math.min(pause * 2, LAST_REOPEN_MS);
      // The broken session still reads; one that fails to open does not. So a full disk is waited for.
      if (!signal.aborted && (await this.canReopen(this.failure))) await this.reopen();
    }
    // Here and not later: a failure from now on has to begin another recovery.
    this.recovery = null;
    if (signal.aborted) return;
    this.scheduler.start();
    this.logger.info({}, 'storage takes writes again');
  }

  /** Builds everything in memory again from what is on disk. */
  private async reopen(): Promise<void> {
    const known = this.failure;
    try {
      this.reopening = this.reload();
      await this.reopening;
      await this.catalog.recover();
      // Until here it is what refused writes are told; a newer one has to be got over, too.
      if (this.failure === known) this.failure = null;
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
      this.logger.error({ err: error }, 'storage could not be reopened');
    }
  }

  private async reload(): Promise<void> {
    this.isUnreadable = true;
    await this.catalog.close();
    await this.catalog.settled();
    // A thread that keeps its handle would keep the broken one alive for all.
    await this.labour.close();
    try {
      await this.storage.reopen();
      this.labour.open();
      await this.catalog.load();
      this.isUnreadable = false;
    } finally {
      this.reopening = null;
    }
  }

  private async canReopen(failure: Error): Promise<boolean> {
    const isDiskFull = failure instanceof DiskFullError || failure.cause instanceof DiskFullError;
    if (!isDiskFull) return true;
    await this.disk.look();
    return this.disk.figures().available >= REOPEN_FREE_BYTES;
  }

  /** Requests that only read pass here: they are served while writes are refused. */
  private async read<T>(work: () => Promise<T>): Promise<T> {
    // Its failure shows as `isUnreadable`.
    await this.reopening?.catch(() => undefined);
    return this.guard(this.isUnreadable, work);
  }

  private write<T>(work: () => Promise<T>): Promise<T> {
    return this.guard(this.recovery !== null, work);
  }

  /** Writes that need space for long: refused before the disk is full. */
  private grow<T>(work: () => Promise<T>): Promise<T> {
    return this.write(() => {
      this.disk.assertSpace();
      return work();
    });
  }

  /** Refuses what cannot be served now and translates storage errors. */
  private async guard<T>(isRefused: boolean, work: () => Promise<T>): Promise<T> {
    if (this.closing !== null) throw new EngineError('NodeClosedException', 'node closed');
    try {
      if (isRefused) throw this.failure ?? new ClosedError('storage is being reopened');
      return await work();
    } catch (error) {
      throw translateStorageError(error);
    }
  }

  private warm(runtime: IndexRuntime): void {
    const metadata = this.cluster.state().indices.get(runtime.name);
    if (metadata?.id === runtime.id) void this.warmer.run(metadata, runtime);
  }

  private *scheduled(): Generator<ScheduledIndex> {
    const state = this.cluster.state();
    for (const runtime of this.catalog.all()) {
      const metadata = state.indices.get(runtime.name);
      if (metadata?.id !== runtime.id) continue;
      // Without disk space refreshes wait.
      const isOpen = metadata.state === 'open' && !this.disk.isCritical;
      yield { runtime, intervalMs: isOpen ? refreshIntervalMs(metadata.settings) : -1 };
    }
  }
}
