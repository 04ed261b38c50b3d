// What only an engine that keeps its data on this machine can tell: segments, logs, caches, threads, its
// disk. Callers do without where it is missing.

/** A segment: a part of a shard that never changes, but for what is deleted in it. */
export interface SegmentStats {
  readonly id: number;
  readonly bytes: number;
  /** Documents, nested and deleted ones included, and deleted ones among them. */
  readonly docCount: number;
  readonly deletedCount: number;
}

/** What one shard is made of and has done since the node started. */
export interface LocalShardStats {
  readonly operations: ShardOperationStats;
  readonly reads: ShardReadStats;
  /** As committed. */
  readonly segments: readonly SegmentStats[];
  readonly commitGeneration: number;
  /** Operations that are in the document log and in no segment yet, and the bytes of their sources. */
  readonly unindexedOperations: number;
  readonly unindexedBytes: number;
  readonly opening: ShardOpening;
  readonly queries: StoredQueryStats;
}

/** The same of all shards of a node together. */
export interface LocalShardTotals {
  readonly segments: number;
  readonly unindexedOperations: number;
  readonly unindexedBytes: number;
  /** Since the node started, deleted and closed indices included. */
  readonly operations: ShardOperationStats;
  readonly reads: ShardReadStats;
}

/** What is counted once per node. */
export interface LocalNodeStats {
  readonly shards: LocalShardTotals;
  readonly commits: CommitStats;
  /** Writes that wait for their batch now. */
  readonly queuedUnits: number;
  /** Failed batches since the node started; after each one storage is reopened. */
  readonly storageFailures: number;
  /** How often the whole database of segments was damaged and set aside since the node started. */
  readonly segmentsSetAside: number;
  /** Tables of the databases that were damaged when they were checked last. */
  readonly damagedTables: number;
  readonly disk: DiskStats;
}

/** Counters of one kind of what is kept in memory. */
interface CacheKindStats {
  readonly hits: number;
  readonly misses: number;
  readonly evictions: number;
  readonly entries: number;
  readonly bytes: number;
}

/**
 * What caches hold: counters by kind, bytes by segment and kind, and of columns bytes by segment and field.
 */
export interface CacheStats {
  readonly kinds: ReadonlyMap<string, CacheKindStats>;
  readonly bytes: ReadonlyMap<number, ReadonlyMap<string, number>>;
  readonly columns: ReadonlyMap<number, ReadonlyMap<number, number>>;
}

/** What caches hold by kind, and the budget of all of them together in bytes. */
export interface CacheStatsByKind {
  readonly kinds: ReadonlyMap<string, CacheKindStats>;
  readonly limitBytes: number;
}

/** A histogram at one moment. */
export interface HistogramStats {
  /** Upper bounds, inclusive and ascending; values above the last one are in a bucket of their own. */
  readonly bounds: readonly number[];
  /** Values in each bucket, not cumulative; one more than there are bounds. */
  readonly counts: readonly number[];
  readonly count: number;
  readonly sum: number;
}

/** Batches of the document log since the node started. */
interface CommitStats {
  /** Units acknowledged or refused in each batch that was synced. */
  readonly units: HistogramStats;
  /** Bytes of keys and values of each. */
  readonly bytes: HistogramStats;
  /** Seconds from handing each over until it was synced. */
  readonly syncSeconds: HistogramStats;
  /** Units whose own checks refused them: version conflicts and the like. */
  readonly refusedUnits: number;
}

/** Counters of one thread and those that it replaced. */
export interface ThreadStats {
  readonly name: string;
  /** Requests that it has and has not answered; one of them may be running. */
  readonly pending: number;
  /** The most there were at one time. */
  readonly largest: number;
  readonly completed: number;
  /** How often another thread had to take the place of a dead or stuck one. */
  readonly replaced: number;
  /** Milliseconds in which its event loop did not wait for work. */
  readonly busyMs: number;
  /** False when it has work, shows no sign of life, and could not be replaced by one that does. */
  readonly isAnswering: boolean;
}

/** Searches of a node, whichever thread carries them out. */
export interface SearchQueueStats {
  /** How many are carried out at a time. */
  readonly threads: number;
  readonly active: number;
  readonly queue: number;
  /** How many may wait; -1: any number. */
  readonly capacity: number;
  /** Refused since the start because too many waited. */
  readonly rejected: number;
  /** The most that were carried out at a time. */
  readonly largest: number;
  readonly completed: number;
}

/** The worker threads of a node by what they do; empty on a node without. */
export interface ThreadPoolStats {
  readonly searches: SearchQueueStats;
  readonly search: readonly ThreadStats[];
  /** Those that take requests besides main. */
  readonly http: readonly ThreadStats[];
  readonly indexer: readonly ThreadStats[];
}

/** Operations of one kind: how many ended, and how long they took altogether. */
export interface OperationCount {
  readonly total: number;
  /** Milliseconds. */
  readonly ms: number;
}

/** Counters of one shard since the node started. */
export interface ShardOperationStats {
  /** Index operations, updates included; the time is that of parsing, checking and encoding. */
  readonly indexing: OperationCount;
  readonly deleting: OperationCount;
  /** Refreshes that had something to make visible, with the building they waited for. */
  readonly refreshes: OperationCount;
  /** Flushes by request. */
  readonly flushes: OperationCount;
  /** Segments built, in refreshes and in the background. */
  readonly builds: OperationCount;
  /** Shards built again from the document log because their segments were damaged. */
  readonly rebuilds: OperationCount;
  /** Documents that could not be indexed when segments were built: set aside, found by id only. */
  readonly failedDocuments: number;
  readonly merges: OperationCount & {
    /** Documents that went in, deleted ones included, and the bytes of their segments. */
    readonly docs: number;
    readonly bytes: number;
    /** Under way now. */
    readonly current: number;
    readonly currentDocs: number;
    readonly currentBytes: number;
  };
}

/** How a shard came to be there. */
export interface ShardOpening {
  /** Milliseconds that loading it took. */
  readonly ms: number;
  /** Operations of the document log that were still to be indexed then. */
  readonly operations: number;
  /** The snapshot that it was restored from since the node started. */
  readonly restored: RestoredShard | null;
}

/** The restoring of one shard. */
export interface RestoredShard {
  readonly repository: string;
  readonly snapshot: string;
  /** The index's name in the snapshot. */
  readonly index: string;
  readonly files: number;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Milliseconds of writing its documents, and of making them searchable. */
  readonly writeMs: number;
  readonly startMs: number;
}

/** Reads of one kind. */
export interface ReadCount {
  readonly total: number;
  /** Milliseconds. */
  readonly ms: number;
  /** Under way now. */
  readonly current: number;
}

/** Stored queries of a shard that documents are tried against. */
export interface StoredQueryStats {
  /** Those in memory, and the bytes that they take, about. */
  readonly count: number;
  readonly bytes: number;
  /** How often one was run, since the node started. */
  readonly evaluated: number;
}

/** Reads of one shard since the node started. */
export interface ShardReadStats {
  /** Gets that found their document, and that did not. */
  readonly found: ReadCount;
  readonly missed: ReadCount;
  /** Searches and counts; the time of one is divided among its shards. */
  readonly searches: ReadCount;
  /** Warmers of the index that ran; counted at its first shard. */
  readonly warmers: ReadCount;
  /** Scrolls that hold a snapshot of the shard now. */
  readonly openScrolls: number;
  /** Documents that were tried against the shard's stored queries; the time of one is divided likewise. */
  readonly percolations: ReadCount;
  readonly suggests: ReadCount;
}

/** Size of a file system. Bytes. */
export interface DiskSpace {
  readonly total: number;
  readonly free: number;
  /** Free for processes without special rights. */
  readonly available: number;
}

/** The disk of the data folder when it was last looked at. */
export interface DiskStats extends DiskSpace {
  /** Available bytes below which writes are refused; 0: never. */
  readonly minFreeBytes: number;
  /** Whether they are refused now. */
  readonly isLow: boolean;
}
