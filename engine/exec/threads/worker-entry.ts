// Where the compiled entry points of worker threads are. Threads run compiled files only: under a test
// runner that compiles on the fly, those of the last build.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The path of an entry point, in the `dist` nearest above this code: where this is compiled, it is part of a program
 * in another folder.
 *
 * @throws Error when it was not built
 */
export function workerEntry(name: 'search-worker' | 'indexer-worker'): string {
  const program = join('dist', 'engine', 'exec', 'threads', `${name}.js`);
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const path = join(folder, program);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) {
      throw new Error(
        `${program} is missing: worker threads need the built program (npm run build)`,
      );
    }
  }
}
