// The stamp file: what the data folder is, kept outside of the databases because they cannot tell
// themselves when their newest part is gone.
//
//   facetd data folder            what it is; with the next line in every version
//   format 1                      the version of everything in the folder
//   node 6f1c…                    random, made once; also in both databases
//   state open                    creating, open or closed
//   batch 123                     batches up to this number were acknowledged
//   crc32 89abcdef                over all bytes before this line
//
// It is replaced as a whole: written beside, synced, renamed, and the folder synced.

import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import { codesOf } from './error-cause';
import { CorruptionError, FormatVersionError } from './errors';
import { translateFileError } from './level-database';

/**
 * The version of keys, values, segments and this file. A change that an older release would misread raises
 * it.
 */
export const FORMAT_VERSION = 1;
/** The stamp's name in the data folder. */
export const STAMP_FILE = 'facetd.stamp';
/** The name, or its beginning, it is written under before it replaces the stamp. */
export const STAMP_TEMPORARY_FILE = 'facetd.stamp.new';

const MAGIC = 'facetd data folder';

/** `creating`: nothing was ever acknowledged. `open`: in use, or it died in use. `closed`: left cleanly. */
export type StampState = 'creating' | 'open' | 'closed';

/** The stamp's contents; its format is always FORMAT_VERSION once it is read. */
export interface Stamp {
  readonly nodeId: string;
  readonly state: StampState;
  /** Batches up to this number were acknowledged. */
  readonly batch: number;
}

/** The bytes of a stamp. */
export function encodeStamp(stamp: Stamp): Buffer {
  const body = Buffer.from(
    `${MAGIC}\nformat ${FORMAT_VERSION}\nnode ${stamp.nodeId}\nstate ${stamp.state}\nbatch ${stamp.batch}\n`,
    'latin1',
  );
  return Buffer.concat([body, Buffer.from(`crc32 ${hex32(crc32(body))}\n`, 'latin1')]);
}

/**
 * @throws FormatVersionError when the folder has another format, whatever else it says: a newer one, or an
 *         older one that nothing upgrades; CorruptionError when the stamp is damaged.
 */
export function decodeStamp(bytes: Buffer): Stamp {
  const text = bytes.toString('latin1');
  const head = /^facetd data folder\nformat (\d{1,9})\n/.exec(text);
  if (head === null) throw damaged('it is not a stamp');
  const format = Number(head[1]);
  if (format > FORMAT_VERSION) {
    throw new FormatVersionError(
      `the data folder has format ${format}, this release reads up to ${FORMAT_VERSION}: use a newer release`,
    );
  }
  if (format < FORMAT_VERSION) {
    throw new FormatVersionError(
      `the data folder has format ${format}, which this release neither reads nor upgrades: use the release that wrote it, make a snapshot, and restore that`,
    );
  }
  const last = /crc32 ([0-9a-f]{8})\n$/.exec(text);
  if (last === null || last[1] !== hex32(crc32(bytes.subarray(0, last.index))))
    throw damaged('checksum mismatch');
  const body = /\nnode ([\w-]+)\nstate (creating|open|closed)\nbatch (\d{1,15})\n/.exec(text);
  const [, nodeId, state, batch] = body ?? [];
  if (nodeId === undefined || !isState(state)) throw damaged('a line is missing');
  return { nodeId, state, batch: Number(batch) };
}

/**
 * The stamp of a folder, or undefined when it has none.
 * @throws as `decodeStamp`, DataFolderError, InputOutputError.
 */
export async function readStamp(folder: string): Promise<Stamp | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(join(folder, STAMP_FILE));
  } catch (error) {
    if (codesOf(error)[0] === 'ENOENT') return undefined;
    throw translateFileError(error, `cannot read ${STAMP_FILE}`);
  }
  return decodeStamp(bytes);
}

/**
 * Writes the stamp of a folder that has none. When another process was faster, its stamp stays.
 * @throws as `writeStamp`.
 */
export async function publishStamp(folder: string, stamp: Stamp): Promise<void> {
  const temporary = join(folder, `${STAMP_TEMPORARY_FILE}-${randomUUID()}`);
  try {
    await writeFileSynced(temporary, encodeStamp(stamp));
    try {
      // Unlike a rename this does not replace what is there.
      await link(temporary, join(folder, STAMP_FILE));
    } catch (error) {
      if (codesOf(error)[0] !== 'EEXIST') throw error;
    }
    await unlink(temporary);
    await syncFolder(folder);
  } catch (error) {
    throw translateFileError(error, `cannot write ${STAMP_FILE}`);
  }
}

/**
 * Replaces the stamp durably. Only for the holder of the log's lock.
 * @throws DiskFullError, InputOutputError, DataFolderError; the old stamp is then still there.
 */
export async function writeStamp(folder: string, stamp: Stamp): Promise<void> {
  const temporary = join(folder, STAMP_TEMPORARY_FILE);
  try {
    await writeFileSynced(temporary, encodeStamp(stamp));
    await rename(temporary, join(folder, STAMP_FILE));
    await syncFolder(folder);
  } catch (error) {
    throw translateFileError(error, `cannot write ${STAMP_FILE}`);
  }
}

async function writeFileSynced(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes names created in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isState(text: string | undefined): text is StampState {
  return text === 'creating' || text === 'open' || text === 'closed';
}

function hex32(value: number): string {
  return value.toString(16).padStart(8, '0');
}

function damaged(why: string): CorruptionError {
  return new CorruptionError(`${STAMP_FILE} is damaged: ${why}`);
}
