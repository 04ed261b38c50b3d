// The node put together, every part after those that it is made from. Nothing else sees all rooms of the
// engine.
//
// Three parts call a later one, when they work and never before the node is open: threads ask the
// indicesService for mappings, shards ask it for metadata, and writes to a missing index ask administration
// to create it.

import {
  type AdministrationService,
  createAdministration,
  DiskWatch,
  MaintenanceService,
  NodeGate,
  type NodeSettings,
  type ReadSpace,
  readConfiguredDefaults,
  RefreshScheduler,
  scheduledIndices,
  StoredScriptsService,
  Warmer,
} from './admin/index';
import { DEFAULT_REQUEST_LIMITS, SILENT_LOGGER, type EngineLogger } from './common/index';
import { ExpiredDocuments, DocumentWriter } from './documents/index';
import { Engine } from './engine';
import { NodeLifecycle } from './lifecycle';
import { ClusterStateService, NO_DEFAULTS, SCRIPTS_INDEX } from './metadata/index';
import { QueryRegistry } from './percolator/index';
import { ReindexService } from './reindex/index';
import { ScriptLibrary } from './script/index';
import {
  DEFAULT_SCROLL_LIMITS,
  DEFAULT_SEARCH_QUEUE,
  queueSizeOf,
  searchCounts,
  ScrollContexts,
  SearchQueue,
} from './search/index';
import { KeysService } from './access/index';
import { AccessControl } from './access-control';
import { createServing, type Serving, type ServingHost } from './serving';
import { IndicesService, SegmentIds, NO_SLOW_LOGGER, type SlowLogger } from './shard/index';
import { SnapshotService } from './snapshots/index';
import { NodeReaders } from './reader-threads';
import { createThreadPools, type ThreadTuning } from './thread-pools';
import { Storage, type StorageOptions } from '../storage/index';

/** The share that stored queries in memory may have. */
const STORED_QUERY_SHARE = 0.25;

/** The share that requests and facets of open scrolls may have. */
const SCROLL_SHARE = 0.125;

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
  /** How long searches may hold up reopening before they are given up, in milliseconds. */
  readonly searchGraceMs?: number;
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
  const { settings, logger = SILENT_LOGGER } = options;
  let opened: Storage | null = null;
  const disk = new DiskWatch({
    path: settings.dataPath,
    minFreeBytes: settings.minFreeBytes,
    logger,
    readSpace: options.readSpace,
    intervalMs: options.diskCheckMs,
    // Below this part of the limit what is acknowledged is not built any more, either.
    onLook: () => opened?.keepReserve(settings.minFreeBytes / 4) ?? Promise.resolve(),
  });
  const gate = new NodeGate(() => disk.assertSpace());
  const storage = await Storage.open({
    path: settings.dataPath,
    acceptDataLoss: settings.acceptDataLoss,
    checkAfterCrash: settings.checkAfterCrash ?? true,
    onFailure: (error) => gate.fail(error),
    onWarning: (message) => options.logger?.warn({}, message),
    ...(options.wrap === undefined ? {} : { wrap: options.wrap }),
  });
  opened = storage;
  const { engine, lifecycle } = compose(options, logger, disk, gate, storage);
  try {
    await lifecycle.open();
    return engine;
  } catch (error) {
    await engine.close().catch(() => undefined);
    throw error;
  }
}

function compose(
  options: EngineOptions,
  logger: EngineLogger,
  disk: DiskWatch,
  gate: NodeGate,
  storage: Storage,
): { readonly engine: Engine; readonly lifecycle: NodeLifecycle } {
  const { settings } = options;
  const limits = { ...DEFAULT_REQUEST_LIMITS, ...settings.requestLimits };
  const now = options.now ?? Date.now;
  const slowLogger = options.slowLogger ?? NO_SLOW_LOGGER;
  const startedAt = now();
  const log = () => storage.log;

  // What the node knows.
  const cluster = new ClusterStateService(log, settings.limits);
  const state = () => cluster.state();
  let configured = NO_DEFAULTS;
  const readConfigured = async (): Promise<void> => {
    configured = await readConfiguredDefaults(settings.configPath, logger);
    readers.scriptsChanged();
  };
  const scripts = () =>
    new ScriptLibrary(
      (lang, id) => documents.source(SCRIPTS_INDEX, lang, id, undefined),
      configured.scripts,
    );

  // Shards, and who works on them.
  const pools = createThreadPools({
    workers: settings.workers,
    readers: settings.readers ?? 0,
    memoryBytes: settings.memoryBytes,
    storage,
    logger,
    tuning: options.threads ?? {},
    mapping: (metadata) => indicesService.compiled(metadata),
    onStorageFailure: (error) => gate.fail(error),
  });
  const indicesService: IndicesService = new IndicesService(
    cluster,
    {
      log,
      removals: pools.removals,
      indexer: pools.indexer,
      segmentIds: new SegmentIds(log),
      forget: (segments) => {
        pools.forget(segments);
        readers.forget(segments);
      },
      shown: (shard) => readers.shardChanged(shard),
      logger,
      now,
      index: (indexId) => indicesService.metadataOf(indexId),
      disk,
      mappingLimits: settings.limits,
      keepDamagedSegment: (segment) => storage.keepDamagedSegment(segment),
      segmentsLost: () => storage.segmentsLost,
    },
    logger,
  );

  // Documents and searches.
  const registry: QueryRegistry = new QueryRegistry({
    log,
    services: () => ({
      ...serving.searcher.services(state(), serving.searcher.lookUps()),
      readsLater: true,
    }),
    memory: settings.storedQueryMemory ?? settings.memoryBytes * STORED_QUERY_SHARE,
  });
  const writer = new DocumentWriter(cluster, log, now, slowLogger, registry);
  const queueSize = (): number =>
    queueSizeOf(admin.clusterSetting('threadpool.search.queue_size')) ??
    settings.searchQueue ??
    DEFAULT_SEARCH_QUEUE;
  const counts = searchCounts(1 + (settings.readers ?? 0));
  const searchQueue = new SearchQueue(Math.max(1, settings.workers), queueSize, counts);
  const queueCapacity = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const tellQueueSize = (): void => void Atomics.store(queueCapacity, 0, queueSize());
  const scrolls = new ScrollContexts({
    ...DEFAULT_SCROLL_LIMITS,
    ...settings.scrollLimits,
    maxBytes: settings.memoryBytes * SCROLL_SHARE,
  });
  cluster.onChange((changed) => scrolls.follow(changed));
  const readers: NodeReaders = new NodeReaders({
    ...pools.forReaders,
    settings,
    nodeId: storage.nodeId,
    startedAt,
    logger,
    location: () => storage.location,
    state,
    indices: () => indicesService.all(),
    executor: () => pools.executor,
    scripts: () => configured.scripts,
    searchCounts: counts,
    queueCapacity: () => {
      tellQueueSize();
      return queueCapacity.buffer;
    },
  });
  cluster.onChange(() => {
    tellQueueSize();
    readers.stateChanged();
  });
  const servingHost: ServingHost = {
    trusted: () => ({
      ...serving.searcher.services(state(), serving.searcher.lookUps()),
      getSource: (index, type, id, routing) => serving.documents.source(index, type, id, routing),
    }),
    settings,
    percolatedDocumentSize: settings.percolatedDocumentSize,
    nodeId: storage.nodeId,
    gate,
    cluster,
    log,
    pools,
    indicesService,
    limits,
    now,
    scripts,
    slowLogger,
    registry,
    writer,
    searchQueue,
    scrolls,
  };
  const serving: Serving = createServing(servingHost, {
    state,
    owner: null,
    autoCreate: (missing) => admin.autoCreate(missing),
  });
  const { documents, searcher, deletion, percolator, searchHost, matchingHost } = serving;
  const getSource = documents.source.bind(documents);
  const storedScripts = new StoredScriptsService({ gate, documents });

  // Administration and periodic work.
  const admin: AdministrationService = createAdministration({
    gate,
    settings,
    cluster,
    indicesService,
    deleteByQuery: deletion,
    now,
    limits,
    configured: () => configured,
    getSource,
    scripts,
    settingsChanged: tellQueueSize,
  });
  const warmer = new Warmer(state, (request) => gate.read(() => searcher.search(request)), logger);
  const maintenance = new MaintenanceService({
    gate,
    cluster,
    indicesService,
    warm: (indexService) => warmer.warm(indexService),
  });
  const keys = new KeysService({ cluster, now, write: (work) => gate.write(work) });
  const access = new AccessControl({
    keys,
    gate,
    inner: () => engine,
    state,
    requiresName: () => admin.requiresName(),
    autoCreate: (missing) => admin.autoCreate(missing),
    serve: (view) => createServing(servingHost, view),
  });
  const snapshots = new SnapshotService({
    nodeId: storage.nodeId,
    roots: settings.repositoryPaths,
    cluster,
    indicesService,
    log,
    logger,
    now,
    limits: settings.limits,
    dataPath: settings.dataPath,
    checkSpace: async () => {
      await disk.look();
      disk.assertSpace();
    },
  });
  const reindexing = new ReindexService({
    ...matchingHost,
    log,
    admin,
    grow: (work) => gate.grow(work),
    moveAlias: (alias, from, to, check) => admin.moveAlias(alias, from, to, check),
    previewMove: (alias, from, to) => admin.previewMove(alias, from, to),
  });
  const expired = new ExpiredDocuments({
    state,
    clusterSetting: (name) => admin.clusterSetting(name),
    mapping: (metadata) => searchHost.mapping(metadata),
    deleteByQuery: (request) => gate.grow(() => deletion.run(request)),
    now,
    logger,
  });
  const scheduler = new RefreshScheduler(
    () => scheduledIndices(state(), indicesService, disk),
    () => storage.checkpoint(),
    logger,
    (indexService) => warmer.warm(indexService),
  );

  // The node as a whole.
  const lifecycle = new NodeLifecycle({
    storage,
    gate,
    disk,
    pools,
    readers,
    indicesService,
    scheduler,
    expired,
    keyUses: keys.uses,
    snapshots,
    reindexing,
    logger,
    endScrolls: () => scrolls.closeAll(),
    readConfigured,
    reopenDelayMs: options.reopenDelayMs,
    searchGraceMs: options.searchGraceMs,
  });
  const engine: Engine = new Engine({
    access,
    settings,
    startedAt,
    gate,
    storage,
    cluster,
    indicesService,
    disk,
    pools,
    readers,
    searchQueue,
    documents,
    searcher,
    deletion,
    percolator,
    fieldStats: serving.fieldStats,
    admin,
    maintenance,
    storedScripts,
    snapshots,
    reindexing,
    lifecycle,
    readConfigured,
  });
  return { engine, lifecycle };
}
