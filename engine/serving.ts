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
import type { NodeGate } from './admin/index';
import type { DocumentHost } from './documents/index';
import type { ClusterState, ClusterStateService, IndexMetadata } from './metadata/index';
import { Percolator, type QueryRegistry } from './percolator/index';
import {
  FieldStats,
  type Searcher,
  type SearchHost,
  segmentFigures,
  type SourceLookUps,
} from './search/index';
import { seenRecord } from './segment/index';
import type { IndexService, IndicesService } from './shard/index';
import { createReading, type ReadingHost, type ReadView } from './reading';
import type { ThreadPools } from './thread-pools';
import type { LogStore } from '../storage/index';

/** Bytes of a document that is tried against stored queries. */
const PERCOLATED_DOCUMENT_SIZE = 1024 * 1024;

/** What the services of all views share. */
export interface ServingHost extends Omit<ReadingHost, 'executor' | 'indices'> {
  readonly gate: NodeGate;
  readonly cluster: ClusterStateService;
  readonly log: () => LogStore;
  readonly pools: ThreadPools;
  readonly indicesService: IndicesService;
  readonly registry: QueryRegistry;
  /** As the settings of the node have it. */
  readonly percolatedDocumentSize: number | undefined;
  readonly writer: DocumentWriter;
}

/** A view that services are made for. */
export interface ServedView extends ReadView {
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
  readonly matchingHost: SearchHost &
    ConstructorParameters<typeof DeleteByQuery>[0] & {
      indexService(index: IndexMetadata): IndexService;
      readonly writer: DocumentWriter;
    };
}

/** Makes the services of a view. */
export function createServing(host: ServingHost, view: ServedView): Serving {
  const { pools, indicesService, gate, cluster, writer, now, scripts, limits } = host;
  const state = (): ClusterState => view.state();
  const visible = new VisibleDocuments();
  const documents: DocumentService = new DocumentService(
    {
      cluster: { state },
      log: host.log,
      recordCache: pools.recordCache,
      now,
      scripts,
      limits,
      readers: (metadata, snapshot) => pools.readers(reading.confined(metadata, snapshot)),
      indexService: (metadata) => indicesService.indexService(metadata),
      seenOf: (metadata, record) => {
        const filter = reading.documentsOf(metadata);
        const mapping = reading.searchHost.mapping(metadata.view?.fields?.whole ?? metadata);
        if (filter !== null && !visible.matches(record, mapping, filter)) return null;
        const fields = reading.fieldsOf(metadata);
        return fields === null ? record : seenRecord(record, fields);
      },
      autoCreate: view.autoCreate,
    },
    writer,
  );
  const reading = createReading(
    { ...host, executor: pools.executor, indices: indicesService },
    view,
    async (index, type, id, routing) => documents.source(index, type, id, routing),
  );
  const { searcher, searchHost } = reading;
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
    maxDocumentSize: host.percolatedDocumentSize ?? PERCOLATED_DOCUMENT_SIZE,
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
    fieldStats: new FieldStats({
      ...searchHost,
      figures: async (metadata, shard, fields, control) => {
        const acquired = searchHost.acquire(metadata, shard);
        return segmentFigures(acquired, (at) => pools.readers(at), fields, control);
      },
    }),
    searchHost,
    matchingHost,
  };
}
