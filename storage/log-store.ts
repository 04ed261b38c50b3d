// The `log` database: documents, their latest versions, commit points, cluster metadata and intents.
// Writes go through the committer; reads see every acknowledged write at once, from any thread.

import { unframeValue } from './codec';
import type { Committer } from './committer';
import { compactQuietly, type KeyValueDatabase } from './key-value-database';
import {
  buildIntentRange,
  commitKey,
  deleteIntentRange,
  metadataNameOf,
  metadataRange,
  recordKey,
  recordRange,
  segmentOfKey,
  sequenceOf,
  shardOfKey,
  shardRecordRange,
  shardUidRange,
  typeUidRange,
  uidKey,
  uidOf,
  type KeyRange,
} from './keys';
import type {
  CommitPoint,
  CommitUnit,
  LogReader,
  LogRecord,
  LogStore,
  SegmentId,
  SequenceNumber,
  ShardId,
  UidEntry,
  RecordSink,
} from './types';
import { decodeCommit, decodeDeleteIntent, decodeRecord, decodeUid } from './values';

type RecordSlice = readonly (readonly [SequenceNumber, LogRecord])[];

const SLICE_BYTES = 256 * 1024;
/** Keys of one removal batch: little enough to let other units of the queue through in time. */
const REMOVE_SLICE_BYTES = 64 * 1024;
/** Space of fewer removed records or uid entries is left to come back by itself, unless they are large. */
const COMPACT_KEYS = 10_000;
const COMPACT_BYTES = 8 * 1024 * 1024;

/** Reads of the `log` database; for worker threads all there is. */
export class DatabaseLogReader implements LogReader {
  constructor(protected readonly database: KeyValueDatabase) {}

  readRecord(shard: ShardId, sequence: SequenceNumber): LogRecord | undefined {
    const key = recordKey(shard, sequence);
    const value = this.database.get(key);
    return value === undefined ? undefined : decodeRecord(key, value);
  }

  readUid(shard: ShardId, type: string, id: string): UidEntry | undefined {
    const key = uidKey(shard, type, id);
    const value = this.database.get(key);
    return value === undefined ? undefined : decodeUid(key, value);
  }

  async *copyRecords(
    shard: ShardId,
    from: SequenceNumber,
    to: SequenceNumber,
    sliceBytes: number,
    slab: RecordSink,
  ): AsyncGenerator<number> {
    for await (const slice of this.database.scan(recordRange(shard, from, to), { sliceBytes })) {
      for (const [key, value] of slice) slab.add(key, value);
      yield slice.length;
    }
  }
}

/** The `log` database on main. */
export class DatabaseLogStore extends DatabaseLogReader implements LogStore {
  constructor(
    database: KeyValueDatabase,
    private readonly committer: Committer,
  ) {
    super(database);
  }

  submit<R>(unit: CommitUnit<R>): Promise<R> {
    return this.committer.submit(unit);
  }

  async readMetadata(prefix = ''): Promise<ReadonlyMap<string, Buffer>> {
    const values = new Map<string, Buffer>();
    for await (const slice of this.database.scan(metadataRange(prefix), {
      sliceBytes: SLICE_BYTES,
    })) {
      for (const [key, value] of slice) values.set(metadataNameOf(key), unframeValue(key, value));
    }
    return values;
  }

  readCommit(shard: ShardId): CommitPoint | undefined {
    const key = commitKey(shard);
    const value = this.database.get(key);
    return value === undefined ? undefined : decodeCommit(key, value);
  }

  scanRecords(
    shard: ShardId,
    from: SequenceNumber,
    to: SequenceNumber,
    sliceBytes: number,
  ): AsyncGenerator<RecordSlice> {
    return this.scanDecoded(recordRange(shard, from, to), { sliceBytes });
  }

  scanRecordsBackwards(
    shard: ShardId,
    to: SequenceNumber,
    sliceBytes: number,
  ): AsyncGenerator<RecordSlice> {
    return this.scanDecoded(recordRange(shard, 0, to), { sliceBytes, reverse: true });
  }

  async lastSequence(shard: ShardId): Promise<SequenceNumber> {
    const options = { sliceBytes: 1, keysOnly: true };
    let last = 0;
    const backwards = { ...options, reverse: true, limit: 1 };
    for await (const slice of this.database.scan(shardRecordRange(shard), backwards)) {
      for (const [key] of slice) last = sequenceOf(key);
    }
    // A damaged part is stepped over, and reported only by a scan that is read to its end.
    const beyond = recordRange(shard, last, Number.MAX_SAFE_INTEGER);
    for await (const slice of this.database.scan(beyond, options)) {
      for (const [key] of slice) last = sequenceOf(key);
    }
    return last;
  }

  async *scanUids(
    shard: ShardId,
    type?: string,
  ): AsyncGenerator<{ readonly type: string; readonly id: string; readonly entry: UidEntry }> {
    const range = type === undefined ? shardUidRange(shard) : typeUidRange(shard, type);
    for await (const slice of this.database.scan(range, { sliceBytes: SLICE_BYTES })) {
      for (const [key, value] of slice) {
        const { type, id } = uidOf(key);
        yield { type, id, entry: decodeUid(key, value) };
      }
    }
  }

  async readBuildIntents(): Promise<readonly SegmentId[]> {
    const segments: SegmentId[] = [];
    for await (const slice of this.database.scan(buildIntentRange(), { sliceBytes: SLICE_BYTES })) {
      for (const [key, value] of slice) {
        unframeValue(key, value);
        segments.push(segmentOfKey(key));
      }
    }
    return segments;
  }

  async readDeleteIntents(): Promise<
    readonly { readonly shard: ShardId; readonly segments: readonly SegmentId[] }[]
  > {
    const intents: { shard: ShardId; segments: readonly SegmentId[] }[] = [];
    for await (const slice of this.database.scan(deleteIntentRange(), {
      sliceBytes: SLICE_BYTES,
    })) {
      for (const [key, value] of slice) {
        intents.push({ shard: shardOfKey(key), segments: decodeDeleteIntent(key, value) });
      }
    }
    return intents;
  }

  async removeShard(shard: ShardId): Promise<void> {
    // The commit point first: without it nothing refers to what is still there if this is interrupted.
    await this.committer.submit({
      estimatedBytes: 16,
      prepare: (batch) => batch.removeCommit(shard),
    });
    await this.removeRange(shardRecordRange(shard));
    await this.removeRange(shardUidRange(shard));
  }

  private async *scanDecoded(
    range: KeyRange,
    options: { readonly sliceBytes: number; readonly reverse?: boolean },
  ): AsyncGenerator<RecordSlice> {
    for await (const slice of this.database.scan(range, options)) {
      yield slice.map(([key, value]) => [sequenceOf(key), decodeRecord(key, value)] as const);
    }
  }

  private async removeRange(range: KeyRange): Promise<void> {
    let removed = 0;
    const bytes = await this.database.approximateBytes(range);
    const options = { sliceBytes: REMOVE_SLICE_BYTES, keysOnly: true };
    for await (const slice of this.database.scan(range, options)) {
      const keyBytes = slice.reduce((sum, [key]) => sum + key.length, 0);
      await this.committer.submitInternal(keyBytes, (batch) => {
        for (const [key] of slice) batch.remove(key);
      });
      removed += slice.length;
    }
    if (removed >= COMPACT_KEYS || bytes >= COMPACT_BYTES)
      await compactQuietly(this.database, range);
  }
}
