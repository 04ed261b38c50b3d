// The contracts of the storage layer: bytes, durability, corruption. Nothing here knows of search.

/** Index-wide ids handed out by the cluster state and never reused. */
export type ShardId = number;
/** The id of a segment. */
export type SegmentId = number;
/** Position of a record in the document log of its shard; starts at 1, grows by at least 1. */
export type SequenceNumber = number;

type LogOperation = 'index' | 'delete';

/**
 * One entry of the document log: the stored document, the write-ahead log and the recovery source at once.
 */
export interface LogRecord {
  readonly op: LogOperation;
  readonly type: string;
  readonly id: string;
  /** 1 .. 2^63-1 as a number while safe; external versions may be large. */
  readonly version: number;
  readonly routing: string | null;
  readonly parent: string | null;
  /** Epoch milliseconds, or null. */
  readonly timestamp: number | null;
  /** Epoch milliseconds at which the document expires, or null. */
  readonly expiry: number | null;
  /** Sequence number of the live record this one replaces, or 0. */
  readonly supersedes: SequenceNumber;
  /** `_source` as received (empty for a delete). */
  readonly source: Buffer;
}

/** The latest state of one document id of one shard. */
export interface UidEntry {
  readonly sequence: SequenceNumber;
  readonly version: number;
  readonly deleted: boolean;
  /** Epoch milliseconds of a delete, for tombstone expiry; {@link FORGOTTEN} otherwise. */
  readonly deletedAt: number;
}

/** The time of a deletion that versions do not go on from: its tombstone counts as expired. */
export const FORGOTTEN = 0;

/** One segment as the commit point of its shard names it. */
export interface CommittedSegment {
  readonly id: SegmentId;
  /** Number of blocks under the segment's prefix. */
  readonly blocks: number;
  readonly bytes: number;
  /** Documents, nested and deleted ones included, and deleted ones among them. */
  readonly docCount: number;
  readonly deletedCount: number;
  readonly rootCount: number;
  readonly deletedRootCount: number;
  readonly minSequence: SequenceNumber;
  readonly maxSequence: SequenceNumber;
  /** Generation of each deletion chunk (0: nothing deleted there); empty when nothing is deleted at all. */
  readonly deletionChunks: readonly number[];
}

/** The durable state of a shard's segments: everything up to `sequence` is in them. */
export interface CommitPoint {
  readonly generation: number;
  readonly sequence: SequenceNumber;
  readonly segments: readonly CommittedSegment[];
}

/**
 * Collects the operations of one batch while the committer gives a unit its turn. Reads see what earlier
 * units of the same batch and all earlier batches wrote.
 */
export interface LogBatch {
  getUid(shard: ShardId, type: string, id: string): UidEntry | undefined;
  putRecord(shard: ShardId, sequence: SequenceNumber, record: LogRecord): void;
  removeRecord(shard: ShardId, sequence: SequenceNumber): void;
  putUid(shard: ShardId, type: string, id: string, entry: UidEntry): void;
  removeUid(shard: ShardId, type: string, id: string): void;
  putCommit(shard: ShardId, commit: CommitPoint): void;
  removeCommit(shard: ShardId): void;
  /** Cluster metadata values are opaque bytes (JSON) under a name such as `index/17` or `cluster`. */
  putMetadata(name: string, value: Buffer): void;
  removeMetadata(name: string): void;
  /** An intent to build a segment; orphaned blocks are found through it after a crash. */
  putBuildIntent(segment: SegmentId): void;
  removeBuildIntent(segment: SegmentId): void;
  /** An intent to delete everything a shard owns in both databases. */
  putDeleteIntent(shard: ShardId, segments: readonly SegmentId[]): void;
  removeDeleteIntent(shard: ShardId): void;
  /** Bytes collected so far in this batch. */
  readonly bytes: number;
}

/**
 * A unit of work for the committer. `prepare` is called synchronously when the unit's turn comes, after all
 * earlier units of its kind (those that make room, or the others) are durable or in the same batch; what it
 * throws rejects this unit alone and drops what it collected. Its result is delivered once the batch is
 * synced.
 */
export interface CommitUnit<R> {
  prepare(batch: LogBatch): R;
  /** A hint of the bytes the unit will add, to keep batches below their cap. */
  readonly estimatedBytes: number;
  /** One of a large request: others go first, and one of these at least into each batch. Missing: no. */
  readonly makesRoom?: boolean;
}

/** The `segments` database: immutable blocks and deletion chunks, written by the indexer only. */
export interface SegmentStore {
  /**
   * Writes all blocks of a segment in synced batches of about 1 MB. Nothing refers to them until a
   * commit point does.
   */
  writeSegment(segment: SegmentId, blocks: readonly Buffer[]): Promise<void>;
  /** One deletion bitmap chunk of at most 4 KB (32,768 documents). */
  writeDeletions(
    chunks: readonly { segment: SegmentId; chunk: number; generation: number; bits: Buffer }[],
  ): Promise<void>;
  /**
   * A block, checksum verified. The buffer owns its memory from offset 0, so typed arrays can view it.
   * @throws SegmentDamageError when it is missing or damaged.
   */
  readBlock(segment: SegmentId, block: number): Buffer;
  readDeletions(segment: SegmentId, chunk: number, generation: number): Buffer;
  /** Removes everything of these segments in chunked synced batches. Idempotent. */
  removeSegments(segments: readonly SegmentId[]): Promise<void>;
  /**
   * Removes the deletion chunks of a segment that none of the lists names.
   * @param kept lists of generations by chunk number, as `CommittedSegment.deletionChunks`.
   */
  removeOtherDeletions(segment: SegmentId, kept: readonly (readonly number[])[]): Promise<void>;
  /** Removes superseded deletion chunks. */
  removeDeletions(
    chunks: readonly { segment: SegmentId; chunk: number; generation: number }[],
  ): Promise<void>;
}

/** Read access to the `log` database; safe from any thread. */
export interface LogReader {
  /** The record, checksum verified; undefined when there is none (purged, or never written). */
  readRecord(shard: ShardId, sequence: SequenceNumber): LogRecord | undefined;
  readUid(shard: ShardId, type: string, id: string): UidEntry | undefined;
}

/** What records are copied into, as they are stored. */
export interface RecordSink {
  /** @throws CorruptionError when the record is damaged */
  add(key: Buffer, value: Buffer): void;
}

/** The `log` database on main. */
export interface LogStore extends LogReader {
  /**
   * Queues a unit; settles when its batch is synced, or rejects with what `prepare` threw, or StorageFailure.
   */
  submit<R>(unit: CommitUnit<R>): Promise<R>;
  /** All metadata values by name, or those whose name begins with `prefix`. */
  readMetadata(prefix?: string): Promise<ReadonlyMap<string, Buffer>>;
  readCommit(shard: ShardId): CommitPoint | undefined;
  /**
   * Copies records with from < sequence <= to into `slab`, in order, in slices of about `sliceBytes`; gives
   * the number of records of each slice.
   */
  copyRecords(
    shard: ShardId,
    from: SequenceNumber,
    to: SequenceNumber,
    sliceBytes: number,
    slab: RecordSink,
  ): AsyncIterable<number>;
  /** Records with from < sequence <= to, in order, in slices of about `sliceBytes`. */
  scanRecords(
    shard: ShardId,
    from: SequenceNumber,
    to: SequenceNumber,
    sliceBytes: number,
  ): AsyncIterable<readonly (readonly [SequenceNumber, LogRecord])[]>;
  /** Records up to `to`, the newest first, in slices of about `sliceBytes`, all as of the first slice. */
  scanRecordsBackwards(
    shard: ShardId,
    to: SequenceNumber,
    sliceBytes: number,
  ): AsyncIterable<readonly (readonly [SequenceNumber, LogRecord])[]>;
  /** The highest sequence number of a shard's log, or 0. */
  lastSequence(shard: ShardId): Promise<SequenceNumber>;
  /** Tombstones and live entries of a shard's uid space, or of one type there. */
  scanUids(
    shard: ShardId,
    type?: string,
  ): AsyncIterable<{ readonly type: string; readonly id: string; readonly entry: UidEntry }>;
  readBuildIntents(): Promise<readonly SegmentId[]>;
  readDeleteIntents(): Promise<
    readonly { readonly shard: ShardId; readonly segments: readonly SegmentId[] }[]
  >;
  /** Removes every key of a shard (records, uids, commit) in chunked synced batches. Idempotent. */
  removeShard(shard: ShardId): Promise<void>;
}
