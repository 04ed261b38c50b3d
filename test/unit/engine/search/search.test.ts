import { hitsOf, idsOf, SearchNode } from '../../../support/search-node';
import { writeJson } from '../../../../engine/json/write';

const MAPPING = {
  name: 'text',
  tag: 'string',
  n: 'integer',
  f: 'float',
  b: 'boolean',
  kids: 'nested',
  'kids.age': 'integer',
  o: 'object',
  'o.x': 'integer',
  loc: 'geo_point',
} as const;

function shop(): SearchNode {
  const node = new SearchNode();
  node.createIndex('shop', MAPPING);
  node.add('shop', '1', {
    name: 'quick brown fox',
    tag: 'A',
    n: 3,
    f: 1.5,
    b: true,
    kids: [{ age: 3 }, { age: 9 }],
  });
  node.add('shop', '2', {
    name: 'quick dog quick',
    tag: 'b',
    n: 1,
    f: 2.25,
    b: false,
    kids: [{ age: 1 }],
  });
  node.refresh('shop');
  node.add('shop', '3', { name: 'lazy dog', tag: ['C', 'a'], kids: [] });
  node.add('shop', '4', { name: 'cat', n: [7, 2], f: -1 });
  node.refresh('shop');
  return node;
}

describe('search', () => {
  test('everything, in insertion order', async () => {
    const node = shop();
    const response = await node.search('shop', '');
    expect(idsOf(response)).toEqual(['1', '2', '3', '4']);
    expect(response).toMatchObject({ total: 4, maxScore: 1, timedOut: false, facets: undefined });
    expect(response.hits[3]!.toString()).toBe(
      '{"_index":"shop","_type":"doc","_id":"4","_score":1.0,"_source":{"name":"cat","n":[7,2],"f":-1}}',
    );
    expect(node.held).toBe(0);
  });

  test('terms score by rarity and length', async () => {
    const response = await shop().search('shop', {
      query: { match: { name: 'quick dog' } },
      _source: false,
    });
    expect(idsOf(response)).toEqual(['2', '3', '1']);
    expect(response.maxScore).toBeCloseTo(hitsOf(response)[0]!['_score'] as number, 6);
  });

  test('size 0 has max_score 0, no match has null, a page beyond the end keeps the real one', async () => {
    const node = shop();
    expect(await node.search('shop', { size: 0 })).toMatchObject({
      total: 4,
      maxScore: 0,
      hits: [],
    });
    const none = await node.search('shop', { query: { term: { tag: 'zzz' } } });
    expect(none).toMatchObject({ total: 0, maxScore: null, hits: [] });
    expect(await node.search('shop', { from: 100 })).toMatchObject({
      total: 4,
      maxScore: 1,
      hits: [],
    });
    const page = await node.search('shop', { from: 2, size: 1 });
    expect(idsOf(page)).toEqual(['3']);
  });

  test('URL parameters override the body', async () => {
    const node = shop();
    const params = new Map([
      ['size', '1'],
      ['_source', 'n'],
    ]);
    const response = await node.search('shop', { size: 3, _source: false }, { params });
    expect(hitsOf(response)).toEqual([
      { _index: 'shop', _type: 'doc', _id: '1', _score: 1, _source: { n: 3 } },
    ]);
    const byQuery = await node.search(
      'shop',
      { query: { term: { tag: 'b' } } },
      { params: new Map([['q', 'tag:A']]) },
    );
    expect(idsOf(byQuery)).toEqual(['1']);
    await expect(
      node.search('shop', '', { params: new Map([['size', 'abc']]) }),
    ).rejects.toMatchObject({
      status: 400,
      message: 'Failed to parse int parameter [size] with value [abc]',
    });
  });

  test('post_filter narrows hits and total, min_score narrows facets as well', async () => {
    const node = shop();
    const facets = { t: { terms: { field: 'tag' } } };
    const posted = await node.search('shop', { post_filter: { term: { tag: 'A' } }, facets });
    expect(posted.total).toBe(1);
    expect(JSON.parse(writeJson(posted.facets!))).toMatchObject({ t: { total: 4, missing: 1 } });
    const scored = await node.search('shop', {
      query: { match: { name: 'quick dog' } },
      min_score: 0.5,
      facets,
    });
    expect(idsOf(scored)).toEqual(['2']);
    expect(JSON.parse(writeJson(scored.facets!))).toMatchObject({ t: { total: 1, missing: 0 } });
    const none = await node.search('shop', { min_score: 2, facets });
    expect(none).toMatchObject({ total: 0, maxScore: null });
  });

  test('version, fields, fielddata_fields', async () => {
    const node = shop();
    const body = {
      query: { ids: { values: ['1'] } },
      version: true,
      fields: ['n', 'kids.age', 'zz'],
      fielddata_fields: ['f', 'b'],
    };
    const [hit] = hitsOf(await node.search('shop', body));
    expect(hit).toEqual({
      _index: 'shop',
      _type: 'doc',
      _id: '1',
      _version: 1,
      _score: 1,
      fields: { n: [3], 'kids.age': [3, 9], f: [1.5], b: ['T'] },
    });
    const [none] = hitsOf(await node.search('shop', { fields: [], size: 1 }));
    expect(Object.keys(none!)).toEqual(['_index', '_type', '_id', '_score']);
    await expect(node.search('shop', { fields: ['o'] })).rejects.toMatchObject({
      status: 400,
      message:
        "Failed to execute phase [query_fetch], all shards failed; shardFailures {[node][shop][0]: ElasticsearchIllegalArgumentException[field [o] isn't a leaf field]}",
    });
  });

  test('named queries are reported', async () => {
    const body = {
      query: {
        bool: {
          should: [
            { term: { tag: { value: 'A', _name: 'a' } } },
            { term: { tag: { value: 'b', _name: 'b' } } },
          ],
        },
      },
      _source: false,
    };
    const hits = hitsOf(await shop().search('shop', body));
    expect(hits.map((hit) => [hit['_id'], hit['matched_queries']])).toEqual([
      ['1', ['a']],
      ['2', ['b']],
    ]);
  });

  test('terminate_after stops early and leaves facets empty', async () => {
    const node = shop();
    const facets = { t: { terms: { field: 'tag' } } };
    const stopped = await node.search('shop', { terminate_after: 3, facets });
    expect(stopped).toMatchObject({ total: 3, terminatedEarly: true });
    expect(JSON.parse(writeJson(stopped.facets!))).toEqual({
      t: { _type: 'terms', missing: 0, total: 0, other: 0, terms: [] },
    });
    expect((await node.search('shop', { terminate_after: 4 })).terminatedEarly).toBe(true);
    expect((await node.search('shop', { terminate_after: 5 })).terminatedEarly).toBe(false);
    const scored = await node.search('shop', {
      terminate_after: 1,
      query: { match: { name: 'dog' } },
    });
    expect(scored).toMatchObject({ total: 1, terminatedEarly: true });
  });

  test('a deadline in the past times out with what is there', async () => {
    const node = shop();
    const now = Date.now();
    node.host.now = () => now - 60_000;
    expect(await node.search('shop', { timeout: 5 })).toMatchObject({ timedOut: true, total: 0 });
    expect(await node.search('shop', { timeout: '2m' })).toMatchObject({
      timedOut: false,
      total: 4,
    });
  });

  test('time is looked at between facets', async () => {
    let now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => ++now);
    try {
      const node = shop();
      node.host.now = () => now;
      const facet = { terms: { field: 'tag' } };
      const answers: (readonly [boolean, ...number[]])[] = [];
      for (const timeout of [...Array(20).keys(), 1000].map((ms) => ms + 1)) {
        const body = { timeout, facets: { a: facet, b: facet, c: facet } };
        const { timedOut, facets } = await node.search('shop', body);
        const shown = JSON.parse(writeJson(facets!)) as Record<string, { total: number }>;
        answers.push([timedOut, ...Object.values(shown).map(({ total }) => total)]);
      }
      // Two segments with two tags each.
      expect(answers).toContainEqual([true, 2, 0, 0]);
      expect(answers).toContainEqual([true, 2, 2, 0]);
      expect(answers).toContainEqual([true, 4, 2, 2]);
      expect(answers.at(-1)).toEqual([false, 4, 4, 4]);
    } finally {
      clock.mockRestore();
    }
  });

  test('indices_boost multiplies scores', async () => {
    const response = await shop().search('shop', { indices_boost: { shop: 2.5 }, size: 1 });
    expect(response.maxScore).toBe(2.5);
  });

  test('no index at all', async () => {
    const response = await shop().search('zz*', { facets: { t: { terms: { field: 'tag' } } } });
    expect(response).toMatchObject({
      total: 0,
      maxScore: 0,
      facets: undefined,
      shards: { total: 0, failed: 0 },
    });
  });
});

describe('equal hits', () => {
  test('stand by shard number, then index name, then arrival', async () => {
    const node = new SearchNode();
    for (const index of ['tb', 'ta']) {
      node.createIndex(index, MAPPING, { shards: 2 });
      for (let i = 0; i < 8; i++) node.add(index, String(i), { n: 1 });
      node.refresh(index);
    }
    for (const body of [{ size: 20 }, { size: 20, sort: 'n' }]) {
      const hits = hitsOf(await node.search('tb,ta', body));
      const places = hits.map((hit) => `${Number(hit['_id']) % 2}${hit['_index'] as string}`);
      const ids = (parity: number) =>
        [0, 1, 2, 3, 4, 5, 6, 7].map(String).filter((id) => Number(id) % 2 === parity);
      expect(new Set(places.slice(0, 4)).size).toBe(1);
      expect(places[0]!.endsWith('ta')).toBe(true);
      expect(places[4]!.endsWith('tb')).toBe(true);
      expect(places[4]!.charAt(0)).toBe(places[0]!.charAt(0));
      expect(hits.slice(0, 4).map((hit) => hit['_id'])).toEqual(ids(Number(places[0]!.charAt(0))));
    }
  });

  test('query_and_fetch returns a page of every shard', async () => {
    const node = new SearchNode();
    node.createIndex('i', MAPPING, { shards: 2 });
    for (let i = 0; i < 8; i++) node.add('i', String(i), { n: i });
    node.refresh('i');
    const response = await node.search(
      'i',
      { size: 2, sort: 'n' },
      { searchType: 'query_and_fetch' },
    );
    expect(idsOf(response)).toEqual(['0', '1', '2', '3']);
  });
});

describe('dfs', () => {
  test('scores do not depend on how documents are spread', async () => {
    const node = new SearchNode();
    const texts = [
      'fox dog',
      'fox',
      'dog dog',
      'cat',
      'fox cat dog',
      'cat cat',
      'bird',
      'fox bird',
    ];
    node.createIndex('one', MAPPING);
    node.createIndex('five', MAPPING, { shards: 5 });
    // Another index with other field ids and documents.
    node.createIndex('left', { x: 'string', name: 'text' });
    node.createIndex('right', MAPPING);
    texts.forEach((name, i) => {
      node.add('one', String(i), { name });
      node.add('five', String(i), { name });
      node.add(i % 2 === 0 ? 'left' : 'right', String(i), { name });
    });
    for (const index of ['one', 'five', 'left', 'right']) node.refresh(index);
    const body = { query: { match: { name: 'fox bird' } }, _source: false };
    const scores = async (indices: string) => {
      const hits = hitsOf(await node.search(indices, body, { searchType: 'dfs_query_then_fetch' }));
      return new Map(hits.map((hit) => [hit['_id'], hit['_score']]));
    };
    const expected = await scores('one');
    expect(expected.size).toBe(5);
    expect(await scores('five')).toEqual(expected);
    expect(await scores('left,right')).toEqual(expected);
  });
});
