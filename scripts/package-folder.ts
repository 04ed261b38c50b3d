// Where facetd itself is. A program in dist/ contains the modules it uses, so that their own place says nothing.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest folder above that has a package.json: a checkout, or an installed package. */
export function packageFolder(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Error(`no package.json above ${__dirname}`);
  }
}

/** The path of a compiled program by its path under dist/, like `server/main`. */
export function compiledProgram(name: string): string {
  return join(packageFolder(), 'dist', `${name}.js`);
}
