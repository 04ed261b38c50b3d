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
  readFile,
  realpath,
  rename,
  stat,
  unlink,
} from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';

import { codesOf } from './error-cause';
import { CorruptionError, DataFolderError } from './errors';
import { translateFileError } from './level-database';
import { syncFolder } from './stamp';

const TEMPORARY_SUFFIX = '.tmp';
/** What a file system says that has no hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
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
   * with all its bytes or not at all, also for others, except on file systems without hard links.
   * @returns whether it was created
   * @throws DiskFullError, InputOutputError, DataFolderError.
   */
  async create(name: string, bytes: Buffer): Promise<boolean> {
    const temporary = `${randomUUID()}${TEMPORARY_SUFFIX}`;
    try {
      await this.createEmpty(temporary, bytes);
      try {
        await link(this.file(temporary), this.file(name));
      } catch (error) {
        const code = codesOf(error)[0] ?? '';
        // Gone: whoever has the other file tidies up.
        if (code === 'EEXIST' || code === 'ENOENT') return false;
        if (!NO_LINKS.has(code)) throw error;
        await this.createEmpty(name, bytes);
      } finally {
        await this.unlink(temporary);
      }
      return true;
    } catch (error) {
      if (codesOf(error)[0] === 'EEXIST') return false;
      throw translateFileError(error, `cannot create ${name}`);
    }
  }

  /** Creates a file, which is empty for a moment, and writes it. @throws EEXIST and others of the system */
  private async createEmpty(name: string, bytes: Buffer): Promise<void> {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    const handle = await open(this.file(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } catch (error) {
      await this.unlink(name);
      throw error;
    } finally {
      await handle.close();
    }
  }

  /**
   * Removes a file if it is the one that is meant: it is moved away, looked at, and put back if it has
   * been replaced meanwhile and no other has come in its place.
   */
  async removeIf(name: string, isMeant: (bytes: Buffer) => boolean): Promise<void> {
    const away = join(this.path, `${randomUUID()}${TEMPORARY_SUFFIX}`);
    try {
      await rename(this.file(name), away);
      try {
        if (!isMeant(await readFile(away))) await link(away, this.file(name));
      } finally {
        await unlink(away);
      }
    } catch (error) {
      const code = codesOf(error)[0];
      if (code === 'ENOENT' || code === 'EEXIST') return;
      throw translateFileError(error, `cannot remove ${name}`);
    }
  }

  /** Makes a file as new as if it had just been written. */
  async touch(name: string): Promise<void> {
    try {
      const handle = await open(this.file(name), constants.O_RDWR | constants.O_NOFOLLOW);
      try {
        // Written, so that it gets the time of the machine whose disk it is.
        const { size } = await handle.stat();
        const last = Buffer.alloc(1);
        const at = Math.max(0, size - 1);
        await handle.read(last, 0, 1, at);
        await handle.write(last, 0, 1, at);
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw translateFileError(error, `cannot touch ${name}`);
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
        await handle.write('now');
        await handle.sync();
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

  /** The bytes of a file. @throws CorruptionError when it is missing or no plain file. */
  async read(name: string): Promise<Buffer> {
    try {
      const handle = await open(this.file(name), constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        if (!(await handle.stat()).isFile()) throw new CorruptionError(`${name} is not a file`);
        return await handle.readFile();
      } finally {
        await handle.close();
      }
    } catch (error) {
      const code = codesOf(error)[0];
      if (code === 'ENOENT') throw new CorruptionError(`${name} is missing`, error);
      if (code === 'ELOOP') throw new CorruptionError(`${name} is a symbolic link`, error);
      throw translateFileError(error, `cannot read ${name}`);
    }
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
