// Scripts in searches: filters, sorting and computed fields over a real index.

import { HttpClient } from '../support/http-client';

interface Hits {
  hits: {
    total: number;
    hits: {
      _id: string;
      sort?: unknown[];
      fields?: Record<string, unknown[]>;
      _source?: unknown;
    }[];
  };
}

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  await http.ok('PUT', '/i', {
    settings: { number_of_shards: 2 },
    mappings: {
      t: {
        properties: {
          n: { type: 'integer' },
          big: { type: 'long' },
          d: { type: 'date' },
          k: { type: 'string', index: 'not_analyzed' },
          st: { type: 'integer', store: true },
          g: { type: 'geo_point' },
        },
      },
    },
  });
  const documents = [
    { n: 1, k: 'b', d: '2014-01-01', big: '9007199254740993', g: [0, 0], st: 1 },
    { n: 2, k: 'é', d: '2014-02-01', g: [1, 1], st: 2, o: { x: [1, 2] } },
    { n: [3, 5], k: 'Z', d: '2015-03-01' },
    { k: 'a' },
  ];
  for (const [i, document] of documents.entries()) await http.ok('PUT', `/i/t/${i + 1}`, document);
  await http.ok('PUT', '/i/t/9', { n: 100 });
  await http.ok('DELETE', '/i/t/9');
  await http.ok('POST', '/i/_refresh');
});
afterAll(() => http.close());

const search = (body: object): Promise<Hits> =>
  http.ok('POST', '/i/_search', body) as Promise<Hits>;
const ids = ({ hits }: Hits): string[] => hits.hits.map((hit) => hit._id).sort();

/** Fails on documents without `o`, of which there is one. */
const FAILING = { script: { script: '_source.o.x.size() == 2' } };

test.each<[string, object]>([
  ['a query', { filtered: { query: { term: { n: 2 } }, filter: FAILING } }],
  ['a filter before it', { filtered: { filter: { and: [{ term: { n: 2 } }, FAILING] } } }],
  ['a filter after it', { filtered: { filter: { and: [FAILING, { term: { n: 2 } }] } } }],
  [
    'what must not be',
    { filtered: { filter: { bool: { must: [FAILING], must_not: { not: { term: { n: 2 } } } } } } },
  ],
  [
    'one of two filters',
    {
      filtered: {
        filter: {
          bool: { must: [{ term: { n: 2 } }], should: [{ exists: { field: 'k' } }, FAILING] },
        },
      },
    },
  ],
  ['a constant score', { constant_score: { filter: { and: [{ term: { n: 2 } }, FAILING] } } }],
  [
    'a filter around it',
    { filtered: { query: { filtered: { filter: FAILING } }, filter: { term: { n: 2 } } } },
  ],
])('a script runs only where nothing else excludes a document: %s', async (_what, query) => {
  expect(await http.error('POST', '/i/_search', { filter: FAILING })).toContain('null object');
  expect(ids(await search({ query }))).toEqual(['2']);
  expect(ids(await search({ query, sort: ['k'] }))).toEqual(['2']);
  const facets = { k: { terms: { field: 'k' } } };
  expect(await search({ query, size: 0, facets })).toMatchObject({ facets: { k: { total: 1 } } });
});

test('facets ask scripts of the documents in their scope', async () => {
  const facets = {
    within: { terms: { field: 'k' }, facet_filter: FAILING },
    filter: { filter: FAILING },
    query: { query: { filtered: { filter: FAILING } } },
  };
  const found = await search({ query: { term: { n: 2 } }, size: 0, facets });
  expect(found).toMatchObject({
    facets: { within: { total: 1 }, filter: { count: 1 }, query: { count: 1 } },
  });
});

test.each([
  ["doc['n'].value > x", ['2', '3']],
  ["doc['n'].empty", ['4']],
  ["doc['n'].values.size() == 2", ['3']],
  ["doc['d'].date.year == 2014", ['1', '2']],
  ["doc['big'].value == 9007199254740993", ['1']],
  ["doc['big'].value + 1 > 9007199254740993", ['1']],
  ["doc['k'].value > 'a' && doc['k'].value < 'c'", ['1']],
  ['_source.o?.x?.size() == 2', ['2']],
  ['doc[field].value == 2', ['2']],
  ["doc['n'].value", ['1', '2', '3']],
  ['null', []],
])('the filter %s', async (script, expected) => {
  const filter = { script: { script, params: { x: 1, field: 'n' } } };
  expect(ids(await search({ filter }))).toEqual(expected);
  expect(ids(await search({ query: { filtered: { filter } } }))).toEqual(expected);
  const both = { query: { filtered: { query: { terms: { k: ['b', 'é', 'Z'] } }, filter } } };
  expect(ids(await search(both))).toEqual(expected.filter((id) => id !== '4'));
});

test('a filter that fails fails the search while it runs, or before when it does not compile', async () => {
  const run = (script: string) =>
    http.error('POST', '/i/_search', { filter: { script: { script } } });
  expect(await run("doc['zzz'].value")).toContain('No field found for [zzz]');
  expect(await run("doc['zzz'].value")).toMatch(/^500 /);
  expect(await run('1 +')).toMatch(/^400 .*GroovyScriptCompilationException/);
  expect(await run('[1]')).toContain("Can't handle type [[1]] in script filter");
});

test('sorts by numbers and by texts', async () => {
  const sorted = async (key: object) =>
    (await search({ sort: { _script: key } })).hits.hits.map(({ _id, sort }) => [_id, sort?.[0]]);
  expect(
    await sorted({ script: "doc['n'].value * f", type: 'number', params: { f: -1.5 } }),
  ).toEqual([
    ['3', -4.5],
    ['2', -3],
    ['1', -1.5],
    ['4', -0],
  ]);
  expect(await sorted({ script: "doc['k'].value + '!'", type: 'string', order: 'desc' })).toEqual([
    ['2', 'é!'],
    ['1', 'b!'],
    ['4', 'a!'],
    ['3', 'Z!'],
  ]);
  expect(await http.error('POST', '/i/_search', { sort: { _script: { script: '1' } } })).toContain(
    '_script sorting requires setting the type of the script',
  );
});

test('script fields see columns, source and stored fields, and take the source away', async () => {
  const { hits } = await search({
    query: { term: { k: 'é' } },
    script_fields: {
      twice: { script: "doc['n'].value * 2" },
      list: { script: '_source.o.x' },
      stored: { script: "_fields['st'].value" },
      far: { script: "doc['g'].distanceInKm(1, 2)" },
      formula: { script: "sqrt(doc['n'].value * 2)", lang: 'expression' },
      fails: { script: '1 / 0', ignore_failure: true },
    },
    partial_fields: { part: { include: 'o.*' } },
  });
  expect(hits.hits[0]!.fields).toEqual({
    twice: [4],
    list: [[1, 2]],
    stored: [2],
    far: [111.31949079327357],
    formula: [2],
    part: [{ o: { x: [1, 2] } }],
  });
  expect(hits.hits[0]!._source).toBeUndefined();
});
