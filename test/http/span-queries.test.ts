// Span queries over HTTP: in all places where a query can stand, with and without workers, over one and
// several shards.

import { HttpClient } from '../support/http-client';

interface Found {
  hits: { total: number; hits: { _id: string; _score: number }[] };
  facets?: Record<string, { count: number }>;
}

const WORDS = ['quick', 'brown', 'fox', 'quirk', 'dog'];
const TEXTS = Array.from({ length: 40 }, (_, i) =>
  Array.from({ length: 2 + (i % 7) }, (_unused, j) => WORDS[(i * i + j * 3 + i * j) % 5]).join(' '),
);
const term = (text: string) => ({ span_term: { t: text } });
const near = (clauses: object[], slop: number, in_order = true) => ({
  span_near: { clauses, slop, in_order },
});
const multi = { span_multi: { match: { prefix: { t: 'qui' } } } };
const PAIR = near([term('quick'), term('fox')], 1);

describe.each([0, 2])('%i workers', (workers) => {
  let http: HttpClient;
  beforeAll(async () => {
    http = await HttpClient.start({
      'node.workers': String(workers),
      'search.default_search_type': 'dfs_query_then_fetch',
    });
    for (const shards of [1, 3]) {
      await http.ok('PUT', `/s${shards}`, {
        settings: { number_of_shards: shards },
        mappings: { d: { properties: { t: { type: 'string' } } } },
        aliases: {
          [`first${shards}`]: { filter: { query: { span_first: { match: multi, end: 1 } } } },
        },
      });
      for (let from = 0; from < TEXTS.length; from += 10) {
        const lines = TEXTS.slice(from, from + 10).flatMap((t, i) => [
          JSON.stringify({ index: { _id: String(from + i) } }),
          JSON.stringify({ t }),
        ]);
        await http.ok('POST', `/s${shards}/d/_bulk?refresh=true`, `${lines.join('\n')}\n`);
      }
    }
  });
  afterAll(() => http.close());

  const search = async (index: string, body: object): Promise<Found> =>
    (await http.ok('POST', `/${index}/_search`, { size: 50, fields: [], ...body })) as Found;
  const scores = ({ hits }: Found) =>
    Object.fromEntries(hits.hits.map(({ _id, _score }) => [_id, _score.toPrecision(5)]));

  test.each([
    [PAIR],
    [near([multi, term('fox')], 2, false)],
    [{ span_not: { include: multi, exclude: term('dog'), dist: 1 } }],
    [{ span_first: { match: { span_or: { clauses: [PAIR, term('dog')] } }, end: 4 } }],
    [{ bool: { should: [PAIR, { match: { t: 'brown' } }], must_not: [near([multi, multi], 0)] } }],
  ])('%j: one shard and three give the same', async (query) => {
    const [one, three] = [await search('s1', { query }), await search('s3', { query })];
    expect(one.hits.total).toBeGreaterThan(2);
    expect(scores(three)).toEqual(scores(one));
    const filter = { constant_score: { filter: { query } } };
    expect((await search('s3', { query: filter })).hits.total).toBe(one.hits.total);
    expect(await http.ok('POST', '/s3/_count', { query })).toMatchObject({ count: one.hits.total });
    const facets = { f: { query } };
    expect((await search('s3', { facets })).facets!['f']!.count).toBe(one.hits.total);
  });

  test('the filter of an alias', async () => {
    const starts = TEXTS.filter((text) => text.startsWith('qui')).length;
    for (const name of ['first1', 'first3']) {
      expect((await search(name, {})).hits.total).toBe(starts);
    }
  });
});

describe('on one node', () => {
  let http: HttpClient;
  beforeAll(async () => {
    http = await HttpClient.start();
  });
  afterAll(() => http.close());
  afterEach(() => http.reset());

  test('stored queries match documents by their spans', async () => {
    await http.ok('PUT', '/i', {
      mappings: { d: { properties: { t: { type: 'string' }, u: { type: 'string' } } } },
    });
    const queries = {
      pair: PAIR,
      any: near([multi, term('fox')], 0),
      not: { span_not: { include: term('fox'), exclude: term('quick'), pre: 1 } },
      masked: { field_masking_span: { query: term('dog'), field: 'u' } },
    };
    for (const [id, query] of Object.entries(queries)) {
      await http.ok('PUT', `/i/.percolator/${id}`, { query });
    }
    const matches = async (t: string) => {
      const answer = (await http.ok('POST', '/i/d/_percolate', { doc: { t } })) as {
        matches: { _id: string }[];
      };
      return answer.matches.map(({ _id }) => _id).sort();
    };
    expect(await matches('a quick brown fox')).toEqual(['not', 'pair']);
    expect(await matches('quick fox')).toEqual(['any', 'pair']);
    expect(await matches('quirk fox dog')).toEqual(['any', 'masked', 'not']);
    expect(await matches('fox quick')).toEqual(['not']);
    expect(await matches('no')).toEqual([]);
  });

  test('a filter over a query of terms sees terms that come later', async () => {
    const filter = { query: near([multi, term('fox')], 0) };
    const count = async () => {
      const query = { filtered: { filter } };
      return ((await http.ok('POST', '/i/_search', { query })) as Found).hits.total;
    };
    await http.ok('PUT', '/i/d/1?refresh=true', { t: 'quick fox' });
    expect(await count()).toBe(1);
    expect(await count()).toBe(1);
    await http.ok('PUT', '/i/d/2?refresh=true', { t: 'quiet fox' });
    expect(await count()).toBe(2);
    await http.ok('DELETE', '/i/d/_query', { query: filter.query });
    await http.ok('POST', '/i/_refresh');
    expect(await count()).toBe(0);
  });

  test('queries of terms stand for so many terms at most', async () => {
    const t = Array.from({ length: 16_385 }, (_, i) => `w${i}`).join(' ');
    await http.ok('PUT', '/i/d/1?refresh=true', { t });
    const all = { span_multi: { match: { prefix: { t: 'w' } } } };
    const refused = await http.send('POST', '/i/_search', { query: all });
    expect(refused.status).toBe(500);
    expect(JSON.stringify(refused.body)).toContain(
      'TooManyClauses[span_multi stands for more than [16384] terms',
    );
    const most = { span_multi: { match: { prefix: { t: 'w1' } } } };
    const query = near([term('w0'), most], 0);
    expect(((await http.ok('POST', '/i/_search', { query })) as Found).hits.total).toBe(1);
  });
});
