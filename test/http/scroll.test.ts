// Searches that are kept open: pages, scans, ids, ends. Expected answers are those of the reference server.

import { HttpClient } from '../support/http-client';
import { Random, testSeed } from '../support/random';
import { until } from '../support/until';

interface Hit {
  readonly _index: string;
  readonly _id: string;
  readonly _score: number | null;
  readonly sort?: readonly unknown[];
}
interface Page {
  readonly _scroll_id?: string;
  readonly timed_out: boolean;
  readonly _shards: {
    readonly total: number;
    readonly successful: number;
    readonly failed: number;
  };
  readonly hits: {
    readonly total: number;
    readonly max_score: number | null;
    readonly hits: Hit[];
  };
  readonly facets?: unknown;
}

const random = new Random(testSeed(19470102));
const DOCUMENTS = 90;

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start({
    'search.max_open_scroll_context': '40',
    'search.keep_alive_interval': '10ms',
  });
  for (const [index, shards] of [
    ['one', 1],
    ['three', 3],
    ['other', 2],
  ] as const) {
    await http.ok('PUT', `/${index}`, {
      settings: { number_of_shards: shards },
      mappings: {
        t: {
          properties: {
            n: { type: 'integer' },
            l: { type: 'long' },
            k: { type: 'string', index: 'not_analyzed' },
            place: { type: 'geo_point' },
          },
        },
      },
      aliases: { [`${index}-a`]: { filter: { term: { k: 'a' } } } },
    });
    for (let from = 0; from < DOCUMENTS; from += 30) {
      // Segments of several refreshes.
      await http.ok('POST', `/${index}/t/_bulk?refresh=true`, documents(from, from + 30));
    }
    await http.ok('DELETE', `/${index}/t/7?refresh=true`);
  }
});
afterEach(() => http.ok('DELETE', '/_search/scroll/_all'));
afterAll(() => http.close());

function documents(from: number, to: number): string {
  let lines = '';
  for (let id = from; id < to; id++) {
    const document = {
      ...(random.chance(0.8) ? { n: random.below(20) } : {}),
      l: random.chance(0.3) ? '9007199254740993' : id,
      k: random.pick(['a', 'b', 'c']),
      t: 'fox '.repeat(1 + random.below(4)),
      place: { lat: random.below(3), lon: random.below(3) },
    };
    lines += `${JSON.stringify({ index: { _id: String(id) } })}\n`;
    lines += `${JSON.stringify(document).replace('"9007199254740993"', '9007199254740993')}\n`;
  }
  return lines;
}

const first = (path: string, body: object = {}) => http.ok('POST', path, body) as Promise<Page>;
const next = (id: string | undefined, scroll = '1m') =>
  http.ok('GET', `/_search/scroll?scroll=${scroll}&scroll_id=${id}`) as Promise<Page>;
const idsOf = ({ hits }: Page) => hits.hits.map(({ _index, _id }) => `${_index}/${_id}`);
const openContexts = async () => {
  const { _all } = (await http.ok('GET', '/_stats/search')) as {
    _all: { total: { search: { open_contexts: number } } };
  };
  return _all.total.search.open_contexts;
};

/** All pages of a scroll until one is empty. */
async function pages(path: string, body: object): Promise<Page[]> {
  const all = [await first(path, body)];
  while (all.at(-1)!.hits.hits.length > 0 || all.length === 1) {
    all.push(await next(all.at(-1)!._scroll_id));
    if (all.length > 200) throw new Error('no end');
  }
  return all;
}

const SORTS: readonly unknown[] = [
  undefined,
  ['n'],
  [{ n: { order: 'desc', missing: '_first' } }],
  [{ n: { missing: 7 } }, '_score'],
  [{ l: 'desc' }],
  ['k', { l: 'asc' }],
  [{ k: 'desc' }],
  ['_doc'],
  [{ _score: 'asc' }],
  [{ _geo_distance: { place: '1,1', unit: 'km' } }],
  [{ _script: { script: "doc['k'].value", type: 'string' } }],
  [{ _script: { script: "doc['l'].value % 5", type: 'number', order: 'desc' } }],
];

test.each(SORTS.map((sort) => [JSON.stringify(sort) ?? 'by score', sort] as const))(
  'the pages of a scroll are one long list: %s',
  async (_name, sort) => {
    for (const target of ['one', 'three', 'one,three,other', 'three-a', 'three?routing=x']) {
      const [path, query = ''] = target.split('?');
      const wanted = { query: { match: { t: 'fox' } }, ...(sort === undefined ? {} : { sort }) };
      const all = (await http.ok('POST', `/${path}/_search?size=500&${query}`, wanted)) as Page;
      const type = random.pick(['query_then_fetch', 'dfs_query_then_fetch']);
      const scored = (await http.ok(
        'POST',
        `/${path}/_search?size=500&search_type=${type}&${query}`,
        wanted,
      )) as Page;
      const size = random.pick([6, 17, 50]);
      const from = random.pick([0, 3]);
      const found = await pages(`/${path}/_search?scroll=1m&search_type=${type}&${query}`, {
        ...wanted,
        size,
        from,
      });
      const hits = found.flatMap((page) => page.hits.hits);
      expect(hits).toEqual(scored.hits.hits);
      expect(new Set(found.map((page) => page.hits.total))).toEqual(new Set([all.hits.total]));
      for (const page of found.slice(0, -2)) expect(page.hits.hits).toHaveLength(size);
    }
  },
);

test('every shard brings a page of its own where the search asks for that', async () => {
  const path = '/three/_search?scroll=1m&search_type=query_and_fetch&size=5';
  const [page, ...others] = await pages(path, { sort: ['_uid'], _source: false });
  expect(page!.hits.hits).toHaveLength(15);
  const all = [page!, ...others].flatMap(idsOf);
  expect(new Set(all).size).toBe(DOCUMENTS - 1);
  expect(all).toHaveLength(DOCUMENTS - 1);
});

test('a scan shows everything once, by shard, in the order of writing', async () => {
  for (const [target, query] of [
    ['one', { match_all: {} }],
    ['three,other', { match_all: {} }],
    ['three-a', { match: { t: 'fox' } }],
    ['three', { filtered: { filter: { range: { n: { gte: 5 } } } } }],
  ] as const) {
    const path = `/${target}/_search?search_type=scan&scroll=1m&size=7`;
    const body = { query, sort: [{ n: 'desc' }], facets: { k: { terms: { field: 'k' } } } };
    const start = await first(path, { ...body, filter: { exists: { field: 'k' } } });
    expect(start.hits).toMatchObject({ max_score: 0, hits: [] });
    const plain = { query, sort: ['_doc'], size: 500 };
    const expected = (await http.ok('POST', `/${target}/_search`, plain)) as Page;
    const seen: string[] = [];
    let page = start;
    for (;;) {
      page = await next(page._scroll_id);
      expect(page.hits).toMatchObject({ total: expected.hits.total, max_score: 0 });
      if (page._shards.total === 0) break;
      expect(page.facets).toEqual(start.facets);
      for (const { _score } of page.hits.hits) expect(_score).toBe(0);
      seen.push(...idsOf(page));
    }
    expect(page.facets).toBeUndefined();
    expect(seen.sort()).toEqual(idsOf(expected).sort());
    // For ever.
    expect((await next(page._scroll_id)).hits).toEqual({
      total: expected.hits.total,
      max_score: 0,
      hits: [],
    });
    expect(await openContexts()).toBe(0);
  }
});

test('what has the scores of a scan, and what cuts it', async () => {
  const path = '/one/_search?search_type=scan&scroll=1m&size=4';
  const scored = await first(path, { query: { match: { t: 'fox' } }, track_scores: true });
  for (const { _score } of (await next(scored._scroll_id)).hits.hits)
    expect(_score).toBeGreaterThan(0);
  const cut = await first(`${path}&terminate_after=6`, {});
  expect(cut).toMatchObject({ terminated_early: true, hits: { total: 6 } });
  const page = await next(cut._scroll_id);
  expect((await next(page._scroll_id)).hits.hits).toHaveLength(2);
});

test('the view is that of the start, whatever is written, merged or restarted by', async () => {
  await http.ok('PUT', '/live', { settings: { number_of_shards: 2 } });
  for (let id = 0; id < 20; id++) await http.ok('PUT', `/live/t/${id}`, { n: id });
  await http.ok('POST', '/live/_refresh');
  const body = { sort: ['n'], size: 4 };
  const before = await first('/live/_search?scroll=1m', body);
  const scan = await first('/live/_search?search_type=scan&scroll=1m&size=100');
  for (let id = 0; id < 20; id += 2) await http.ok('DELETE', `/live/t/${id}?refresh=true`);
  await http.ok('PUT', '/live/t/1?refresh=true', { n: 100 });
  await http.ok('POST', '/live/_optimize?max_num_segments=1');
  const seen = [before];
  while (seen.at(-1)!.hits.hits.length > 0) seen.push(await next(seen.at(-1)!._scroll_id));
  expect(seen.flatMap(({ hits }) => hits.hits.map(({ sort }) => sort![0]))).toEqual(
    Array.from({ length: 20 }, (_, i) => i),
  );
  expect((await next(scan._scroll_id)).hits.hits).toHaveLength(20);
  await http.ok('DELETE', '/live');
  const id = seen.at(-1)!._scroll_id!;
  expect(await http.error('GET', `/_search/scroll?scroll=1m&scroll_id=${id}`)).toMatch(
    /^404 SearchPhaseExecutionException\[Failed to execute phase \[query\], all shards failed; shardFailures (\{SearchContextMissingException\[No search context found for id \[\d+\]\]\}){2}\]$/,
  );
});

test('an index that goes takes its part with it', async () => {
  await http.ok('PUT', '/gone', { settings: { number_of_shards: 1 } });
  await http.ok('PUT', '/gone/t/1?refresh=true', { n: 1 });
  const page = await first('/one,gone/_search?scroll=1m&size=50&sort=_uid');
  const scan = await first('/one,gone/_search?scroll=1m&search_type=scan&size=50');
  expect(page.hits.total).toBe(DOCUMENTS);
  await http.ok('POST', '/gone/_close');
  const missing = [
    {
      status: 404,
      reason: expect.stringMatching(/^SearchContextMissingException\[.*\]$/) as string,
    },
  ];
  const rest = await next(page._scroll_id);
  expect(rest._shards).toEqual({ total: 2, successful: 1, failed: 1, failures: missing });
  expect(rest.hits.total).toBe(DOCUMENTS - 1);
  const scanned = await next(scan._scroll_id);
  expect(scanned._shards).toEqual({ total: 2, successful: 1, failed: 1, failures: missing });
  expect((await next(scanned._scroll_id))._shards.total).toBe(1);
  await http.ok('DELETE', '/gone');
});

test('an id comes in every way, and is ended in every way', async () => {
  const open = async () => (await first('/three/_search?scroll=1m&size=2'))._scroll_id!;
  const id = await open();
  expect(id).toMatch(/^[\w-]{20,100}$/);
  for (const [method, path, body] of [
    ['GET', `/_search/scroll?scroll=1m&scroll_id=${id}`],
    ['POST', '/_search/scroll?scroll=1m', id],
    ['POST', '/_search/scroll?scroll=1m', ` ${id}\n`],
    ['GET', `/_search/scroll/${id}?scroll=1m`],
    ['POST', `/_search/scroll/${id}?scroll=1m&scroll_id=bogus`, 'bogus'],
    ['GET', `/_search/scroll?scroll=1m&source=${id}`],
  ] as const) {
    const page = (await http.ok(method, path, body)) as Page;
    expect(page.hits.hits).toHaveLength(2);
    expect(page._scroll_id).toBe(id);
  }
  const ids = [await open(), await open(), await open()];
  expect(await http.pair('DELETE', `/_search/scroll/${ids[0]}`)).toEqual([200, {}]);
  expect(await http.pair('DELETE', `/_search/scroll?scroll_id=${ids[0]}`)).toEqual([404, {}]);
  expect(await http.pair('DELETE', '/_search/scroll', `${ids[0]},${ids[1]}`)).toEqual([200, {}]);
  expect(await http.error('DELETE', `/_search/scroll/${ids[2]},bogus`)).toMatch(/^400 .*Malformed/);
  expect((await next(ids[2]))._shards.failed).toBe(0);
  expect(await http.pair('DELETE', '/_search/scroll', '_all')).toEqual([200, {}]);
  expect((await http.send('GET', `/_search/scroll?scroll=1m&scroll_id=${ids[2]}`)).status).toBe(
    404,
  );
});

test('without a new time to live a page is the last one', async () => {
  const { _scroll_id } = await first('/three/_search?scroll=1m&size=2');
  const last = (await http.ok('GET', `/_search/scroll/${_scroll_id}`)) as Page;
  expect(last).not.toHaveProperty('_scroll_id');
  expect(last.hits.hits).toHaveLength(2);
  expect((await http.send('GET', `/_search/scroll/${_scroll_id}`)).status).toBe(404);
});

test('a scroll that nobody asks for ends, and one that is asked for lives', async () => {
  const kept = await first('/three/_search?scroll=1m&size=2');
  const left = await first('/three/_search?scroll=0&size=2');
  await until(async () => (await openContexts()) === 3);
  expect((await http.send('GET', `/_search/scroll/${left._scroll_id}?scroll=1m`)).status).toBe(404);
  expect((await next(kept._scroll_id)).hits.hits).toHaveLength(2);
  // A time to live that is given later holds from then on.
  await next(kept._scroll_id, '1ms');
  await until(async () => (await openContexts()) === 0);
});

test('pages that are asked for at once are made one after the other', async () => {
  const { _scroll_id } = await first('/three/_search?scroll=1m&size=5&sort=_uid');
  const found = await Promise.all(Array.from({ length: 6 }, () => next(_scroll_id)));
  const all = found.flatMap(idsOf);
  expect(all).toHaveLength(30);
  expect(new Set(all).size).toBe(30);
});

test('no more are open than may be', async () => {
  for (let i = 0; i < 40; i++) await first('/one/_search?scroll=1m&size=1');
  expect(await http.error('GET', '/one/_search?scroll=1m')).toBe(
    '429 EsRejectedExecutionException[limit of [40] open scrolls has been reached (search.max_open_scroll_context)]',
  );
  await http.ok('DELETE', '/_search/scroll/_all');
  expect(await openContexts()).toBe(0);
  // What failed is not open.
  for (let i = 0; i < 50; i++) {
    expect((await http.send('POST', '/one/_search?scroll=1m', { bogus: 1 })).status).toBe(400);
  }
  await first('/one/_search?scroll=1m');
});

test.each([
  ['GET', '/one/_search?scroll=abc', '400 ElasticsearchParseException[Failed to parse [abc]]'],
  ['GET', '/one/_search?scroll=', '400 ElasticsearchParseException[Failed to parse []]'],
  [
    'GET',
    '/one/_search?scroll=8d',
    '400 ElasticsearchIllegalArgumentException[Keep alive for scroll',
  ],
  [
    'GET',
    '/one/_search?search_type=scan',
    '500 SearchPhaseExecutionException[Failed to execute phase [init_scan]',
  ],
  [
    'GET',
    '/one/_search?search_type=count&scroll=1m',
    '503 ReduceSearchPhaseException[Failed to execute phase [query], [reduce] ]; nested: ElasticsearchIllegalStateException; ',
  ],
  ['POST', '/_search/scroll', '400 ElasticsearchIllegalArgumentException[Malformed scrollId []]'],
  [
    'GET',
    '/_search/scroll?scroll_id=bogus',
    '400 ElasticsearchIllegalArgumentException[Malformed scrollId [bogus]]',
  ],
  [
    'GET',
    '/_search/scroll?scroll_id=abc',
    '400 ElasticsearchIllegalArgumentException[Failed to decode scrollId]; nested: IllegalArgumentException[Base64-encoded string must have at least four characters, but length specified was 3]; ',
  ],
  [
    'GET',
    '/_search/scroll/%7B%22scroll_id%22%3A1%7D',
    '400 ElasticsearchIllegalArgumentException[Failed to decode scrollId]; nested: IOException[Bad Base64 input character decimal 123 in array position 0]; ',
  ],
  [
    'GET',
    '/_search/scroll?scroll=1y&scroll_id=bogus',
    '400 ElasticsearchParseException[Failed to parse [1y]]',
  ],
  [
    'GET',
    `/_search/scroll/${base64('foo;1;1:a;0;')}`,
    '400 ElasticsearchIllegalArgumentException[Scroll id type [foo] unrecognized]',
  ],
  [
    'GET',
    `/_search/scroll/${base64('queryThenFetch;2;7:n;8:n;0;')}`,
    '404 SearchPhaseExecutionException[Failed to execute phase [query], all shards failed; shardFailures {SearchContextMissingException[No search context found for id [7]]}{SearchContextMissingException[No search context found for id [8]]}]',
  ],
  [
    'GET',
    `/_search/scroll/${base64('f;key;0;5;99999999999999;3')}`,
    '404 SearchPhaseExecutionException[Failed to execute phase [query_fetch]',
  ],
  [
    'GET',
    `/_search/scroll/${base64('q;__proto__;0;5;-1;3')}`,
    '400 ElasticsearchIllegalArgumentException[Malformed scrollId',
  ],
  [
    'DELETE',
    '/_search/scroll',
    '400 ActionRequestValidationException[Validation Failed: 1: no scroll ids specified;]',
  ],
  ['DELETE', '/_search/scroll/_all,bogus', '400 ElasticsearchIllegalArgumentException'],
])('%s %s is refused', async (method, path, error) => {
  expect((await http.error(method, path)).slice(0, error.length)).toBe(error);
});

function base64(text: string): string {
  return Buffer.from(text).toString('base64url');
}

test('ids of scans tell the total when all else is gone', async () => {
  expect(
    await http.pair('GET', `/_search/scroll/${base64('scan;0;1;total_hits:28;')}?scroll=1m`),
  ).toMatchObject([200, { _shards: { total: 0 }, hits: { total: 28, max_score: 0, hits: [] } }]);
  const scan = await first('/three/_search?search_type=scan&scroll=1m&size=10');
  await http.ok('DELETE', '/_search/scroll/_all');
  expect(await http.pair('GET', `/_search/scroll/${scan._scroll_id}?scroll=1m`)).toMatchObject([
    404,
    { _shards: { total: 3, successful: 0, failed: 3 }, hits: { total: DOCUMENTS - 1, hits: [] } },
  ]);
});

test('other requests that take a scroll, and those that do not', async () => {
  const like = '/one/t/1/_mlt?mlt_fields=t&min_term_freq=1&min_doc_freq=1&search_size=3';
  const page = (await http.ok('GET', `${like}&search_scroll=1m`)) as Page;
  expect((await next(page._scroll_id)).hits.hits).toHaveLength(3);
  const items = (await http.ok(
    'POST',
    '/_msearch?scroll=1m',
    '{"index":"one","scroll":"1m"}\n{"size":1}\n{"index":"one","search_type":"scan"}\n{}\n',
  )) as { responses: (Page & { error?: string })[] };
  expect(items.responses[0]).not.toHaveProperty('_scroll_id');
  expect(items.responses[1]!.error).toContain('Scroll must be provided when scanning...');
  expect(await http.error('POST', '/one/_search', { scroll: '1m' })).toContain(
    'No parser for element [scroll]',
  );
  expect(await first('/none*/_search?scroll=1m')).not.toHaveProperty('_scroll_id');
});
