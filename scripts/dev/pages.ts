// Writes the pages of docs/ that are made from tables in the source:
//
//   npm run docs

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationPage } from '../../server/config/index';
import { routesPage } from '../../server/routes/index';
import { packageFolder } from '../common/package-folder';

const PAGES = { 'configuration.md': configurationPage, 'routes.md': routesPage };

for (const [name, page] of Object.entries(PAGES)) {
  writeFileSync(join(packageFolder(), 'docs', name), page());
}
