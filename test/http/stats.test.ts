import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
});
afterAll(() => http.close());
beforeEach(async () => {
  await http.ok('PUT', '/i', { settings: { number_of_shards: 2, number_of_replicas: 1 } });
  for (let n = 0; n < 10; n++) await http.ok('PUT', `/i/t/${n}`, { n, s: `v${n % 3}` });
  await http.ok('POST', '/_refresh');
});
afterEach(() => http.reset());

type Json = Record<string, unknown>;

async function total(metric = ''): Promise<Record<string, Json>> {
  const stats = (await http.ok('GET', `/i/_stats${metric}`)) as { _all: { total: object } };
  return stats._all.total as Record<string, Json>;
}

describe('_stats', () => {
  test('counts documents and what was done with them', async () => {
    await http.ok('DELETE', '/i/t/0?refresh=true');
    await http.ok('GET', '/i/t/1');
    await http.send('GET', '/i/t/99');
    await http.ok('GET', '/i/_search?q=*:*');
    expect(await total()).toMatchObject({
      docs: { count: 9, deleted: 1 },
      indexing: { index_total: 10, delete_total: 1 },
      get: { total: 2, exists_total: 1, missing_total: 1 },
      search: { query_total: 2, query_current: 0 },
      translog: { operations: 0 },
    });
    const { store, refresh, segments } = await total('/store,refresh,segments');
    expect(store?.['size_in_bytes']).toBeGreaterThan(100);
    expect(refresh?.['total']).toBeGreaterThan(0);
    expect(segments?.['count']).toBeGreaterThan(1);
  });

  test('shows memory that searches take, and gives it back', async () => {
    const body = { facets: { s: { terms: { field: 's' } } } };
    await http.ok('POST', '/i/_search', body);
    const memory = async () => {
      const { fielddata, segments } = await total();
      return [fielddata!['memory_size_in_bytes'], segments!['memory_in_bytes']] as number[];
    };
    const [columns, blocks] = await memory();
    expect(columns).toBeGreaterThan(0);
    expect(blocks).toBeGreaterThan(0);
    expect(await http.ok('POST', '/i/_cache/clear')).toEqual({
      _shards: { total: 4, successful: 2, failed: 0 },
    });
    expect(await memory()).toEqual([0, 0]);
  });

  test('sections, levels and unknown metrics', async () => {
    const docs = { docs: { count: 10, deleted: 0 } };
    expect(await http.ok('GET', '/_stats/docs')).toEqual({
      _shards: { total: 4, successful: 2, failed: 0 },
      _all: { primaries: docs, total: docs },
      indices: { i: { primaries: docs, total: docs } },
    });
    expect(await http.ok('GET', '/i/_stats/bogus')).toMatchObject({ _all: { total: {} } });
    expect(await http.ok('GET', '/i/_stats/docs?level=shards')).toMatchObject({
      indices: { i: { shards: { 0: [{ routing: { state: 'STARTED' } }], 1: [{}] } } },
    });
    expect(await http.ok('GET', '/i/_stats/docs?level=cluster')).not.toHaveProperty('indices');
    expect(await http.error('GET', '/zz/_stats')).toBe('404 IndexMissingException[[zz] missing]');
  });

  test('operations that are not indexed yet', async () => {
    await http.ok('PUT', '/i/t/new', { n: 1 });
    const { translog } = await total('/translog');
    expect(translog).toEqual({ operations: 1, size_in_bytes: expect.any(Number) as number });
  });
});

test('_status, _segments and _recovery describe the shards', async () => {
  expect(await http.ok('GET', '/i/_status')).toMatchObject({
    indices: { i: { docs: { num_docs: 10, max_doc: 10, deleted_docs: 0 }, shards: { 0: [{}] } } },
  });
  const { indices } = (await http.ok('GET', '/i/_segments')) as {
    indices: {
      i: { shards: Record<string, { segments: Record<string, { num_docs: number }> }[]> };
    };
  };
  const counts = Object.values(indices.i.shards).flatMap(([copy]) =>
    Object.values(copy!.segments).map((segment) => segment.num_docs),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(10);
  expect(await http.ok('GET', '/i/_recovery')).toMatchObject({
    i: { shards: [{ id: 0, stage: 'DONE' }, { id: 1 }] },
  });
  expect(await http.ok('GET', '/i/_recovery?active_only=true')).toEqual({});
});

describe('human', () => {
  test('adds readable twins to sizes and times', async () => {
    const twins = async (path: string, ...members: string[]): Promise<unknown> => {
      const names = path.split('/').slice(1);
      let json = await http.ok('GET', `/${names[0]}?human`);
      for (const name of members)
        json = (json as Json)[name === '*' ? Object.keys(json as Json)[0]! : name];
      return json;
    };
    const size = expect.stringMatching(/^[\d.]+k?b$/) as string;
    const time = expect.stringMatching(/^[\d.]+m?s$/) as string;
    expect(await twins('/_stats', '_all', 'total')).toMatchObject({
      store: { size, throttle_time: '0s' },
      get: { get_time: time, exists_time: time },
      percolate: { get_time: '0s', memory_size: size },
      segments: { memory: size, fixed_bit_set: '0b' },
    });
    expect(await twins('/_nodes', 'nodes', '*', 'jvm', 'start_time')).toMatch(/^2.*Z$/);
    expect(await twins('/_nodes', 'nodes', '*', 'http')).toMatchObject({
      max_content_length: expect.stringMatching(/mb$/) as string,
    });
    expect(await http.ok('GET', '/i/_stats/store')).not.toHaveProperty('_all.total.store.size');
  });
});

describe('the node', () => {
  test('splits its stats by index and by shard', async () => {
    const indices = async (level: string) => {
      const path = `/_nodes/stats/indices/docs?level=${level}`;
      const { nodes } = (await http.ok('GET', path)) as {
        nodes: Record<string, { indices: Json }>;
      };
      return Object.values(nodes)[0]!.indices;
    };
    const docs = { count: 10, deleted: 0 };
    expect(await indices('node')).toEqual({ docs });
    expect(await indices('indices')).toEqual({ docs, indices: { i: { docs } } });
    expect(await indices('shards')).toMatchObject({
      docs,
      shards: { i: [{ '0': { routing: { state: 'STARTED' } } }, { '1': { commit: {} } }] },
    });
  });

  test('tells what it measures', async () => {
    const { nodes } = (await http.ok('GET', '/_nodes/stats')) as { nodes: Record<string, Json> };
    const [node] = Object.values(nodes);
    expect(node).toMatchObject({
      indices: { docs: { count: 10 } },
      process: { open_file_descriptors: expect.any(Number) as number },
      jvm: { mem: { heap_used_in_bytes: expect.any(Number) as number } },
      fs: { total: { available_in_bytes: expect.any(Number) as number } },
      breakers: { parent: { tripped: 0 } },
    });
    expect(await http.ok('GET', '/_nodes/zz/stats')).toMatchObject({ nodes: {} });
    const chosen = (await http.ok('GET', '/_nodes/_local/stats/indices/docs')) as {
      nodes: Record<string, Json>;
    };
    const [indices] = Object.values(chosen.nodes).map((one) => one['indices'] as Json);
    expect(Object.keys(indices!)).toEqual(['docs']);
    expect((await http.send('GET', '/_nodes/hot_threads')).text).toMatch(/^::: \[/);
  });

  test('the cluster in numbers', async () => {
    expect(await http.ok('GET', '/_cluster/stats')).toMatchObject({
      status: 'yellow',
      indices: { count: 1, shards: { total: 2, primaries: 2 }, docs: { count: 10 } },
      nodes: { count: { total: 1 } },
    });
    expect(await http.ok('GET', '/_cluster/pending_tasks')).toEqual({ tasks: [] });
  });

  test('settings of the cluster: known ones are kept, others dropped', async () => {
    const set = { 'cluster.routing.allocation.enable': 'all', 'foo.bar': 1 };
    const nested = { cluster: { routing: { allocation: { enable: 'all' } } } };
    expect(await http.ok('PUT', '/_cluster/settings', { transient: set })).toEqual({
      acknowledged: true,
      persistent: {},
      transient: nested,
    });
    await http.ok('PUT', '/_cluster/settings', {
      persistent: { indices: { recovery: { max_bytes_per_sec: '20mb' } } },
    });
    expect(await http.ok('GET', '/_cluster/settings?flat_settings=true')).toEqual({
      persistent: { 'indices.recovery.max_bytes_per_sec': '20mb' },
      transient: { 'cluster.routing.allocation.enable': 'all' },
    });
    expect(await http.error('PUT', '/_cluster/settings', {})).toMatch(/no settings to update;\]$/);
    expect(await http.error('PUT', '/_cluster/settings', '')).toMatch(/Failed to derive xcontent/);
  });

  test('reroute has nowhere to go, and shutdown is not for everybody', async () => {
    expect(await http.ok('POST', '/_cluster/reroute')).toMatchObject({
      acknowledged: true,
      state: { routing_table: { indices: { i: {} } } },
    });
    expect(await http.error('POST', '/_cluster/reroute', { commands: [{ bogus: {} }] })).toBe(
      '400 ElasticsearchIllegalArgumentException[No allocation command factory registered for name [bogus]]',
    );
    expect(await http.error('POST', '/_shutdown')).toMatch(/^403 .*node\.allow_shutdown/);
  });
});

test('a synced flush tells every index', async () => {
  expect(await http.ok('POST', '/i/_flush/synced')).toEqual({
    _shards: { total: 4, successful: 2, failed: 0 },
    i: { total: 4, successful: 2, failed: 0 },
  });
});
