// Where the compiled entry points of worker threads are. Threads run compiled files only: under a test
// runner that compiles on the fly, those of the last build.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findPackage } from '../common/index';

/**
 * The path of the entry point of a worker thread.
 *
 * @throws Error when it was not built
 */
export function workerEntry(name: 'search-worker' | 'indexer-worker'): string {
  const path = join(findPackage().folder, 'dist', 'engine', `${name}.js`);
  if (!existsSync(path)) {
    throw new Error(`${path} is missing: worker threads need the built program (npm run build)`);
  }
  return path;
}
