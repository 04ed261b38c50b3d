// Stored queries and the documents tried against them, over HTTP.

import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
});
afterAll(() => http.close());
afterEach(() => http.reset());

interface Answer {
  readonly total: number;
  readonly matches?: readonly { readonly _id: string; readonly _score?: number }[];
  readonly _shards: { readonly total: number; readonly failed: number };
}

async function create(index: string, shards = 1, extra: object = {}): Promise<void> {
  await http.ok('PUT', `/${index}`, {
    settings: { number_of_shards: shards },
    mappings: {
      t: { properties: { msg: { type: 'string' }, n: { type: 'integer' } } },
      '.percolator': { properties: { g: { type: 'string', index: 'not_analyzed' } } },
    },
    ...extra,
  });
}

const register = (index: string, id: string, query: object, more: object = {}) =>
  http.ok('PUT', `/${index}/.percolator/${id}`, { query, ...more });

async function ids(doc: object, path = '/i/t/_percolate', more: object = {}): Promise<string[]> {
  const answer = (await http.ok('POST', path, { doc, ...more })) as Answer;
  expect(answer._shards.failed).toBe(0);
  return answer.matches!.map(({ _id }) => _id);
}

test('a query is active at once, changed and deleted at once, and there after a restart', async () => {
  await create('i', 3);
  expect(await ids({ msg: 'fox' })).toEqual([]);
  await register('i', 'a', { match: { msg: 'fox' } });
  await register('i', 'b', { range: { n: { gte: 5 } } });
  expect((await ids({ msg: 'a fox', n: 7 })).sort()).toEqual(['a', 'b']);
  await register('i', 'a', { match: { msg: 'dog' } });
  expect(await ids({ msg: 'a fox' })).toEqual([]);
  await http.ok('DELETE', '/i/.percolator/b');
  expect(await ids({ msg: 'a dog', n: 7 })).toEqual(['a']);
  await http.restart();
  expect(await ids({ msg: 'a dog', n: 7 })).toEqual(['a']);
  await register('i', 'c', { term: { msg: 'dog' } });
  expect((await ids({ msg: 'dog' })).sort()).toEqual(['a', 'c']);
});

test('bulk, updates, deletions by query and of the type', async () => {
  await create('i');
  await ids({ msg: 'load' });
  const lines = [
    { index: { _id: '1' } },
    { query: { term: { msg: 'x' } }, g: 'a' },
    { index: { _id: '2' } },
    { query: { bogus: {} } },
    { index: { _id: '3' } },
    { query: { match: { msg: 'x y' } }, g: 'b' },
  ];
  const bulk = (await http.ok(
    'POST',
    '/i/.percolator/_bulk',
    `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
  )) as { items: { index: { status: number; error?: string } }[] };
  expect(bulk.items.map(({ index }) => index.status)).toEqual([201, 500, 201]);
  expect(bulk.items[1]!.index.error).toMatch(/^PercolatorException\[\[i\] failed to parse query/);
  expect(await ids({ msg: 'x' })).toEqual(['1', '3']);
  await http.ok('POST', '/i/.percolator/1/_update', { script: "ctx._source.query.term.msg = 'z'" });
  expect(await ids({ msg: 'x' })).toEqual(['3']);
  await http.ok('DELETE', '/i/.percolator/_query', { query: { term: { g: 'b' } } });
  expect(await ids({ msg: 'x y z' })).toEqual(['1']);
  await http.ok('DELETE', '/i/.percolator');
  expect(await ids({ msg: 'x y z' })).toEqual([]);
});

test('a query that cannot be read is refused, and nothing is stored', async () => {
  await create('i');
  for (const [body, reason] of [
    [{ query: { bogus: {} } }, /QueryParsingException\[\[i\] No query registered for \[bogus\]\]/],
    [
      { query: { term: { zz: 1 } } },
      /no field mapping can be found for the field with name \[zz\]/,
    ],
    [{ query: { term: { n: 'word' } } }, /NumberFormatException/],
    [{ noquery: 1 }, /NullPointerException/],
    [{ query: 'text' }, /NullPointerException/],
  ] as const) {
    const answer = await http.error('PUT', '/i/.percolator/q', body);
    expect(answer).toMatch(
      /^500 PercolatorException\[\[i\] failed to parse query \[q\]\]; nested: /,
    );
    expect(answer).toMatch(reason);
  }
  expect((await http.send('GET', '/i/.percolator/q')).status).toBe(404);
});

test('names that are not mapped stand for texts where the index says so', async () => {
  await http.ok('PUT', '/i', { 'index.percolator.map_unmapped_fields_as_string': true });
  await register('i', 'a', { match: { later: 'Some Text' } });
  await register('i', 'b', { range: { amount: { gte: 5 } } });
  expect(await ids({ other: 1 })).toEqual([]);
  expect(await ids({ later: 'some' })).toEqual(['a']);
  expect(await ids({ amount: 7 })).toEqual(['b']);
});

test('the mapping has the type of queries, and what tried documents add', async () => {
  await http.ok('PUT', '/i', { mappings: { _default_: { properties: { d: { type: 'long' } } } } });
  await register('i', 'a', { match_all: {} }, { tag: 'x' });
  expect(await http.ok('GET', '/i/_mapping/.percolator')).toEqual({
    i: {
      mappings: {
        '.percolator': {
          _id: { index: 'not_analyzed' },
          properties: { tag: { type: 'string' }, query: { type: 'object', enabled: false } },
        },
      },
    },
  });
  await ids({ fresh: 1 }, '/i/new/_percolate');
  expect(await http.ok('GET', '/i/_mapping/new')).toMatchObject({
    i: { mappings: { new: { properties: { d: { type: 'long' }, fresh: { type: 'long' } } } } },
  });
});

test('dates that depend on now are read anew for each document', async () => {
  await http.ok('PUT', '/i', { mappings: { t: { properties: { d: { type: 'date' } } } } });
  await register('i', 'recent', { range: { d: { gte: 'now-1h' } } });
  expect(await ids({ d: Date.now() })).toEqual(['recent']);
  expect(await ids({ d: Date.now() - 7_200_000 })).toEqual([]);
});

test('a query that looks terms up follows the document that has them', async () => {
  await create('i');
  const terms = { index: 'i', type: 't', id: 'list', path: 'msg' };
  await register('i', 'a', { filtered: { filter: { terms: { msg: terms } } } });
  expect(await ids({ msg: 'x' })).toEqual([]);
  await http.ok('PUT', '/i/t/list', { msg: ['x', 'y'] });
  expect(await ids({ msg: 'x' })).toEqual(['a']);
});

test('one of equal ids on two shards matches, the other does not', async () => {
  await create('i', 2);
  await http.ok('PUT', '/i/.percolator/q?routing=0', { query: { term: { msg: 'x' } } });
  await http.ok('PUT', '/i/.percolator/q?routing=1', { query: { term: { msg: 'y' } } });
  await http.ok('POST', '/i/_refresh');
  expect(await ids({ msg: 'x' })).toEqual(['q']);
  expect(await ids({ msg: 'x' }, '/i/t/_percolate', { query: { match_all: {} } })).toEqual(['q']);
  expect(await ids({ msg: 'x y' }, '/i/t/_percolate', { query: { match_all: {} } })).toHaveLength(
    2,
  );
});

test('filters and scores see what was refreshed, matches alone see everything', async () => {
  await create('i');
  await register('i', 'a', { match_all: {} }, { g: 'x' });
  await http.ok('POST', '/i/_refresh');
  await register('i', 'b', { match_all: {} }, { g: 'x' });
  expect(await ids({})).toEqual(['a', 'b']);
  expect(await ids({}, '/i/t/_percolate', { filter: { term: { g: 'x' } } })).toEqual(['a']);
  expect(await ids({}, '/i/t/_percolate', { sort: '_score', size: 5 })).toEqual(['a']);
});

test('facets count the matching queries, global ones all', async () => {
  await create('i', 2);
  await register('i', 'a', { term: { msg: 'x' } }, { g: 'one' });
  await register('i', 'b', { term: { msg: 'x' } }, { g: 'two' });
  await register('i', 'c', { term: { msg: 'y' } }, { g: 'two' });
  await http.ok('POST', '/i/_refresh');
  const answer = await http.ok('POST', '/i/t/_percolate/count', {
    doc: { msg: 'x' },
    facets: { f: { terms: { field: 'g' } }, all: { terms: { field: 'g' }, global: true } },
  });
  expect(answer).toMatchObject({ total: 2, facets: { f: { total: 2 }, all: { total: 3 } } });
});

test('what each query found is marked in the document', async () => {
  await create('i');
  await register('i', 'a', { match: { msg: 'fox' } });
  await register('i', 'b', { match: { msg: 'dog' } });
  await register('i', 'c', { match_all: {} });
  const highlight = { fields: { msg: {} } };
  const answer = await http.ok('POST', '/i/t/_percolate', {
    doc: { msg: 'fox and dog' },
    size: 5,
    highlight,
  });
  expect(answer).toMatchObject({
    matches: [
      { _id: 'a', highlight: { msg: ['<em>fox</em> and dog'] } },
      { _id: 'b', highlight: { msg: ['fox and <em>dog</em>'] } },
      { _id: 'c', highlight: {} },
    ],
  });
  const failed = (await http.ok('POST', '/i/t/_percolate', {
    doc: { msg: 'fox' },
    size: 5,
    highlight: { fields: { msg: { type: 'bogus' } } },
  })) as Answer;
  expect(failed).toMatchObject({ total: 0, matches: [], _shards: { failed: 1 } });
});

test('statistics tell of queries and of documents that were tried', async () => {
  await create('i');
  await register('i', 'a', { match_all: {} });
  await ids({});
  await ids({});
  const { _all } = (await http.ok('GET', '/i/_stats/percolate')) as {
    _all: { total: { percolate: Record<string, number> } };
  };
  expect(_all.total.percolate).toMatchObject({ total: 2, current: 0, queries: 1 });
  expect(_all.total.percolate['memory_size_in_bytes']).toBeGreaterThan(100);
});

test('an index that was deleted and made again has none of the queries of the one before', async () => {
  await create('i');
  await register('i', 'a', { match_all: {} });
  expect(await ids({})).toEqual(['a']);
  await http.ok('DELETE', '/i');
  await create('i');
  expect(await ids({})).toEqual([]);
});

test('names like those of members of objects are data', async () => {
  await create('i');
  await register('i', '__proto__', { term: { msg: 'constructor' } });
  expect(await ids({ msg: 'constructor' })).toEqual(['__proto__']);
});

test('a stored query with the shape of another document sees that as it is when it is asked', async () => {
  const mappings = { t: { properties: { shape: { type: 'geo_shape' } } } };
  for (const name of ['shapes', 'watched']) await http.ok('PUT', `/${name}`, { mappings });
  const area = (west: number, east: number) => ({
    shape: { type: 'envelope', coordinates: [[west, 10] as const, [east, 0] as const] },
  });
  const path = { index: 'shapes', type: 't', id: 'area', path: 'shape' };
  const query = { geo_shape: { shape: { indexed_shape: path } } };
  const stored = await http.pair('PUT', '/watched/.percolator/inside', { query });
  expect(stored[0]).toBe(201);
  const total = async (): Promise<unknown> => {
    const doc = { shape: { type: 'point', coordinates: [5, 5] } };
    return ((await http.ok('POST', '/watched/t/_percolate', { doc })) as { total: number }).total;
  };
  expect(await total()).toBe(0);
  await http.ok('PUT', '/shapes/t/area', area(0, 10));
  expect(await total()).toBe(1);
  await http.ok('PUT', '/shapes/t/area', area(20, 30));
  expect(await total()).toBe(0);
});

test('very many matches are shown as few are, in order, as objects and as ids', async () => {
  await create('i');
  const stored = Array.from({ length: 1300 }, (_, i) => `q${i}`);
  const lines = stored.flatMap((id) => [
    JSON.stringify({ index: { _type: '.percolator', _id: id } }),
    JSON.stringify({ query: { match_all: {} }, g: 'x' }),
  ]);
  await http.ok('POST', '/i/_bulk?refresh=true', `${lines.join('\n')}\n`);
  expect(await ids({})).toEqual(stored);
  expect(await ids({}, '/i/t/_percolate', { filter: { term: { g: 'x' } } })).toEqual(stored);
  const short = (await http.ok('POST', '/i/t/_percolate', { doc: {}, size: 2 })) as Answer;
  const long = (await http.ok('POST', '/i/t/_percolate', { doc: {} })) as Answer;
  expect(Object.keys(long)).toEqual(Object.keys(short));
  expect([long.total, long.matches?.slice(0, 2)]).toEqual([short.total, short.matches]);
  const body = `${JSON.stringify({ percolate: { index: 'i', type: 't' } })}\n{"doc":{}}\n`;
  const multi = await http.ok('POST', '/_mpercolate?percolate_format=ids', body.repeat(2));
  expect(multi).toMatchObject({ responses: [{ matches: stored }, { matches: stored }] });
});

test('a document that is tried has a limited size, one that is stored too', async () => {
  await create('i');
  await register('i', 'q', { match_all: {} });
  expect(await ids({ msg: 'x '.repeat(500_000) })).toEqual(['q']);
  const large = { msg: 'x '.repeat(525_000) };
  const refused =
    /^400 ElasticsearchIllegalArgumentException\[document of \[\d+\] bytes is larger than \[1048576\] \(percolator\.max_document_size\)\]/;
  expect(await http.error('POST', '/i/t/_percolate', { doc: large })).toMatch(refused);
  await http.ok('PUT', '/i/t/1', large);
  expect(await http.error('POST', '/i/t/1/_percolate', {})).toMatch(refused);
});

test('thousands of fields that a document adds are there, whoever else changes the mapping', async () => {
  await create('i');
  await register('i', 'q', { match_all: {} });
  const many = (prefix: string) =>
    Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [`${prefix}${n}`, 1]));
  await Promise.all([
    ids(many('a')),
    ids(many('b')),
    http.ok('PUT', '/i/t/1', many('c')),
    http.ok('PUT', '/i/_mapping/t', { properties: { d: { type: 'long' } } }),
  ]);
  const mapping = (await http.ok('GET', '/i/_mapping/t')) as {
    i: { mappings: { t: { properties: object } } };
  };
  expect(Object.keys(mapping.i.mappings.t.properties)).toHaveLength(3 * 1500 + 3);
});
