// Many searches in one request. Expected answers are those of the reference server.

import { Slices } from '../../engine/common/event-loop';
import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  for (const index of ['a', 'b']) {
    await http.ok('PUT', `/${index}`, {
      settings: { number_of_shards: 2 },
      mappings: {
        t: { properties: { k: { type: 'string', index: 'not_analyzed' } } },
        u: { properties: { k: { type: 'string', index: 'not_analyzed' } } },
      },
      aliases: { [`${index}-x`]: { filter: { term: { k: 'x' } }, routing: 'r' } },
    });
  }
  await http.ok('PUT', '/shut', { settings: { number_of_shards: 1 } });
  await http.ok('POST', '/shut/_close');
  for (const [at, k] of [
    ['a/t/1', 'x'],
    ['a/t/2', 'y'],
    ['a/u/3', 'x'],
    ['b/t/4', 'x'],
  ]) {
    await http.ok('PUT', `/${at}?routing=r&refresh=true`, { k });
  }
});
afterAll(() => http.close());

interface Item {
  readonly error?: string;
  readonly _shards?: { readonly total: number };
  readonly hits?: { readonly total: number; readonly hits: readonly { readonly _id: string }[] };
}

const lines = (...parts: (object | string)[]) =>
  parts.map((part) => `${typeof part === 'string' ? part : JSON.stringify(part)}\n`).join('');

async function items(path: string, ...parts: (object | string)[]): Promise<readonly Item[]> {
  const answer = (await http.ok('POST', path, lines(...parts))) as { responses: Item[] };
  expect(Object.keys(answer)).toEqual(['responses']);
  return answer.responses;
}

/** Totals, or error texts. */
async function outcomes(path: string, ...parts: (object | string)[]) {
  return (await items(path, ...parts)).map(({ error, hits }) => error ?? hits?.total);
}

const COUNT = { size: 0 };

test('every item is what a search of its own answers', async () => {
  const query = { term: { k: 'x' } };
  const bodies = [
    { query, sort: ['_uid'] },
    { query, facets: { k: { terms: { field: 'k' } } }, size: 0 },
  ];
  const responses = await items(
    '/_msearch',
    { index: 'a' },
    bodies[0]!,
    { index: 'a,b', search_type: 'count' },
    bodies[1]!,
  );
  const single = [
    await http.ok('POST', '/a/_search', bodies[0]),
    await http.ok('POST', '/a,b/_search?search_type=count', bodies[1]),
  ];
  const withoutTook = (list: readonly unknown[]) =>
    list.map((item) => ({ ...(item as object), took: 0 }));
  expect(withoutTook(responses)).toEqual(withoutTook(single));
});

test('names are lists or texts with commas, and take the place of those of the URL', async () => {
  expect(
    await outcomes(
      '/a/t/_msearch',
      {},
      COUNT,
      { index: ['a', 'b'] },
      COUNT,
      { indices: 'a,b', types: 'u,t' },
      COUNT,
      { index: [], type: [] },
      COUNT,
      { type: 'u' },
      COUNT,
    ),
  ).toEqual([2, 3, 4, 4, 1]);
});

test('aliases filter and route; so do routing and preference', async () => {
  const responses = await items(
    '/_msearch',
    { index: 'a-x' },
    COUNT,
    { index: 'a', routing: 'r' },
    COUNT,
    { index: 'a', preference: '_shards:0' },
    COUNT,
    { index: 'a' },
    COUNT,
  );
  expect(responses.map(({ _shards, hits }) => [_shards?.total, hits?.total])).toEqual([
    [1, 2],
    [1, 3],
    [1, expect.any(Number)],
    [2, 3],
  ]);
});

test('many items come back in order', async () => {
  const ids = Array.from({ length: 200 }, (_, i) => String((i % 3) + 1));
  const responses = await items(
    '/a/_msearch',
    ...ids.flatMap((id) => [{}, { query: { ids: { values: [id] } } }]),
  );
  expect(responses.map(({ hits }) => hits?.hits[0]?._id)).toEqual(ids);
});

test('empty lines: the first is skipped, later ones are headers and bodies that say nothing', async () => {
  expect(await outcomes('/a/_msearch', '', '{}', '', '', '', ' ', COUNT)).toEqual([3, 3, 3]);
  expect(await outcomes('/a/_msearch', '{}\r', `${JSON.stringify(COUNT)}\r`)).toEqual([3]);
});

test('what follows the last line feed does not count', async () => {
  const { body } = await http.send('POST', '/a/_msearch', `${lines('{}', COUNT)}{}\n{"size":0}`);
  expect((body as { responses: unknown[] }).responses).toHaveLength(1);
});

test('one item that fails leaves the others alone', async () => {
  const [missing, closed, query, json, preference, fine] = await outcomes(
    '/_msearch',
    { index: 'nope' },
    COUNT,
    { index: 'shut' },
    COUNT,
    { index: 'a', preference: '_shards:0' },
    { query: { bogus: {} } },
    { index: 'a' },
    '[]',
    { index: 'a', preference: '_bogus' },
    COUNT,
    { index: 'a' },
    COUNT,
  );
  expect(missing).toBe('IndexMissingException[[nope] missing]');
  expect(closed).toBe('IndexClosedException[[shut] closed]');
  expect(query).toContain('Failed to parse source [{"query":{"bogus":{}}}]');
  expect(query).toContain('QueryParsingException[[a] No query registered for [bogus]]');
  expect(json).toContain('nested: ElasticsearchParseException[Failed to derive xcontent]');
  expect(preference).toBe('ElasticsearchIllegalArgumentException[no Preference for [_bogus]]');
  expect(fine).toBe(3);
  const [item] = await items('/_msearch', { index: 'nope' }, COUNT);
  expect(item).toEqual({ error: missing });
});

test('indices options stand in headers; those of the URL change nothing', async () => {
  const index = 'a,nope';
  const missing = 'IndexMissingException[[nope] missing]';
  expect(
    await outcomes(
      '/_msearch?ignore_unavailable=true',
      { index },
      COUNT,
      { index, ignore_unavailable: true },
      COUNT,
      { index, ignoreUnavailable: 'no' },
      COUNT,
      { index, ignore_unavailable: 0 },
      COUNT,
      { index, ignore_unavailable: null },
      COUNT,
      { index: 'z*', allow_no_indices: false },
      COUNT,
      { index: 'a*', expand_wildcards: ['none', 'open'] },
      COUNT,
    ),
  ).toEqual([missing, 3, 3, missing, missing, 'IndexMissingException[[z*] missing]', 3]);
});

test.each([
  ['', '400 ElasticsearchParseException[Failed to derive xcontent]'],
  ['\n\n', '400 ElasticsearchParseException[Failed to derive xcontent]'],
  ['{}', '400 ActionRequestValidationException[Validation Failed: 1: no requests added;]'],
  ['\n{}\n', '400 ActionRequestValidationException[Validation Failed: 1: no requests added;]'],
  [
    '{"search_type":"odd"}\n{}\n',
    '400 ElasticsearchIllegalArgumentException[No search type for [odd]]',
  ],
  [
    '{"expand_wildcards":"odd"}\n{}\n',
    '400 ElasticsearchIllegalArgumentException[No valid expand wildcard value [odd]]',
  ],
  [
    '{"index":["a",null]}\n{}\n',
    '400 ElasticsearchIllegalArgumentException[indices[1] must not be null]',
  ],
  [
    '{"type":null}\n{}\n',
    '500 NullPointerException[Cannot invoke "Object.toString()" because "node" is null]',
  ],
])('refuses as a whole %j', async (body, error) => {
  expect(await http.error('POST', '/_msearch', body)).toBe(error);
});

test('refuses as a whole a header that is not JSON, after headers that are', async () => {
  const error = await http.error('POST', '/a/_msearch', lines({}, COUNT, '{"index"', COUNT));
  expect(error).toMatch(/^500 JsonParseException\[/);
});

test('headers that are no objects say nothing, like names nobody knows', async () => {
  expect(
    await outcomes('/a/_msearch', '[]', COUNT, '5', COUNT, { unknown: { index: 'b' } }, COUNT),
  ).toEqual([3, 3, 3]);
});

test('search type and body may come with the URL', async () => {
  const source = encodeURIComponent(lines('{}', '{}'));
  const answer = await http.ok('GET', `/a/_msearch?search_type=count&source=${source}`);
  expect(answer).toMatchObject({ responses: [{ hits: { total: 3, hits: [] } }] });
});

test('headers are read with pauses in between', async () => {
  const items = 1000;
  // Every look at the clock finds that the slice is over.
  let clock = 0;
  const now = jest.spyOn(performance, 'now').mockImplementation(() => (clock += 10));
  const paused = jest.spyOn(Slices.prototype, 'next');
  try {
    // The last header cannot be read, so that nothing is searched.
    const lines = '{"index":"a"}\n{}\n'.repeat(items) + '{"index":null}\n{}\n';
    expect((await http.send('POST', '/_msearch', lines)).status).toBeGreaterThanOrEqual(400);
    expect(paused.mock.calls.length).toBeGreaterThan(items / 100);
  } finally {
    now.mockRestore();
    paused.mockRestore();
  }
});

test('a request has a limited number of items', async () => {
  const items = '{}\n{}\n'.repeat(200_001);
  const refused = '400 ElasticsearchIllegalArgumentException[request has more than [200000] items]';
  expect(await http.error('POST', '/a/_msearch', items)).toBe(refused);
  const documents = '{"percolate":{"index":"a","type":"t"}}\n{}\n'.repeat(200_001);
  expect(await http.error('POST', '/_mpercolate', documents)).toBe(refused);
});
