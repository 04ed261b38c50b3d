// Writes the man pages into dist/man, for a package; package.json names them.
//
//   node dist/scripts/dev/man-pages.js

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../../server/config/settings-table';
import { facetdVersion } from '../../server/config/version';
import { manPages } from '../cli/index';
import { packageFolder } from '../common/package-folder';

const folder = join(packageFolder(), 'dist', 'man');
mkdirSync(folder, { recursive: true });
const pages = manPages(facetdVersion(), SETTINGS);
for (const [name, text] of pages) writeFileSync(join(folder, name), `${text}\n`);
process.stdout.write(`wrote ${pages.size} man pages\n`);
