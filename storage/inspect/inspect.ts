// Looking through a whole data folder without changing it: every table file, every value, and whether what
// is referred to is there. The databases are opened over links to their files, because opening LevelDB
// itself rewrites files, and drops damaged parts of its log.

import { copyFile, link, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isIncomplete, readBatchNumbers } from '../batch-numbers';
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
  shardOfKey,
  uidKey,
  uidOf,
} from '../keys';
import { LevelDatabase } from '../level-database';
import { readStamp, type Stamp } from '../stamp';
import type { CommitPoint, SegmentId, ShardId } from '../types';
import { decodeCommit, decodeDeleteIntent, decodeRecord, decodeUid } from '../values';
import { tableProblem } from './table-check';

const SLICE_BYTES = 1024 * 1024;
const NAMES: readonly DatabaseName[] = ['log', 'segments'];
const ALL_KEYS = { gte: Buffer.from([0]), lt: Buffer.from([0xff]) };

/** What was found in a data folder. */
export interface Inspection {
  readonly stamp: Stamp;
  /** Damage, one sentence each. */
  readonly problems: string[];
  /** Documents that are gone or can no longer be read, one sentence each; each is a problem as well. */
  readonly lost: string[];
  /** What no shard needs; start-up or a repair removes it. */
  readonly leftovers: string[];
  /** Databases with damaged table files. They are not opened: LevelDB may end the process over them. */
  readonly damagedFiles: Set<DatabaseName>;
  /** Cluster metadata that is whole. */
  readonly metadata: Map<string, Buffer>;
  /** Cluster metadata is damaged: only a backup helps. */
  isMetadataDamaged: boolean;
  /** Commit points; null when damaged. */
  readonly commits: Map<ShardId, CommitPoint | null>;
  /** Shards whose segments have to be built again. */
  readonly damagedShards: Set<ShardId>;
  /** Highest batch number found. */
  lastBatch: number;
  documents: number;
  values: number;
}

/** Told how far the reading is: bytes of table files, then values. */
export type OnProgress = (phase: 'files' | DatabaseName, done: number, total: number) => void;

/** The databases of a folder whose files are whole, opened over links. */
export type OpenedCopies = ReadonlyMap<DatabaseName, KeyValueDatabase>;

/**
 * Reads everything in a data folder that no process uses.
 * @param use is called with the opened databases when all was read, before they are closed.
 * @throws LockedError when a server runs over it; DataFolderError; FormatVersionError; CorruptionError when the
 *         stamp is damaged or a database cannot be opened at all.
 */
export async function inspectFolder(
  folder: string,
  onProgress: OnProgress,
  use: (inspection: Inspection, databases: OpenedCopies) => Promise<void> = async () => undefined,
): Promise<Inspection> {
  const stamp = await readStamp(folder);
  if (stamp === undefined) throw new DataFolderError(`${folder} is not a data folder of facetd`);
  await assertUnused(folder);
  const inspection: Inspection = {
    stamp,
    problems: [],
    lost: [],
    leftovers: [],
    damagedFiles: new Set(),
    metadata: new Map(),
    isMetadataDamaged: false,
    commits: new Map(),
    damagedShards: new Set(),
    lastBatch: 0,
    documents: 0,
    values: 0,
  };
  await checkFiles(folder, inspection, onProgress);
  if (inspection.damagedFiles.has('log')) return inspection;
  const copies = await mkdtemp(join(folder, '.inspect-'));
  const databases = new Map<DatabaseName, KeyValueDatabase>();
  try {
    for (const name of NAMES) {
      if (inspection.damagedFiles.has(name)) continue;
      await linkFiles(databasePath(folder, name), join(copies, name));
      databases.set(name, await LevelDatabase.open(name, join(copies, name), false));
    }
    await readAll(inspection, databases, onProgress);
    await use(inspection, databases);
    return inspection;
  } finally {
    for (const database of databases.values()) await database.close();
    await rm(copies, { recursive: true, force: true });
  }
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

async function checkFiles(
  folder: string,
  { problems, damagedFiles }: Inspection,
  onProgress: OnProgress,
): Promise<void> {
  const files: {
    name: DatabaseName;
    readonly path: string;
    readonly label: string;
    readonly bytes: number;
  }[] = [];
  for (const name of NAMES) {
    const entries = await readdir(databasePath(folder, name)).catch(() => {
      throw new CorruptionError(`the ${name} database is missing`);
    });
    for (const entry of entries) {
      if (!/\.(ldb|sst)$/.test(entry)) continue;
      const path = join(databasePath(folder, name), entry);
      files.push({ name, path, label: `${name}/${entry}`, bytes: (await stat(path)).size });
    }
  }
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const { name, path, label, bytes } of files) {
    const problem = tableProblem(await readFile(path));
    if (problem !== null) {
      problems.push(`file ${label}: ${problem}`);
      damagedFiles.add(name);
    }
    done += bytes;
    onProgress('files', done, total);
  }
}

/** Tables are never changed in place, so a link is as good as a copy; all else is copied. */
async function linkFiles(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from)) {
    if (name === 'LOCK') continue;
    const isTable = /\.(ldb|sst)$/.test(name);
    const isLinked =
      isTable &&
      (await link(join(from, name), join(to, name)).then(
        () => true,
        () => false,
      ));
    if (!isLinked) await copyFile(join(from, name), join(to, name));
  }
}

async function readAll(
  inspection: Inspection,
  databases: OpenedCopies,
  onProgress: OnProgress,
): Promise<void> {
  const log = databases.get('log')!;
  const segments = databases.get('segments');
  const { problems, commits, damagedShards, leftovers } = inspection;
  const intended = new Set<SegmentId>();
  try {
    const numbers = await readBatchNumbers(log, inspection.stamp.batch);
    inspection.lastBatch = numbers.last;
    if (isIncomplete(numbers)) {
      const runs = numbers.missing.map(({ from, to }) =>
        from === to ? `${from}` : `${from}-${to}`,
      );
      problems.push(`log: acknowledged batches are missing: ${runs.join(', ') || 'all numbers'}`);
    }
  } catch (error) {
    problems.push(`log: batch numbers: ${messageOf(error)}`);
  }
  await eachValue(log, inspection, onProgress, (key, value) =>
    readLogValue(log, inspection, intended, key, value),
  );
  const blocks = new Map<SegmentId, number>();
  const chunks = new Set<string>();
  const readSegmentValue = (key: Buffer, value: Buffer): void => {
    unframeValue(key, value);
    if (key[0] === KeyPrefix.identity) return;
    const id = segmentOfKey(key);
    if (key[0] === KeyPrefix.block) blocks.set(id, (blocks.get(id) ?? 0) + 1);
    if (key[0] !== KeyPrefix.deletions) return;
    const { chunk, generation } = deletionChunkOf(key);
    chunks.add(`${id}/${chunk}/${generation}`);
  };
  if (segments !== undefined) {
    await eachValue(segments, inspection, onProgress, readSegmentValue);
  }
  for (const [shard, commit] of commits) {
    for (const segment of commit?.segments ?? []) {
      intended.add(segment.id);
      const missing = segment.blocks - (blocks.get(segment.id) ?? 0);
      const lacking = segment.deletionChunks.filter(
        (generation, chunk) =>
          generation > 0 && !chunks.has(`${segment.id}/${chunk}/${generation}`),
      ).length;
      if (missing === 0 && lacking === 0) continue;
      damagedShards.add(shard);
      problems.push(
        `segment ${segment.id} of shard ${shard}: ${missing} blocks and ${lacking} deletion chunks are missing or damaged`,
      );
    }
  }
  for (const id of blocks.keys()) {
    if (!intended.has(id)) leftovers.push(`segment ${id} belongs to no shard`);
  }
}

/** Calls `check` with every value; what it throws, and parts that cannot be read, are problems. */
async function eachValue(
  database: KeyValueDatabase,
  inspection: Inspection,
  onProgress: OnProgress,
  check: (key: Buffer, value: Buffer) => void,
): Promise<void> {
  let done = 0;
  try {
    for await (const slice of database.scan(ALL_KEYS, { sliceBytes: SLICE_BYTES })) {
      for (const [key, value] of slice) {
        done++;
        try {
          check(key, value);
        } catch (error) {
          inspection.problems.push(`${database.name}: ${messageOf(error)}`);
        }
      }
      onProgress(database.name, done, 0);
    }
  } catch (error) {
    inspection.problems.push(`${database.name}: a part cannot be read: ${messageOf(error)}`);
  }
  inspection.values += done;
}

function readLogValue(
  log: KeyValueDatabase,
  inspection: Inspection,
  intended: Set<SegmentId>,
  key: Buffer,
  value: Buffer,
): void {
  const { commits, damagedShards, metadata, problems, lost } = inspection;
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
        inspection.isMetadataDamaged = true;
        throw error;
      }
      return;
    }
    case KeyPrefix.buildIntent:
      intended.add(segmentOfKey(key));
      unframeValue(key, value);
      return;
    case KeyPrefix.deleteIntent:
      for (const id of decodeDeleteIntent(key, value)) intended.add(id);
      return;
    case KeyPrefix.record: {
      const { type, id, op } = decodeRecord(key, value);
      if (op !== 'index' || log.get(uidKey(shardOfKey(key), type, id)) !== undefined) return;
      problems.push(`log: ${describeKey(key)} has lost its uid entry`);
      return;
    }
    case KeyPrefix.uid: {
      const { sequence, deleted } = decodeUid(key, value);
      if (deleted) return;
      inspection.documents++;
      const record = recordKey(shardOfKey(key), sequence);
      if (isWhole(log, record)) return;
      const { type, id } = uidOf(key);
      const text = `document [${type}][${id}] of shard ${shardOfKey(key)}: ${describeKey(record)} is missing or damaged`;
      damagedShards.add(shardOfKey(key));
      lost.push(text);
      problems.push(`log: ${text}`);
      return;
    }
    default:
      unframeValue(key, value);
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
