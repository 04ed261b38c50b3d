// What an engine tells of itself.

import type { CommittedSegment, CommitFigures } from '../../storage/index';

/** Live figures of one index for health, `_cat` and statistics. */
export interface IndexFigures {
  readonly name: string;
  readonly open: boolean;
  readonly primaries: number;
  readonly replicas: number;
  /** Documents including nested ones; deleted ones not yet merged away. */
  readonly docCount: number;
  readonly deletedCount: number;
  readonly storeBytes: number;
  /** The same of every shard, by shard number; empty for a closed index. */
  readonly shards: readonly ShardFigures[];
}

/** Live figures of one shard. */
export interface ShardFigures {
  readonly docCount: number;
  readonly deletedCount: number;
  readonly storeBytes: number;
  /** Its data is damaged: it refuses searches and writes. */
  readonly isDamaged: boolean;
  /** What it has done since the node started. */
  readonly activity: ShardActivity;
  readonly reads: ReadActivity;
  /** Segments as committed. */
  readonly segments: readonly CommittedSegment[];
  readonly commitGeneration: number;
  /** Operations that are in the document log and in no segment yet, and the bytes of their sources. */
  readonly unindexedOperations: number;
  readonly unindexedBytes: number;
  readonly opening: ShardOpening;
}

/** Counters of one thread and those that it replaced. */
export interface ThreadFigures {
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

/** The worker threads of a node by what they do; empty on a node without. */
export interface ThreadPools {
  readonly search: readonly ThreadFigures[];
  readonly indexer: readonly ThreadFigures[];
}

/** Operations of one kind: how many ended, and how long they took altogether. */
export interface OperationCount {
  readonly total: number;
  /** Milliseconds. */
  readonly ms: number;
}

/** Counters of one shard since the node started. */
export interface ShardActivity {
  /** Index operations, updates included; the time is that of parsing, checking and encoding. */
  readonly indexing: OperationCount;
  readonly deleting: OperationCount;
  /** Refreshes that had something to make visible, with the building they waited for. */
  readonly refreshes: OperationCount;
  /** Flushes by request. */
  readonly flushes: OperationCount;
  /** Segments built, in refreshes and in the background. */
  readonly builds: OperationCount;
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

/** Reads of one shard since the node started. */
export interface ReadActivity {
  /** Gets that found their document, and that did not. */
  readonly found: ReadCount;
  readonly missed: ReadCount;
  /** Searches and counts; the time of one is divided among its shards. */
  readonly searches: ReadCount;
  /** Warmers of the index that ran; counted at its first shard. */
  readonly warmers: ReadCount;
}

/** What the shards of a node hold and have done. Documents, segments and bytes are those of open indices. */
export interface ShardTotals {
  readonly openIndices: number;
  readonly closedIndices: number;
  readonly shards: number;
  readonly damagedShards: number;
  /** Documents including nested ones; deleted ones not yet merged away. */
  readonly docCount: number;
  readonly deletedCount: number;
  readonly segments: number;
  readonly storeBytes: number;
  /** Operations that are in the document log and in no segment yet, and the bytes of their sources. */
  readonly unindexedOperations: number;
  readonly unindexedBytes: number;
  /** Since the node started, deleted and closed indices included. */
  readonly activity: ShardActivity;
  readonly reads: ReadActivity;
}

/** Everything that is counted once per node. */
export interface NodeFigures {
  readonly totals: ShardTotals;
  readonly commits: CommitFigures;
  /** Writes that wait for their batch now. */
  readonly queuedUnits: number;
  /** Failed batches since the node started; after each one storage is reopened. */
  readonly storageFailures: number;
  /** Whether writes are possible now. */
  readonly isWritable: boolean;
  readonly disk: DiskFigures;
  /** Epoch milliseconds at which the newest complete snapshot of each repository ended, as far as is known. */
  readonly newestSnapshots: ReadonlyMap<string, number>;
}

/** Size of a file system. Bytes. */
export interface DiskSpace {
  readonly total: number;
  readonly free: number;
  /** Free for processes without special rights. */
  readonly available: number;
}

/** The disk of the data folder when it was last looked at. */
export interface DiskFigures extends DiskSpace {
  /** Available bytes below which writes are refused; 0: never. */
  readonly minFreeBytes: number;
  /** Whether they are refused now. */
  readonly isLow: boolean;
}
