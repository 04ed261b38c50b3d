// The services that answer requests about documents, over one view of the cluster state: all of it, or the
// part that a key may see. What they can reach is what the state shows.

import { denied } from './access/index';
import {
  DeleteByQuery,
  DocumentService,
  type DocumentWriter,
  mappingAdditions,
  VisibleDocuments,
} from './documents/index';
import type { NodeGate, NodeSettings } from './admin/index';
import type { RequestLimits } from './common/index';
import type { DocumentHost } from './documents/index';
import type { ClusterState, ClusterStateService, IndexMetadata } from './metadata/index';
import type { IndexMapping } from './mapping/index';
import { type ParseServices, type Query, SearchContext } from './query/index';
import { Percolator, type QueryRegistry } from './percolator/index';
import type { ScriptLibrary } from './script/index';
import {
  confinedSnapshot,
  FieldStats,
  seenDocuments,
  Searcher,
  type ScrollContexts,
  type SearchHost,
  type SearchQueue,
  type SourceLookUps,
} from './search/index';
import type { IndicesService, SlowLogger } from './shard/index';
import type { ThreadPools } from './thread-pools';
import type { LogStore } from '../storage/index';

/** The share of the memory budget that the facets of one search may hold on a shard. */
const FACET_SHARE = 0.5;

/** The share that the documents may have which one request looks into. */
const LOOK_UP_SHARE = 0.5;

/** What the services of all views share. */
export interface ServingHost {
  /** What parsing the filters that views are confined to may ask, with the rights of the node. */
  readonly trusted: () => ParseServices;
  readonly settings: NodeSettings;
  readonly nodeId: string;
  readonly gate: NodeGate;
  readonly cluster: ClusterStateService;
  readonly log: () => LogStore;
  readonly pools: ThreadPools;
  readonly indicesService: IndicesService;
  readonly limits: RequestLimits;
  readonly now: () => number;
  readonly scripts: () => ScriptLibrary;
  readonly slowLogger: SlowLogger;
  readonly registry: QueryRegistry;
  readonly writer: DocumentWriter;
  readonly searchQueue: SearchQueue;
  readonly scrolls: ScrollContexts;
}

/** A view that services are made for. */
export interface ServedView {
  state(): ClusterState;
  /** Whose scrolls are opened and paged; null: of somebody who may see everything. */
  readonly owner: string | null;
  readonly autoCreate: DocumentHost['autoCreate'];
}

/** The services of one view. */
export interface Serving {
  readonly documents: DocumentService;
  readonly searcher: Searcher;
  readonly deletion: DeleteByQuery;
  readonly percolator: Percolator;
  readonly fieldStats: FieldStats;
  /** What services that are not of a view need of it. */
  readonly searchHost: SearchHost;
  readonly matchingHost: SearchHost & ConstructorParameters<typeof DeleteByQuery>[0];
}

/** Makes the services of a view. */
export function createServing(host: ServingHost, view: ServedView): Serving {
  const { settings, pools, indicesService, gate, cluster, writer, now, scripts, limits } = host;
  const state = (): ClusterState => view.state();
  const readers: DocumentHost['readers'] = (snapshot) => pools.readers(snapshot);
  const mapping = (metadata: IndexMetadata): IndexMapping =>
    indicesService.requireIndex(metadata).mapping(metadata);
  const seenOf = (metadata: IndexMetadata): Query | null =>
    seenDocuments(metadata, new SearchContext(metadata, mapping(metadata), [], host.trusted()));
  const visible = new VisibleDocuments();
  const documents = new DocumentService(
    {
      cluster: { state },
      log: host.log,
      recordCache: pools.recordCache,
      now,
      scripts,
      limits,
      readers,
      indexService: (metadata) => indicesService.indexService(metadata),
      isVisible: (metadata, record) => {
        const filter = seenOf(metadata);
        return filter === null || visible.matches(record, mapping(metadata), filter);
      },
      autoCreate: view.autoCreate,
    },
    writer,
  );
  const searchHost: SearchHost = {
    nodeId: host.nodeId,
    state,
    mapping,
    acquire: (metadata, shard) => {
      // Before anything is held: it may fail.
      const filter = metadata.view === undefined ? null : seenOf(metadata);
      const acquired = indicesService.requireIndex(metadata).shards[shard]!.acquire();
      if (filter === null) return acquired;
      return {
        snapshot: confinedSnapshot(acquired.snapshot, filter),
        reads: acquired.reads,
        damaged: (damage) => acquired.damaged(damage),
        release: () => acquired.release(),
      };
    },
    executor: pools.executor,
    queue: host.searchQueue,
    defaultSearchType: settings.defaultSearchType,
    limits,
    facetMemory: settings.memoryBytes * FACET_SHARE,
    slowLogger: host.slowLogger,
    now,
    readSource: async (index, type, id, routing) => documents.source(index, type, id, routing),
    lookUpMemory: settings.memoryBytes * LOOK_UP_SHARE,
    scripts,
  };
  const searcher = new Searcher(searchHost, host.scrolls, view.owner);
  const matchingHost = {
    ...searchHost,
    lookUps: () => searcher.lookUps(),
    services: (at: ClusterState, lookUps: SourceLookUps) => searcher.services(at, lookUps),
    indexService: (metadata: IndexMetadata) => indicesService.requireIndex(metadata),
    writer,
  };
  const addFields = mappingAdditions(cluster);
  const percolator = new Percolator({
    ...matchingHost,
    get: (request) => documents.get(request),
    registry: host.registry,
    addFields: async (indexService, type, update) => {
      const index = state().indices.get(indexService.name);
      if (index?.view !== undefined) throw denied('index_admin');
      return gate.write(() => addFields(indexService, type, update));
    },
  });
  return {
    documents,
    searcher,
    deletion: new DeleteByQuery(matchingHost),
    percolator,
    fieldStats: new FieldStats({ ...searchHost, readers }),
    searchHost,
    matchingHost,
  };
}
