// Statistics of an engine that tells nothing of segments, caches, threads and disks: they print zeros, or
// nothing.

import { tmpdir } from 'node:os';
import request from 'supertest';
import type { Engine, IndexStats, NodeStats, SearchEngine } from '../../engine/index';
import { createLogger } from '../../server/config/logger';
import { createApp } from '../../server/http/app';
import { createTestApp, type TestApp } from '../support/app';
import { testSettings } from '../support/settings';

/** The same object with some members in the place of its own. */
function instead<T extends object>(
  original: T,
  members: { readonly [K in keyof T]?: T[K] | undefined },
): T {
  return new Proxy(original, {
    get(target, name) {
      if (Object.hasOwn(members, name)) return members[name as keyof T];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

async function bareStats(engine: Engine, names: readonly string[]): Promise<IndexStats[]> {
  const stats = await engine.maintenance.stats(names);
  return stats.map((index) => ({
    ...index,
    shards: index.shards.map(({ local: _local, ...shard }) => shard),
  }));
}

async function bareNode(engine: Engine): Promise<NodeStats> {
  const { local: _local, ...stats } = await engine.nodeStats();
  return stats;
}

let app: TestApp;
let handler: ReturnType<typeof createApp>;
beforeAll(async () => {
  app = await createTestApp({ 'index.refresh_interval': '-1' });
  const { engine } = app;
  const other: SearchEngine = instead<SearchEngine>(engine, {
    local: undefined,
    nodeStats: () => bareNode(engine),
    maintenance: instead(engine.maintenance, { stats: (names) => bareStats(engine, names) }),
  });
  handler = createApp(other, testSettings({ 'path.data': tmpdir() }), createLogger('silent'));
  await request(handler).put('/i/t/1?refresh=true').send({ s: 'a' });
});
afterAll(() => app.close());

test.each([
  '/_cat/fielddata',
  '/_cat/indices?h=*',
  '/_cat/nodes?h=*',
  '/_cat/recovery',
  '/_cat/segments',
  '/_cat/shards?h=*',
  '/_cat/thread_pool?h=*',
  '/_cluster/stats',
  '/_metrics?level=indices',
  '/_nodes',
  '/_nodes/hot_threads',
  '/_nodes/stats?level=shards&fields=*',
  '/_recovery',
  '/_segments',
  '/_stats?level=shards&fields=*',
  '/_status',
])('%s is answered', async (path) => {
  expect((await request(handler).get(path)).status).toBe(200);
});

test('what every engine knows is there, the rest is 0', async () => {
  const stats = await request(handler).get('/i/_stats');
  expect(stats.body).toMatchObject({
    _all: {
      total: { docs: { count: 1 }, indexing: { index_total: 0 }, segments: { count: 0 } },
    },
  });
  const metrics = (await request(handler).get('/_metrics')).text;
  expect(metrics).toContain('\nfacetd_documents 1\n');
  expect(metrics).toContain('\nfacetd_segments 0\n');
  const responses = await request(handler)
    .post('/_msearch')
    .send('{"index":"i"}\n{"query":{"match_all":{}}}\n');
  expect(responses.body).toMatchObject({ responses: [{ hits: { total: 1 } }] });
});
