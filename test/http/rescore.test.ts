// Rescoring over HTTP: the same answers with and without workers, over one and several shards and segments.

import { HttpClient } from '../support/http-client';

interface Found {
  hits: { total: number; max_score: number | null; hits: { _id: string; _score: number }[] };
}

const WORDS = ['quick', 'brown', 'fox', 'lazy', 'dog'];
const DOCS = Array.from({ length: 40 }, (_, i) => ({
  n: i + 1,
  t: Array.from({ length: 1 + ((i * 7) % 5) }, (_unused, j) => WORDS[(i * 3 + j) % 5]).join(' '),
}));
const BY_N = {
  function_score: {
    query: { match_all: {} },
    field_value_factor: { field: 'n' },
    boost_mode: 'replace',
  },
};

describe.each([0, 1, 3])('%i workers', (workers) => {
  let http: HttpClient;
  beforeAll(async () => {
    http = await HttpClient.start({
      'node.workers': String(workers),
      'search.default_search_type': 'dfs_query_then_fetch',
    });
    for (const shards of [1, 3]) {
      await http.ok('PUT', `/s${shards}`, {
        settings: { number_of_shards: shards },
        mappings: { d: { properties: { n: { type: 'integer' }, t: { type: 'string' } } } },
      });
      // Several segments.
      for (let from = 0; from < DOCS.length; from += 10) {
        const lines = DOCS.slice(from, from + 10).flatMap((doc) => [
          JSON.stringify({ index: { _id: String(doc.n) } }),
          JSON.stringify(doc),
        ]);
        await http.ok('POST', `/s${shards}/d/_bulk?refresh=true`, `${lines.join('\n')}\n`);
      }
    }
  });
  afterAll(() => http.close());

  const search = (index: string, body: object, params = ''): Promise<Found> =>
    http.ok('POST', `/${index}/_search${params}`, {
      query: { match: { t: 'quick fox' } },
      fields: [],
      ...body,
    }) as Promise<Found>;

  test.each(['s1', 's3'])('%s: scores are those of both queries, by every mode', async (index) => {
    const plain = await search(index, { size: 50 });
    const first = new Map(plain.hits.hits.map(({ _id, _score }) => [_id, _score]));
    const modes = {
      total: (a: number, b: number) => a + b,
      multiply: (a: number, b: number) => a * b,
      avg: (a: number, b: number) => (a + b) / 2,
      max: Math.max,
      min: Math.min,
    };
    for (const [mode, combine] of Object.entries(modes)) {
      const query = {
        rescore_query: BY_N,
        query_weight: 0.5,
        rescore_query_weight: 2,
        score_mode: mode,
      };
      const found = await search(index, { size: 50, rescore: { window_size: 50, query } });
      expect(found.hits.max_score).toBe(plain.hits.max_score);
      const scores = found.hits.hits.map(({ _score }) => _score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      for (const { _id, _score } of found.hits.hits) {
        expect(_score).toBeCloseTo(combine(first.get(_id)! * 0.5, Number(_id) * 2), 3);
      }
    }
  });

  test('hits beyond the window keep their own score, weighted', async () => {
    const plain = await search('s1', { size: 50 });
    const query = { rescore_query: BY_N, query_weight: 2 };
    const found = await search('s1', { size: 50, rescore: { window_size: 3, query } });
    const best = new Set(plain.hits.hits.slice(0, 3).map(({ _id }) => _id));
    expect(new Set(found.hits.hits.slice(0, 3).map(({ _id }) => _id))).toEqual(best);
    expect(found.hits.hits.slice(3)).toEqual(
      plain.hits.hits
        .slice(3)
        .map((hit) => ({ ...hit, _score: Math.fround(hit._score * 2) }))
        .map((hit) => ({ ...hit, _score: expect.closeTo(hit._score, 5) as number })),
    );
  });

  test('a page is cut out of the hits in their new order', async () => {
    const rescore = { window_size: 30, query: { rescore_query: BY_N } };
    for (const index of ['s1', 's3']) {
      const all = await search(index, { size: 30, rescore });
      const page = await search(index, { from: 4, size: 5, rescore });
      expect(page.hits.hits).toEqual(all.hits.hits.slice(4, 9));
    }
  });

  test('stages run one after the other, each on the order of the one before', async () => {
    const rescore = [
      { window_size: 40, query: { rescore_query: BY_N, query_weight: 0 } },
      { window_size: 1, query: { rescore_query: { match_all: {} }, rescore_query_weight: 1000 } },
    ];
    const { hits } = (await search('s1', { rescore })).hits;
    const order = hits.map(({ _id }) => Number(_id));
    expect(order).toEqual([...order].sort((a, b) => b - a));
    expect(hits[0]!._score).toBe(order[0]! + 1000);
  });

  test('scores do not depend on the number of shards unless the search type says so', async () => {
    const body = {
      size: 50,
      rescore: { window_size: 50, query: { rescore_query: { match: { t: 'lazy' } } } },
    };
    const scores = async (index: string, params = ''): Promise<Map<string, number>> =>
      new Map((await search(index, body, params)).hits.hits.map((hit) => [hit._id, hit._score]));
    const [one, three] = [await scores('s1'), await scores('s3')];
    expect(three.size).toBe(one.size);
    for (const [id, score] of one) expect(three.get(id)).toBeCloseTo(score, 5);
    expect(await scores('s3', '?search_type=dfs_query_then_fetch')).not.toEqual(three);
  });

  test('sorted hits, counts and empty lists are left alone', async () => {
    const rescore = { query: { rescore_query: BY_N } };
    const sort = ['n'];
    expect((await search('s1', { sort, rescore })).hits).toEqual(
      (await search('s1', { sort })).hits,
    );
    expect((await search('s1', { rescore: [] })).hits).toEqual((await search('s1', {})).hits);
    const count = await search('s1', { rescore }, '?search_type=count');
    expect(count.hits.hits).toEqual([]);
  });
});

describe('rescored scrolls', () => {
  let http: HttpClient;
  beforeAll(async () => {
    http = await HttpClient.start({ 'search.default_search_type': 'dfs_query_then_fetch' });
    for (const shards of [1, 3]) {
      await http.ok('PUT', `/s${shards}`, { settings: { number_of_shards: shards } });
      const lines = DOCS.flatMap((doc) => [
        JSON.stringify({ index: { _id: String(doc.n) } }),
        JSON.stringify(doc),
      ]);
      await http.ok('POST', `/s${shards}/d/_bulk?refresh=true`, `${lines.join('\n')}\n`);
    }
  });
  afterAll(() => http.close());

  interface Page extends Found {
    _scroll_id: string;
  }

  async function pages(index: string, params: string, body: object): Promise<Found['hits'][]> {
    let page = (await http.ok('POST', `/${index}/_search?scroll=1m${params}`, body)) as Page;
    const all: Found['hits'][] = [];
    while (page.hits.hits.length > 0) {
      expect(all.length).toBeLessThan(DOCS.length);
      all.push(page.hits);
      const next = `/_search/scroll?scroll=1m&scroll_id=${encodeURIComponent(page._scroll_id)}`;
      page = (await http.ok('GET', next)) as Page;
    }
    return all;
  }

  const types = ['query_then_fetch', 'dfs_query_then_fetch', 'query_and_fetch'];
  const cases = types.flatMap((type) =>
    [1, 3].flatMap((shards) =>
      [2, 7, 25, 100].map((window) => [`s${shards}`, type, window] as const),
    ),
  );
  test.each(cases)('%s, %s, window %i: each match is shown once', async (index, type, window) => {
    const query = { rescore_query: BY_N, query_weight: 0.5, score_mode: 'multiply' };
    const body = {
      size: 7,
      fields: [],
      query: { match: { t: 'quick fox' } },
      rescore: { window_size: window, query },
    };
    const params = `&search_type=${type}`;
    const found = await pages(index, params, body);
    const shown = found.flatMap(({ hits }) => hits.map(({ _id }) => _id));
    const all = await http.ok('POST', `/${index}/_search`, { ...body, size: 40, rescore: [] });
    const matches = (all as Found).hits.hits.map(({ _id }) => _id);
    expect([...shown].sort()).toEqual([...matches].sort());
    for (const { hits } of found) {
      const scores = hits.map(({ _score }) => _score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
    }
    // With a window for all of it, the pages are those of one large search.
    const whole = { ...body, size: 40, rescore: { window_size: 100, query } };
    const once = (await http.ok('POST', `/${index}/_search?${params.slice(1)}`, whole)) as Found;
    const inOrder = once.hits.hits.map(({ _id }) => _id);
    if (window === 100) expect(shown).toEqual(inOrder);
    else if (window <= 7) expect(shown).not.toEqual(inOrder);
  });

  test('each page is rescored, with the statistics of all shards', async () => {
    const body = {
      size: 10,
      fields: [],
      query: { constant_score: { query: { match_all: {} } } },
      rescore: { window_size: 10, query: { rescore_query: { match: { t: 'lazy' } } } },
    };
    const scores = async (index: string): Promise<[string, number][]> =>
      (await pages(index, '', body)).flatMap(({ hits }) =>
        hits.map((hit): [string, number] => [hit._id, Number(hit._score.toFixed(5))]),
      );
    const [one, three] = [new Map(await scores('s1')), new Map(await scores('s3'))];
    expect(one.size).toBe(DOCS.length);
    expect(three).toEqual(one);
    expect(new Set(one.values()).size).toBeGreaterThan(2);
  });
});

describe('what is refused', () => {
  let http: HttpClient;
  beforeAll(async () => {
    http = await HttpClient.start({ 'search.max_rescore_window': '50' });
    await http.ok('PUT', '/i/d/1?refresh=true', { n: 1 });
  });
  afterAll(() => http.close());
  const query = { rescore_query: { match_all: {} } };

  test.each([
    [{}, 'missing rescore type'],
    [{ query: 5 }, 'rescore type malformed, must start with start_object'],
    [{ bogus: 1, query }, "rescore doesn't support [bogus]"],
    [{ query: { ...query, bogus: 1 } }, "rescore doesn't support [bogus]"],
    [{ query: { ...query, score_mode: 'sum' } }, '[rescore] illegal score_mode [sum]'],
    [{ query: { rescore_query: { bogus: {} } } }, 'No query registered for [bogus]'],
    [{ query: {} }, 'rescore has no [rescore_query]'],
    [{ query, window_size: 0 }, 'rescore window_size must be above 0, but was [0]'],
    [{ query, window_size: 51 }, 'is larger than [50] (search.max_rescore_window)'],
    [Array.from({ length: 129 }, () => ({ query })), 'rescore has more than [128] stages'],
  ])('%j', async (rescore, text) => {
    const [status, body] = await http.pair('POST', '/i/_search', { rescore });
    expect([status, (body as { error: string }).error]).toEqual([
      400,
      expect.stringContaining(text),
    ]);
  });
});
