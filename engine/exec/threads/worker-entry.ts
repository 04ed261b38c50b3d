// Where the compiled entry points of worker threads are. Threads run compiled files only: under a test
// runner that compiles on the fly, those of the last build.

import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * The path of an entry point in this folder.
 *
 * @throws Error when it was not built
 */
export function workerEntry(name: 'search-worker' | 'indexer-worker'): string {
  let folder = __dirname;
  if (__filename.endsWith('.ts')) {
    const root = join(__dirname, '..', '..', '..');
    folder = join(root, 'dist', __dirname.slice(root.length + sep.length));
  }
  const path = join(folder, `${name}.js`);
  if (!existsSync(path)) {
    throw new Error(`${path} is missing: worker threads need the built program (npm run build)`);
  }
  return path;
}
