// A file that its writer keeps open, so that it knows it again without reading it: also one that has no bytes
// because the disk was full. An inode that is open is given to no other file.

import { constants } from 'node:fs';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { DiskFullError } from './errors';
import { translateFileError } from './level-database';

/** A file that was created and is kept open. */
export class HeldFile {
  private constructor(
    private readonly handle: FileHandle,
    private readonly bytes: Buffer,
    /** What no other file has while this one is open. */
    readonly inode: number,
  ) {}

  /**
   * Creates a file and writes it durably; without its bytes when the disk has no room for them.
   * @throws EEXIST and others of the system
   */
  static async create(path: string, bytes: Buffer): Promise<HeldFile> {
    const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    const handle = await open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      const file = new HeldFile(handle, bytes, (await handle.stat()).ino);
      await file.write();
      return file;
    } catch (error) {
      await handle.close();
      await unlink(path);
      throw error;
    }
  }

  /**
   * Makes it as new as if it had just been written, by the clock of its file system, and writes what there
   * was no room for before.
   * @throws StorageError
   */
  async renew(): Promise<void> {
    try {
      await this.write();
    } catch (error) {
      throw translateFileError(error, 'cannot renew a file');
    }
  }

  /** Its name, if it still has one, stays. */
  async close(): Promise<void> {
    await this.handle.close();
  }

  private async write(): Promise<void> {
    try {
      const { length } = this.bytes;
      for (let at = 0; at < length;)
        at += (await this.handle.write(this.bytes, at, length - at, at)).bytesWritten;
      await this.handle.sync();
    } catch (error) {
      ignoreFullDisk(error);
      // Needs no room, sets the time, and leaves no part of the bytes where there were none.
      const { size } = await this.handle.stat();
      await this.handle.truncate(size === this.bytes.length ? size : 0);
    }
  }
}

/** Throws what is no full disk. */
export function ignoreFullDisk(error: unknown): void {
  if (!(translateFileError(error, '') instanceof DiskFullError)) throw error;
}
