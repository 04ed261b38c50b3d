// Builds unsynced.c, where it can be built and loaded.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOURCE = join(__dirname, 'unsynced.c');

/** The library, in a folder of its own. */
export interface UnsyncedLibrary {
  readonly path: string;
  remove(): void;
}

/**
 * Builds the library; null where there is no LD_PRELOAD or no compiler.
 * @throws Error when there is a compiler and it fails.
 */
export function buildUnsynced(): UnsyncedLibrary | null {
  if (process.platform !== 'linux') return null;
  if (spawnSync('cc', ['--version']).status !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), 'facetd-unsynced-'));
  const path = join(folder, 'unsynced.so');
  const flags = ['-shared', '-fPIC', '-O1', '-Wall', '-Wextra'];
  const { status, stderr } = spawnSync('cc', [...flags, '-o', path, SOURCE, '-ldl', '-lpthread']);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (status === 0) return { path, remove };
  remove();
  throw new Error(`unsynced.c does not compile: ${stderr.toString()}`);
}
