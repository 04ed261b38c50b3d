// What was found damaged in the `segments` database, kept for the operator. All of it is built again from the
// document log, so no more of it is kept than is of use: the last database, and a few single segments.

import { mkdir, open, readdir, rename, rm, rmdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { databasePath } from './data-dir';
import { codesOf, messageOf } from './error-cause';
import type { KeyValueDatabase } from './key-value-database';
import { segmentBlockRange, segmentDeletionsRange } from './keys';
import { translateFileError } from './level-database';
import { syncFolder } from './stamp';
import type { SegmentId } from './types';

const DATABASE_PREFIX = 'damaged-segments-';
/** Below the data folder, one file for each segment. */
const SEGMENTS_FOLDER = 'damaged-blocks';
/** Single segments that are kept at most, and what is kept of each. Bytes. */
const KEPT_SEGMENTS = 8;
const KEPT_BYTES = 64 * 1024 * 1024;
const SLICE_BYTES = 1024 * 1024;
/** A folder without these files holds nothing. */
const DATA_FILE = /\.(ldb|sst|log)$/;

/**
 * Moves the `segments` database away, into `damaged-segments-*` in the data folder; the one that was
 * moved before is removed. So is this one when the disk has no room for another database of its size.
 *
 * @returns where it is, or null when nothing is kept
 * @throws DiskFullError, InputOutputError, DataFolderError when it cannot be moved
 */
export async function setSegmentsAside(
  folder: string,
  onWarning: (message: string) => void,
): Promise<string | null> {
  const source = databasePath(folder, 'segments');
  try {
    for (const name of await readdir(folder)) {
      if (name.startsWith(DATABASE_PREFIX)) await rm(join(folder, name), { recursive: true });
    }
    const files = await filesOf(source);
    if (files === null) return null;
    if (!files.names.some((name) => DATA_FILE.test(name))) {
      await rm(source, { recursive: true });
      return null;
    }
    const target = join(
      folder,
      `${DATABASE_PREFIX}${new Date().toISOString().replace(/[:.]/g, '-')}`,
    );
    await rename(source, target);
    await syncFolder(folder);
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize >= files.bytes) return target;
    await rm(target, { recursive: true });
    onWarning('the damaged segments database is not kept, because the disk has no room for it');
    return null;
  } catch (error) {
    throw translateFileError(error, 'cannot set the segments database aside');
  }
}

/** Null: there is no such folder. */
async function filesOf(path: string): Promise<{ names: string[]; bytes: number } | null> {
  try {
    const names = await readdir(path);
    let bytes = 0;
    for (const name of names) bytes += (await stat(join(path, name))).size;
    return { names, bytes };
  } catch (error) {
    if (codesOf(error)[0] === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Copies what can be read of a segment into a file of the data folder: keys and values as they are stored,
 * each after its length (u32, big-endian). At most 64 MB of it, and the last 8 segments, are kept. Never
 * fails: what cannot be copied, or has no room, is not.
 */
export async function keepDamagedSegment(
  folder: string,
  database: KeyValueDatabase,
  segment: SegmentId,
  onWarning: (message: string) => void,
): Promise<void> {
  const kept = join(folder, SEGMENTS_FOLDER);
  try {
    if ((await database.freeBytes()) < 4 * KEPT_BYTES) return;
    await mkdir(kept, { recursive: true, mode: 0o700 });
    const file = await open(join(kept, `segment-${segment}`), 'w', 0o600);
    try {
      await copyValues(database, segment, (bytes) => file.write(bytes));
    } finally {
      await file.close();
    }
    const names = (await readdir(kept)).filter((name) => name.startsWith('segment-'));
    const ids = names.map((name) => Number(name.slice('segment-'.length))).sort((a, b) => b - a);
    for (const id of ids.slice(KEPT_SEGMENTS)) await rm(join(kept, `segment-${id}`));
  } catch (error) {
    onWarning(`the damaged segment ${segment} is not kept: ${messageOf(error)}`);
    await rmdir(kept).catch(() => undefined);
  }
}

async function copyValues(
  database: KeyValueDatabase,
  segment: SegmentId,
  write: (bytes: Buffer) => Promise<unknown>,
): Promise<void> {
  let left = KEPT_BYTES;
  for (const range of [segmentBlockRange(segment), segmentDeletionsRange(segment)]) {
    try {
      for await (const slice of database.scan(range, { sliceBytes: SLICE_BYTES })) {
        for (const part of slice.flat()) {
          const length = Buffer.allocUnsafe(4);
          length.writeUInt32BE(part.length);
          await write(Buffer.concat([length, part]));
          left -= part.length;
        }
        if (left < 0) return;
      }
    } catch {
      // The rest of the range cannot be read.
    }
  }
}
