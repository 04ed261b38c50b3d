import { SegmentIds, SEGMENT_COUNTER } from '../../../../engine/shard/segment-ids';
import { ShardBench } from './support';

let bench: ShardBench;
beforeEach(async () => {
  bench = await ShardBench.create();
});
afterEach(() => bench.remove());

test('an id is handed out once, and its build intent is on disk before', async () => {
  const { storage, segmentIds } = bench;
  const taken = new Set<number>();
  for (let i = 0; i < 100; i++) {
    const id = await segmentIds.take();
    expect(await storage.log.readBuildIntents()).toContain(id);
    taken.add(id);
  }
  expect(taken.size).toBe(100);
});

test('takers that come together get different ids', async () => {
  const ids = await Promise.all(Array.from({ length: 90 }, () => bench.segmentIds.take()));
  expect(new Set(ids).size).toBe(90);
});

test('after a restart ids go on above all that were reserved', async () => {
  const { storage } = bench;
  const last = await bench.segmentIds.take();
  const counter = (await storage.log.readMetadata()).get(SEGMENT_COUNTER);
  const next = new SegmentIds(() => storage.log);
  next.reset(counter, 0);
  expect(await next.take()).toBeGreaterThan(last + 30);
});

test('a counter that is behind what is stored is not believed', async () => {
  const ids = new SegmentIds(() => bench.storage.log);
  ids.reset(Buffer.from('5'), 1000);
  expect(await ids.take()).toBe(1001);
});

test('a failing disk fails whoever waits for an id', async () => {
  const { plan, segmentIds } = bench;
  plan.failAt = plan.count + 1;
  await expect(segmentIds.take()).rejects.toMatchObject({ code: 'STORAGE_FAILURE' });
});
