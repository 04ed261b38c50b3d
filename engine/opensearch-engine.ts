// The node put together over a cluster of OpenSearch: what requests mean is worked out here, as by the
// embedded engine; documents, postings and counts are there. Nothing is kept on this machine.

import { randomBytes } from 'node:crypto';
import {
  type AdministrationService,
  createAdministration,
  NodeGate,
  type NodeSettings,
  readConfiguredDefaults,
  StoredScriptsService,
} from './admin/index';
import type { Maintenance, NodeStats, PercolateResponse, SearchEngine } from './api/index';
import { DEFAULT_REQUEST_LIMITS, type EngineLogger, SILENT_LOGGER } from './common/index';
import { DeleteByQuery, ExpiredDocuments } from './documents/index';
import { type ClusterState, NO_DEFAULTS, SCRIPTS_INDEX } from './metadata/index';
import {
  createClient,
  NO_SNAPSHOTS,
  type OpenSearchClient,
  type OpenSearchSettings,
  PointsInTime,
  RemoteClusterState,
  RemoteDocuments,
  RemoteExecutor,
  RemoteFieldFigures,
  RemoteIndices,
  RemoteMaintenance,
  RemoteReads,
  RemoteTerms,
  RemoteWriter,
  unsupported,
} from './opensearch/index';
import { createReading } from './reading';
import { ServedEngine, type ServedParts } from './served-engine';
import { ScriptLibrary } from './script/index';
import {
  DEFAULT_SCROLL_LIMITS,
  DEFAULT_SEARCH_QUEUE,
  FieldStats,
  ScrollContexts,
  SearchQueue,
  type SourceLookUps,
} from './search/index';
import { NO_SLOW_LOGGER, type SlowLogger } from './shard/index';

/** Searches that are worth running at one time: they wait for others most of the time. */
const SEARCHES_AT_ONCE = 64;

/** The share that requests and facets of open scrolls may have; little else is held here. */
const SCROLL_SHARE = 0.5;

/** How an engine over OpenSearch is opened. */
export interface OpenSearchEngineOptions {
  readonly settings: NodeSettings;
  readonly openSearch: OpenSearchSettings & {
    /** What the names of all that is kept there begin with: nodes with the same one are one cluster. */
    readonly prefix: string;
    /** How soon a node sees what another one has changed, in milliseconds. */
    readonly pollMs: number;
  };
  readonly logger?: EngineLogger;
  readonly slowLogger?: SlowLogger;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** What the engine is put together from. */
interface Parts extends ServedParts {
  readonly client: OpenSearchClient;
  readonly maintenance: RemoteMaintenance;
  /** Stops what is done now and then, and ends scrolls. */
  readonly stop: () => Promise<void>;
}

/**
 * Connects to the cluster and returns the node, ready to serve.
 *
 * @throws EngineError 503 when no node of the cluster can be reached
 */
export async function openOpenSearchEngine(
  options: OpenSearchEngineOptions,
): Promise<SearchEngine> {
  const { settings, openSearch, logger = SILENT_LOGGER } = options;
  const { prefix, pollMs } = openSearch;
  const now = options.now ?? Date.now;
  const limits = { ...DEFAULT_REQUEST_LIMITS, ...settings.requestLimits };
  const startedAt = now();
  const gate = new NodeGate(() => undefined);
  const client = await createClient(openSearch, logger);
  const cluster = new RemoteClusterState({
    client,
    index: `${prefix}-state`,
    limits: settings.limits,
  });
  const state = (): ClusterState => cluster.state();
  const points = new PointsInTime(client, logger);
  const indices = new RemoteIndices({
    client,
    prefix,
    limits: settings.limits,
    state,
    look: () => cluster.look(),
    release: (snapshot) => points.release(snapshot),
    logger,
  });
  cluster.onChange((changed) => indices.follow(changed));
  let configured = NO_DEFAULTS;
  const readConfigured = async (): Promise<void> => {
    configured = await readConfiguredDefaults(settings.configPath, logger);
  };
  // Stored scripts are documents elsewhere: searches look them up, updates read them ahead.
  const scripts = (lookUps?: SourceLookUps): ScriptLibrary =>
    new ScriptLibrary(
      (lang, id) => {
        if (lookUps === undefined) throw unsupported('the use of a stored script here');
        return lookUps.get(SCRIPTS_INDEX, lang, id, undefined);
      },
      configured.scripts,
      (lang, id) => documents.source(SCRIPTS_INDEX, lang, id, undefined),
    );

  const index = indices.requireIndex.bind(indices);
  const reads = new RemoteReads(client, index);
  const writer = new RemoteWriter(client, cluster, index);
  const terms = new RemoteTerms(client, reads, index);
  const documents: RemoteDocuments = new RemoteDocuments(
    {
      cluster,
      indexService: (metadata) => indices.indexService(metadata),
      autoCreate: (missing) => admin.autoCreate(missing),
      scripts,
      now,
      limits,
    },
    reads,
    writer,
    terms,
  );
  const figures = new RemoteFieldFigures(client, index, terms);

  const executor = new RemoteExecutor({
    client,
    indexOf: (snapshot) => indices.ofSnapshot(snapshot),
    make: (snapshot) => indices.ofSnapshot(snapshot).index.make(),
    points,
  });
  const scrolls = new ScrollContexts({
    ...DEFAULT_SCROLL_LIMITS,
    ...settings.scrollLimits,
    maxBytes: settings.memoryBytes * SCROLL_SHARE,
  });
  cluster.onChange((changed) => scrolls.follow(changed));
  const { searcher, searchHost } = createReading(
    {
      // No view is confined to a part.
      trusted: () => searcher.services(state(), searcher.lookUps()),
      settings,
      nodeId: NODE_ID,
      executor,
      indices,
      limits,
      now,
      scripts,
      slowLogger: options.slowLogger ?? NO_SLOW_LOGGER,
      searchQueue: new SearchQueue(
        SEARCHES_AT_ONCE,
        () => settings.searchQueue ?? DEFAULT_SEARCH_QUEUE,
      ),
      scrolls,
    },
    { state, owner: null },
    documents.source.bind(documents),
  );
  const deletion = new DeleteByQuery({
    ...searchHost,
    lookUps: () => searcher.lookUps(),
    services: (at, lookUps) => searcher.services(at, lookUps),
    indexService: index,
    writer,
  });
  const admin: AdministrationService = createAdministration({
    gate,
    settings,
    cluster,
    indicesService: indices,
    deleteByQuery: deletion,
    now,
    limits,
    configured: () => configured,
    getSource: () => {
      throw unsupported('a filter of an alias that looks terms up');
    },
    scripts,
  });
  const expired = new ExpiredDocuments({
    state,
    clusterSetting: (name) => admin.clusterSetting(name),
    mapping: (metadata) => searchHost.mapping(metadata),
    deleteByQuery: (request) => gate.grow(() => deletion.run(request)),
    now,
    logger,
  });
  await readConfigured();
  await cluster.load();
  await indices.removeOrphans();
  expired.start();
  const poll = setInterval(() => {
    cluster.look().catch(() => {
      // It has been logged; requests say so, too.
    });
  }, pollMs);
  poll.unref();
  return new OpenSearchEngine({
    settings,
    startedAt,
    gate,
    client,
    cluster,
    documents,
    searcher,
    deletion,
    fieldStats: new FieldStats({
      ...searchHost,
      figures: (metadata, shard, fields) => figures.ofShard(metadata, shard, fields),
    }),
    admin,
    maintenance: new RemoteMaintenance({ gate, client, state, indices }),
    storedScripts: new StoredScriptsService({ gate, documents }),
    readConfigured,
    stop: async () => {
      clearInterval(poll);
      scrolls.closeAll();
      await points.close();
      await expired.stop();
    },
  });
}

/** A node is known by it as long as it runs. */
const NODE_ID = randomBytes(16).toString('base64url');

/** The engine over a cluster of OpenSearch. */
class OpenSearchEngine extends ServedEngine<Parts> implements SearchEngine {
  readonly nodeId = NODE_ID;
  readonly searchesAtOnce = SEARCHES_AT_ONCE;
  readonly maintenance: Maintenance;
  readonly snapshots = NO_SNAPSHOTS;

  constructor(parts: Parts) {
    super(parts);
    this.maintenance = parts.maintenance;
  }

  percolate(): Promise<PercolateResponse> {
    return Promise.reject(unsupported('percolation'));
  }

  async nodeStats(): Promise<NodeStats> {
    const totals = await this.parts.maintenance.totals();
    const { counts: backend } = this.parts.client;
    return { totals, isWritable: this.gate.isWritable, newestSnapshots: new Map(), backend };
  }

  async close(): Promise<void> {
    this.gate.close();
    await this.parts.stop();
    await this.parts.client.close();
  }
}
