// File systems in memory that are too small, where this process may mount them.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { appendFile, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MIB = 1024 * 1024;

function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'facetd-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `describe` where file systems may be mounted; its tests are skipped elsewhere. */
export const onSmallDisk = mayMount() ? describe : describe.skip;

/** A file system of a few megabytes in a folder of its own. */
export class SmallDisk {
  private constructor(readonly path: string) {}

  static async mount(mib: number): Promise<SmallDisk> {
    const path = await mkdtemp(join(tmpdir(), 'facetd-small-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', path]);
    return new SmallDisk(path);
  }

  async unmount(): Promise<void> {
    execFileSync('umount', [this.path]);
    await rm(this.path, { recursive: true, force: true });
  }

  resize(mib: number): void {
    execFileSync('mount', ['-o', `remount,size=${mib}m`, this.path]);
  }

  /** Bytes that are free. */
  async available(): Promise<number> {
    const { bavail, bsize } = await statfs(this.path);
    return bavail * bsize;
  }

  /** Takes all space that is left. @returns the file that takes it */
  async takeAll(): Promise<string> {
    const file = join(this.path, 'filler');
    for (let size = MIB; size >= 512; size /= 2) {
      const bytes = Buffer.alloc(size);
      // Until there is no room for so much.
      while (
        await appendFile(file, bytes).then(
          () => true,
          () => false,
        )
      );
    }
    expect(await this.available()).toBe(0);
    return file;
  }

  /** What is on it, for messages. */
  listing(): string {
    return execFileSync('du', ['-ka', this.path]).toString();
  }
}
