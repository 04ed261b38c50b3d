// Copying an index while it is written to, and moving an alias to the copy.

import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start({ 'index.refresh_interval': '-1' });
});
afterAll(() => http.close());
afterEach(() => http.reset());

interface Copied {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly noops: number;
  readonly version_conflicts: number;
  readonly failures: readonly { readonly id: string; readonly cause: string }[];
  readonly swapped?: {
    readonly alias: string;
    readonly from: readonly string[];
    readonly to: string;
  };
}

interface Found {
  readonly hits: {
    readonly total: number;
    readonly hits: readonly {
      readonly _id: string;
      readonly _index: string;
      readonly _source: unknown;
    }[];
  };
}

async function load(index: string, type: string, count: number, from = 0): Promise<void> {
  const lines: string[] = [];
  for (let i = from; i < from + count; i++) {
    lines.push(`{"index":{"_index":"${index}","_type":"${type}","_id":"${i}"}}`);
    lines.push(JSON.stringify({ n: i, tag: i % 2 === 0 ? 'even' : 'odd' }));
  }
  await http.ok('POST', '/_bulk', `${lines.join('\n')}\n`);
}

const reindex = async (body: object, path = '/_reindex'): Promise<Copied> =>
  (await http.ok('POST', path, body)) as Copied;

const count = async (path: string): Promise<number> => {
  await http.ok('POST', '/_refresh');
  return ((await http.ok('GET', `${path}/_count`)) as { count: number }).count;
};

test('a copy has the documents, versions, mappings and settings of its source', async () => {
  await http.ok('PUT', '/a', {
    settings: { number_of_shards: 3, analysis: { analyzer: { own: { type: 'keyword' } } } },
    mappings: { t: { properties: { tag: { type: 'string', analyzer: 'own' } } } },
  });
  await load('a', 't', 50);
  await load('a', 't', 10);
  await http.ok('DELETE', '/a/t/49');
  const copied = await reindex({
    source: { index: 'a' },
    dest: { index: 'b', settings: { 'index.number_of_shards': 2 } },
  });
  expect(copied).toMatchObject({ created: 49, updated: 0, deleted: 0, failures: [] });
  expect(await count('/b')).toBe(49);
  expect(await http.ok('GET', '/b/t/3')).toMatchObject({ _version: 2, _source: { n: 3 } });
  expect(await http.ok('GET', '/b/t/33')).toMatchObject({ _version: 1 });
  expect((await http.send('GET', '/b/t/49')).status).toBe(404);
  expect(await http.ok('GET', '/b/_mapping')).toMatchObject({
    b: { mappings: { t: { properties: { tag: { analyzer: 'own' }, n: { type: 'long' } } } } },
  });
  expect(await http.ok('GET', '/b/_settings')).toMatchObject({
    b: { settings: { index: { number_of_shards: '2', analysis: { analyzer: { own: {} } } } } },
  });
});

test('routing, parents, timestamps and times to live go along', async () => {
  await http.ok('PUT', '/a', {
    settings: { number_of_shards: 5 },
    mappings: {
      p: {},
      c: {
        _parent: { type: 'p' },
        _timestamp: { enabled: true, store: true },
        _ttl: { enabled: true },
      },
    },
  });
  await http.ok('PUT', '/a/p/1', {});
  await http.ok('PUT', '/a/c/x?parent=1&timestamp=1000000000000&ttl=100000w', { v: 1 });
  await reindex({ source: { index: 'a' }, dest: { index: 'b' } });
  const fields = 'fields=_parent,_routing,_timestamp,_ttl';
  const got = (index: string) => http.ok('GET', `/${index}/c/x?parent=1&${fields}`);
  const [before, after] = (await Promise.all([got('a'), got('b')])) as {
    fields: Record<string, number>;
  }[];
  expect(after!.fields).toMatchObject({ _parent: '1', _routing: '1', _timestamp: 1e12 });
  expect(Math.abs(after!.fields['_ttl']! - before!.fields['_ttl']!)).toBeLessThan(60_000);
});

test('of types, queries and filtered aliases only what they match', async () => {
  await load('a', 't', 20);
  await load('a', 'u', 10);
  await http.ok('PUT', '/a/_alias/evens', { filter: { term: { tag: 'even' } } });
  expect(await reindex({ source: { index: 'a', type: 'u' }, dest: { index: 'b' } })).toMatchObject({
    created: 10,
  });
  const query = { range: { n: { gte: 15 } } };
  expect(await reindex({ source: { index: 'a', query }, dest: { index: 'c' } })).toMatchObject({
    created: 5,
  });
  expect(await reindex({ source: { index: 'evens' }, dest: { index: 'd' } })).toMatchObject({
    created: 15,
  });
  expect(await reindex({ source: { index: 'a' }, size: 7, dest: { index: 'e' } })).toMatchObject({
    created: 7,
  });
  expect([await count('/b'), await count('/c'), await count('/d'), await count('/e')]).toEqual([
    10, 5, 15, 7,
  ]);
});

test('a script changes documents, or leaves them out', async () => {
  await load('a', 't', 6);
  const copied = await reindex({
    source: { index: 'a' },
    dest: { index: 'b' },
    script: 'ctx._source.n = ctx._source.n * step; if (ctx._source.n > 30) { ctx.op = "none" }',
    params: { step: 10 },
  });
  expect(copied).toMatchObject({ created: 4, noops: 2 });
  expect(await http.ok('GET', '/b/t/3')).toMatchObject({ _source: { n: 30, tag: 'odd' } });
});

test('into an index that is there: versions, conflicts and failing documents', async () => {
  await load('a', 't', 4);
  await load('b', 't', 2, 2);
  expect(await reindex({ source: { index: 'a' }, dest: { index: 'b' } })).toMatchObject({
    created: 2,
    updated: 2,
  });
  const create = { source: { index: 'a' }, dest: { index: 'b', op_type: 'create' } };
  const refused = await http.send('POST', '/_reindex', create);
  expect(refused.status).toBe(409);
  expect(await reindex({ ...create, conflicts: 'proceed' })).toMatchObject({
    created: 0,
    version_conflicts: 4,
  });
  await http.ok('PUT', '/c', { mappings: { t: { properties: { tag: { type: 'long' } } } } });
  const failing = await http.send('POST', '/_reindex', {
    source: { index: 'a' },
    dest: { index: 'c' },
  });
  expect(failing.status).toBe(400);
  expect((failing.body as Copied).failures[0]!.cause).toContain('MapperParsingException');
});

test('at the end the alias is on the copy, with its filter and routing, and on nothing else', async () => {
  await load('a', 't', 30);
  await http.ok('POST', '/_aliases', {
    actions: [
      { add: { index: 'a', alias: 'shop', filter: { term: { tag: 'even' } }, routing: '1' } },
      { add: { index: 'a', alias: 'all' } },
    ],
  });
  const copied = await reindex({
    source: { index: 'a' },
    dest: { index: 'b' },
    swap_alias: 'shop',
  });
  expect(copied.swapped).toMatchObject({ alias: 'shop', from: ['a'], to: 'b' });
  expect(await http.ok('GET', '/_alias')).toEqual({
    a: { aliases: { all: {} } },
    b: {
      aliases: {
        shop: { filter: { term: { tag: 'even' } }, index_routing: '1', search_routing: '1' },
      },
    },
  });
  // Visible without a refresh.
  const found = (await http.ok('GET', '/shop/_search')) as Found;
  expect(found.hits.hits.every(({ _index }) => _index === 'b')).toBe(true);
  expect(found.hits.total).toBe(15);
});

test('a swap is refused where it would lose something, and leaves nothing behind', async () => {
  await load('a', 't', 3);
  await load('b', 't', 1);
  const swap = { source: { index: 'a' }, dest: { index: 'c' }, swap_alias: 'x' };
  const refuse = async (body: object): Promise<string> => {
    const { status, body: answer } = await http.send('POST', '/_reindex', body);
    expect(status).toBe(400);
    return (answer as { error: string }).error;
  };
  expect(await refuse({ ...swap, dest: { index: 'b' } })).toContain('[b] exists already');
  expect(await refuse({ ...swap, dest: { index: 'a' } })).toContain('reading from [a]');
  expect(await refuse({ ...swap, size: 2 })).toContain('[size]');
  expect(await refuse({ ...swap, swap_alias: 'b' })).toContain('InvalidAliasNameException');
  expect(await refuse({ ...swap, source: { index: 'a', query: { no_such: {} } } })).toContain(
    'No query registered for [no_such]',
  );
  expect(await refuse({ ...swap, colour: 1 })).toContain('unknown member [colour]');
  expect((await http.send('HEAD', '/c')).status).toBe(404);
  // A document that cannot be copied keeps the alias where it is.
  await http.ok('PUT', '/a/_alias/x');
  const failing = await http.send('POST', '/_reindex', {
    ...swap,
    dest: { index: 'c', mappings: { t: { properties: { tag: { type: 'long' } } } } },
  });
  expect(failing.status).toBe(400);
  expect(await http.ok('GET', '/_alias/x')).toEqual({ a: { aliases: { x: {} } } });
});

test('as a task: progress, result, cancelling', async () => {
  await load('a', 't', 3000);
  const slow = '/_reindex?wait_for_completion=false&requests_per_second=1';
  const { task } = (await http.ok('POST', slow, {
    source: { index: 'a' },
    dest: { index: 'b' },
    swap_alias: 'x',
  })) as { task: string };
  const listed = JSON.stringify(await http.ok('GET', '/_tasks'));
  expect(listed).toContain(`"${task}"`);
  expect(await http.ok('GET', `/_tasks/${task}`)).toMatchObject({
    completed: false,
    task: { action: 'indices:data/write/reindex', cancellable: true },
  });
  expect(await http.ok('POST', `/_tasks/${task}/_cancel`)).toMatchObject({
    completed: true,
    response: { canceled: 'by user request' },
  });
  expect((await http.send('GET', '/_alias/x')).status).toBe(404);
  const { task: quick } = (await http.ok('POST', '/_reindex?wait_for_completion=false', {
    source: { index: 'a' },
    dest: { index: 'c' },
  })) as { task: string };
  expect(await http.ok('GET', `/_tasks/${quick}?wait_for_completion`)).toMatchObject({
    completed: true,
    response: { created: 3000, failures: [] },
  });
  expect(await http.ok('GET', '/_tasks')).toMatchObject({ nodes: {} });
  expect((await http.send('GET', '/_tasks/99999')).status).toBe(404);
  expect((await http.send('GET', '/_tasks/x')).status).toBe(400);
});
