import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
});
afterAll(() => http.close());
afterEach(() => http.reset());

async function load(index: string, type: string, count: number): Promise<void> {
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    lines.push(`{"index":{"_index":"${index}","_type":"${type}","_id":"${i}"}}`);
    lines.push(JSON.stringify({ n: i, even: i % 2 === 0 }));
  }
  await http.ok('POST', '/_bulk', `${lines.join('\n')}\n`);
}

const count = async (path: string): Promise<number> =>
  ((await http.ok('GET', `${path}/_count`)) as { count: number }).count;

const answer = (index: string, total: number) => ({
  _indices: { [index]: { _shards: { total, successful: total, failed: 0 } } },
});

test('documents that are not searchable yet go as well, and what is left stays', async () => {
  await http.ok('PUT', '/i', { settings: { number_of_shards: 3 } });
  await load('i', 't', 100);
  expect(await http.ok('DELETE', '/i/_query', { query: { term: { even: true } } })).toEqual(
    answer('i', 3),
  );
  expect(await count('/i')).toBe(50);
  expect((await http.send('GET', '/i/t/2')).status).toBe(404);
  expect((await http.send('GET', '/i/t/3')).status).toBe(200);
  expect(await http.ok('DELETE', '/i/_query?q=n:[0 TO 9]')).toEqual(answer('i', 3));
  expect(await count('/i')).toBe(45);
});

test('more than one step of documents', async () => {
  await load('i', 't', 11_000);
  await http.ok('DELETE', '/i/_query?q=*:*');
  expect(await count('/i')).toBe(0);
});

test('only the type of the URL, the shards of the routing and the documents behind an alias', async () => {
  await http.ok('PUT', '/i', {
    settings: { number_of_shards: 5 },
    aliases: { even: { filter: { term: { even: true } } } },
    mappings: { t: { properties: { even: { type: 'boolean' }, n: { type: 'long' } } } },
  });
  await load('i', 't', 20);
  await load('i', 'u', 20);
  await http.ok('DELETE', '/even/t/_query', { query: { match_all: {} } });
  expect([await count('/i/t'), await count('/i/u')]).toEqual([10, 20]);
  expect(await http.ok('DELETE', '/i/_query?routing=1&q=*:*')).toEqual(answer('i', 1));
  expect(await count('/i')).toBeLessThan(30);
});

test('nested objects go with their documents', async () => {
  await http.ok('PUT', '/i', {
    mappings: { t: { properties: { o: { type: 'nested', properties: { a: { type: 'long' } } } } } },
  });
  await http.ok('PUT', '/i/t/1', { o: [{ a: 1 }, { a: 2 }] });
  await http.ok('PUT', '/i/t/2', { o: [{ a: 3 }] });
  const query = { nested: { path: 'o', query: { term: { 'o.a': 2 } } } };
  await http.ok('DELETE', '/i/_query', { query });
  expect(await count('/i')).toBe(1);
});

test('documents stay deleted after later merges', async () => {
  await load('i', 't', 50);
  await http.ok('POST', '/i/_refresh');
  await http.ok('DELETE', '/i/_query?q=even:true');
  await http.ok('POST', '/i/_optimize?max_num_segments=1');
  expect(await count('/i')).toBe(25);
});

test('versions do not go on from what was deleted, also after a restart', async () => {
  const write = async (path: string): Promise<unknown> =>
    ((await http.ok('PUT', path, { n: 1 })) as { _version: number })._version;
  for (const id of ['1', '1', '2', '2', '3', '3']) await write(`/i/t/${id}`);
  await write('/i/t/9?version=9&version_type=external');
  await http.ok('DELETE', '/i/t/3');
  await http.ok('DELETE', '/i/_query?q=*:*');
  expect(await write('/i/t/1')).toBe(1);
  expect(await write('/i/t/9?version=5&version_type=external')).toBe(5);
  expect(await http.error('POST', '/i/t/2/_update?version=2', { doc: {}, upsert: {} })).toBe(
    '409 VersionConflictEngineException[[i][0] [t][2]: version conflict, current [-1], provided [2]]',
  );
  // A deletion by id goes on, whatever a query deletes behind it.
  expect(await write('/i/t/3')).toBe(4);
  await http.restart();
  expect(await write('/i/t/2')).toBe(1);
});

describe('errors', () => {
  beforeEach(() => http.ok('PUT', '/i'));

  test.each([
    ['{"match_all":{}}', 'QueryParsingException[[i] request does not support [match_all]]'],
    ['{"query":{"bogus":{}}}', 'QueryParsingException[[i] No query registered for [bogus]]'],
    ['{}', 'QueryParsingException[[i] Required query is missing]'],
  ])('%s fails on the shards', async (body, reason) => {
    const failures = [{ index: 'i', shard: 0, reason }];
    expect(await http.pair('DELETE', '/i/_query', body)).toEqual([
      400,
      { _indices: { i: { _shards: { total: 1, successful: 0, failed: 1, failures } } } },
    ]);
  });

  test('nothing to delete by, missing and closed indices', async () => {
    expect(await http.error('DELETE', '/i/_query')).toBe(
      '400 ActionRequestValidationException[Validation Failed: 1: source is missing;]',
    );
    expect(await http.error('DELETE', '/zz/_query?q=*')).toBe(
      '404 IndexMissingException[[zz] missing]',
    );
    await http.ok('POST', '/i/_close');
    expect(await http.error('DELETE', '/i/_query?q=*')).toBe(
      '403 ClusterBlockException[blocked by: [FORBIDDEN/4/index closed];]',
    );
  });
});
