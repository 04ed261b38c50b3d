// The explorer in a real browser, over a real server with the data of the demo: every view, the keyboard, and
// nothing on the console.

import type { Browser, Page } from 'playwright-core';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type RunningServer } from '../../scripts/common/client';
import { AIRPORT_MAPPING, MOVIE_MAPPING, readAirports, readMovies } from '../../scripts/demo-data';
import { findBrowser, startBrowser } from '../support/browser';

const PATH = findBrowser();
const inBrowser = PATH === null ? describe.skip : describe;
if (PATH === null) console.warn('no Chromium is installed: the explorer is not tested');

inBrowser('the explorer', () => {
  let folder: string;
  let server: RunningServer;
  let browser: Browser;
  let page: Page;
  /** What the browser complained about. */
  let complaints: string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'facetd-explorer-'));
    server = await startServer(join(folder, 'data'), ['node.workers=0']);
    const { client } = server;
    await client.send('PUT', '/movies-1', {
      mappings: { movie: MOVIE_MAPPING },
      aliases: { movies: {}, dramas: { filter: { term: { genre: 'Drama' } }, routing: 'x' } },
    });
    await client.bulk('movies-1', 'movie', await readMovies(), () => undefined, 4000);
    await client.send('PUT', '/movies-2', { mappings: { movie: MOVIE_MAPPING } });
    await client.send('PUT', '/airports', { mappings: { airport: AIRPORT_MAPPING } });
    await client.bulk('airports', 'airport', await readAirports(), () => undefined, 4000);
    await client.send('PUT', '/odd', {
      settings: {
        analysis: {
          analyzer: {
            mine: {
              type: 'custom',
              tokenizer: 'whitespace',
              char_filter: ['html_strip'],
              filter: ['lowercase', 'asciifolding'],
            },
          },
        },
      },
    });
    await client.send(
      'PUT',
      '/odd/constructor/1',
      '{"__proto__":"<img src=x onerror=alert(1)>","n":1}',
    );
    await client.send(
      'PUT',
      '/odd/constructor/2',
      '{"__proto__":"constructor","n":12345678901234567}',
    );
    await client.send('POST', '/_refresh');
    browser = await startBrowser(PATH!);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    complaints = [];
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(15_000);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
  });
  afterEach(async () => {
    await page.close();
    expect(complaints).toEqual([]);
  });

  async function open(address: string): Promise<void> {
    await page.goto(`${server.client.url}/_explorer${address}`);
  }
  const facet = (name: string) => page.getByRole('region', { name, exact: true });
  const total = () => page.locator('.results-line [role=status] strong');
  async function shows(count: string): Promise<void> {
    await total().getByText(`${count} document`, { exact: false }).waitFor();
  }
  async function countOf(facetName: string, value: string): Promise<string> {
    const row = facet(facetName).locator('.count-row').filter({ hasText: value }).first();
    return row.locator('.count').innerText();
  }

  test('a browser is led from / to the page, and to what can be searched', async () => {
    await page.goto(server.client.url);
    await page.getByRole('link', { name: /explorer/ }).click();
    await page.getByRole('link', { name: /dramas/ }).waitFor();
    await page.getByRole('link', { name: 'alias movies of movies-1' }).click();
    await shows('3,201');
    expect(page.url()).toContain('#/search/movies');
  });

  /** How many documents match, as the page writes it. */
  async function counted(target: string, query: object): Promise<string> {
    const { count } = await server.client.send('POST', `/${target}/_count`, { query });
    return Number(count).toLocaleString('en');
  }
  const genres = (...values: string[]) => counted('movies', { terms: { genre: values } });

  test('ticks of a facet keep the counts of its other values, and are in the address', async () => {
    await open('#/search/movies');
    await shows('3,201');
    const comedies = await countOf('genre', 'Comedy');
    await facet('genre')
      .getByRole('checkbox', { name: /^Drama/ })
      .check();
    await shows(await genres('Drama'));
    expect(await countOf('genre', 'Comedy')).toBe(comedies);
    await facet('genre')
      .getByRole('checkbox', { name: /^Comedy/ })
      .check();
    await shows(await genres('Drama', 'Comedy'));
    expect(await countOf('genre', 'Comedy')).toBe(comedies);

    const address = page.url();
    expect(address).toContain('w=in~genre~Drama~Comedy');
    await open('#/');
    await page.goto(address);
    await shows(await genres('Drama', 'Comedy'));
    await page.getByRole('button', { name: 'Take off genre: Comedy' }).click();
    await shows(await genres('Drama'));
  });

  test('values of a facet are found by a part of them, more are shown, ticked ones stay', async () => {
    await open('#/search/movies');
    const distributor = facet('distributor');
    await distributor.getByRole('checkbox', { name: /^Warner Bros/ }).check();
    await distributor.getByRole('searchbox').fill('sony');
    await distributor.getByText('Sony/Columbia', { exact: true }).waitFor();
    expect(await distributor.getByRole('checkbox', { name: /^Warner Bros/ }).isChecked()).toBe(
      true,
    );
    await distributor.getByRole('searchbox').fill('');
    await distributor.getByRole('button', { name: /Show more/ }).click();
    await distributor.locator('.count-row').nth(25).waitFor();
  });

  test('a range is dragged in a chart, and written by keyboard', async () => {
    await open('#/search/movies');
    const chart = facet('released').locator('svg');
    await chart.scrollIntoViewIfNeeded();
    const box = (await chart.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 1, box.y + 20, { steps: 3 });
    await page.mouse.up();
    await page.getByRole('button', { name: /^Take off released/ }).waitFor();
    await total().filter({ hasNotText: '3,201' }).waitFor();
    await page.getByRole('button', { name: /^Take off released/ }).click();
    await shows('3,201');
    await facet('imdb').getByRole('textbox', { name: 'imdb from' }).fill('8');
    await page.keyboard.press('Enter');
    await shows(await counted('movies', { range: { imdb: { gte: 8 } } }));
    await facet('imdb').getByText('deviation').waitFor();
  });

  test('the keyboard leads to the box, marks show what was found, and mistakes are explained', async () => {
    await open('#/search/movies');
    await shows('3,201');
    await page.keyboard.press('/');
    await page.keyboard.type('love');
    await page.keyboard.press('Enter');
    await page
      .locator('.card mark', { hasText: /^love$/i })
      .first()
      .waitFor();
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('(love AND');
    await page.keyboard.press('Enter');
    await page.getByText('A word is missing behind “AND”.').waitFor();
    await page.getByRole('button', { name: 'Search for it as plain words' }).click();
    await shows(
      await counted('movies', { query_string: { query: 'love and', default_operator: 'and' } }),
    );
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('titel:love');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'title:love' }).click();
    await shows(await counted('movies', { match: { title: 'love' } }));
    // The browser itself reports the query that could not be read.
    complaints = complaints.filter((text) => !text.includes('status of 400'));
  });

  test('a table is sorted by its heads, and pages lead on', async () => {
    await open('#/search/movies?as=table');
    await page.getByRole('columnheader', { name: 'imdb' }).getByRole('button').click();
    await page.waitForURL(/sort=imdb~desc/);
    await page.locator('th[aria-sort=descending]', { hasText: 'imdb' }).waitFor();
    await page.getByRole('link', { name: 'Next →' }).click();
    await page.waitForURL(/page=2/);
    await page.locator('.pager [aria-current=page]', { hasText: '2' }).waitFor();
  });

  test('the filter of an alias is shown, and a document in full', async () => {
    await open('#/search/dramas');
    await shows(await genres('Drama'));
    await page.locator('.target-line summary').click();
    await page.locator('.target-line .json', { hasText: '"genre": "Drama"' }).waitFor();
    await page.locator('.card h3 a').first().click();
    const panel = page.getByRole('dialog');
    await panel.getByText('"_source"').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('doc=');
  });

  test('the request of a view is shown, edited and run', async () => {
    await open('#/search/movies?q=love');
    await shows(await counted('movies', { query_string: { query: 'love' } }));
    await page.getByRole('button', { name: 'Request' }).click();
    const panel = page.getByRole('dialog');
    const body = panel.getByRole('textbox', { name: 'Body' });
    expect(JSON.parse(await body.inputValue())).toMatchObject({
      query: { query_string: { query: 'love' } },
      facets: { genre: { terms: { field: 'genre' } } },
    });
    await body.fill('{"size":0,"query":{"match_all":{}}}');
    await panel.getByRole('button', { name: 'Run' }).click();
    await panel.locator('.json', { hasText: '"total": 3201' }).waitFor();
    await panel.getByRole('button', { name: 'curl' }).click();
    await panel.getByText(/^curl -XPOST/).waitFor();
    await panel.getByRole('textbox', { name: 'Path' }).fill('/movies/movie/1');
    expect(await panel.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true);
  });

  test('levels are a tree, and distances rings', async () => {
    await open('#/search/airports');
    const tree = facet('path');
    await tree.getByRole('button', { name: 'Open USA', exact: true }).click();
    await tree.getByRole('button', { name: 'Open USA/TX', exact: true }).waitFor();
    await tree.getByRole('checkbox', { name: /^AK/ }).check();
    await shows(await counted('airports', { prefix: { path: 'USA/AK/' } }));
    await page.getByRole('button', { name: /^Take off path/ }).click();
    await facet('location').getByRole('checkbox').first().check();
    await page.getByRole('button', { name: /^Take off location: within/ }).waitFor();
  });

  test('names and values that look like code are data', async () => {
    await open('#/search/odd');
    await shows('2');
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
    expect(await page.locator('.card', { hasText: '12345678901234567' }).count()).toBe(1);
  });

  test('an alias is moved after a dry run', async () => {
    await open('#/aliases');
    await page
      .getByRole('link', { name: /^movies\b/ })
      .first()
      .click();
    const move = page.getByRole('region', { name: 'The alias movies' });
    await move.getByRole('checkbox', { name: /movies-1/ }).uncheck();
    await move.getByRole('checkbox', { name: /movies-2/ }).check();
    await move.getByRole('button', { name: 'Dry run' }).click();
    await move.getByText('Readers see 0 documents instead of 3,201 documents.').waitFor();
    expect(await counted('movies', { match_all: {} })).toBe('3,201');
    await move.getByRole('button', { name: 'Move it in one step' }).click();
    await move.getByText(/movies is now at movies-2/).waitFor();
    expect(await counted('movies', { match_all: {} })).toBe('0');
    await server.client.send('POST', '/_aliases', {
      actions: [
        { remove: { index: 'movies-2', alias: 'movies' } },
        { add: { index: 'movies-1', alias: 'movies' } },
      ],
    });
  });

  test('indices show their sizes, segments and mapping, and analyze step by step', async () => {
    await open('#/indices');
    await page.getByRole('link', { name: 'odd' }).click();
    await page.getByRole('link', { name: 'segments' }).click();
    await page.getByRole('rowheader').first().waitFor();
    await page.getByRole('link', { name: 'mapping' }).click();
    await page.getByRole('heading', { name: 'constructor' }).waitFor();
    await page.getByRole('link', { name: 'analyze' }).click();
    await page.getByRole('combobox').selectOption('mine');
    await page.getByRole('textbox', { name: 'Text to analyze' }).fill('<b>Été</b>');
    const steps = page.locator('.steps > li');
    await steps.nth(4).getByText('ete').waitFor();
    expect(await steps.locator('h3').allInnerTexts()).toEqual([
      'html_strip character filter',
      'whitespace tokenizer',
      'lowercase token filter',
      'asciifolding token filter',
      'mine analyzer',
    ]);
    await steps.nth(2).getByText('été').waitFor();
  });

  test('the node is shown live', async () => {
    await open('#/node');
    await page.getByText('searches per second').waitFor();
    await page.getByRole('row', { name: /^bulk/ }).waitFor();
    await page.locator('.sparkline polyline').first().waitFor({ state: 'attached' });
  });

  test('a phone has everything in its width', async () => {
    await page.setViewportSize({ width: 360, height: 700 });
    for (const address of ['#/search/movies?q=love', '#/aliases', '#/indices', '#/node']) {
      await open(address);
      await page.locator('main').waitFor();
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect([address, width]).toEqual([address, 360]);
    }
  });

  test('where a key is needed it is asked for, sent, and forgotten', async () => {
    const sent: (string | undefined)[] = [];
    await page.route('**/*', async (route) => {
      const authorization = route.request().headers()['authorization'];
      if (route.request().resourceType() !== 'fetch') return route.continue();
      sent.push(authorization);
      if (authorization === 'ApiKey good') return route.continue();
      return route.fulfill({
        status: 401,
        body: '{"error":"AuthenticationException[no]","status":401}',
      });
    });
    await open('#/search/movies');
    await page.getByLabel(/Key/).fill('good');
    await page.keyboard.press('Enter');
    await shows('3,201');
    expect(sent[0]).toBeUndefined();
    await page.getByRole('button', { name: 'Forget the key' }).click();
    await page.reload();
    await page.getByLabel(/Key/).waitFor();
    complaints = complaints.filter((text) => !text.includes('status of 401'));
  });
});
