// The embedded engine as the server sees it.

import { formerStats, shardTotals, type DiskWatch, type MaintenanceService } from './admin/index';
import type {
  Access,
  CacheStats,
  CacheStatsByKind,
  LocalStatistics,
  NodeStats,
  PercolateRequest,
  PercolateResponse,
  SearchEngine,
  ShardStats,
  ThreadPoolStats,
} from './api/index';
import type { DocumentService } from './documents/index';
import type { NodeLifecycle } from './lifecycle';
import { ServedEngine, type ServedParts } from './served-engine';
import type { ClusterStateService } from './metadata/index';
import { type SearchQueue } from './search/index';
import type { IndicesService } from './shard/index';
import type { NodeReaders } from './reader-threads';
import type { ReindexService } from './reindex/index';
import type { SnapshotService } from './snapshots/index';
import type { ThreadPools } from './thread-pools';
import type { Percolator } from './percolator/index';
import type { Storage } from '../storage/index';

/** What the embedded engine is put together from. */
interface EngineParts extends ServedParts {
  readonly access: Access;
  readonly storage: Storage;
  readonly cluster: ClusterStateService;
  readonly indicesService: IndicesService;
  readonly disk: DiskWatch;
  readonly pools: ThreadPools;
  readonly readers: NodeReaders;
  readonly searchQueue: SearchQueue;
  readonly documents: DocumentService;
  readonly percolator: Percolator;
  readonly maintenance: MaintenanceService;
  readonly snapshots: SnapshotService;
  readonly reindexing: ReindexService;
  readonly lifecycle: NodeLifecycle;
}

/** The engine that keeps its data in a folder of this machine. */
export class Engine extends ServedEngine<EngineParts> implements SearchEngine {
  readonly nodeId: string;
  readonly searchesAtOnce: number;
  readonly access: Access;
  readonly maintenance: MaintenanceService;
  readonly snapshots: SnapshotService;
  readonly reindexing: ReindexService;
  readonly local: LocalStatistics;
  readonly readers: NodeReaders;

  /** See `openEngine`. */
  constructor(parts: EngineParts) {
    super(parts);
    this.nodeId = parts.storage.nodeId;
    // One more than there are threads keeps all of them busy.
    this.searchesAtOnce = parts.settings.workers + 1;
    this.access = parts.access;
    this.maintenance = parts.maintenance;
    this.snapshots = parts.snapshots;
    this.reindexing = parts.reindexing;
    this.local = new EmbeddedStatistics(parts);
    this.readers = parts.readers;
  }

  percolate(request: PercolateRequest): Promise<PercolateResponse> {
    return this.gate.read(() => this.parts.percolator.percolate(request));
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
