// Oddities of reading metadata that clients of the reference server see.

import { HttpClient } from '../support/http-client';

let client: HttpClient;
beforeAll(async () => {
  client = await HttpClient.start();
  await client.ok('PUT', '/one', {
    settings: { number_of_shards: 2, number_of_replicas: 1 },
    mappings: { t: { properties: { a: { type: 'long' } } } },
    aliases: { first: {} },
  });
  await client.ok('PUT', '/two', { settings: { number_of_shards: 1 } });
  await client.ok('PUT', '/shut', { settings: { number_of_shards: 1 }, aliases: { last: {} } });
  await client.ok('POST', '/shut/_close');
  for (const id of ['1', '2', '3']) await client.ok('PUT', `/one/t/${id}`, { a: 1 });
  await client.ok('POST', '/_refresh');
});
afterAll(() => client.close());

const keys = async (path: string) => Object.keys((await client.ok('GET', path)) as object).sort();
const table = async (path: string) =>
  (await client.send('GET', path)).text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .sort();

test('only without any index part the older alias form lists closed indices', async () => {
  expect(await keys('/_aliases/first')).toEqual(['one', 'shut', 'two']);
  expect(await keys('/_all/_aliases/first')).toEqual(['one', 'two']);
  expect(await client.ok('GET', '/one/_aliases/_all,other')).toEqual({ one: { aliases: {} } });
  expect(await client.ok('GET', '/one/_aliases/_all')).toEqual({ one: { aliases: { first: {} } } });
});

test('mappings that are not there', async () => {
  expect(await client.error('GET', '/_mapping/x,y')).toBe(
    '404 TypeMissingException[[_all] type[[x]] missing]',
  );
  expect(await client.pair('GET', '/one/_mapping/x')).toEqual([200, {}]);
  expect(await client.pair('GET', '/two/_mapping/_all')).toEqual([200, {}]);
  expect(await client.error('GET', '/gone,one/_mapping/_all?expand_wildcards=none')).toContain(
    '404 IndexMissingException[[gone] missing]',
  );
  expect(await client.error('GET', '/o*/_mapping/_all?expand_wildcards=none')).toBe(
    '404 IndexMissingException[[o*] missing]',
  );
});

test('a missing index is reported before a mapping that cannot be read', async () => {
  expect(await client.error('PUT', '/gone/t/_mapping', '{')).toBe(
    '404 IndexMissingException[[gone] missing]',
  );
  expect(await client.error('PUT', '/one/t/_mapping', '{')).toContain('400 ElasticsearchParse');
  expect(await client.error('PUT', '/one/_settings', '{')).toContain('400 ElasticsearchParse');
});

test('the routing sections of the cluster state take names literally', async () => {
  const routed = async (path: string) => {
    const state = (await client.ok('GET', `/_cluster/state/${path}`)) as {
      routing_table: { indices: object };
      routing_nodes: { nodes: object; unassigned: unknown[] };
    };
    const { routing_table: table, routing_nodes: nodes } = state;
    return [Object.keys(table.indices).sort(), Object.values(nodes.nodes).flat().length];
  };
  expect(await routed('routing_table')).toEqual([['one', 'two'], 3]);
  expect(await routed('_all/_all')).toEqual([['one', 'two'], 3]);
  expect(await routed('routing_table/one')).toEqual([['one'], 2]);
  expect(await routed('routing_table/o*,first,shut')).toEqual([[], 0]);
  const { metadata } = (await client.ok('GET', '/_cluster/state/metadata/o*')) as {
    metadata: { indices: object };
  };
  expect(Object.keys(metadata.indices)).toEqual(['one']);
  expect(await client.error('GET', '/_cluster/state/metadata/x?allow_no_indices=false')).toBe(
    '404 IndexMissingException[[x] missing]',
  );
  expect(await keys('/_cluster/state/routing_nodes')).toEqual(['cluster_name', 'routing_nodes']);
});

test('tables: literal shard names with stats of each shard, closed indices, ignored options', async () => {
  const shards = await table('/_cat/shards?h=index,shard,prirep,state,docs');
  expect(shards).toHaveLength(5);
  const counts = shards.map((line) => /STARTED\s+(\d+)/.exec(line)?.[1]).filter(Boolean);
  expect(counts.map(Number).reduce((sum, count) => sum + count, 0)).toBe(3);
  expect(counts).toHaveLength(3);
  expect(await table('/_cat/shards/o*')).toEqual([]);
  expect(await table('/_cat/shards/one?h=i,s,p')).toHaveLength(4);
  expect(await table('/_cat/indices?h=i')).toEqual(['one', 'shut', 'two']);
  expect(await table('/_cat/indices/_all?h=i')).toEqual(['one', 'two']);
  expect(await table('/_cat/indices/*?h=i')).toEqual(['one', 'shut', 'two']);
  expect(await table('/_cat/count?h=count&expand_wildcards=bogus')).toEqual(['3']);
  expect(await client.error('GET', '/_cat/indices/x?ignore_unavailable=true')).toBe(
    '404 IndexMissingException[[x] missing]',
  );
  // `t` is an alias of two columns.
  expect(await table('/_cat/health?h=st,t')).toEqual(['yellow 3']);
});

test('waits of the cluster health', async () => {
  const timedOut = async (query: string) =>
    ((await client.ok('GET', `/_cluster/health?timeout=1ms&${query}`)) as { timed_out: boolean })
      .timed_out;
  expect(await timedOut('wait_for_relocating_shards=-1')).toBe(false);
  expect(await timedOut('wait_for_nodes=ge(1)')).toBe(false);
  expect(await timedOut('wait_for_nodes=%3E1')).toBe(true);
  expect(await client.error('GET', '/_cluster/health?wait_for_nodes=eq(1)')).toBe(
    '500 NumberFormatException[For input string: "eq(1)"]',
  );
  expect(await client.error('GET', '/_cluster/health?master_timeout=x')).toContain('400 Elastic');
});

test('settings are lists again when they were given as lists, and numbered when flat', async () => {
  await client.ok('PUT', '/lists', { settings: { list: ['a', 'b'], objects: [{ k: 1 }] } });
  const at = async (query: string) =>
    ((await client.ok('GET', `/lists/_settings${query}`)) as { lists: { settings: object } }).lists
      .settings;
  expect(await at('')).toMatchObject({ index: { list: ['a', 'b'], objects: [{ k: '1' }] } });
  expect(await at('?flat_settings=true')).toMatchObject({
    'index.list.0': 'a',
    'index.list.1': 'b',
    'index.objects.0.k': '1',
  });
  await client.ok('DELETE', '/lists');
});

test('replicas expand to the one node', async () => {
  const replicas = async () =>
    (
      (await client.ok('GET', '/wide/_settings?flat_settings=true')) as {
        wide: { settings: Record<string, string> };
      }
    ).wide.settings['index.number_of_replicas'];
  await client.ok('PUT', '/wide', { settings: { auto_expand_replicas: '0-all' } });
  expect(await replicas()).toBe('0');
  await client.ok('PUT', '/wide/_settings', { number_of_replicas: 3 });
  expect(await replicas()).toBe('0');
  await client.ok('PUT', '/wide/_settings', { auto_expand_replicas: false });
  await client.ok('PUT', '/wide/_settings', { number_of_replicas: 3 });
  expect(await replicas()).toBe('3');
  await client.ok('DELETE', '/wide');
});

test('a type that cannot be prevents the automatic creation of its index', async () => {
  expect(await client.error('POST', '/fresh/_alias', { a: 1 })).toBe(
    "400 MapperParsingException[mapping [_alias]]; nested: InvalidTypeNameException[mapping type name [_alias] can't start with '_']; ",
  );
  expect((await client.send('HEAD', '/fresh')).status).toBe(404);
  expect(await client.error('PUT', '/fresh', { mappings: { _t: {} } })).toBe(
    "400 MapperParsingException[mapping [_t]]; nested: InvalidTypeNameException[mapping type name [_t] can't start with '_']; ",
  );
});

test('a list of types without any name deletes nothing', async () => {
  const missing =
    '400 ActionRequestValidationException[Validation Failed: 1: mapping type is missing;]';
  expect(await client.error('DELETE', '/one/,')).toBe(missing);
  expect(await client.error('DELETE', '/one/_mapping/,')).toBe(missing);
  expect(await client.error('DELETE', '/one/%20')).toContain(
    'types must not contain empty strings',
  );
  expect(await keys('/one/_mapping/t')).toEqual(['one']);
  expect(await table('/_cat/count/one?h=count')).toEqual(['3']);
});

test('no index at all, and methods nobody knows', async () => {
  expect((await client.send('HEAD', '/,')).status).toBe(400);
  const answer = await client.send('PATCH', '/a/b/c/d/e');
  expect(answer.text).toBe('No handler found for uri [/a/b/c/d/e] and method [GET]');
});

test('field mappings list the indices with one of the types, open ones only', async () => {
  const a = { mappings: { t: { a: { full_name: 'a', mapping: { a: { type: 'long' } } } } } };
  const none = { mappings: {} };
  for (const [path, ...answer] of [
    ['/shut/_mapping/field/a', 404, {}],
    ['/shut,one/_mapping/field/a', 200, { one: a }],
    ['/no*/_mapping/field/a', 404, {}],
    ['/one/_mapping/t/field/none', 200, {}],
    ['/one/_mapping/t/field/none*', 200, { one: none }],
    ['/_mapping/t/field/none', 200, { one: none }],
    ['/one/_mapping/*/field/none', 200, { one: none }],
    ['/one,two/_mapping/_all/field/a', 200, { one: a, two: none }],
    ['/two/_mapping/t/field/a', 404, {}],
    ['/one/_mapping/_all,x/field/a', 404, {}],
  ] as const) {
    expect([path, ...(await client.pair('GET', path))]).toEqual([path, ...answer]);
  }
});

test('shards of closed indices', async () => {
  for (const path of ['/shut', '/last', '/one,shut', '/l*']) {
    expect(await client.error('GET', `${path}/_search_shards`)).toBe(
      '404 IndexMissingException[[shut] missing]',
    );
  }
  expect(await client.ok('GET', '/none/_search_shards')).toEqual({ nodes: {}, shards: [] });
  const header = { total: 1, successful: 0, failed: 1 };
  expect(await client.ok('POST', '/shut,none/_flush/synced')).toEqual({
    _shards: header,
    shut: { ...header, failures: [{ shard: 0, reason: '[shut] closed' }] },
  });
  expect(await client.error('DELETE', '/shut/_mapping/t')).toBe(
    '403 ClusterBlockException[blocked by: [FORBIDDEN/4/index closed];]',
  );
});

test('the cluster state shows indices whose metadata must not be read', async () => {
  await client.ok('PUT', '/two/_settings', { 'index.blocks.metadata': true });
  expect(await client.ok('GET', '/_cluster/state/metadata/two')).toMatchObject({
    metadata: { indices: { two: { state: 'open', mappings: {} } } },
  });
  await client.ok('PUT', '/two/_settings', { 'index.blocks.metadata': false });
});

test('upgrading finds nothing to do', async () => {
  const sizes = {
    size_in_bytes: expect.any(Number) as number,
    size_to_upgrade_in_bytes: 0,
    size_to_upgrade_ancient_in_bytes: 0,
  };
  expect(await client.ok('GET', '/one/_upgrade')).toEqual({ ...sizes, indices: { one: sizes } });
  expect(await client.ok('POST', '/one/_upgrade')).toEqual({
    _shards: { total: 4, successful: 2, failed: 0 },
    upgraded_indices: { one: '4.10.4' },
  });
  expect(await client.error('GET', '/shut/_upgrade')).toBe(
    '403 IndexClosedException[[shut] closed]',
  );
});
