// What is held in OpenSearch for scrolls: once for each shard, and let go of together.

import { SILENT_LOGGER } from '../../../../engine/common/logger';
import { parseJsonObject } from '../../../../engine/json/parse';
import { keepAliveText, PointsInTime } from '../../../../engine/opensearch/search/points-in-time';
import type { Answer, RequestParts } from '../../../../engine/opensearch/transport/client';
import type { ShardSnapshot } from '../../../../engine/segment/index';

/** A cluster that remembers what it was asked. */
class Cluster {
  readonly asked: [method: string, path: string, parts: RequestParts][] = [];
  readonly counts = { requests: 0, failures: 0, retries: 0, milliseconds: 0 };
  status = 200;
  error: string | null = null;

  request(method: string, path: string, parts: RequestParts = {}): Promise<Answer> {
    this.asked.push([method, path, parts]);
    const { status, error } = this;
    const text = error === null ? { pit_id: `p${this.asked.length}` } : { error: { type: error } };
    return Promise.resolve({ status, error, body: parseJsonObject(JSON.stringify(text)) });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const shard = (shardNumber: number): ShardSnapshot => ({
  index: 'i',
  indexId: 1,
  shardId: shardNumber,
  shardNumber,
  segments: [],
});

let cluster: Cluster;
let points: PointsInTime;
beforeEach(() => {
  cluster = new Cluster();
  points = new PointsInTime(cluster, SILENT_LOGGER);
});

test('a shard is held once, as the copy of that number', async () => {
  const [one, other] = [shard(0), shard(1)];
  expect(points.idOf(one)).toBeNull();
  const held = [1, 2].map(() => points.hold(one, 'there', 1000));
  expect(await Promise.all(held)).toEqual([true, true]);
  expect(await points.hold(one, 'there', 1000)).toBe(true);
  expect(await points.hold(other, 'there', 1000)).toBe(true);
  expect([points.idOf(one), points.idOf(other)]).toEqual(['p1', 'p2']);
  expect(cluster.asked.map(([method, path, { query }]) => [method, path, query])).toEqual([
    ['POST', '/there/_search/point_in_time', { keep_alive: '61000ms', preference: '_shards:0' }],
    ['POST', '/there/_search/point_in_time', { keep_alive: '61000ms', preference: '_shards:1' }],
  ]);
});

test('shards that are let go of together end by one request', async () => {
  const shards = [shard(0), shard(1), shard(2)];
  for (const each of shards) await points.hold(each, 'there', 1000);
  for (const each of [...shards, shards[0]!, shard(4)]) points.release(each);
  expect(shards.map((each) => points.idOf(each))).toEqual([null, null, null]);
  await points.close();
  expect(cluster.asked.slice(3)).toEqual([
    ['DELETE', '/_search/point_in_time', { body: { pit_id: ['p1', 'p2', 'p3'] } }],
  ]);
});

test('those that could not be ended hold nothing up', async () => {
  const [one, other] = [shard(0), shard(1)];
  await points.hold(one, 'there', 1000);
  await points.hold(other, 'there', 1000);
  Object.assign(cluster, { status: 503, error: 'no_shard_available_action_exception' });
  points.release(one);
  await points.close();
  points.release(other);
  await points.close();
  expect(cluster.asked).toHaveLength(4);
});

test('too many of them are told by name, and an index that is missing is not held', async () => {
  Object.assign(cluster, { status: 429, error: 'rejected_execution_exception' });
  const refused = points.hold(shard(0), 'there', 1000);
  await expect(refused).rejects.toMatchObject({ wireName: 'EsRejectedExecutionException' });
  Object.assign(cluster, { status: 404, error: 'index_not_found_exception' });
  expect(await points.hold(shard(0), 'there', 1000)).toBe(false);
});

test('OpenSearch keeps them a little longer than scrolls live, and a day at most', () => {
  expect(keepAliveText(0)).toBe('60000ms');
  expect(keepAliveText(1.5)).toBe('60002ms');
  expect(keepAliveText(7 * 24 * 3_600_000)).toBe('86400000ms');
});
