// Files outside of the data folder: whole files with generated names in one folder below an allowed root.
//
// No part of a path below the root may be a symbolic link, and a file is opened only when it is none. A file
// is written beside, synced and renamed, so that it is there wholly or not at all; its name is durable after
// `sync`.

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  stat,
  unlink,
} from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';

import { codesOf } from './error-cause';
import { CorruptionError, DataFolderError } from './errors';
import { translateFileError } from './level-database';
import { HeldFile, ignoreFullDisk } from './held-file';
import { syncFolder } from './stamp';

const TEMPORARY_SUFFIX = '.tmp';
/** What a file system says that has no hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
/** A file as it was found. */
export interface FoundFile {
  readonly bytes: Buffer;
  /** What tells it from others of its name, as long as it is open. */
  readonly inode: number;
  /** Milliseconds since 1970, by the clock of its file system. */
  readonly writtenAt: number;
}

/** Lower-case letters, digits and a few marks; never a path. */
const FILE_NAME = /^[a-z0-9][a-z0-9-]{0,99}(\.[a-z]{1,8})?$/;

/**
 * The place of `location` below one of `roots`, or null when it is outside of all. A relative location is
 * below the first root. Nothing is looked up on the disk.
 */
export function locateBelow(
  roots: readonly string[],
  location: string,
): { readonly root: string; readonly path: string } | null {
  if (location.includes('\0')) return null;
  for (const root of roots) {
    const path = resolve(root, location);
    const below = relative(root, path);
    if (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)) {
      return { root, path };
    }
  }
  return null;
}

/** A folder of files that are written once. */
export class FileFolder {
  private constructor(readonly path: string) {}

  /**
   * Opens a folder below `root`, which must exist or be creatable.
   * @param create makes missing folders, mode 0700
   * @throws DataFolderError when it is missing, no folder, or reached through a symbolic link below the root;
   *         DiskFullError, InputOutputError.
   */
  static async open(root: string, path: string, create: boolean): Promise<FileFolder> {
    try {
      if (create) await mkdir(root, { recursive: true, mode: 0o700 });
      let at = await realpath(root);
      for (const part of relative(root, path)
        .split(sep)
        .filter((name) => name !== '')) {
        const parent = at;
        at = join(at, part);
        if (create && (await makeFolder(at))) await syncFolder(parent);
        const found = await lstat(at);
        if (!found.isDirectory()) {
          throw new DataFolderError(`${at} is not a folder; symbolic links are not followed`);
        }
      }
      return new FileFolder(at);
    } catch (error) {
      throw translateFileError(error, `cannot use the folder ${path}`);
    }
  }

  /**
   * Writes a file durably but for its name; see {@link sync}.
   * @throws DiskFullError, InputOutputError, DataFolderError.
   */
  async write(name: string, bytes: Buffer): Promise<void> {
    const target = this.file(name);
    const temporary = join(this.path, `${randomUUID()}${TEMPORARY_SUFFIX}`);
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    try {
      const handle = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, target);
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw translateFileError(error, `cannot write ${name}`);
    }
  }

  /**
   * Creates a file durably unless there is one of that name: of several who try, one succeeds. It is there
   * with all its bytes or not at all, also for others, with two exceptions: without hard links on the file
   * system it is empty for a moment, and on a full disk it stays so until {@link HeldFile.renew} finds room.
   * @returns the file, open until it is closed; null when there is one
   * @throws DiskFullError when not even an empty one fits, InputOutputError, DataFolderError.
   */
  async create(name: string, bytes: Buffer): Promise<HeldFile | null> {
    const temporary = `${randomUUID()}${TEMPORARY_SUFFIX}`;
    try {
      let file = await HeldFile.create(this.file(temporary), bytes);
      try {
        await link(this.file(temporary), this.file(name));
      } catch (error) {
        await file.close();
        const code = codesOf(error)[0] ?? '';
        // Gone: whoever has the other file tidies up.
        if (code === 'EEXIST' || code === 'ENOENT') return null;
        if (!NO_LINKS.has(code)) throw error;
        file = await HeldFile.create(this.file(name), bytes);
      } finally {
        await this.unlink(temporary);
      }
      return file;
    } catch (error) {
      if (codesOf(error)[0] === 'EEXIST') return null;
      throw translateFileError(error, `cannot create ${name}`);
    }
  }

  /**
   * Removes a file if it is the one that is meant: it is moved away, looked at, and put back if it has
   * been replaced meanwhile and no other has come in its place.
   */
  async removeIf(name: string, isMeant: (file: FoundFile) => boolean): Promise<void> {
    const away = `${randomUUID()}${TEMPORARY_SUFFIX}`;
    try {
      await rename(this.file(name), this.file(away));
      try {
        const found = await this.look(away);
        if (found !== null && !isMeant(found)) await link(this.file(away), this.file(name));
      } finally {
        await this.unlink(away);
      }
    } catch (error) {
      const code = codesOf(error)[0];
      if (code === 'ENOENT' || code === 'EEXIST') return;
      throw translateFileError(error, `cannot remove ${name}`);
    }
  }

  /**
   * Milliseconds since a file was written, by the clock that its folder's files get their times from, or null
   * when there is none.
   */
  async ageOf(name: string): Promise<number | null> {
    const probe = join(this.path, `${randomUUID()}${TEMPORARY_SUFFIX}`);
    try {
      const handle = await open(probe, 'wx', 0o600);
      try {
        // A full disk has given it its time all the same.
        await handle.write('now').then(() => handle.sync(), ignoreFullDisk);
        const { mtimeMs } = await lstat(this.file(name));
        return (await handle.stat()).mtimeMs - mtimeMs;
      } finally {
        await handle.close();
        await unlink(probe).catch(() => undefined);
      }
    } catch (error) {
      if (codesOf(error)[0] === 'ENOENT') return null;
      throw translateFileError(error, `cannot look for ${name}`);
    }
  }

  /** A file, or null when there is none. @throws CorruptionError when it is no plain file. */
  async look(name: string): Promise<FoundFile | null> {
    try {
      const handle = await open(this.file(name), constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        const found = await handle.stat();
        if (!found.isFile()) throw new CorruptionError(`${name} is not a file`);
        return { bytes: await handle.readFile(), inode: found.ino, writtenAt: found.mtimeMs };
      } finally {
        await handle.close();
      }
    } catch (error) {
      const code = codesOf(error)[0];
      if (code === 'ENOENT') return null;
      if (code === 'ELOOP') throw new CorruptionError(`${name} is a symbolic link`, error);
      throw translateFileError(error, `cannot read ${name}`);
    }
  }

  /** The bytes of a file. @throws CorruptionError when it is missing or no plain file. */
  async read(name: string): Promise<Buffer> {
    const found = await this.look(name);
    if (found === null) throw new CorruptionError(`${name} is missing`);
    return found.bytes;
  }

  /** The size of a file, or null when there is no plain file of that name. */
  async sizeOf(name: string): Promise<number | null> {
    try {
      const found = await lstat(this.file(name));
      return found.isFile() ? found.size : null;
    } catch (error) {
      if (codesOf(error)[0] === 'ENOENT') return null;
      throw translateFileError(error, `cannot look for ${name}`);
    }
  }

  /** Whether the folder is on the same file system as another one. */
  async isOnDiskOf(path: string): Promise<boolean> {
    try {
      return (await lstat(this.path)).dev === (await stat(path)).dev;
    } catch (error) {
      throw translateFileError(error, `cannot look at ${path}`);
    }
  }

  /** Names of finished files, in order of name. */
  async list(): Promise<readonly string[]> {
    return (await this.names()).filter((name) => FILE_NAME.test(name) && !isTemporary(name)).sort();
  }

  /** Removes a file; one that is gone is fine. */
  async remove(name: string): Promise<void> {
    await this.unlink(name);
  }

  /** Removes what interrupted writes left. No write may be in progress. */
  async removeUnfinished(): Promise<void> {
    for (const name of await this.names()) if (isTemporary(name)) await this.unlink(name);
  }

  /** Makes the names of files written and removed so far durable. */
  async sync(): Promise<void> {
    try {
      await syncFolder(this.path);
    } catch (error) {
      throw translateFileError(error, `cannot sync the folder ${this.path}`);
    }
  }

  private async names(): Promise<readonly string[]> {
    try {
      return await readdir(this.path);
    } catch (error) {
      throw translateFileError(error, `cannot list the folder ${this.path}`);
    }
  }

  private async unlink(name: string): Promise<void> {
    try {
      await unlink(join(this.path, name));
    } catch (error) {
      if (codesOf(error)[0] !== 'ENOENT') throw translateFileError(error, `cannot remove ${name}`);
    }
  }

  private file(name: string): string {
    if (!FILE_NAME.test(name)) throw new CorruptionError(`${JSON.stringify(name)} is no file name`);
    return join(this.path, name);
  }
}

function isTemporary(name: string): boolean {
  return name.endsWith(TEMPORARY_SUFFIX);
}

/** Whether the folder was made; one that is there is fine. */
async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codesOf(error)[0] === 'EEXIST') return false;
    throw error;
  }
}
