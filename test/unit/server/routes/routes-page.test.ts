import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTES } from '../../../../server/routes/route-table';
import { routesPage } from '../../../../server/routes/routes-page';

test('docs/routes.md is current (npm run docs writes it)', () => {
  const page = readFileSync(join(__dirname, '../../../../docs/routes.md'), 'utf8');
  expect(page).toBe(routesPage());
  for (const { path } of ROUTES) expect(page).toContain(`| \`${path}\` `);
});
