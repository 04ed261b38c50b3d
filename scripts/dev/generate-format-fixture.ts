// Writes the fixture of the present format of the data folder: a folder as a killed server leaves it, and
// what a server over it has to answer. test/fixtures/README.md says when to run it.
//
//   npm run build && node dist/scripts/dev/generate-format-fixture.js && npx oxfmt test/fixtures

import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { FORMAT_VERSION } from '../../storage/stamp';
import { startServer, type Client } from '../common/client';

const FIXTURES = join(packageFolder(), 'test', 'fixtures');
import { packageFolder } from '../common/package-folder';
const COLORS = ['red', 'green', 'blue', 'Grün', '紅'];

/** Requests whose answers the fixture keeps. */
const QUESTIONS: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['GET', '/_aliases'],
  ['GET', '/_mapping'],
  ['GET', '/_template'],
  ['GET', '/_cat/count/books'],
  ['GET', '/books/_count'],
  ['GET', '/people/_count'],
  ['GET', '/books/book/7'],
  ['GET', '/books/book/9'],
  ['GET', '/books/book/12'],
  ['GET', '/books/book/38'],
  ['GET', '/books/page/p1?parent=7'],
  ['GET', '/people/person/3?routing=south'],
  ['POST', '/books/_search', { size: 50, sort: [{ price: 'asc' }, { year: 'desc' }] }],
  ['POST', '/books/_search', { query: { match: { title: 'common 3' } }, size: 5 }],
  ['POST', '/books/_search', { query: { match_phrase: { title: 'common title' } }, size: 2 }],
  [
    'POST',
    '/cheap/_search',
    {
      size: 0,
      facets: {
        colors: { terms: { field: 'color', size: 20 } },
        price: { statistical: { field: 'price' } },
        years: { histogram: { field: 'year', interval: 2 } },
        months: { date_histogram: { field: 'published', interval: 'month' } },
        near: {
          geo_distance: { place: { lat: 48, lon: 11 }, ranges: [{ to: 500 }, { from: 500 }] },
        },
      },
    },
  ],
  [
    'POST',
    '/books/_search',
    { query: { nested: { path: 'reviews', query: { range: { 'reviews.stars': { gte: 4 } } } } } },
  ],
  ['POST', '/books/_search', { query: { has_child: { type: 'page', query: { match_all: {} } } } }],
  ['POST', '/south/_search', { sort: [{ name: 'asc' }] }],
];

async function fill(client: Client): Promise<void> {
  await client.send('PUT', '/_template/all', {
    template: 'peo*',
    mappings: { person: { properties: { name: { type: 'string', index: 'not_analyzed' } } } },
  });
  await client.send('PUT', '/books', {
    settings: {
      number_of_shards: 2,
      number_of_replicas: 0,
      refresh_interval: '-1',
      analysis: { analyzer: { titles: { tokenizer: 'standard', filter: ['lowercase'] } } },
    },
    mappings: {
      book: {
        _timestamp: { enabled: true, store: true },
        properties: {
          title: { type: 'string', analyzer: 'titles' },
          color: { type: 'string', index: 'not_analyzed' },
          price: { type: 'double' },
          year: { type: 'integer' },
          big: { type: 'long' },
          published: { type: 'date' },
          sold: { type: 'boolean' },
          place: { type: 'geo_point' },
          address: { type: 'ip' },
          reviews: { type: 'nested', properties: { stars: { type: 'integer' } } },
        },
      },
      page: { _parent: { type: 'book' } },
    },
  });
  const book = (i: number, note = '') => ({
    title: `common title ${i % 7} ${note}`,
    color: i % 3 === 0 ? [COLORS[i % 5], COLORS[(i + 1) % 5]] : COLORS[i % 5],
    price: i * 1.25,
    year: 1990 + (i % 9),
    big: `${9007199254740993n + BigInt(i)}`,
    published: `2014-0${1 + (i % 6)}-11T0${i % 9}:00:00Z`,
    sold: i % 2 === 0,
    place: { lat: 40 + i / 4, lon: 10 + i / 8 },
    address: `10.0.0.${i}`,
    reviews: [{ stars: i % 6 }, { stars: (i * 2) % 6 }],
  });
  for (let i = 0; i < 40; i++) {
    await client.send('PUT', `/books/book/${i}?timestamp=${1390000000000 + i}`, book(i));
    if (i % 13 !== 12) continue;
    // Several segments, with replaced and deleted documents in older ones.
    await client.send('PUT', `/books/book/${i - 3}?timestamp=1400000000000`, book(i, 'again'));
    await client.send('DELETE', `/books/book/${i - 4}`);
    await client.send('POST', '/books/_refresh');
  }
  await client.send('PUT', '/books/page/p1?parent=7', { text: 'a page', number: 1 });
  for (let i = 0; i < 6; i++) {
    const routing = i % 2 === 0 ? 'north' : 'south';
    await client.send('PUT', `/people/person/${i}?routing=${routing}`, { name: `n${i}`, age: i });
  }
  await client.send('POST', '/_aliases', {
    actions: [
      { add: { index: 'books', alias: 'cheap', filter: { range: { price: { lt: 30 } } } } },
      { add: { index: 'people', alias: 'south', routing: 'south' } },
    ],
  });
  await client.send('PUT', '/books/_warmer/w', { query: { match_all: {} } });
  await client.send('POST', '/_flush');
  // The end of the document log, which no segment holds yet.
  await client.send('PUT', '/books/book/38?timestamp=1400000000001', book(38, 'late'));
  await client.send('DELETE', '/books/book/12');
}

/** All files of a folder: contents in base64 by path. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const files: [string, string][] = [];
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const path = join(folder, name);
    // LevelDB makes the others anew.
    if (!(await stat(path)).isFile() || /\/(LOCK|LOG|LOG\.old)$/.test(path)) continue;
    files.push([name, (await readFile(path)).toString('base64')]);
  }
  return Object.fromEntries(files);
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'facetd-fixture-'));
  const fixture = join(FIXTURES, `data-format-${FORMAT_VERSION}`);
  try {
    const data = join(folder, 'data');
    const server = await startServer(data, ['node.workers=0']);
    await fill(server.client);
    const ended = new Promise((resolve) => server.process.once('exit', resolve));
    server.process.kill('SIGKILL');
    await ended;
    const files = await filesOf(data);
    const second = await startServer(data, ['node.workers=0']);
    await second.client.send('POST', '/_refresh');
    const answers: object[] = [];
    for (const [method, path, body] of QUESTIONS) {
      const response = await fetch(new URL(path, second.client.url), {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = text.startsWith('{');
      const answer: unknown = isJson ? JSON.parse(text) : text.trim().split(/\s+/).at(-1);
      answers.push({ method, path, ...(body === undefined ? {} : { body }), answer });
    }
    await second.stop();
    await mkdir(fixture, { recursive: true });
    await writeFile(join(fixture, 'files.json.gz'), gzipSync(JSON.stringify(files), { level: 9 }));
    await writeFile(join(fixture, 'answers.json'), JSON.stringify(answers));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
