// Where facetd itself is. A program in dist/ contains the modules it uses, so that their own folder says
// nothing.

import { join } from 'node:path';
import { findPackage } from '../../engine/common/index';

/** The folder of the package: a checkout, or where it is installed. */
export function packageFolder(): string {
  return findPackage().folder;
}

/** The path of a compiled program by its path under dist/, like `server/main`. */
export function compiledProgram(name: string): string {
  return join(packageFolder(), 'dist', `${name}.js`);
}
