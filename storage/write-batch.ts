// The operations of one batch of the `log` database while units fill it, with the two things a unit
// relies on: it reads what earlier units of the same batch wrote, and it leaves nothing behind if it throws.

import { frameValue } from './codec';
import { StorageError } from './errors';
import { bytesOf, type KeyValueDatabase, type WriteOperation } from './key-value-database';
import {
  buildIntentKey,
  commitKey,
  deleteIntentKey,
  KeyPrefix,
  metadataKey,
  recordKey,
  uidKey,
} from './keys';
import type {
  CommitPoint,
  LogBatch,
  LogRecord,
  SegmentId,
  SequenceNumber,
  ShardId,
  UidEntry,
} from './types';
import { decodeUid, encodeCommit, encodeDeleteIntent, encodeRecord, encodeUid } from './values';

/** A point to roll back to. */
interface Savepoint {
  readonly operations: number;
  readonly bytes: number;
  readonly overlaid: number;
}

const EMPTY = Buffer.alloc(0);

/** Implements LogBatch over one database. */
export class WriteBatch implements LogBatch {
  readonly operations: WriteOperation[] = [];
  private size = 0;
  private open = false;
  // Uid entries of this batch by key bytes (null: removed), and what each change replaced, for rollback.
  private readonly uids = new Map<string, UidEntry | null>();
  private lastUid: { shard: ShardId; type: string; id: string; key: Buffer } | null = null;
  private readonly replaced: {
    readonly key: string;
    readonly before: UidEntry | null | undefined;
  }[] = [];

  constructor(private readonly database: KeyValueDatabase) {}

  get bytes(): number {
    return this.size;
  }

  /** Begins a unit's turn; only within it may the batch be used. */
  begin(): Savepoint {
    this.open = true;
    return { operations: this.operations.length, bytes: this.size, overlaid: this.replaced.length };
  }

  /** Ends a unit's turn, keeping what it collected. */
  end(): void {
    this.open = false;
  }

  /** Ends a unit's turn and drops everything collected since the savepoint. */
  rollback(to: Savepoint): void {
    this.open = false;
    this.operations.length = to.operations;
    this.size = to.bytes;
    while (this.replaced.length > to.overlaid) {
      const change = this.replaced.pop();
      if (change === undefined) break;
      if (change.before === undefined) this.uids.delete(change.key);
      else this.uids.set(change.key, change.before);
    }
  }

  getUid(shard: ShardId, type: string, id: string): UidEntry | undefined {
    this.check();
    const key = this.uidKey(shard, type, id);
    const overlaid = this.uids.size === 0 ? undefined : this.uids.get(key.toString('latin1'));
    if (overlaid !== undefined) return overlaid ?? undefined;
    const value = this.database.get(key);
    return value === undefined ? undefined : decodeUid(key, value);
  }

  putRecord(shard: ShardId, sequence: SequenceNumber, record: LogRecord): void {
    const key = recordKey(shard, sequence);
    this.put(key, encodeRecord(key, record));
  }

  removeRecord(shard: ShardId, sequence: SequenceNumber): void {
    this.remove(recordKey(shard, sequence));
  }

  putUid(shard: ShardId, type: string, id: string, entry: UidEntry): void {
    const key = this.uidKey(shard, type, id);
    this.put(key, encodeUid(key, entry));
    this.overlay(key, entry);
  }

  removeUid(shard: ShardId, type: string, id: string): void {
    this.remove(uidKey(shard, type, id));
  }

  putCommit(shard: ShardId, commit: CommitPoint): void {
    const key = commitKey(shard);
    this.put(key, encodeCommit(key, commit));
  }

  removeCommit(shard: ShardId): void {
    this.remove(commitKey(shard));
  }

  putMetadata(name: string, value: Buffer): void {
    const key = metadataKey(name);
    this.put(key, frameValue(key, value));
  }

  removeMetadata(name: string): void {
    this.remove(metadataKey(name));
  }

  putBuildIntent(segment: SegmentId): void {
    const key = buildIntentKey(segment);
    this.put(key, frameValue(key, EMPTY));
  }

  removeBuildIntent(segment: SegmentId): void {
    this.remove(buildIntentKey(segment));
  }

  putDeleteIntent(shard: ShardId, segments: readonly SegmentId[]): void {
    const key = deleteIntentKey(shard);
    this.put(key, encodeDeleteIntent(key, segments));
  }

  removeDeleteIntent(shard: ShardId): void {
    this.remove(deleteIntentKey(shard));
  }

  /** Sets a framed value under a key that is not a uid entry's. */
  put(key: Buffer, value: Buffer): void {
    this.add({ type: 'put', key, value });
  }

  /** Removes a key of any kind. */
  remove(key: Buffer): void {
    this.add({ type: 'del', key });
    if (key[0] === KeyPrefix.uid) this.overlay(key, null);
  }

  /** What was looked up is what is written next. */
  private uidKey(shard: ShardId, type: string, id: string): Buffer {
    const { lastUid } = this;
    if (lastUid?.id === id && lastUid.type === type && lastUid.shard === shard) return lastUid.key;
    const key = uidKey(shard, type, id);
    this.lastUid = { shard, type, id, key };
    return key;
  }

  private add(operation: WriteOperation): void {
    this.check();
    this.operations.push(operation);
    this.size += bytesOf(operation);
  }

  private overlay(key: Buffer, entry: UidEntry | null): void {
    const name = key.toString('latin1');
    this.replaced.push({ key: name, before: this.uids.get(name) });
    this.uids.set(name, entry);
  }

  private check(): void {
    if (!this.open) {
      throw new StorageError(
        'STORAGE_BATCH_CLOSED',
        'a batch was used after its unit had its turn',
      );
    }
  }
}
