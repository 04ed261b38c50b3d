// Who does the work of a node: its main thread alone, or search workers and an indexer thread
// (docs/architecture.md, "Threads"). The rest of the engine does not know which.

import { getHeapStatistics } from 'node:v8';
import type { LogReader, SegmentId, Storage } from '../storage/index';
import {
  ByteCache,
  type EngineLogger,
  RenderedHits,
  type RenderedHitsBudget,
} from './common/index';
import { Indexer, type SegmentIndexer, type SegmentRemovals, IndexerThread } from './shard/index';
import type { IndexMapping } from './mapping/index';
import type { IndexMetadata } from './metadata/index';
import {
  type Executor,
  hitsBudget,
  InlineExecutor,
  SMALL_SEARCH_POSTINGS,
  SMALL_SEGMENT_DOCS,
  WorkerPool,
} from './search/index';
import { warmUnpack, ReaderCache, type SegmentReader, type ShardSnapshot } from './segment/index';
import type { ThreadPoolStats } from './api/index';

/**
 * Shares of the node's memory budget: what searches read, what building and merging read, what searches on
 * main read.
 */
const SEARCH_CACHE_SHARE = 0.5;
const INDEXER_CACHE_SHARE = 0.1;
const MAIN_CACHE_SHARE = 0.05;
/** What searches under way may be expected to hold together: as much as the facets of one may. */
const SEARCH_SHARE = 0.5;
/** What threads that read have together, where there are any; workers have so much less. */
const READER_CACHE_SHARE = 0.2;

/** Least heap of a thread besides caches, which are outside of the heap, in MB. */
const MIN_HEAP_MB = 256;
/** Young objects of a search worker; most of what it allocates is outside of the heap. */
const SEARCH_YOUNG_MB = 12;
const MIB = 1024 * 1024;

/** A thread that works and shows no sign of life for this long is replaced, in milliseconds. */
const SEARCH_STUCK_MS = 30_000;
/** Putting a large segment together is one long step. */
const INDEXER_STUCK_MS = 180_000;

/** What tests change. */
export interface ThreadTuning {
  readonly stuckMs?: number;
  /** Segments with at least so many documents are spread over workers one by one. */
  readonly smallSegmentDocs?: number;
  /** Searches expected to read so many postings at most run on main; 0: none. */
  readonly smallSearchPostings?: number;
  /** False: threads start faster and search slower at first. */
  readonly warmsUp?: boolean;
}

/** What the division of pools depends on. */
interface ThreadPoolOptions {
  /** Search workers; 0: everything on the main thread. */
  readonly workers: number;
  /** Further threads that read. */
  readonly readers: number;
  readonly memoryBytes: number;
  readonly storage: Storage;
  readonly logger: EngineLogger;
  readonly tuning: ThreadTuning;
  /** The compiled mapping of an index, kept by the index. */
  readonly mapping: (index: IndexMetadata) => IndexMapping;
  /** A batch failed on another thread than main. */
  readonly onStorageFailure: (error: Error) => void;
}

/** What is left for threads that read. */
export interface ReaderShare {
  /** Bytes of the caches of all of them. */
  readonly cacheBytes: number;
  readonly renderedHits: RenderedHitsBudget;
  /** The first of their places in that budget. */
  readonly firstPlace: number;
  /** As much as main has: what requests hold is bounded for all threads together. */
  readonly heapMb: number;
  /** Postings that a search may be expected to read to be run by the thread that got the request. */
  readonly small: number;
  readonly stuckMs: number;
}

/** Runs searches, and everything that writes segments. */
export interface ThreadPools {
  readonly executor: Executor;
  readonly indexer: SegmentIndexer;
  readonly removals: SegmentRemovals;
  readonly forReaders: ReaderShare;
  /** The document log for main, through a cache of records that were shown lately. */
  readonly recordCache: LogReader;
  /** The open segments of a shard, for small look-ups on main. @throws CorruptionError */
  readers(snapshot: ShardSnapshot): readonly SegmentReader[];
  /** Begins to work; storage must be open. */
  open(): void;
  /** Drops what is cached of segments that are about to be removed. */
  forget(segments: readonly SegmentId[]): void;
  /** Waits for searches under way, and gives up those that take longer than `graceMs`. */
  quiesce(graceMs: number): Promise<void>;
  /** Finishes what runs and lets go of storage; may be opened again. */
  close(): Promise<void>;
  stats(): Pick<ThreadPoolStats, 'search' | 'indexer'>;
}

/** Who does the work of a node: threads, or without workers the main thread itself. */
export function createThreadPools(options: ThreadPoolOptions): ThreadPools {
  return options.workers > 0 ? new WorkerPools(options) : new InlinePools(options);
}

class InlinePools implements ThreadPools {
  readonly executor: InlineExecutor;
  readonly indexer: Indexer;
  readonly removals: SegmentRemovals;
  readonly recordCache: LogReader;
  readonly forReaders: ReaderShare;
  private readonly indexReaders: ReaderCache;
  private readonly indexerCache: ByteCache;
  private readonly warmsUp: boolean;

  constructor(options: ThreadPoolOptions) {
    const { memoryBytes, storage, logger, mapping, tuning } = options;
    this.warmsUp = tuning.warmsUp ?? true;
    const blocks = blocksOf(storage);
    const records = recordsOf(storage);
    const searchCache = new ByteCache(searchCacheBytesOf(options));
    // Apart, so that a merge does not drive out what searches use.
    this.indexerCache = new ByteCache(Math.floor(memoryBytes * INDEXER_CACHE_SHARE));
    this.indexReaders = new ReaderCache(blocks, this.indexerCache);
    this.forReaders = readerShare(options);
    const { renderedHits } = this.forReaders;
    this.executor = new InlineExecutor(
      blocks,
      records,
      searchCache,
      new RenderedHits(renderedHits, 0),
      memoryBytes * SEARCH_SHARE,
    );
    this.recordCache = this.executor.recordCache;
    const log = () => storage.log;
    const store = () => storage.segments;
    this.indexer = new Indexer({ log, store, readers: this.indexReaders, mapping, logger });
    this.removals = {
      removeSegments: (segments) => store().removeSegments(segments),
      removeDeletions: (chunks) => store().removeDeletions(chunks),
      removeOtherDeletions: (segment, kept) => store().removeOtherDeletions(segment, kept),
    };
  }

  readers(snapshot: ShardSnapshot): readonly SegmentReader[] {
    return this.executor.open(snapshot);
  }

  open(): void {
    if (this.warmsUp) warmUnpack();
  }

  forget(segments: readonly SegmentId[]): void {
    this.executor.forget(segments);
    this.indexReaders.forget(segments);
    for (const segment of segments) this.indexerCache.remove(segment);
  }

  quiesce(graceMs: number): Promise<void> {
    return this.executor.quiesce(graceMs);
  }

  close(): Promise<void> {
    return this.executor.close();
  }

  stats(): Pick<ThreadPoolStats, 'search' | 'indexer'> {
    return { search: [], indexer: [] };
  }
}

class WorkerPools implements ThreadPools {
  readonly executor: WorkerPool;
  readonly indexer: IndexerThread;
  readonly recordCache: LogReader;
  readonly forReaders: ReaderShare;
  private readonly local: InlineExecutor;
  private readonly warmsUp: boolean;

  constructor(options: ThreadPoolOptions) {
    const { workers, memoryBytes, storage, logger, tuning, onStorageFailure } = options;
    const { location } = storage;
    this.warmsUp = tuning.warmsUp ?? true;
    const blocks = blocksOf(storage);
    const mainCacheBytes = Math.floor(memoryBytes * MAIN_CACHE_SHARE);
    this.forReaders = readerShare(options);
    const { renderedHits } = this.forReaders;
    const heap = Math.max(MIN_HEAP_MB, Math.floor(memoryBytes / MIB / (workers + 1)));
    const common = { location, logger, limits: { maxOldGenerationSizeMb: heap } };
    const mainCache = new ByteCache(mainCacheBytes);
    const searchCacheBytes = searchCacheBytesOf(options);
    const local = new InlineExecutor(
      blocks,
      recordsOf(storage),
      mainCache,
      new RenderedHits(renderedHits, 0),
    );
    this.local = local;
    this.recordCache = local.recordCache;
    this.executor = new WorkerPool(
      {
        ...common,
        limits: { ...common.limits, maxYoungGenerationSizeMb: SEARCH_YOUNG_MB },
        workers,
        cacheBytes: searchCacheBytes,
        searchBytes: memoryBytes * SEARCH_SHARE,
        renderedHits,
        stuckMs: tuning.stuckMs ?? SEARCH_STUCK_MS,
        warmsUp: this.warmsUp,
        answers: mainCache,
        smallSegmentDocs: tuning.smallSegmentDocs ?? SMALL_SEGMENT_DOCS,
        mainShare: {
          small: tuning.smallSearchPostings ?? SMALL_SEARCH_POSTINGS,
          cacheBytes: mainCacheBytes,
        },
      },
      local,
    );
    this.indexer = new IndexerThread({
      ...common,
      cacheBytes: Math.floor(memoryBytes * INDEXER_CACHE_SHARE),
      stuckMs: tuning.stuckMs ?? INDEXER_STUCK_MS,
      onStorageFailure,
    });
  }

  get removals(): SegmentRemovals {
    return this.indexer;
  }

  readers(snapshot: ShardSnapshot): readonly SegmentReader[] {
    return this.local.open(snapshot);
  }

  open(): void {
    // Main runs small searches.
    if (this.warmsUp) warmUnpack();
    this.executor.open();
    this.indexer.open();
  }

  forget(segments: readonly SegmentId[]): void {
    this.executor.forget(segments);
    this.indexer.forget(segments);
  }

  quiesce(graceMs: number): Promise<void> {
    return this.executor.quiesce(graceMs);
  }

  async close(): Promise<void> {
    await Promise.all([this.executor.close(), this.indexer.close()]);
  }

  stats(): Pick<ThreadPoolStats, 'search' | 'indexer'> {
    return { search: this.executor.stats(), indexer: [this.indexer.stats()] };
  }
}

/** Bytes of the caches of all search workers, or of main where there are none. */
function searchCacheBytesOf({ memoryBytes, readers }: ThreadPoolOptions): number {
  const share = SEARCH_CACHE_SHARE - (readers > 0 ? READER_CACHE_SHARE : 0);
  return Math.floor(memoryBytes * share);
}

function readerShare(options: ThreadPoolOptions): ReaderShare {
  const { memoryBytes, workers, readers, tuning } = options;
  return {
    cacheBytes: Math.floor(memoryBytes * READER_CACHE_SHARE),
    renderedHits: hitsBudget(Math.floor(memoryBytes * SEARCH_CACHE_SHARE), 1 + workers + readers),
    firstPlace: 1 + workers,
    heapMb: Math.floor(getHeapStatistics().heap_size_limit / MIB),
    small: tuning.smallSearchPostings ?? SMALL_SEARCH_POSTINGS,
    stuckMs: tuning.stuckMs ?? SEARCH_STUCK_MS,
  };
}

/** Through accessors: after a failure other stores are behind them. */
function blocksOf(storage: Storage) {
  return {
    readBlock: (segment: SegmentId, block: number) => storage.segments.readBlock(segment, block),
    readDeletions: (segment: SegmentId, chunk: number, generation: number) =>
      storage.segments.readDeletions(segment, chunk, generation),
  };
}

function recordsOf(storage: Storage): LogReader {
  return {
    readRecord: (shard, sequence) => storage.log.readRecord(shard, sequence),
    readUid: (shard, type, id) => storage.log.readUid(shard, type, id),
  };
}
