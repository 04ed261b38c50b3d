// Where this package is installed, whether it runs from source, compiled or bundled.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What `package.json` says of this package. */
interface PackageDescription {
  readonly folder: string;
  readonly version: string;
}

/**
 * The nearest folder above this file that holds the `package.json` of facetd.
 *
 * @throws Error when there is none
 */
export function findPackage(): PackageDescription {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const version = versionIn(folder);
    if (version !== null) return { folder, version };
    if (folder === dirname(folder)) throw new Error('package.json of facetd not found');
  }
}

function versionIn(folder: string): string | null {
  let content: string;
  try {
    content = readFileSync(join(folder, 'package.json'), 'utf8');
  } catch {
    return null;
  }
  const description = JSON.parse(content) as { name?: unknown; version?: unknown };
  return description.name === 'facetd' && typeof description.version === 'string'
    ? description.version
    : null;
}
