// npm run demo: loads some 3,200 movies through the HTTP API, shows a search, facets and an alias swap, and
// says where to look around.
//
//   npm run demo [-- --url http://127.0.0.1:9200]
//
// Without --url it starts a server of its own on a free port, over a temporary folder. On a terminal that
// server stays until it is interrupted.

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, Client, type Answer } from './common/client';
import { AIRPORT_MAPPING, MOVIE_MAPPING, readAirports, readMovies, type Movie } from './demo-data';
import { DEMO, readOptions } from './cli/index';
import { EXIT, ExitError, HELP_SHOWN, runProgram, type Outcome } from './common/program';
import { Progress } from './common/progress';

interface TermsFacet {
  readonly missing: number;
  readonly total: number;
  readonly other: number;
  readonly terms: readonly { readonly term: string | number; readonly count: number }[];
}

interface StatisticalFacet {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly std_deviation: number;
}

interface SearchAnswer {
  readonly took: number;
  readonly hits: {
    readonly total: number;
    readonly hits: readonly {
      readonly _score: number;
      readonly _index: string;
      readonly _source: Movie;
    }[];
  };
  readonly facets: Record<string, TermsFacet | StatisticalFacet>;
}

function heading(text: string): void {
  console.log(`\n${text}\n${'─'.repeat(text.length)}`);
}

function movies(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'movie' : 'movies'}`;
}

function showFacet(title: string, facet: TermsFacet | StatisticalFacet): void {
  if ('mean' in facet) {
    const { count, min, max, mean, std_deviation } = facet;
    const spread = `mean ${mean.toFixed(2)} ± ${std_deviation.toFixed(2)}`;
    console.log(`\n  ${title}  (${count} values)  ${min} to ${max}, ${spread}`);
    return;
  }
  const most = Math.max(1, ...facet.terms.map(({ count }) => count));
  console.log(
    `\n  ${title}  (${facet.total} values, ${movies(facet.missing)} without, ${facet.other} not shown)`,
  );
  for (const { term, count } of facet.terms) {
    const bar = '▇'.repeat(Math.max(1, Math.round((count / most) * 24)));
    console.log(`    ${String(term).padEnd(24)} ${String(count).padStart(5)}  ${bar}`);
  }
}

async function search(client: Client, path: string, body: object): Promise<SearchAnswer> {
  return (await client.send('POST', path, body)) as unknown as SearchAnswer;
}

async function countThrough(client: Client, alias: string): Promise<string> {
  const { hits } = await search(client, `/${alias}/_search`, { size: 1 });
  return `${movies(hits.total)}, answered by ${hits.hits[0]?._index ?? '-'}`;
}

/** The version a server speaks. @throws ExitError when the demo, which replaces indices, is not for it */
async function versionOf(client: Client): Promise<string> {
  const { version }: Answer = await client.send('GET', '/');
  const number = (version as { number?: unknown } | undefined)?.number;
  if (typeof number === 'string' && /^(0\.90|1)\./.test(number)) return number;
  const what = typeof number === 'string' ? `of version ${number}` : 'of another kind';
  throw new ExitError(
    EXIT.failed,
    `${client.url} is a server ${what}, and nothing was changed there: the demo is for facetd, or ` +
      'Elasticsearch 0.90 to 1.7. Without --url it starts a facetd of its own',
  );
}

async function run(client: Client): Promise<void> {
  const version = await versionOf(client);
  console.log(`Talking to ${client.url}, which speaks the ${version} interface.`);
  for (const index of ['movies-1', 'movies-2', 'airports']) {
    await client.send('DELETE', `/${index}?ignore_unavailable=true`);
  }

  heading('An index with a mapping and two aliases');
  await client.send('PUT', '/movies-1', {
    mappings: { movie: MOVIE_MAPPING },
    aliases: { movies: {}, dramas: { filter: { term: { genre: 'Drama' } } } },
  });
  console.log('  movies-1, reached as "movies", and as "dramas" through a filter');
  const records = await readMovies();
  const loading = new Progress('  loading', records.length);
  await client.bulk('movies-1', 'movie', records, (done) => loading.update(done));
  await client.send('POST', '/movies-1/_refresh');

  heading('A search, and facets: title contains "love" or "night", rated 6 or better on IMDB');
  const found = await search(client, '/movies/_search', {
    query: {
      filtered: {
        query: { match: { title: 'love night' } },
        filter: { range: { imdb: { gte: 6 } } },
      },
    },
    facets: {
      genre: { terms: { field: 'genre', size: 5 } },
      rating: { terms: { field: 'rating', size: 5, order: 'term' } },
      'drama directors': {
        terms: { field: 'director.raw', size: 5 },
        facet_filter: { term: { genre: 'Drama' } },
      },
      'IMDB rating': { statistical: { field: 'imdb' } },
      'genres of all movies': { terms: { field: 'genre', size: 5 }, global: true },
    },
    size: 5,
  });
  console.log(`  ${movies(found.hits.total)} in ${found.took} ms; the best five:`);
  for (const { _score, _source } of found.hits.hits) {
    const { title, year, imdb } = _source;
    console.log(`    ${_score.toFixed(2)}  ${title} (${year ?? '?'}), ${imdb?.toFixed(1) ?? '-'}`);
  }
  for (const [name, facet] of Object.entries(found.facets)) showFacet(name, facet);

  heading('The same through the filtered alias: facets see what the alias sees');
  const dramas = await search(client, '/dramas/_search', {
    size: 0,
    facets: { distributor: { terms: { field: 'distributor', size: 5 } } },
  });
  console.log(`  ${dramas.hits.total} dramas`);
  showFacet('distributor', dramas.facets['distributor']!);

  heading('Reindexing without downtime: build movies-2, then swap the alias in one step');
  console.log(`  before  "movies" has ${await countThrough(client, 'movies')}`);
  await client.send('PUT', '/movies-2', { mappings: { movie: MOVIE_MAPPING } });
  const recent = records.filter(([, { year }]) => year !== undefined && year >= 2000);
  const reindexing = new Progress('  reindexing', recent.length);
  await client.bulk('movies-2', 'movie', recent, (done) => reindexing.update(done));
  await client.send('POST', '/movies-2/_refresh');
  console.log(`  still   "movies" has ${await countThrough(client, 'movies')}`);
  await client.send('POST', '/_aliases', {
    actions: [
      { remove: { index: 'movies-1', alias: 'movies' } },
      { add: { index: 'movies-2', alias: 'movies' } },
    ],
  });
  console.log(`  after   "movies" has ${await countThrough(client, 'movies')}`);
  await loadAirports(client);
}

async function loadAirports(client: Client): Promise<void> {
  heading('Places and paths: airports, to look at');
  await client.send('PUT', '/airports', { mappings: { airport: AIRPORT_MAPPING } });
  const airports = await readAirports();
  const loading = new Progress('  loading', airports.length);
  await client.bulk('airports', 'airport', airports, (done) => loading.update(done));
  await client.send('POST', '/airports/_refresh');
}

/** Says where the explorer is. */
function showWhereToLook(url: string): void {
  heading('Look around');
  for (const name of ['movies', 'movies-1', 'airports']) {
    console.log(`  ${new URL('/_explorer', url).href}#/search/${name}`);
  }
}

const DONE: Outcome = { code: EXIT.done, summary: null };

async function main(): Promise<Outcome> {
  const line = readOptions(DEMO);
  if (line === null) return HELP_SHOWN;
  const { url } = line.values;
  if (url !== undefined) {
    const client = new Client(url);
    await run(client);
    showWhereToLook(client.url);
    return DONE;
  }
  const folder = await mkdtemp(join(tmpdir(), 'facetd-demo-'));
  const server = await startServer(join(folder, 'data'));
  try {
    await run(server.client);
    showWhereToLook(server.client.url);
    if (process.stdout.isTTY) {
      console.log('  until you press Ctrl-C');
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    } else console.log('  (while this runs on a terminal; elsewhere it ends here)');
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return DONE;
}

void runProgram(main);
