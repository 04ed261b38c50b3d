// Threads that take requests: what one of them, or main, has acknowledged all others show; what they answer
// is what main answers.

import { gzipSync } from 'node:zlib';
import { request as send } from 'node:http';
import { openEngine, type Engine } from '../../engine/index';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FaultPlan } from '../support/faulty-database';
import { requestCounts } from '../../engine/common/request-memory';
import { createLogger } from '../../server/config/logger';
import { createFrontDoor } from '../../server/http/app';
import { canSharePort, HttpThreads } from '../../server/http-threads/http-threads';
import { connectionTotals } from '../../server/request/connection-counts';
import { RequestRecorder, requestTimes } from '../../server/request/request-recorder';
import { HttpThreadsNode } from '../support/http-threads';
import { onlyWhere } from '../support/only-where';
import { testSettings } from '../support/settings';
import { until } from '../support/until';

const THREADS = 2;
const MAIN = THREADS;

let folder: string;
let engine: Engine;
let node: HttpThreadsNode;
const plan = new FaultPlan();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facetd-http-threads-'));
  const settings = testSettings({
    'path.data': join(folder, 'data'),
    'index.number_of_shards': '2',
    'node.workers': '1',
  });
  engine = await openEngine({
    settings: { ...settings.node, readers: THREADS },
    wrap: plan.wrap,
    reopenDelayMs: 1,
    searchGraceMs: 50,
  });
  node = await HttpThreadsNode.start(engine, settings, THREADS);
});
afterAll(async () => {
  await node.stop();
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

interface Found {
  readonly hits: { readonly total: number; readonly hits: { readonly _source: unknown }[] };
}

async function json<T>(...request: Parameters<HttpThreadsNode['send']>): Promise<T> {
  return JSON.parse((await node.send(...request)).text) as T;
}

async function ok(...request: Parameters<HttpThreadsNode['send']>): Promise<void> {
  const { status, text } = await node.send(...request);
  if (status >= 300) throw new Error(`${status} ${text}`);
}

/** How many documents a term finds. */
async function total(thread: number, index: string, query: object): Promise<number> {
  return (await json<Found>(thread, 'POST', `/${index}/_search`, { query })).hits.total;
}

test('what was acknowledged on one thread is read on all others', async () => {
  for (let i = 0; i < 24; i++) {
    // A new index, a new field, or neither.
    const index = `seen-${Math.floor(i / 8)}`;
    const field = `field-${Math.floor(i / 4)}`;
    const [writer, reader] = i % 2 === 0 ? [0, 1] : [1, 0];
    await ok(writer, 'PUT', `/${index}/doc/${i}?refresh=true`, { [field]: i });
    expect(await total(reader, index, { term: { [field]: i } })).toBe(1);
    expect(await total(writer, index, { term: { [field]: i } })).toBe(1);
    expect((await node.send(reader, 'GET', `/${index}/doc/${i}/_source`)).text).toBe(
      JSON.stringify({ [field]: i }),
    );
    // Realtime: no refresh.
    await ok(writer, 'PUT', `/${index}/doc/${i}`, { [field]: -i });
    expect((await node.send(reader, 'GET', `/${index}/doc/${i}/_source`)).text).toBe(
      JSON.stringify({ [field]: -i }),
    );
    await ok(reader, 'DELETE', `/${index}/doc/${i}?refresh=true`);
    expect(await total(writer, index, { term: { [field]: i } })).toBe(0);
    expect((await node.send(writer, 'HEAD', `/${index}/doc/${i}`)).status).toBe(404);
  }
});

test('an index that is deleted and made again has nothing of the former one', async () => {
  for (let i = 0; i < 5; i++) {
    await ok(i % 2, 'PUT', '/again/doc/1?refresh=true', { run: i });
    const found = await json<Found>((i + 1) % 2, 'GET', '/again/_search');
    expect(found.hits.hits.map(({ _source }) => _source)).toEqual([{ run: i }]);
    await ok((i + 1) % 2, 'DELETE', '/again');
    expect((await node.send(i % 2, 'GET', '/again/_search')).status).toBe(404);
    expect((await node.send(i % 2, 'GET', '/again/doc/1')).status).toBe(404);
  }
});

test('an alias that has moved is seen where it is by clients of all threads', async () => {
  for (const index of [0, 1]) await ok(0, 'PUT', `/target-${index}/doc/1?refresh=true`, { index });
  await ok(0, 'POST', '/_aliases', { actions: [{ add: { index: 'target-0', alias: 'current' } }] });
  for (let flip = 0; flip < 30; flip++) {
    const [from, to] = flip % 2 === 0 ? [0, 1] : [1, 0];
    const actions = [
      { remove: { index: `target-${from}`, alias: 'current' } },
      { add: { index: `target-${to}`, alias: 'current' } },
    ];
    await ok(flip % THREADS, 'POST', '/_aliases', { actions });
    const clients = Array.from({ length: 8 }, async (_, client) => {
      const isGet = client % 4 < 2;
      const path = isGet ? '/current/doc/1' : '/current/_search';
      return (await node.send(client % THREADS, 'GET', path)).text;
    });
    for (const text of await Promise.all(clients)) expect(text).toContain(`{"index":${to}}`);
  }
});

/** Requests of all kinds that threads answer or hand over. */
const ALIKE: readonly [method: string, path: string, body?: object | string][] = [
  ['GET', '/alike/doc/1'],
  ['GET', '/alike/doc/1?pretty'],
  ['GET', '/alike/doc/1?realtime=false'],
  ['GET', '/alike/doc/none'],
  ['HEAD', '/alike/doc/1'],
  ['GET', '/alike/doc/1/_source'],
  ['GET', '/missing/doc/1'],
  [
    'GET',
    '/alike/_mget',
    {
      docs: [
        { _id: '1', _type: 'doc' },
        { _id: 'none', _type: 'doc' },
      ],
    },
  ],
  ['POST', '/alike/_search', { query: { match: { text: 'word' } }, size: 3 }],
  ['POST', '/alike/_search', { query: { match: { text: 'word' } }, size: 100, sort: ['n'] }],
  ['POST', '/alike/_search', { query: { match: { text: 'word' } }, sort: { _script: {} } }],
  [
    'POST',
    '/alike/_search?search_type=count',
    { facets: { n: { histogram: { field: 'n', interval: 7 } } } },
  ],
  ['POST', '/alike/_search', { size: 0, aggs: { n: { stats: { script: "doc['n'].value * 2" } } } }],
  ['POST', '/alike/_search', { query: { unknown: {} } }],
  ['POST', '/alike/_search', '{"query":'],
  [
    'POST',
    '/alike/_search',
    { query: { terms: { n: { index: 'alike', type: 'doc', id: '1', path: 'n' } } } },
  ],
  ['POST', '/alike/_search?format=yaml', { size: 1 }],
  ['GET', '/alike/_search?q=text:word&size=1&filter_path=hits.total'],
  ['POST', '/missing/_search'],
  ['POST', '/_search/template', { template: { size: '{{n}}' }, params: { n: 2 } }],
  ['POST', '/alike/_count', { query: { range: { n: { gte: 5 } } } }],
  ['POST', '/alike/_count', { query: { nothing: {} } }],
  ['POST', '/alike/_msearch', '{}\n{"size":1}\n{"index":"missing"}\n{}\n'],
  ['POST', '/alike/doc/1/_explain', { query: { match_all: {} } }],
  ['GET', '/alike/_mapping'],
  ['GET', '/_cat/aliases'],
  ['GET', '/no/such/path/there/is'],
  ['DELETE', '/missing-too'],
  ['OPTIONS', '/alike'],
  ['GET', '/alike/_search?callback=f'],
];

test('a thread answers as main does', async () => {
  const bulk = Array.from(
    { length: 200 },
    (_, n) => `{"index":{"_id":"${n}"}}\n{"n":${n},"text":"word number ${n}"}\n`,
  ).join('');
  await ok(MAIN, 'POST', '/alike/doc/_bulk?refresh=true', bulk);
  for (const [method, path, body] of ALIKE) {
    const [here, there] = await Promise.all(
      [0, MAIN].map(async (thread) => {
        const { status, headers, text } = await node.send(thread, method, path, body);
        const { 'content-type': type, 'content-length': length } = headers;
        const isTimed = text.includes('took');
        return {
          ...{ status, type, length: isTimed ? undefined : length },
          text: text.replace(/"?took"? ?: ?\d+/g, 'took'),
        };
      }),
    );
    expect([method, path, here]).toEqual([method, path, there]);
  }
});

test('bodies of all kinds reach main', async () => {
  const lines = Array.from(
    { length: 4000 },
    (_, n) => `{"index":{"_id":"${n}"}}\n{"n":${n},"text":"so that it is more than one message"}\n`,
  ).join('');
  for (const [headers, body] of [
    [{}, Buffer.from(lines)],
    [{ 'Content-Encoding': 'gzip' }, gzipSync(lines)],
    [{ Expect: '100-continue' }, Buffer.from(lines)],
    [{ 'Transfer-Encoding': 'chunked' }, Buffer.from(lines)],
  ] as const) {
    const answer = await node.send(0, 'POST', '/bodies/doc/_bulk?refresh=true', body, headers);
    expect([headers, answer.status]).toEqual([headers, 200]);
    expect(JSON.parse(answer.text)).toMatchObject({ errors: false });
    expect(await total(1, 'bodies', { match_all: {} })).toBe(4000);
    await ok(1, 'DELETE', '/bodies');
  }
  // More than fits between two threads at a time goes back, too.
  const large = 'x'.repeat(3 * 1024 * 1024);
  await ok(0, 'PUT', '/bodies/doc/large', { large });
  expect((await node.send(0, 'GET', '/bodies/doc/large?realtime=true')).text).toContain(large);
});

test('scrolls are kept by main, whichever thread is asked', async () => {
  let page = await json<Found & { _scroll_id: string }>(
    0,
    'GET',
    '/alike/_search?scroll=1m&size=70&sort=n',
  );
  let seen = 0;
  for (let thread = 1; page.hits.hits.length > 0; thread = 1 - thread) {
    seen += page.hits.hits.length;
    page = await json(thread, 'POST', '/_search/scroll?scroll=1m', page._scroll_id);
  }
  expect(seen).toBe(200);
});

test('what threads do is counted where main is asked for it', async () => {
  interface Stats {
    _all: {
      total: { search: { query_total: number; query_current: number }; get: { total: number } };
    };
  }
  const before = (await json<Stats>(MAIN, 'GET', '/alike/_stats'))._all.total;
  for (const thread of [0, 1, MAIN]) {
    await ok(thread, 'GET', '/alike/_search');
    await ok(thread, 'GET', '/alike/doc/1');
  }
  const after = (await json<Stats>(0, 'GET', '/alike/_stats'))._all.total;
  expect(after.search.query_total - before.search.query_total).toBe(3 * 2);
  expect(after.get.total - before.get.total).toBe(3);
  expect(after.search.query_current).toBe(0);
  const { nodes } = await json<{
    nodes: Record<string, { http: { total_opened: number; current_open: number } }>;
  }>(0, 'GET', '/_nodes/stats/http');
  // This client has at least one connection to each thread and to main.
  expect(Object.values(nodes)[0]!.http.current_open).toBeGreaterThanOrEqual(3);
  const metrics = (await node.send(1, 'GET', '/_metrics')).text;
  expect(metrics).toMatch(/facetd_thread_busy_seconds_total\{thread="http-1"\}|http-1/);
  await until(() => node.memory.used === 0);
});

/** Takes far longer than a test waits for anything. */
const SLOW = {
  size: 0,
  facets: Object.fromEntries(
    Array.from({ length: 250 }, (_, i) => [
      `f${i}`,
      { statistical: { script: `x = 0; for (k = 0; k < 60; k++) { x += sqrt(k + ${i}) }; x` } },
    ]),
  ),
};

async function fillSlow(): Promise<void> {
  const lines = Array.from({ length: 5000 }, (_, n) => `{"index":{}}\n{"n":${n}}\n`).join('');
  await ok(MAIN, 'POST', '/slow/doc/_bulk?refresh=true', lines);
}

test('main learns that the client of a request has gone', async () => {
  await fillSlow();
  const sent = send({
    ...{ host: '127.0.0.1', port: node.ports[0], method: 'POST', path: '/slow/_search' },
  });
  sent.on('error', () => undefined);
  sent.end(JSON.stringify(SLOW));
  await until(() => node.requests.current === 1);
  sent.destroy();
  await until(() => node.requests.current === 0);
});

test('a thread that dies is replaced by one that knows everything', async () => {
  await ok(0, 'PUT', '/survivors/doc/1?refresh=true', { n: 1 });
  const cut = node.send(0, 'POST', '/slow/_search', SLOW).then(
    () => 'answered',
    () => 'cut off',
  );
  await until(() => node.requests.current === 1);
  const killed = node.kill(0);
  await ok(1, 'PUT', '/survivors/doc/2?refresh=true', { n: 2 });
  expect(await total(1, 'survivors', { match_all: {} })).toBe(2);
  expect(await cut).toBe('cut off');
  await killed;
  expect(await total(0, 'survivors', { match_all: {} })).toBe(2);
  await until(() => node.requests.current === 0);
  // What it held is held no longer: the data of an index goes when nobody reads it.
  await ok(0, 'DELETE', '/survivors');
  expect((await node.send(1, 'GET', '/survivors/_search')).status).toBe(404);
  expect((await engine.local.threads()).http.map(({ replaced }) => replaced)).toEqual([1, 0]);
});

test('threads let go of storage that failed, and read what is opened in its place', async () => {
  await ok(0, 'PUT', '/reopened/doc/1?refresh=true', { n: 1 });
  plan.failAt = plan.count + 1;
  expect((await node.send(0, 'PUT', '/reopened/doc/2', { n: 2 })).status).toBe(503);
  // Reads are answered all the time.
  while (!(await engine.nodeStats()).isWritable) {
    for (const thread of [0, 1]) {
      expect((await node.send(thread, 'GET', '/reopened/doc/1')).status).toBe(200);
    }
  }
  for (const thread of [0, 1]) {
    await ok(thread, 'PUT', `/reopened/doc/more-${thread}?refresh=true`, { n: 3 });
    expect(await total(1 - thread, 'reopened', { term: { n: 3 } })).toBe(thread + 1);
  }
});

onlyWhere(!canSharePort(), 'Node before 22.12')(
  'a server of which a thread cannot listen does not start',
  async () => {
    const settings = testSettings({ 'path.data': join(folder, 'other'), 'http.port': '0' });
    const other = await openEngine({ settings: { ...settings.node, readers: 2, workers: 0 } });
    const logger = createLogger('silent');
    const frontDoor = createFrontDoor(other, settings, logger);
    const counts = {
      connections: connectionTotals(3),
      requests: requestTimes(3),
      memory: requestCounts(3),
    };
    const { listener } = frontDoor;
    const requests = new RequestRecorder(counts.requests);
    const options = { settings, threads: 2, counts, logger, listener, frontDoor, requests };
    // The port of the first is taken for the second.
    await expect(HttpThreads.listen(other.readers, options)).rejects.toThrow('taken');
    await other.close();
  },
);
