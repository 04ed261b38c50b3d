import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
});
afterAll(() => http.close());
afterEach(() => http.reset());

const text = async (path: string) => (await http.send('GET', path)).text;

test('an empty server answers everywhere', async () => {
  for (const path of ['/_aliases', '/_alias', '/_mapping', '/_settings', '/_all', '/*']) {
    expect(await http.pair('GET', path)).toEqual([200, {}]);
  }
  expect(await http.ok('GET', '/_search')).toMatchObject({
    timed_out: false,
    _shards: { total: 0, successful: 0, failed: 0 },
    hits: { total: 0, max_score: 0, hits: [] },
  });
  expect(await http.ok('GET', '/_cluster/health')).toMatchObject({ status: 'green' });
  expect(await text('/_cat/indices')).toBe('');
  expect(await http.pair('GET', '/_alias/*')).toEqual([
    404,
    { error: 'alias [] missing', status: 404 },
  ]);
  expect((await http.send('HEAD', '/_all')).status).toBe(404);
  expect(await http.error('POST', '/_all/_close')).toBe(
    '404 IndexMissingException[[_all] missing]',
  );
});

describe('health', () => {
  beforeEach(async () => {
    await http.ok('PUT', '/a1', { settings: { number_of_shards: 2 }, aliases: { al: {} } });
    await http.ok('PUT', '/a2', { settings: { number_of_replicas: 1 } });
  });

  test('counts primaries as active and replicas as unassigned', async () => {
    expect(await http.ok('GET', '/_cluster/health')).toEqual({
      cluster_name: 'facetd',
      status: 'yellow',
      timed_out: false,
      number_of_nodes: 1,
      number_of_data_nodes: 1,
      active_primary_shards: 3,
      active_shards: 3,
      relocating_shards: 0,
      initializing_shards: 0,
      unassigned_shards: 1,
      delayed_unassigned_shards: 0,
      number_of_pending_tasks: 0,
      number_of_in_flight_fetch: 0,
    });
    expect(await http.ok('GET', '/_cluster/health/al?level=shards')).toMatchObject({
      status: 'green',
      indices: {
        a1: {
          number_of_shards: 2,
          unassigned_shards: 0,
          shards: { '0': { status: 'green' }, '1': {} },
        },
      },
    });
  });

  test('waits, and says so when it was in vain', async () => {
    const health = (query: string) => http.ok('GET', `/_cluster/health${query}`);
    expect(await health('?wait_for_status=yellow')).toMatchObject({ timed_out: false });
    expect(await health('?wait_for_nodes=%3E%3D1&wait_for_active_shards=3')).toMatchObject({
      timed_out: false,
    });
    expect(await health('?wait_for_status=green&timeout=60ms')).toMatchObject({
      timed_out: true,
      status: 'yellow',
    });
    expect(await health('/nosuch?timeout=30ms')).toMatchObject({ timed_out: true, status: 'red' });
    expect(await health('?wait_for_nodes=ge(2)&timeout=30ms')).toMatchObject({ timed_out: true });
    expect(await http.error('GET', '/_cluster/health?wait_for_status=foo')).toMatch(
      /^500 IllegalArgumentException\[No enum constant .*\.FOO\]$/,
    );
  });

  test('a condition met while waiting ends the wait', async () => {
    const waiting = http.ok('GET', '/_cluster/health?wait_for_status=green&timeout=20s');
    await http.ok('PUT', '/a2/_settings', { number_of_replicas: 0 });
    expect(await waiting).toMatchObject({ timed_out: false, status: 'green' });
  });
});

test('cluster state shows what index browsers read', async () => {
  const mappings = { t: { properties: { a: { type: 'long' } } } };
  await http.ok('PUT', '/i', { mappings, aliases: { x: {} } });
  await http.ok('PUT', '/closed');
  await http.ok('POST', '/closed/_close');
  const state = (await http.ok('GET', '/_cluster/state')) as Record<string, unknown>;
  expect(Object.keys(state)).toEqual([
    'cluster_name',
    'version',
    'master_node',
    'blocks',
    'nodes',
    'metadata',
    'routing_table',
    'routing_nodes',
    'allocations',
  ]);
  expect(state).toMatchObject({
    blocks: { indices: { closed: { '4': { description: 'index closed' } } } },
    metadata: {
      indices: { i: { state: 'open', mappings, aliases: ['x'] }, closed: { state: 'close' } },
    },
    routing_table: { indices: { i: { shards: { '0': [{ state: 'STARTED', primary: true }] } } } },
  });
  expect(await http.ok('GET', '/_cluster/state/bogus')).toEqual({ cluster_name: 'facetd' });
  const some = await http.ok('GET', '/_cluster/state/metadata,blocks/i');
  expect(Object.keys((some as { metadata: { indices: object } }).metadata.indices)).toEqual(['i']);
});

test('sniffing clients find the HTTP address', async () => {
  const answer = (await http.ok('GET', '/_nodes/http')) as {
    nodes: Record<string, Record<string, unknown>>;
  };
  const [node] = Object.values(answer.nodes);
  expect(node).toMatchObject({
    version: '1.7.6',
    http_address: expect.stringMatching(/^inet\[\/127\.0\.0\.1:\d+\]$/) as string,
    http: { max_content_length_in_bytes: 104857600 },
  });
  expect(node).not.toHaveProperty('plugins');
  expect(await http.ok('GET', '/_nodes/nope')).toEqual({ cluster_name: 'facetd', nodes: {} });
  expect(await http.ok('GET', '/_nodes/_local/plugins')).toMatchObject({
    nodes: expect.anything() as object,
  });
});

describe('cat', () => {
  beforeEach(async () => {
    const mappings = { t: { properties: { f: { type: 'string', index: 'not_analyzed' } } } };
    const fa = { filter: { term: { f: 'x' } }, index_routing: '1', search_routing: '1,2' };
    await http.ok('PUT', '/a1', { mappings, aliases: { fa, b: {} } });
    await http.ok('PUT', '/a1/t/1?refresh', { f: 'x' });
    await http.ok('PUT', '/a1/t/2?refresh', { f: 'y' });
  });

  test('aliases', async () => {
    expect(await text('/_cat/aliases/fa?v')).toBe(
      'alias index filter routing.index routing.search \nfa    a1    *      1             1,2            \n',
    );
    expect(await text('/_cat/aliases?h=a,i')).toBe('fa a1 \nb  a1 \n');
    expect(await text('/_cat/aliases/fa,b?v')).toBe(
      'alias index filter routing.index routing.search \n',
    );
    expect(await text('/_cat/aliases?help')).toMatch(/^alias {10}\| a {16}\| alias name {11}\n/);
  });

  test('count', async () => {
    expect(await text('/_cat/count?h=count')).toBe('2 \n');
    expect(await text('/_cat/count/fa?v&h=dc')).toBe('dc \n1  \n');
    expect(await text('/_cat/count')).toMatch(/^\d{10} \d\d:\d\d:\d\d 2 \n$/);
    expect((await http.send('GET', '/_cat/count/none')).status).toBe(404);
  });

  test('indices', async () => {
    const columns = 'h=health,status,index,pri,rep,docs.count,docs.deleted';
    expect(await text(`/_cat/indices?${columns}`)).toBe('green open a1 1 0 2 0 \n');
    expect(await text('/_cat/indices/nos*')).toBe('');
    expect(await http.error('GET', '/_cat/indices/none')).toBe(
      '404 IndexMissingException[[none] missing]',
    );
    expect(await http.ok('GET', '/_cat/indices?format=json&h=index,docs.count')).toEqual([
      { index: 'a1', 'docs.count': '2' },
    ]);
    expect(await text('/_cat/indices?h=index,store.size&bytes=b')).toMatch(/^a1 \d+ \n$/);
    await http.ok('POST', '/a1/_close');
    expect(await text('/_cat/indices')).toMatch(/^ +close a1 +\n$/);
  });

  test('health, shards, master, nodes and the overview', async () => {
    expect(await text('/_cat/health?v&h=st,sh')).toBe('st    sh \ngreen  1 \n');
    expect(await text('/_cat/shards?h=index,shard,prirep,state,docs')).toBe('a1 0 p STARTED 2 \n');
    expect(await text('/_cat/shards/none')).toBe('');
    expect(await text('/_cat/master?v&h=ip')).toMatch(/^ip +\n127\.0\.0\.1 \n$/);
    expect(await text('/_cat/nodes?h=role,m')).toBe('d * \n');
    expect(await text('/_cat')).toMatch(/^=\^\.\^=\n\/_cat\//);
    expect(await http.error('GET', '/_cat/bogus')).toBe(
      '400 ElasticsearchIllegalArgumentException[No feature for name [bogus]]',
    );
    expect((await http.send('HEAD', '/_cat/indices')).status).toBe(404);
  });
});
