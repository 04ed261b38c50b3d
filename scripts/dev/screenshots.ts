// npm run screenshots: makes the pictures of docs/explorer.md, from the data of the demo.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { startServer, type Client } from '../common/client';
import { AIRPORT_MAPPING, MOVIE_MAPPING, readAirports, readMovies } from '../demo-data';
import { packageFolder } from '../common/package-folder';

/** A picture: where it is taken, of what, and what is done before. */
interface Picture {
  readonly name: string;
  readonly address: string;
  /** Waited for. */
  readonly shows: string;
  readonly colorScheme?: 'dark';
  readonly before?: (page: Page) => Promise<void>;
}

const PICTURES: readonly Picture[] = [
  {
    name: 'search',
    address: '#/search/movies?q=love+OR+night&w=in~genre~Drama~Romantic+Comedy',
    shows: '.card mark',
  },
  { name: 'aliases', address: '#/aliases?alias=movies', shows: '.alias-detail', before: dryRun },
  { name: 'mapping', address: '#/indices/movies-1/mapping', shows: '.fields', colorScheme: 'dark' },
  { name: 'node', address: '#/node', shows: '.sparkline polyline', before: look },
  {
    name: 'request',
    address: '#/search/airports?w=under~path~/~USA/TX',
    shows: '.card',
    colorScheme: 'dark',
    before: (page) => page.getByRole('button', { name: 'Request' }).click(),
  },
];

async function dryRun(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: /movies-1/ }).uncheck();
  await page.getByRole('checkbox', { name: /movies-2/ }).check();
  await page.getByRole('button', { name: 'Dry run' }).click();
  await page.locator('.plan').waitFor();
}

/** A few looks make lines. */
async function look(page: Page): Promise<void> {
  await page.waitForTimeout(12_000);
}

async function load(client: Client): Promise<void> {
  const movies = await readMovies();
  const nothing = () => undefined;
  await client.send('PUT', '/movies-1', {
    mappings: { movie: MOVIE_MAPPING },
    aliases: { movies: {}, dramas: { filter: { term: { genre: 'Drama' } } }, archive: {} },
  });
  await client.send('PUT', '/movies-2', {
    mappings: { movie: MOVIE_MAPPING },
    aliases: { archive: {}, 'movies-next': { routing: 'next' } },
  });
  await client.send('PUT', '/airports', {
    mappings: { airport: AIRPORT_MAPPING },
    aliases: { places: {} },
  });
  await client.bulk('movies-1', 'movie', movies, nothing);
  const recent = movies.filter(([, { year }]) => year !== undefined && year >= 2000);
  await client.bulk('movies-2', 'movie', recent, nothing);
  await client.bulk('airports', 'airport', await readAirports(), nothing);
  await client.send('POST', '/_refresh');
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'facetd-screenshots-'));
  const server = await startServer(join(folder, 'data'));
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    await load(server.client);
    for (const { name, address, shows, colorScheme = 'light', before } of PICTURES) {
      const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, colorScheme });
      await page.goto(`${server.client.url}/_explorer${address}`);
      await page.locator(shows).first().waitFor({ state: 'attached' });
      await before?.(page);
      await page.waitForTimeout(300);
      const path = join(packageFolder(), 'docs', 'explorer', `${name}.png`);
      await page.screenshot({ path });
      console.log(path);
      await page.close();
    }
  } finally {
    await browser.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
