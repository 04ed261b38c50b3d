// A session of the Node client for Elasticsearch 1.7 (`elasticsearch` on npm), as a movie site would have it:
// what the client sends and how it reads the answers is its own business.

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'elasticsearch';
import { parseJsonObject, parseRole } from '../../../engine/index';
import { RawHttp } from '../../support/raw-http';

interface Refusal {
  readonly status?: number;
  readonly message: string;
  readonly body?: unknown;
}
interface Hits {
  readonly _scroll_id?: string;
  readonly hits: {
    readonly total: number;
    readonly hits: readonly {
      readonly _id: string;
      readonly _source: Movie;
      readonly highlight?: Record<string, string[]>;
      readonly sort?: unknown[];
    }[];
  };
  readonly facets?: Record<string, unknown>;
}
interface Movie {
  readonly title: string;
  readonly genres: readonly string[];
  readonly year: number;
  readonly rating: number;
  readonly released: string;
}

const GENRES = ['drama', 'comedy', 'noir', 'western'];
const MOVIES = Array.from({ length: 60 }, (_, i): Movie => ({
  title: `The ${['quick', 'brown', 'lazy', 'silent', 'hidden'][i % 5]} story of ${i % 2 === 0 ? 'foxes' : 'hounds'}`,
  genres: [GENRES[i % 4]!, ...(i % 6 === 0 ? ['classic'] : [])],
  year: 1950 + (i % 10),
  rating: (i % 20) / 2,
  released: `195${i % 10}-0${1 + (i % 9)}-15`,
}));
const MAPPING = {
  properties: {
    title: { type: 'string' },
    genres: { type: 'string', index: 'not_analyzed' },
    year: { type: 'integer' },
    rating: { type: 'double' },
    released: { type: 'date' },
    suggest: { type: 'completion' },
  },
};

const TLS = join(__dirname, '..', '..', 'fixtures', 'tls');

let http: RawHttp;
let client: Client;
let repositories: string;
const index = 'movies-1';
const type = 'movie';

async function refusal(call: Promise<unknown>): Promise<Refusal> {
  return call.then(
    () => {
      throw new Error('nothing was refused');
    },
    (error: unknown) => error as Refusal,
  );
}

const search = async (body: object, more: object = {}): Promise<Hits> =>
  (await client.search({ index: 'movies', type, body, ...more })) as Hits;
const idsOf = ({ hits }: Hits): string[] => hits.hits.map(({ _id }) => _id);

describe.each(['without a key', 'over TLS with a key'] as const)('%s', (way) => {
  beforeAll(async () => {
    repositories = await mkdtemp(join(tmpdir(), 'facetd-client-'));
    const repo = { 'path.repo': repositories };
    if (way === 'without a key') {
      http = await RawHttp.start(repo);
      client = new Client({ host: `127.0.0.1:${http.port}`, apiVersion: '1.7', log: [] });
      return;
    }
    const [key, cert] = ['key.pem', 'certificate.pem'].map((name) => readFileSync(join(TLS, name)));
    http = await RawHttp.start({ ...repo, 'http.authentication': 'true' }, { key, cert });
    const secret = 'a secret: with @ and / in it';
    const role = parseRole(
      parseJsonObject('{"cluster":["all"],"indices":[{"names":["*"],"privileges":["all"]}]}'),
    );
    await http.engine.access.keys.create({ id: 'site', role, secret, expiresAt: null });
    client = new Client({
      host: { protocol: 'https', host: 'localhost', port: http.port, auth: `site:${secret}` },
      ssl: { ca: cert!.toString(), rejectUnauthorized: true },
      apiVersion: '1.7',
      log: [],
    });
  });
  afterAll(async () => {
    client.close();
    await http.close();
    await rm(repositories, { recursive: true });
  });

  test('finds the server', async () => {
    expect(await client.ping({})).toBe(true);
    expect(await client.info()).toMatchObject({
      status: 200,
      version: { number: expect.stringMatching(/^1\./) as string },
    });
    expect(await client.cluster['health']!({ waitForStatus: 'yellow' })).toMatchObject({
      timed_out: false,
    });
  });

  test('creates an index with a mapping and an alias', async () => {
    const body = {
      settings: { number_of_shards: 2, number_of_replicas: 0 },
      mappings: { [type]: MAPPING },
    };
    expect(await client.indices['create']!({ index, body })).toEqual({ acknowledged: true });
    expect((await refusal(client.indices['create']!({ index, body }))).status).toBe(400);
    expect(await client.indices['exists']!({ index })).toBe(true);
    expect(await client.indices['existsType']!({ index, type: 'none' })).toBe(false);
    expect(await client.indices['putAlias']!({ index, name: 'movies' })).toEqual({
      acknowledged: true,
    });
    expect(await client.indices['existsAlias']!({ name: 'movies' })).toBe(true);
    expect(await client.indices['getMapping']!({ index, type })).toMatchObject({
      [index]: { mappings: { [type]: { properties: { year: { type: 'integer' } } } } },
    });
  });

  test('loads documents in bulk', async () => {
    const body = MOVIES.flatMap((movie, i) => [
      { index: { _index: index, _type: type, _id: i } },
      movie,
    ]);
    const loaded = (await client.bulk({ body, refresh: true })) as {
      errors: boolean;
      items: unknown[];
    };
    expect([loaded.errors, loaded.items.length]).toEqual([false, MOVIES.length]);
    const mixed = await client.bulk({
      index,
      type,
      body: [
        { create: { _id: '0' } },
        MOVIES[0],
        { update: { _id: '1' } },
        { doc: { rating: 9.5 } },
        { delete: { _id: 'none' } },
      ],
    });
    expect(mixed).toMatchObject({
      errors: true,
      items: [
        { create: { status: 409 } },
        { update: { status: 200, _version: 2 } },
        { delete: { status: 404, found: false } },
      ],
    });
  });

  test('writes and reads single documents', async () => {
    const document = { index, type, id: 'single' };
    expect(await client.create({ ...document, body: MOVIES[3] })).toMatchObject({
      _version: 1,
      created: true,
    });
    expect(await refusal(client.create({ ...document, body: {} }))).toMatchObject({ status: 409 });
    expect(await client.index({ ...document, body: MOVIES[4], version: 1 })).toMatchObject({
      _version: 2,
    });
    expect(await refusal(client.index({ ...document, body: {}, version: 1 }))).toMatchObject({
      status: 409,
      message: expect.stringContaining('VersionConflictEngineException') as string,
    });
    expect(await client.get({ ...document, _source: ['title', 'year'] })).toMatchObject({
      found: true,
      _source: { title: MOVIES[4]!.title, year: 1954 },
    });
    expect(await client.getSource(document)).toEqual(MOVIES[4]);
    expect(await client.exists(document)).toBe(true);
    expect(await client.mget({ index, type, body: { ids: ['single', 'none'] } })).toMatchObject({
      docs: [{ found: true }, { found: false }],
    });
    expect(await refusal(client.get({ index, type, id: 'none' }))).toMatchObject({ status: 404 });
  });

  test('updates by document, by script and by upsert', async () => {
    const document = { index, type, id: 'single' };
    await client.update({ ...document, body: { doc: { seen: 1 } } });
    expect(
      await client.update({
        ...document,
        fields: '_source',
        body: { script: 'ctx._source.seen += n', params: { n: 4 }, lang: 'groovy' },
      }),
    ).toMatchObject({ _version: 4, get: { _source: { seen: 5 } } });
    const upsert = {
      index,
      type,
      id: 'counter',
      body: { script: 'ctx._source.n += 1', upsert: { n: 1 } },
    };
    for (const n of [1, 2]) {
      await client.update(upsert);
      expect(await client.getSource({ index, type, id: 'counter' })).toEqual({ n });
    }
    expect(
      await refusal(client.update({ index, type, id: 'none', body: { doc: {} } })),
    ).toMatchObject({
      status: 404,
      message: expect.stringContaining('DocumentMissingException') as string,
    });
    for (const id of ['single', 'counter']) await client.delete({ index, type, id, refresh: true });
  });

  test('searches, filters, sorts and pages', async () => {
    const found = await search({
      query: {
        filtered: {
          query: { match: { title: 'foxes' } },
          filter: { range: { year: { gte: 1952, lt: 1956 } } },
        },
      },
      sort: [{ year: 'desc' }, { rating: 'asc' }],
      from: 2,
      size: 3,
      _source: ['year'],
    });
    expect(found.hits.total).toBe(12);
    expect(found.hits.hits.map(({ sort }) => sort![0])).toEqual([1954, 1954, 1954]);
    expect(Object.keys(found.hits.hits[0]!._source)).toEqual(['year']);
    const plain = (await client.search({
      index: 'movies',
      q: 'title:lazy',
      size: 1,
      sort: 'year:asc',
    })) as Hits;
    expect([plain.hits.total, plain.hits.hits.length]).toEqual([12, 1]);
    expect(
      await client.count({ index: 'movies', body: { query: { term: { genres: 'classic' } } } }),
    ).toMatchObject({ count: 10 });
  });

  test('counts facets', async () => {
    const { facets } = await search(
      {
        query: { match: { title: 'foxes' } },
        facets: {
          genres: { terms: { field: 'genres', size: 2, order: 'term' } },
          everything: { terms: { field: 'genres', size: 1 }, global: true },
          years: { histogram: { field: 'year', interval: 5 } },
          months: { date_histogram: { field: 'released', interval: 'year' } },
          rating: { statistical: { field: 'rating' } },
          ratings: { range: { field: 'rating', ranges: [{ to: 5 }, { from: 5 }] } },
          best: { terms_stats: { key_field: 'genres', value_field: 'rating' } },
          classic: { filter: { term: { genres: 'classic' } } },
          quick: { query: { match: { title: 'quick' } }, facet_filter: { term: { year: 1950 } } },
        },
      },
      { searchType: 'count' },
    );
    expect(facets).toMatchObject({
      genres: {
        total: 40,
        other: 15,
        terms: [
          { term: 'classic', count: 10 },
          { term: 'drama', count: 15 },
        ],
      },
      everything: { total: 70 },
      years: {
        entries: [
          { key: 1950, count: 18 },
          { key: 1955, count: 12 },
        ],
      },
      rating: { count: 30, min: 0, max: 9 },
      ratings: {
        ranges: [
          { to: 5, count: 15 },
          { from: 5, count: 15 },
        ],
      },
      classic: { count: 10 },
      quick: { count: 6 },
    });
  });

  test('highlights what matched', async () => {
    const { hits } = await search({
      query: { match: { title: 'foxes' } },
      size: 1,
      highlight: { pre_tags: ['<b>'], post_tags: ['</b>'], fields: { title: {} } },
    });
    expect(hits.hits[0]!.highlight).toEqual({
      title: [expect.stringMatching(/^The \w+ story of <b>foxes<\/b>$/) as string],
    });
  });

  async function rest(first: Hits): Promise<string[]> {
    const ids = idsOf(first);
    for (let page = first; ;) {
      page = (await client.scroll({ scrollId: page._scroll_id, scroll: '1m' })) as Hits;
      if (page.hits.hits.length === 0) {
        // A scan is over by itself then.
        await client.clearScroll({ scrollId: page._scroll_id, ignore: [404] });
        return ids;
      }
      ids.push(...idsOf(page));
    }
  }

  test('scrolls through all documents', async () => {
    const first = await search({ sort: ['year', 'rating'], size: 7 }, { scroll: '1m' });
    const ids = await rest(first);
    expect([first.hits.hits.length, ids.length, new Set(ids).size]).toEqual([
      7,
      MOVIES.length,
      MOVIES.length,
    ]);
  });

  test('scans all documents', async () => {
    const first = await search(
      { query: { match_all: {} }, size: 9 },
      { scroll: '1m', searchType: 'scan' },
    );
    expect([first.hits.total, first.hits.hits.length]).toEqual([MOVIES.length, 0]);
    expect(new Set(await rest(first)).size).toBe(MOVIES.length);
  });

  test('suggests terms', async () => {
    const body = { mine: { text: 'quikc', term: { field: 'title' } } };
    expect(await client.suggest({ index: 'movies', body })).toMatchObject({
      mine: [{ text: 'quikc', offset: 0, length: 5, options: [{ text: 'quick' }] }],
    });
  });

  test('suggests completions', async () => {
    const hint = { index, type, id: 'hint', refresh: true };
    const suggest = { input: ['Foxes', 'The foxes'], output: 'Foxes!', weight: 7 };
    await client.index({ ...hint, body: { suggest } });
    const body = { mine: { text: 'fo', completion: { field: 'suggest' } } };
    try {
      expect(await client.suggest({ index: 'movies', body })).toMatchObject({
        mine: [{ options: [{ text: 'Foxes!', score: 7 }] }],
      });
    } finally {
      await client.delete(hint);
    }
  });

  test('percolates a document', async () => {
    const query = { query: { match: { title: 'fox' } } };
    await client.index({
      index,
      type: '.percolator',
      id: 'about-foxes',
      body: query,
      refresh: true,
    });
    const doc = { title: 'A fox and a hound' };
    expect(await client.percolate({ index, type, body: { doc } })).toMatchObject({
      total: 1,
      matches: [{ _index: index, _id: 'about-foxes' }],
    });
  });

  test('searches many times at once, and for more like one', async () => {
    const body = [
      { index: 'movies' },
      { query: { match: { title: 'lazy' } }, size: 0 },
      { index: 'none' },
      {},
    ];
    const { responses } = (await client.msearch({ body })) as {
      responses: (Hits & { error?: string })[];
    };
    expect([responses[0]!.hits.total, responses[1]!.error]).toEqual([
      12,
      'IndexMissingException[[none] missing]',
    ]);
    const like = (await client.mlt({
      index,
      type,
      id: '0',
      mltFields: 'title',
      minDocFreq: 1,
      minTermFreq: 1,
    })) as Hits;
    expect(idsOf(like)).not.toContain('0');
    expect(like.hits.total).toBeGreaterThan(0);
  });

  test('deletes by query', async () => {
    await client.deleteByQuery({ index, type, body: { query: { term: { genres: 'western' } } } });
    expect(await client.count({ index, type })).toMatchObject({ count: 45 });
  });

  test('moves the alias to a new index', async () => {
    await client.indices['create']!({ index: 'movies-2', body: { mappings: { [type]: MAPPING } } });
    await client.index({ index: 'movies-2', type, id: 'new', body: MOVIES[0], refresh: true });
    const actions = [
      { remove: { index, alias: 'movies' } },
      {
        add: {
          index: 'movies-2',
          alias: 'movies',
          filter: { term: { genres: 'drama' } },
          routing: 'r',
        },
      },
    ];
    expect(await client.indices['updateAliases']!({ body: { actions } })).toEqual({
      acknowledged: true,
    });
    expect(await client.indices['getAlias']!({ name: 'movies' })).toEqual({
      'movies-2': {
        aliases: {
          movies: {
            filter: { term: { genres: 'drama' } },
            index_routing: 'r',
            search_routing: 'r',
          },
        },
      },
    });
    expect(await refusal(client.indices['deleteAlias']!({ index, name: 'none' }))).toMatchObject({
      status: 404,
    });
  });

  test('keeps templates and shows tables', async () => {
    const body = { template: 'logs-*', settings: { number_of_shards: 3 } };
    await client.indices['putTemplate']!({ name: 'logs', body });
    expect(await client.indices['existsTemplate']!({ name: 'logs' })).toBe(true);
    await client.index({ index: 'logs-1', type: 'line', body: { message: 'x' } });
    expect(
      await client.indices['getSettings']!({ index: 'logs-1', flatSettings: true }),
    ).toMatchObject({
      'logs-1': { settings: { 'index.number_of_shards': '3' } },
    });
    expect(await client.cat['indices']!({ h: 'index,pri', index: 'logs-1' })).toMatch(
      /^logs-1 +3 *\n$/,
    );
    await client.indices['deleteTemplate']!({ name: 'logs' });
    await client.indices['delete']!({ index: 'logs-*' });
  });

  test('takes a snapshot and restores it', async () => {
    const settings = { location: join(repositories, 'backup') };
    await client.snapshot['createRepository']!({
      repository: 'backup',
      body: { type: 'fs', settings },
    });
    const snapshot = { repository: 'backup', snapshot: 'first' };
    expect(
      await client.snapshot['create']!({
        ...snapshot,
        waitForCompletion: true,
        body: { indices: index },
      }),
    ).toMatchObject({
      snapshot: { state: 'SUCCESS', indices: [index] },
    });
    await client.indices['delete']!({ index });
    expect(await client.indices['exists']!({ index })).toBe(false);
    await client.snapshot['restore']!({ ...snapshot, waitForCompletion: true });
    expect(await client.count({ index, type })).toMatchObject({ count: 45 });
    expect(await client.snapshot['delete']!(snapshot)).toEqual({ acknowledged: true });
  });

  test('deletes what it made', async () => {
    expect(await client.delete({ index: 'movies-2', type, id: 'new' })).toMatchObject({
      found: true,
      _version: 2,
    });
    expect(await refusal(client.delete({ index: 'movies-2', type, id: 'new' }))).toMatchObject({
      status: 404,
    });
    expect(await client.indices['delete']!({ index: 'movies-*' })).toEqual({ acknowledged: true });
    expect(await client.indices['exists']!({ index: 'movies' })).toBe(false);
  });
});
