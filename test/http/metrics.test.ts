// `_metrics` over a real engine: every family reads well, the numbers move with the work, and they are those
// of `_nodes/stats`.

import request from 'supertest';
import { INDEX_METRICS } from '../../server/stats/index-metrics';
import { NODE_METRICS } from '../../server/stats/metrics';
import { createTestApp, type TestApp } from '../support/app';
import { HttpClient } from '../support/http-client';
import { parsePrometheus, type ParsedFamily } from '../support/prometheus';
import { until } from '../support/until';

type Families = ReadonlyMap<string, ParsedFamily>;

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start({ 'index.number_of_shards': '2' });
});
afterAll(() => http.close());

async function scrape(parameters = ''): Promise<Families> {
  const { status, text } = await http.send('GET', `/_metrics${parameters}`);
  expect(status).toBe(200);
  return parsePrometheus(text);
}

/** The value of a metric with these labels; 0 when it is not there. */
function value(families: Families, name: string, labels: Record<string, string> = {}): number {
  const family = families.get(name.replace(/_(sum|count|bucket)$/, '')) ?? families.get(name);
  if (family === undefined) throw new Error(`no metric ${name}`);
  const wanted = Object.entries(labels);
  const found = family.samples.find(
    (sample) =>
      sample.name === name && wanted.every(([label, text]) => sample.labels.get(label) === text),
  );
  return found?.value ?? 0;
}

async function nodeStats(): Promise<Record<string, Record<string, Record<string, number>>>> {
  const { nodes } = (await http.ok('GET', '/_nodes/stats')) as { nodes: Record<string, never> };
  return Object.values(nodes)[0]!;
}

test('every metric is there, in the format', async () => {
  const families = await scrape('?level=indices');
  const names = [...NODE_METRICS, ...INDEX_METRICS].map(({ name }) => name);
  expect([...families.keys()]).toEqual(names);
  for (const name of names) expect(name).toMatch(/^facetd_[a-z_]+$/);
  expect(value(families, 'facetd_build_info', { compatible_with: '1.7.6' })).toBe(1);
  expect(value(families, 'facetd_writable')).toBe(1);
  expect(value(families, 'facetd_disk_bytes', { kind: 'total' })).toBeGreaterThan(0);
  expect(value(families, 'facetd_http_requests_running')).toBe(1);
});

test('the content type is that of the format, and others are refused as everywhere', async () => {
  const app: TestApp = await createTestApp();
  const answer = await request(app.handler).get('/_metrics');
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  const foreign = await request(app.handler).get('/_metrics').set('Origin', 'http://evil.example');
  expect(foreign.status).toBe(403);
  const { text } = await request(app.handler).get('/_metrics');
  const families = parsePrometheus(text);
  const refused = { family: 'none', outcome: '4xx' };
  expect(value(families, 'facetd_http_request_seconds_count', refused)).toBe(1);
  await app.close();
});

test('the numbers move with the work, and agree with _nodes/stats', async () => {
  await http.reset();
  const before = await scrape();
  for (let i = 0; i < 5; i++) await http.ok('PUT', `/m/t/${i}`, { n: i });
  const bulk = Array.from({ length: 20 }, (_, i) => `{"index":{"_id":"b${i}"}}\n{"n":${i}}\n`);
  await http.ok('POST', '/m/t/_bulk', bulk.join(''));
  await http.ok('POST', '/_refresh');
  await http.ok('DELETE', '/m/t/1');
  await http.ok('POST', '/_flush');
  await http.ok('GET', '/m/t/2');
  await http.send('GET', '/m/t/none');
  for (let i = 0; i < 3; i++) {
    await http.ok('POST', '/m/_search', { facets: { n: { statistical: { field: 'n' } } } });
  }
  await http.send('POST', '/missing/_search', {});
  await http.ok('POST', '/_optimize?max_num_segments=1');
  const after = await scrape('?level=indices');
  const grown = (name: string, labels?: Record<string, string>): number =>
    value(after, name, labels) - value(before, name, labels);

  expect(grown('facetd_indexing_total')).toBe(25);
  expect(grown('facetd_deletions_total')).toBe(1);
  expect(grown('facetd_gets_found_total')).toBe(1);
  expect(grown('facetd_gets_missed_total')).toBe(1);
  expect(grown('facetd_shard_searches_total')).toBe(6);
  expect(grown('facetd_refreshes_total')).toBeGreaterThanOrEqual(2);
  expect(grown('facetd_flushes_total')).toBe(2);
  expect(grown('facetd_indexing_seconds_total')).toBeGreaterThan(0);
  expect(grown('facetd_commit_sync_seconds_count')).toBeGreaterThanOrEqual(7);
  expect(grown('facetd_commit_units_sum')).toBeGreaterThanOrEqual(7);
  const search = { family: 'search', outcome: '2xx' };
  expect(grown('facetd_http_request_seconds_count', search)).toBe(3);
  expect(grown('facetd_http_request_seconds_sum', search)).toBeGreaterThan(0);
  expect(grown('facetd_http_request_seconds_count', { family: 'search', outcome: '4xx' })).toBe(1);
  expect(value(after, 'facetd_documents')).toBe(24);
  expect(value(after, 'facetd_indices', { state: 'open' })).toBe(1);
  expect(value(after, 'facetd_index_documents', { index: 'm' })).toBe(24);
  expect(value(after, 'facetd_index_indexing_total', { index: 'm' })).toBe(25);

  const { indices, caches, thread_pool: pools } = await nodeStats();
  expect(value(after, 'facetd_documents')).toBe(indices!['docs']!['count']);
  expect(value(after, 'facetd_deleted_documents')).toBe(indices!['docs']!['deleted']);
  expect(value(after, 'facetd_segments')).toBe(indices!['segments']!['count']);
  expect(value(after, 'facetd_store_bytes')).toBe(indices!['store']!['size_in_bytes']);
  expect(value(after, 'facetd_indexing_total')).toBe(indices!['indexing']!['index_total']);
  expect(value(after, 'facetd_refreshes_total')).toBe(indices!['refresh']!['total']);
  expect(value(after, 'facetd_merges_total')).toBe(indices!['merges']!['total']);
  expect(value(after, 'facetd_shard_searches_total')).toBe(indices!['search']!['query_total']);
  // Without workers main searches.
  const workers = value(after, 'facetd_threads', { pool: 'search' });
  expect(pools!['search']!['threads']).toBe(Math.max(1, workers));
  // What there is, and nothing else.
  expect(Object.keys(pools!)).toEqual([
    ...['bulk', 'get', 'index', 'management', 'refresh', 'snapshot', 'merge', 'search'],
  ]);
  const writes = ['index', 'delete'].map((family) => ({ family, outcome: '2xx' }));
  const ended = writes.map((labels) => value(after, 'facetd_http_request_seconds_count', labels));
  expect(pools!['index']!['completed']).toBe(ended[0]! + ended[1]!);
  for (const [cache, { hit_count: hits, memory_size_in_bytes: bytes }] of Object.entries(caches!)) {
    expect(value(after, 'facetd_cache_hits_total', { cache })).toBe(hits);
    expect(value(after, 'facetd_cache_bytes', { cache })).toBe(bytes);
  }
  expect(Object.keys(caches!)).toContain('column');
});

test('counters of the node do not fall when an index is closed or deleted', async () => {
  await http.ok('PUT', '/gone/t/1?refresh=true', { n: 1 });
  await http.ok('POST', '/gone/_search', {});
  const counters = (families: Families) =>
    ['indexing', 'refreshes', 'shard_searches', 'builds'].map((name) =>
      value(families, `facetd_${name}_total`),
    );
  const before = await scrape();
  await http.ok('POST', '/gone/_close');
  const closed = await scrape();
  expect(counters(closed)).toEqual(counters(before));
  expect(value(closed, 'facetd_indices', { state: 'closed' })).toBe(1);
  await http.ok('DELETE', '/gone');
  const after = await scrape();
  expect(counters(after)).toEqual(counters(before));
  expect(value(after, 'facetd_documents')).toBe(value(before, 'facetd_documents') - 1);
  const { indices } = await nodeStats();
  expect(indices!['indexing']!['index_total']).toBe(value(after, 'facetd_indexing_total'));
});

test('the newest snapshot is known, also one of an earlier run', async () => {
  await http.ok('PUT', '/_snapshot/daily', { type: 'fs', settings: { location: 'daily' } });
  const began = Date.now() / 1000;
  await http.ok('PUT', '/_snapshot/daily/one?wait_for_completion=true');
  const time = async () =>
    value(await scrape(), 'facetd_snapshot_success_time_seconds', { repository: 'daily' });
  expect(await time()).toBeGreaterThanOrEqual(Math.floor(began));
  // Registered anew it has to be found in the repository.
  await http.ok('PUT', '/_snapshot/daily', { type: 'fs', settings: { location: 'daily' } });
  await until(async () => (await time()) !== 0);
  expect(await time()).toBeGreaterThanOrEqual(Math.floor(began));
});
