// Which version this is, and which one it is a drop-in for.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What clients of the reference server are told. */
export const COMPATIBLE_VERSION = '1.7.6';
/** The same as a number. */
export const COMPATIBLE_VERSION_ID = 1070699;
export const LUCENE_VERSION = '4.10.4';

/** The version of this package, from the nearest package.json of that name above this file. */
export function facetdVersion(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const found = versionIn(folder);
    if (found !== null) return found;
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
