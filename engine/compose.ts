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
import {
  DeleteByQuery,
  ExpiredDocuments,
  DocumentService,
  DocumentWriter,
} from './documents/index';
import { Engine } from './engine';
import { NodeLifecycle } from './lifecycle';
import {
  ClusterStateService,
  NO_DEFAULTS,
  type ClusterState,
  type IndexMetadata,
} from './metadata/index';
import { ReindexService } from './reindex/index';
import { ScriptLibrary } from './script/index';
import { Searcher, type SearchHost, type SourceLookUps } from './search/index';
import { IndicesService, SegmentIds, NO_SLOW_LOGGER, type SlowLogger } from './shard/index';
import { SnapshotService } from './snapshots/index';
import { createThreadPools, type ThreadTuning } from './thread-pools';
import { Storage, type StorageOptions } from '../storage/index';

/** The share of the memory budget that the facets of one search may hold on a shard. */
const FACET_SHARE = 0.5;

/** The share that the documents may have which one request looks into. */
const LOOK_UP_SHARE = 0.5;

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
  };
  const scripts = () => new ScriptLibrary(state().scripts, configured.scripts);
  const storedScripts = new StoredScriptsService({ gate, cluster, now });

  // Shards, and who works on them.
  const pools = createThreadPools({
    workers: settings.workers,
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
      forget: (segments) => pools.forget(segments),
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
  const writer = new DocumentWriter(cluster, log, now, slowLogger);
  const documents = new DocumentService(
    {
      cluster,
      log,
      recordCache: pools.recordCache,
      now,
      scripts,
      indexService: (metadata) => indicesService.indexService(metadata),
      autoCreate: (missing) => admin.autoCreate(missing),
    },
    writer,
  );
  const getSource = documents.source.bind(documents);
  const searchHost: SearchHost = {
    nodeId: storage.nodeId,
    state,
    mapping: (metadata) => indicesService.requireIndex(metadata).mapping(metadata),
    acquire: (metadata, shard) => indicesService.requireIndex(metadata).shards[shard]!.acquire(),
    executor: pools.executor,
    defaultSearchType: settings.defaultSearchType,
    limits,
    facetMemory: settings.memoryBytes * FACET_SHARE,
    slowLogger,
    now,
    readSource: async (index, type, id, routing) => getSource(index, type, id, routing),
    lookUpMemory: settings.memoryBytes * LOOK_UP_SHARE,
    scripts,
  };
  const searcher = new Searcher(searchHost);
  const matchingHost = {
    ...searchHost,
    lookUps: () => searcher.lookUps(),
    services: (at: ClusterState, lookUps: SourceLookUps) => searcher.services(at, lookUps),
    indexService: (metadata: IndexMetadata) => indicesService.requireIndex(metadata),
    writer,
  };
  const deletion = new DeleteByQuery(matchingHost);

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
  });
  const warmer = new Warmer(state, (request) => gate.read(() => searcher.search(request)), logger);
  const maintenance = new MaintenanceService({
    gate,
    cluster,
    indicesService,
    warm: (indexService) => warmer.warm(indexService),
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
    clusterSetting: (name) => {
      const { persistent, transient } = admin.clusterSettings();
      return transient.get(name) ?? persistent.get(name);
    },
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
    indicesService,
    scheduler,
    expired,
    snapshots,
    reindexing,
    logger,
    readConfigured,
    reopenDelayMs: options.reopenDelayMs,
    searchGraceMs: options.searchGraceMs,
  });
  const engine = new Engine({
    settings,
    startedAt,
    gate,
    storage,
    cluster,
    indicesService,
    disk,
    pools,
    documents,
    searcher,
    deletion,
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
