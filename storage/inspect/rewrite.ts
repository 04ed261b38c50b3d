// Repairing a data folder: all that is whole is copied into new databases, commit points of damaged shards
// are replaced by empty ones, so that the next start builds their segments again from the document log. The
// old databases are moved aside and never written.

import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { renumberOperations } from '../batch-numbers';
import { unframeValue } from '../codec';
import { assertUnused, databasePath } from '../data-dir';
import { CorruptionError, DataFolderError } from '../errors';
import type { DatabaseName, KeyValueDatabase, WriteOperation } from '../key-value-database';
import {
  commitKey,
  IDENTITY_KEY,
  KeyPrefix,
  recordKey,
  segmentOfKey,
  sequenceOf,
  shardOfKey,
  uidKey,
} from '../keys';
import { LevelDatabase } from '../level-database';
import { syncFolder, writeStamp } from '../stamp';
import type { SegmentId, UidEntry } from '../types';
import { decodeRecord, decodeUid, encodeCommit, encodeIdentity, encodeUid } from '../values';
import { inspectFolder } from './inspect';
import type { Inspection, OnProgress } from './inspection';
import { isWhole } from './value-reading';

const SLICE_BYTES = 1024 * 1024;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
const ALL_KEYS = { gte: Buffer.from([0]), lt: Buffer.from([0xff]) };
const NAMES: readonly DatabaseName[] = ['log', 'segments'];

/** What a repair did. */
interface Repair {
  readonly inspection: Inspection;
  /** Where the old databases are, or null when nothing was wrong and nothing was done. */
  readonly setAside: string | null;
}

/**
 * Repairs a data folder that no process uses. It needs twice as much free space as the folder takes.
 * Interrupted before the end, it leaves the folder as it was, or one that says what is to be moved.
 * @throws as `inspectFolder`; CorruptionError when cluster metadata is damaged, which only a backup can mend.
 */
export async function repairFolder(folder: string, onProgress: OnProgress): Promise<Repair> {
  for (const name of NAMES) await rm(repairedPath(folder, name), { recursive: true, force: true });
  const inspection = await inspectFolder(folder, onProgress, async (found, databases) => {
    if (found.problems.length === 0) return;
    if (found.isMetadataDamaged || found.metadata.size === 0 || found.nodeId === '') {
      throw new CorruptionError(
        `restore a backup: cluster metadata (mappings, settings, aliases) is damaged; ${found.problems.join('; ')}`,
      );
    }
    await copyLog(folder, found, databases.get('log')!);
    await copySegments(folder, found, databases.get('segments')!);
  });
  if (inspection.problems.length === 0) return { inspection, setAside: null };
  await assertUnused(folder);
  return { inspection, setAside: await exchange(folder, inspection) };
}

function repairedPath(folder: string, name: DatabaseName): string {
  return join(folder, `${name}.repaired`);
}

async function copyLog(folder: string, found: Inspection, log: KeyValueDatabase): Promise<void> {
  const { damagedShards, commits, renewedUids } = found;
  const target = await Target.open(folder, 'log', found.nodeId);
  const entryAt = (key: Buffer): UidEntry | null => {
    const value = log.get(key);
    return (
      renewedUids.get(key.toString('hex')) ?? (value === undefined ? null : decodeUid(key, value))
    );
  };
  try {
    await eachWhole(log, async (key, value) => {
      switch (key[0]) {
        case KeyPrefix.batchNumber:
        case KeyPrefix.batchFloor:
        case KeyPrefix.identity:
          return;
        case KeyPrefix.commit:
          if (!damagedShards.has(shardOfKey(key))) await target.put(key, value);
          return;
        case KeyPrefix.uid: {
          if (renewedUids.has(key.toString('hex'))) return;
          const { deleted, sequence } = decodeUid(key, value);
          if (deleted || isWhole(log, recordKey(shardOfKey(key), sequence))) {
            await target.put(key, value);
          }
          return;
        }
        case KeyPrefix.record: {
          const shard = shardOfKey(key);
          const { type, id } = decodeRecord(key, value);
          // Of a shard that is built again only the newest records count; an older one may have come back
          // with the loss of what removed it.
          const isNewest = entryAt(uidKey(shard, type, id))?.sequence === sequenceOf(key);
          if (isNewest || !damagedShards.has(shard)) await target.put(key, value);
          return;
        }
        case undefined:
        default:
          await target.put(key, value);
      }
    });
    for (const [hex, entry] of renewedUids) {
      const key = Buffer.from(hex, 'hex');
      await target.put(key, encodeUid(key, entry));
    }
    for (const shard of damagedShards) {
      const key = commitKey(shard);
      // The generation goes on: lists of what is to be removed are told apart by it.
      const generation = (commits.get(shard)?.generation ?? highestPurge(found, shard)) + 1;
      await target.put(key, encodeCommit(key, { generation, sequence: 0, segments: [] }));
    }
    await target.write(renumberOperations(nextBatch(found)));
  } finally {
    await target.close();
  }
}

async function copySegments(
  folder: string,
  { commits, damagedShards, nodeId }: Inspection,
  segments: KeyValueDatabase,
): Promise<void> {
  const kept = new Set<SegmentId>();
  for (const [shard, commit] of commits) {
    if (damagedShards.has(shard)) continue;
    for (const { id } of commit?.segments ?? []) kept.add(id);
  }
  const target = await Target.open(folder, 'segments', nodeId);
  try {
    await eachWhole(segments, async (key, value) => {
      if (key[0] !== KeyPrefix.identity && kept.has(segmentOfKey(key)))
        await target.put(key, value);
    });
  } finally {
    await target.close();
  }
}

/** Moves the old databases aside and the new ones in their place. @returns where the old ones are */
async function exchange(folder: string, found: Inspection): Promise<string> {
  const aside = join(folder, `damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  await mkdir(aside, { mode: 0o700 });
  for (const name of NAMES) {
    await rename(databasePath(folder, name), join(aside, name));
    await rename(repairedPath(folder, name), databasePath(folder, name));
  }
  await syncFolder(folder);
  await writeStamp(folder, { nodeId: found.nodeId, state: 'closed', batch: nextBatch(found) });
  return aside;
}

/** Values whose checksum is right; parts that cannot be read were reported before. */
async function eachWhole(
  database: KeyValueDatabase,
  take: (key: Buffer, value: Buffer) => Promise<void>,
): Promise<void> {
  const scan = database.scan(ALL_KEYS, { sliceBytes: SLICE_BYTES })[Symbol.asyncIterator]();
  for (;;) {
    const slice = await scan.next().catch(() => ({ done: true as const, value: undefined }));
    if (slice.done === true) return;
    for (const [key, value] of slice.value) {
      try {
        unframeValue(key, value);
      } catch {
        continue;
      }
      await take(key, value);
    }
  }
}

function highestPurge({ metadata }: Inspection, shard: number): number {
  const prefix = `purge/${shard}/`;
  const names = [...metadata.keys()].filter((name) => name.startsWith(prefix));
  return names.reduce((most, name) => Math.max(most, Number(name.slice(prefix.length))), 0);
}

function nextBatch({ lastBatch, stamp }: Inspection): number {
  return Math.max(lastBatch, stamp?.batch ?? 0) + 1;
}

/** A new database, written in large synced batches. */
class Target {
  private operations: WriteOperation[] = [];
  private bytes = 0;

  private constructor(private readonly database: KeyValueDatabase) {}

  static async open(folder: string, name: DatabaseName, nodeId: string): Promise<Target> {
    const path = repairedPath(folder, name);
    const database = await LevelDatabase.open(name, path, true).catch((error: unknown) => {
      throw new DataFolderError(`cannot make ${path}`, error);
    });
    const target = new Target(database);
    await target.put(IDENTITY_KEY, encodeIdentity(IDENTITY_KEY, nodeId));
    return target;
  }

  async put(key: Buffer, value: Buffer): Promise<void> {
    this.operations.push({ type: 'put', key, value });
    this.bytes += key.length + value.length;
    if (this.bytes >= MAX_BATCH_BYTES) await this.write([]);
  }

  async write(more: readonly WriteOperation[]): Promise<void> {
    const operations = [...this.operations, ...more];
    this.operations = [];
    this.bytes = 0;
    if (operations.length > 0) await this.database.batch(operations);
  }

  async close(): Promise<void> {
    try {
      await this.write([]);
    } finally {
      await this.database.close();
    }
  }
}
