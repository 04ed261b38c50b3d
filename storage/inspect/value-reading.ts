// Reading every value of a data folder, and comparing what they say of each other.

import { unframeValue } from '../codec';
import { messageOf } from '../error-cause';
import type { KeyValueDatabase } from '../key-value-database';
import {
  deletionChunkOf,
  describeKey,
  KeyPrefix,
  metadataNameOf,
  recordKey,
  segmentOfKey,
  sequenceOf,
  shardOfKey,
  uidKey,
  uidOf,
} from '../keys';
import type { LogRecord, SegmentId, SequenceNumber, ShardId, UidEntry } from '../types';
import {
  decodeCommit,
  decodeDeleteIntent,
  decodeIdentity,
  decodeRecord,
  decodeUid,
} from '../values';
import type { Inspection, OnProgress, OpenedCopies } from './inspection';
import { isAmong, mayHold } from './lost-keys';

const SLICE_BYTES = 1024 * 1024;
const ALL_KEYS = { gte: Buffer.from([0]), lt: Buffer.from([0xff]) };

/** What is known of a shard while its values are read. */
interface ShardCounts {
  /** Live documents of which the segments must know. */
  documents: number;
  /** The newest record that was read after the commit point. */
  tail: SequenceNumber;
}

/** Reads all values of both databases, and compares what they say of each other. */
export class ValueReading {
  private readonly log: KeyValueDatabase;
  private readonly segments: KeyValueDatabase;
  /** Segments that something says are there. */
  private readonly intended = new Set<SegmentId>();
  private readonly shards = new Map<ShardId, ShardCounts>();
  private readonly blocks = new Map<SegmentId, number>();
  private readonly chunks = new Set<string>();

  constructor(
    private readonly inspection: Inspection,
    databases: OpenedCopies,
    private readonly onProgress: OnProgress,
  ) {
    this.log = databases.get('log')!;
    this.segments = databases.get('segments')!;
  }

  async run(): Promise<void> {
    // Keys come in the order of their prefixes: commit points before records, records before uid entries.
    await this.eachValue(this.log, (key, value) => this.readLogValue(key, value));
    await this.eachValue(this.segments, (key, value) => this.readSegmentValue(key, value));
    for (const [hex, entry] of this.inspection.renewedUids) {
      this.countDocument(shardOfKey(Buffer.from(hex, 'hex')), entry);
    }
    this.markDamagedShards();
    this.compareSegments();
  }

  /** Calls `check` with every value; what it throws, and parts that cannot be read, are problems. */
  private async eachValue(
    database: KeyValueDatabase,
    check: (key: Buffer, value: Buffer) => void,
  ): Promise<void> {
    const { problems } = this.inspection;
    let done = 0;
    try {
      for await (const slice of database.scan(ALL_KEYS, { sliceBytes: SLICE_BYTES })) {
        for (const [key, value] of slice) {
          done++;
          try {
            check(key, value);
          } catch (error) {
            problems.push(`${database.name}: ${messageOf(error)}`);
          }
        }
        this.onProgress(database.name, done, 0);
      }
    } catch (error) {
      problems.push(`${database.name}: a part cannot be read: ${messageOf(error)}`);
    }
    this.inspection.values += done;
  }

  private readLogValue(key: Buffer, value: Buffer): void {
    const { commits, damagedShards, metadata } = this.inspection;
    switch (key[0]) {
      case KeyPrefix.commit: {
        const shard = shardOfKey(key);
        commits.set(shard, null);
        damagedShards.add(shard);
        commits.set(shard, decodeCommit(key, value));
        damagedShards.delete(shard);
        return;
      }
      case KeyPrefix.metadata: {
        try {
          metadata.set(metadataNameOf(key), unframeValue(key, value));
        } catch (error) {
          this.inspection.isMetadataDamaged = true;
          throw error;
        }
        return;
      }
      case KeyPrefix.buildIntent:
        this.intended.add(segmentOfKey(key));
        unframeValue(key, value);
        return;
      case KeyPrefix.deleteIntent:
        for (const id of decodeDeleteIntent(key, value)) this.intended.add(id);
        return;
      case KeyPrefix.identity: {
        const nodeId = decodeIdentity(key, value);
        if (this.inspection.stamp === null) this.inspection.nodeId = nodeId;
        return;
      }
      case KeyPrefix.record:
        return this.readRecord(key, decodeRecord(key, value));
      case KeyPrefix.uid:
        return this.readUid(key, decodeUid(key, value));
      case undefined:
      default:
        unframeValue(key, value);
    }
  }

  private readRecord(key: Buffer, { op, type, id, version, supersedes }: LogRecord): void {
    const shard = shardOfKey(key);
    const sequence = sequenceOf(key);
    const indexed = this.inspection.commits.get(shard)?.sequence ?? 0;
    const counts = this.countsOf(shard);
    if (sequence > indexed) {
      // What no segment has yet is there without a gap.
      const missing = { from: Math.max(counts.tail, indexed) + 1, to: sequence - 1 };
      if (this.inspection.isLogIncomplete && missing.from <= missing.to) {
        this.lose(`records ${missing.from} to ${missing.to} of shard ${shard}`);
      }
      counts.tail = sequence;
      if (supersedes > 0 && supersedes <= indexed) counts.documents++;
    }
    const uid = uidKey(shard, type, id);
    const known = this.uidAt(uid);
    if (known !== null && known.sequence >= sequence) return;
    const deleted = op === 'delete';
    const deletedAt = deleted ? Date.now() : 0;
    this.inspection.renewedUids.set(uid.toString('hex'), { sequence, version, deleted, deletedAt });
    if (known === null && deleted) return;
    this.inspection.damagedShards.add(shard);
    const what = known === null ? 'has lost its uid entry' : 'is newer than its uid entry';
    this.inspection.problems.push(`log: ${describeKey(key)} ${what}`);
  }

  private readUid(key: Buffer, entry: UidEntry): void {
    const { sequence, deleted } = entry;
    // One that is older than a record counts as that record says.
    if (deleted || this.inspection.renewedUids.has(key.toString('hex'))) return;
    const shard = shardOfKey(key);
    this.countDocument(shard, entry);
    const record = recordKey(shard, sequence);
    const { type, id } = uidOf(key);
    const document = `document [${type}][${id}] of shard ${shard}`;
    if (!isWhole(this.log, record)) {
      this.inspection.damagedShards.add(shard);
      this.lose(`${document}: ${describeKey(record)} is missing or damaged`);
    } else if (this.mayBeOld(key, shard, sequence)) {
      this.lose(`${document}: a newer version than ${describeKey(record)} may have been there`);
    }
  }

  /** Whether a newer entry of that key, and its record, may be among what is lost. */
  private mayBeOld(key: Buffer, shard: ShardId, sequence: SequenceNumber): boolean {
    const { lostKeys } = this.inspection;
    const newer = recordKey(shard, sequence + 1);
    return (
      lostKeys.some((lost) => isAmong(lost, key)) &&
      lostKeys.some((lost) => mayHold(lost, KeyPrefix.record, shard, newer))
    );
  }

  private lose(text: string): void {
    this.inspection.lost.push(text);
    this.inspection.problems.push(`log: ${text}`);
  }

  private countDocument(shard: ShardId, { sequence, deleted }: UidEntry): void {
    if (deleted) return;
    this.inspection.documents++;
    const indexed = this.inspection.commits.get(shard)?.sequence ?? 0;
    if (sequence <= indexed) this.countsOf(shard).documents++;
  }

  private countsOf(shard: ShardId): ShardCounts {
    let counts = this.shards.get(shard);
    if (counts === undefined) this.shards.set(shard, (counts = { documents: 0, tail: 0 }));
    return counts;
  }

  private uidAt(key: Buffer): UidEntry | null {
    try {
      const value = this.log.get(key);
      return value === undefined ? null : decodeUid(key, value);
    } catch {
      return null;
    }
  }

  private readSegmentValue(key: Buffer, value: Buffer): void {
    unframeValue(key, value);
    if (key[0] === KeyPrefix.identity) return;
    const id = segmentOfKey(key);
    if (key[0] === KeyPrefix.block) this.blocks.set(id, (this.blocks.get(id) ?? 0) + 1);
    if (key[0] !== KeyPrefix.deletions) return;
    const { chunk, generation } = deletionChunkOf(key);
    this.chunks.add(`${id}/${chunk}/${generation}`);
  }

  /** Shards of which something is lost are built again from what is there. */
  private markDamagedShards(): void {
    const { damagedShards, lostKeys, commits, problems } = this.inspection;
    for (const [shard, { documents }] of this.shards) {
      const mayMiss = [KeyPrefix.commit, KeyPrefix.record, KeyPrefix.uid].some((prefix) =>
        lostKeys.some((lost) => mayHold(lost, prefix, shard)),
      );
      if (mayMiss || this.inspection.isLogIncomplete) damagedShards.add(shard);
      const segments = commits.get(shard)?.segments ?? [];
      const indexed = segments.reduce((sum, one) => sum + one.rootCount - one.deletedRootCount, 0);
      if (indexed <= documents) continue;
      damagedShards.add(shard);
      const text = `${indexed - documents} documents of shard ${shard} that are not named here`;
      this.inspection.lost.push(text);
      problems.push(`log: lost: ${text}`);
    }
  }

  private compareSegments(): void {
    const { commits, damagedShards, problems, leftovers } = this.inspection;
    for (const [shard, commit] of commits) {
      for (const segment of commit?.segments ?? []) {
        this.intended.add(segment.id);
        const missing = segment.blocks - (this.blocks.get(segment.id) ?? 0);
        const lacking = segment.deletionChunks.filter(
          (generation, chunk) =>
            generation > 0 && !this.chunks.has(`${segment.id}/${chunk}/${generation}`),
        ).length;
        if (missing === 0 && lacking === 0) continue;
        damagedShards.add(shard);
        problems.push(
          `segment ${segment.id} of shard ${shard}: ${missing} blocks and ${lacking} deletion chunks are missing or damaged`,
        );
      }
    }
    for (const id of this.blocks.keys()) {
      if (!this.intended.has(id)) leftovers.push(`segment ${id} belongs to no shard`);
    }
  }
}

/** Whether a record is there and can be read. */
export function isWhole(log: KeyValueDatabase, key: Buffer): boolean {
  try {
    const value = log.get(key);
    if (value === undefined) return false;
    decodeRecord(key, value);
    return true;
  } catch {
    return false;
  }
}
