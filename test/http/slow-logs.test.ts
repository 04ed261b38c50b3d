// Slow logs by the settings of indices, over HTTP; the lines go to a list.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { openEngine, type Engine } from '../../engine/index';
import type { SlowLogger } from '../../engine/shard/slow-log';
import { createApp } from '../../server/http/app';
import { createLogger } from '../../server/config/logger';
import { testSettings } from '../support/settings';
import { TEST_THREADS, TEST_WORKERS } from '../support/workers';

interface Line {
  readonly level: string;
  readonly logger: string;
  readonly index: string;
  readonly shard: number;
  readonly took: string;
  readonly took_millis: number;
  readonly source: string;
  readonly [field: string]: unknown;
}

let lines: Line[] = [];
const write =
  (level: string) =>
  (fields: object): void =>
    void lines.push({ level, ...fields } as Line);
const slowLogger: SlowLogger = {
  warn: write('warn'),
  info: write('info'),
  debug: write('debug'),
  trace: write('trace'),
};

let folder: string;
let engine: Engine;
let handler: ReturnType<typeof createApp>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facetd-slow-'));
  const settings = testSettings({
    'path.data': join(folder, 'data'),
    'node.workers': String(TEST_WORKERS),
    'index.refresh_interval': '-1',
    'search.default_search_type': 'query_then_fetch',
  });
  engine = await openEngine({ settings: settings.node, slowLogger, threads: TEST_THREADS });
  handler = createApp(engine, settings, createLogger('silent'));
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  lines = [];
});

async function ok(method: 'get' | 'put' | 'post' | 'delete', path: string, body?: unknown) {
  const test = request(handler)[method](path);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = body === undefined ? await test : await test.send(text);
  expect(answer.status).toBeLessThan(300);
}

/** The lines of what was logged meanwhile. */
async function logged(work: () => Promise<void>): Promise<readonly Line[]> {
  lines = [];
  await work();
  return lines;
}

test('searches: each phase of each shard by its own thresholds, which may change at any time', async () => {
  await ok('put', '/s', { settings: { number_of_shards: 2 } });
  for (let i = 0; i < 8; i++) await ok('put', `/s/t/${i}`, { n: i });
  await ok('post', '/_refresh');
  const search = () =>
    ok('post', '/s/t/_search?version=true&q=n:%5B0%20TO%209%5D', '{ "stats" : ["a","b"] }');
  expect(await logged(search)).toEqual([]);

  const thresholds = { query: { warn: '1h', info: '0ms' }, fetch: { debug: 0 } };
  await ok('put', '/s/_settings', { index: { search: { slowlog: { threshold: thresholds } } } });
  const found = await logged(search);
  expect(found.map(({ level, logger, shard }) => [logger, level, shard]).sort()).toEqual([
    ['index.search.slowlog.fetch', 'debug', 0],
    ['index.search.slowlog.fetch', 'debug', 1],
    ['index.search.slowlog.query', 'info', 0],
    ['index.search.slowlog.query', 'info', 1],
  ]);
  for (const line of found) {
    expect(line).toMatchObject({
      index: 's',
      took: expect.stringMatching(/^\d+(\.\d)?(micros|ms|s)$/) as string,
      types: ['t'],
      stats: ['a', 'b'],
      search_type: 'QUERY_THEN_FETCH',
      total_shards: 2,
      source: '{"stats":["a","b"]}',
    });
    expect(Number.isInteger(line.took_millis)).toBe(true);
    expect(line['extra_source']).toContain('"query_string":{"query":"n:[0 TO 9]"');
  }

  const count = await logged(() => ok('post', '/s/_search?search_type=count', {}));
  expect(count.map(({ logger }) => logger)).toEqual([
    'index.search.slowlog.query',
    'index.search.slowlog.query',
  ]);
  expect(await logged(() => ok('get', '/s/_count'))).toEqual([]);

  await ok('put', '/s/_settings', { 'index.search.slowlog.level': 'warn' });
  expect(await logged(search)).toEqual([]);
  await ok('put', '/s/_settings', {
    'index.search.slowlog.level': 'trace',
    'index.search.slowlog.reformat': false,
    'index.search.slowlog.threshold.fetch.debug': -1,
    'index.search.slowlog.threshold.query.info': '10h',
    'index.search.slowlog.threshold.query.trace': '0s',
  });
  const raw = await logged(search);
  expect(raw.map(({ level, source }) => [level, source])).toEqual([
    ['trace', '{ "stats" : ["a","b"] }'],
    ['trace', '{ "stats" : ["a","b"] }'],
  ]);
});

test('a search over several indices is logged for those that say so', async () => {
  const slow = { 'index.search.slowlog.threshold.query.warn': '0ms', number_of_shards: 1 };
  await ok('put', '/one', { settings: slow });
  await ok('put', '/two', { settings: { number_of_shards: 1 } });
  await ok('put', '/one/t/1?refresh=true', { n: 1 });
  await ok('put', '/two/t/1?refresh=true', { n: 1 });
  const found = await logged(() => ok('post', '/one,two/_search', { query: { match_all: {} } }));
  expect(found).toMatchObject([{ level: 'warn', index: 'one', shard: 0, total_shards: 2 }]);
  const [line] = await logged(() => ok('post', '/one/_search'));
  expect(line).toMatchObject({ search_type: 'QUERY_AND_FETCH', source: '', types: [], stats: [] });
});

test('index operations: bulks and updates, too, but no deletions and nothing refused', async () => {
  await ok('put', '/w', { settings: { number_of_shards: 1 } });
  expect(await logged(() => ok('put', '/w/t/0', { n: 1 }))).toEqual([]);
  await ok('put', '/w/_settings', { 'index.indexing.slowlog.threshold.index.info': '0ms' });
  const found = await logged(async () => {
    await ok('put', '/w/t/1?routing=r', '{\n "n" :  1 }');
    await ok('post', '/w/t/1/_update?routing=r', { doc: { m: 2 } });
    await ok(
      'post',
      '/w/t/_bulk',
      '{"index":{"_id":"b"}}\n{"n":3}\n{"index":{"_id":"c"}}\n{"n":"x"}\n',
    );
    await ok('delete', '/w/t/b');
  });
  const shown = found.map(({ level, id, routing, source }) => [level, id, routing, source]);
  expect(shown).toEqual([
    ['info', '1', 'r', '{"n":1}'],
    ['info', '1', 'r', '{"n":1,"m":2}'],
    ['info', 'b', '', '{"n":3}'],
  ]);
  expect(found[0]).toMatchObject({
    logger: 'index.indexing.slowlog.index',
    index: 'w',
    shard: 0,
    type: 't',
  });
  expect(found[0]!.took_millis).toBeLessThan(60_000);

  await ok('put', '/w/_settings', { 'index.indexing.slowlog.reformat': 'false' });
  const [raw] = await logged(() => ok('put', '/w/t/2', '{\n "n" :  1 }'));
  expect(raw!.source).toBe('{\n "n" :  1 }');
  const [long] = await logged(() => ok('put', '/w/t/3', { text: 'ä'.repeat(100_000) }));
  expect(long!.source).toHaveLength(2001);
  await ok('put', '/w/_settings', { 'index.indexing.slowlog.level': 'warn' });
  expect(await logged(() => ok('put', '/w/t/4', { n: 1 }))).toEqual([]);
});
