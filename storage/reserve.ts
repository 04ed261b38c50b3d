// Space on the disk that is kept for opening the databases.
//
// LevelDB opens a database by writing its write-ahead files into tables before it deletes them. On a disk
// that
// something else has filled there is no room for that, and a node that was killed would not start. So while
// the disk is scarce a file of that size is kept in the data folder, and removed when the room is needed.

import { open, readdir, stat, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';

import { databasePath } from './data-dir';
import { codesOf } from './error-cause';

const MIB = 1024 * 1024;
const FILE = 'reserve';
/** Lists of files, new write-ahead files and what is written within a second besides. */
const MARGIN_BYTES = 16 * MIB;
const STEP_BYTES = 4 * MIB;
/** A disk with so much free space has room for opening in any case. */
const AMPLE_BYTES = 1024 * MIB;

/**
 * Bytes of disk space that opening the databases of a folder may take now: as much as their write-ahead files
 * hold, which are deleted after it.
 */
export async function openingBytes(folder: string): Promise<number> {
  let bytes = MARGIN_BYTES / 2;
  for (const name of ['log', 'segments'] as const) {
    const path = databasePath(folder, name);
    for (const file of await readdir(path).catch(() => [])) {
      if (file.endsWith('.log')) bytes += await sizeOf(join(path, file));
    }
  }
  return bytes;
}

/** The file that keeps the space. */
export class Reserve {
  private readonly file: string;
  private fitting: Promise<void> = Promise.resolve();

  constructor(private readonly folder: string) {
    this.file = join(folder, FILE);
  }

  /** Bytes that removing it would free. */
  size(): Promise<number> {
    return sizeOf(this.file);
  }

  /**
   * Makes it as large as opening needs, if the disk is scarce; there is none on an ample one. Never fails.
   * @param keepFree bytes of the disk that it must leave
   */
  fit(keepFree: number): Promise<void> {
    this.fitting = this.fitting.then(() => this.fitNow(keepFree)).catch(() => this.remove());
    return this.fitting;
  }

  /** Removes it when opening needs more than is available. @returns whether there was one */
  async makeRoom(): Promise<boolean> {
    if ((await available(this.folder)) >= (await openingBytes(this.folder))) return false;
    return this.release();
  }

  /** @returns whether there was one */
  async release(): Promise<boolean> {
    await this.fitting;
    const size = await this.size();
    await this.remove();
    return size > 0;
  }

  private async fitNow(keepFree: number): Promise<void> {
    const size = await this.size();
    const free = await available(this.folder);
    if (free + size >= Math.max(AMPLE_BYTES, 4 * keepFree)) {
      if (size > 0) await this.remove();
      return;
    }
    const needed = (await openingBytes(this.folder)) + MARGIN_BYTES / 2;
    const wanted = Math.ceil(needed / STEP_BYTES) * STEP_BYTES;
    if (size > 2 * wanted) await this.truncate(wanted);
    // What does not fit as a whole is still worth having.
    const growth = Math.min(wanted - size, free - Math.max(keepFree, STEP_BYTES));
    if (growth > 0) await this.grow(size, size + growth);
  }

  private async grow(from: number, to: number): Promise<void> {
    const handle = await open(this.file, 'a', 0o600);
    try {
      const zeros = Buffer.alloc(MIB);
      for (let at = from; at < to; at += MIB) {
        await handle.write(zeros, 0, Math.min(MIB, to - at));
      }
      // Only then is the space taken.
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  private async truncate(size: number): Promise<void> {
    const handle = await open(this.file, 'r+');
    try {
      await handle.truncate(size);
    } finally {
      await handle.close();
    }
  }

  private async remove(): Promise<void> {
    await unlink(this.file).catch(() => undefined);
  }
}

async function available(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (codesOf(error)[0] === 'ENOENT') return 0;
    throw error;
  }
}
