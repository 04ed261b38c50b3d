// Looking through a whole data folder without changing it: every file, every value, and whether what is referred to
// is there. The databases are opened as copies, which hold what is whole of damaged files.

import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isIncomplete, readBatchNumbers, type BatchNumbers } from '../batch-numbers';
import { unframeValue } from '../codec';
import { databasePath } from '../data-dir';
import { messageOf } from '../error-cause';
import { CorruptionError, DataFolderError, LockedError } from '../errors';
import type { DatabaseName, KeyValueDatabase } from '../key-value-database';
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
import { readStamp, STAMP_FILE, type Stamp } from '../stamp';
import type {
  CommitPoint,
  LogRecord,
  SegmentId,
  SequenceNumber,
  ShardId,
  UidEntry,
} from '../types';
import {
  decodeCommit,
  decodeDeleteIntent,
  decodeIdentity,
  decodeRecord,
  decodeUid,
} from '../values';
import { checkFiles, openCopy, type FileDamage, type OpenedCopy } from './files';
import { describeLost, isAmong, mayHold, mayHoldAny, type LostKeys } from './lost-keys';

const SLICE_BYTES = 1024 * 1024;
const NAMES: readonly DatabaseName[] = ['log', 'segments'];
const ALL_KEYS = { gte: Buffer.from([0]), lt: Buffer.from([0xff]) };

/** What was found in a data folder. */
export interface Inspection {
  /** Null when it is missing or damaged. */
  readonly stamp: Stamp | null;
  /** Of the stamp, else of the log. */
  nodeId: string;
  /** Damage, one sentence each. */
  readonly problems: string[];
  /** What is gone or can no longer be read, one sentence each; each is a problem as well. */
  readonly lost: string[];
  /** What no shard needs; start-up or a repair removes it. */
  readonly leftovers: string[];
  /** Keys of the document log that its damaged tables held. */
  readonly lostKeys: LostKeys[];
  /** Cluster metadata that is whole. */
  readonly metadata: Map<string, Buffer>;
  /** Cluster metadata is damaged: only a backup helps. */
  isMetadataDamaged: boolean;
  /** Commit points; null when damaged. */
  readonly commits: Map<ShardId, CommitPoint | null>;
  /** Shards whose segments have to be built again. */
  readonly damagedShards: Set<ShardId>;
  /** By the key in hex: uid entries that are missing or older than a record, as the newest record says. */
  readonly renewedUids: Map<string, UidEntry>;
  /** Batches are gone, and with them anything. */
  isLogIncomplete: boolean;
  /** Highest batch number found. */
  lastBatch: number;
  documents: number;
  values: number;
}

/** Told how far the reading is: bytes of files, then values. */
export type OnProgress = (phase: 'files' | DatabaseName, done: number, total: number) => void;

/** The databases of a folder, opened as copies. */
export type OpenedCopies = ReadonlyMap<DatabaseName, KeyValueDatabase>;

/**
 * Reads everything in a data folder that no process uses. When files are damaged it needs as much free space as
 * their database takes.
 * @param use is called with the opened databases when all was read, before they are closed.
 * @throws LockedError when a server runs over it; DataFolderError; FormatVersionError; DiskFullError; CorruptionError
 *         when a database is not there at all.
 */
export async function inspectFolder(
  folder: string,
  onProgress: OnProgress,
  use: (inspection: Inspection, databases: OpenedCopies) => Promise<void> = async () => undefined,
): Promise<Inspection> {
  const problems: string[] = [];
  const stamp = await readStampOf(folder, problems);
  await assertUnused(folder);
  const inspection: Inspection = {
    stamp,
    nodeId: stamp?.nodeId ?? '',
    problems,
    lost: [],
    leftovers: [],
    lostKeys: [],
    metadata: new Map(),
    isMetadataDamaged: false,
    commits: new Map(),
    damagedShards: new Set(),
    renewedUids: new Map(),
    isLogIncomplete: false,
    lastBatch: 0,
    documents: 0,
    values: 0,
  };
  const damage = await checkFiles(folder, (done, total) => onProgress('files', done, total));
  problems.push(...damage.problems);
  const copies = await mkdtemp(join(folder, '.inspect-'));
  const databases = new Map<DatabaseName, KeyValueDatabase>();
  try {
    databases.set('log', await openLog(folder, copies, damage, inspection));
    const segments = await openCopy(folder, 'segments', join(copies, 'segments'), damage, true);
    databases.set('segments', segments.database);
    noteRefusal(inspection, 'segments', segments);
    await new Reading(inspection, databases, onProgress).run();
    await use(inspection, databases);
    return inspection;
  } finally {
    for (const database of databases.values()) await database.close();
    await rm(copies, { recursive: true, force: true });
  }
}

/** Null, and a problem, when it is damaged, or missing in a folder that has our databases. */
async function readStampOf(folder: string, problems: string[]): Promise<Stamp | null> {
  try {
    const stamp = await readStamp(folder);
    if (stamp !== undefined) return stamp;
  } catch (error) {
    if (!(error instanceof CorruptionError)) throw error;
    problems.push(error.message);
    return null;
  }
  const isOurs = await stat(join(databasePath(folder, 'log'), 'CURRENT')).catch(() => null);
  if (isOurs === null) throw new DataFolderError(`${folder} is not a data folder of facetd`);
  problems.push(`${STAMP_FILE} is missing`);
  return null;
}

/**
 * Opens the log. Where batches are missing although nothing seems damaged, LevelDB's list of files may be an older
 * one, and the batches in files that it does not name.
 */
async function openLog(
  folder: string,
  copies: string,
  damage: FileDamage,
  inspection: Inspection,
): Promise<KeyValueDatabase> {
  let log = await openCopy(folder, 'log', join(copies, 'log'), damage, true);
  let numbers = await readNumbers(log.database, inspection);
  const mayBeOld = log.lost.length === 0 && log.refusal === null && damage.writeAhead.size === 0;
  if (mayBeOld && (numbers === null || isIncomplete(numbers))) {
    const all = await openCopy(folder, 'log', join(copies, 'log-all'), damage, false);
    const more = await readNumbers(all.database, inspection);
    if (more !== null && !isIncomplete(more)) {
      await log.database.close();
      [log, numbers] = [{ ...all, refusal: 'it does not name all files' }, more];
    } else await all.database.close();
  }
  noteRefusal(inspection, 'log', log);
  const { problems, lostKeys } = inspection;
  lostKeys.push(...log.lost);
  for (const lost of log.lost) problems.push(`log: ${describeLost(lost)}`);
  // A table that is gone may have held anything.
  const isGone = log.refusal?.includes('missing files') === true;
  if (isGone || log.lost.some((lost) => mayHoldAny(lost, KeyPrefix.metadata))) {
    inspection.isMetadataDamaged = true;
    problems.push('log: cluster metadata may be lost');
  }
  inspection.lastBatch = numbers?.last ?? 0;
  inspection.isLogIncomplete =
    numbers === null ||
    isIncomplete(numbers) ||
    [...damage.writeAhead].some((label) => label.startsWith('log/'));
  if (numbers === null) problems.push('log: batch numbers cannot be read');
  else if (isIncomplete(numbers)) {
    const runs = numbers.missing.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
    const text = `acknowledged batches are missing: ${runs.join(', ') || 'all numbers'}`;
    problems.push(`log: ${text}`);
    // Unless it is only their numbers that are lost.
    if (!log.lost.some((lost) => mayHoldAny(lost, KeyPrefix.batchNumber)))
      inspection.lost.push(text);
  }
  return log.database;
}

async function readNumbers(
  log: KeyValueDatabase,
  { stamp }: Inspection,
): Promise<BatchNumbers | null> {
  try {
    return await readBatchNumbers(log, stamp?.batch ?? 0);
  } catch {
    return null;
  }
}

function noteRefusal({ problems }: Inspection, name: DatabaseName, { refusal }: OpenedCopy): void {
  if (refusal !== null) problems.push(`${name}: the list of files is damaged: ${refusal}`);
}

/** @throws LockedError when a process holds the lock of a database; known on Linux only. */
export async function assertUnused(folder: string): Promise<void> {
  const locks = await readFile('/proc/locks', 'utf8').catch(() => '');
  for (const name of NAMES) {
    const file = await stat(join(databasePath(folder, name), 'LOCK')).catch(() => null);
    if (file !== null && new RegExp(`:${file.ino} `).test(locks)) {
      throw new LockedError(`the ${name} database of ${folder} is in use: stop the server first`);
    }
  }
}

/** What is known of a shard while its values are read. */
interface ShardCounts {
  /** Live documents of which the segments must know. */
  documents: number;
  /** The newest record that was read after the commit point. */
  tail: SequenceNumber;
}

/** Reads all values of both databases, and compares what they say of each other. */
class Reading {
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
