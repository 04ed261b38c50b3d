// Searching over one view of the cluster state: all of it, or the part that a key may see. Main serves by it,
// and so do other threads that read (engine/readers).

import type { NodeSettings } from './admin/index';
import type { RequestLimits } from './common/index';
import type { IndexMapping } from './mapping/index';
import type { ClusterState, FieldView, IndexMetadata, IndexView } from './metadata/index';
import { type ParseServices, type Query, SearchContext } from './query/index';
import {
  confinedSnapshot,
  type Executor,
  seenDocuments,
  seenFields,
  Searcher,
  type ScrollContexts,
  type SearchHost,
  type SearchQueue,
} from './search/index';
import type { SeenFields, ShardSnapshot } from './segment/index';
import type { ReadableIndices, SlowLogger } from './shard/index';

/** The share of the memory budget that the facets of one search may hold on a shard. */
const FACET_SHARE = 0.5;

/** The share that the documents may have which one request looks into. */
const LOOK_UP_SHARE = 0.5;

const SEEN_WHOLE: IndexView = { filters: null, fields: null };

/** What searching over any view needs. */
export interface ReadingHost {
  /** What parsing the filters that views are confined to may ask, with the rights of the node. */
  readonly trusted: () => ParseServices;
  readonly settings: Pick<NodeSettings, 'defaultSearchType' | 'memoryBytes'>;
  readonly nodeId: string;
  readonly executor: Executor;
  readonly indices: ReadableIndices;
  readonly limits: RequestLimits;
  readonly now: () => number;
  readonly scripts: SearchHost['scripts'];
  readonly slowLogger: SlowLogger;
  readonly searchQueue: SearchQueue;
  readonly scrolls: ScrollContexts;
}

/** A view that is read. */
export interface ReadView {
  state(): ClusterState;
  /** Whose scrolls are opened and paged; null: of somebody who may see everything. */
  readonly owner: string | null;
}

/** Searching over one view. */
export interface Reading {
  readonly searcher: Searcher;
  readonly searchHost: SearchHost;
  /** The documents that the view shows of an index; null: all of them. */
  documentsOf(metadata: IndexMetadata): Query | null;
  /** The fields that it shows of them; null: all. */
  fieldsOf(metadata: IndexMetadata): SeenFields | null;
  /** A snapshot of a shard of the index with what the view shows of it. */
  confined(metadata: IndexMetadata, snapshot: ShardSnapshot): ShardSnapshot;
}

/** Makes what searches a view. @param readSource reads a document that a request looks into */
export function createReading(
  host: ReadingHost,
  view: ReadView,
  readSource: SearchHost['readSource'],
): Reading {
  const { settings, indices } = host;
  const mapping = (metadata: IndexMetadata): IndexMapping =>
    indices.requireIndex(metadata).mapping(metadata);
  const documentsOf = (metadata: IndexMetadata): Query | null => {
    const { filters, fields } = metadata.view ?? SEEN_WHOLE;
    if (filters === null) return null;
    const whole = fields?.whole ?? metadata;
    return seenDocuments(filters, new SearchContext(whole, mapping(whole), [], host.trusted()));
  };
  const seen = new WeakMap<FieldView, SeenFields>();
  const fieldsOf = (metadata: IndexMetadata): SeenFields | null => {
    const fields = metadata.view?.fields ?? null;
    if (fields === null) return null;
    let known = seen.get(fields);
    if (known === undefined) seen.set(fields, (known = seenFields(metadata, fields, mapping)));
    return known;
  };
  const confined = (metadata: IndexMetadata, snapshot: ShardSnapshot): ShardSnapshot => {
    const filter = documentsOf(metadata);
    const fields = fieldsOf(metadata);
    if (filter === null && fields === null) return snapshot;
    return confinedSnapshot(snapshot, filter, fields);
  };
  const searchHost: SearchHost = {
    nodeId: host.nodeId,
    state: () => view.state(),
    mapping,
    acquire: (metadata, shard) => {
      const acquired = indices.requireIndex(metadata).shards[shard]!.acquire();
      if (metadata.view === undefined) return acquired;
      try {
        return {
          snapshot: confined(metadata, acquired.snapshot),
          reads: acquired.reads,
          damaged: (damage) => acquired.damaged(damage),
          release: () => acquired.release(),
        };
      } catch (error) {
        acquired.release();
        throw error;
      }
    },
    executor: host.executor,
    queue: host.searchQueue,
    defaultSearchType: settings.defaultSearchType,
    limits: host.limits,
    facetMemory: settings.memoryBytes * FACET_SHARE,
    slowLogger: host.slowLogger,
    now: host.now,
    readSource,
    lookUpMemory: settings.memoryBytes * LOOK_UP_SHARE,
    scripts: host.scripts,
  };
  const searcher = new Searcher(searchHost, host.scrolls, view.owner);
  return { searcher, searchHost, documentsOf, fieldsOf, confined };
}
