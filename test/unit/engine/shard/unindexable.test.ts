// Documents that cannot be indexed, and shards that cannot be built.

import { ShardBench, UNINDEXABLE } from './support';

let bench: ShardBench;
beforeEach(async () => {
  bench = await ShardBench.create();
});
afterEach(() => bench.remove());

const ids = (...numbers: number[]) => numbers.map(String);

test('a document that cannot be indexed is set aside, and all others are found', async () => {
  await bench.segment(0, 2);
  await bench.put('1', UNINDEXABLE);
  await bench.put('2', 2);
  await bench.put('3', UNINDEXABLE);
  await bench.put('0', null);
  await bench.put('4', 4);
  await bench.shard.refresh();
  expect(bench.visible()).toEqual(ids(2, 4));
  expect(bench.shard.counters.snapshot().failedDocuments).toBe(2);
  expect(bench.errors).toEqual([
    { index: 'i', shard: 0, type: 'doc', id: '1', sequence: 3, reason: 'RangeError: no terms' },
    { index: 'i', shard: 0, type: 'doc', id: '3', sequence: 5, reason: 'RangeError: no terms' },
  ]);
  // They are still there to be read, replaced and deleted.
  expect(await bench.records()).toEqual(expect.arrayContaining([3, 5]));
  await bench.put('1', 1);
  await bench.put('3', null);
  await bench.shard.refresh();
  expect(bench.visible()).toEqual(ids(2, 4, 1));
  bench.now += 1_000_000;
  await bench.shard.collectGarbage();
  expect(await bench.records()).toEqual([4, 7, 8]);
});

test('a start sets aside the same, none of what is committed, and goes on counting', async () => {
  await bench.put('0', UNINDEXABLE);
  await bench.put('1', 1);
  await bench.reload();
  await bench.shard.refresh();
  expect(bench.visible()).toEqual(ids(1));
  expect(bench.shard.counters.snapshot().failedDocuments).toBe(1);
  await bench.reload();
  await bench.shard.refresh();
  expect(bench.visible()).toEqual(ids(1));
  expect(bench.shard.counters.snapshot().failedDocuments).toBe(1);
});

test('nothing is left of a slice of such documents', async () => {
  await bench.put('0', UNINDEXABLE);
  await bench.shard.refresh();
  expect(bench.visible()).toEqual([]);
  expect(bench.shard.isDirty).toBe(false);
});

test('a shard that cannot be built fails, until it is loaded again', async () => {
  await bench.put('0', 0);
  bench.mappingError = new TypeError('no mapping');
  const wrong = '[i][0] cannot be indexed: TypeError: no mapping';
  await expect(bench.shard.refresh()).rejects.toThrow(wrong);
  expect(bench.shard.failure?.message).toBe(wrong);
  expect(() => bench.shard.acquire()).toThrow(wrong);
  bench.mappingError = null;
  await bench.reload();
  await bench.shard.refresh();
  expect(bench.visible()).toEqual(ids(0));
});

test('documents over which the indexer thread dies are found, and all others are indexed', async () => {
  for (let n = 0; n < 300; n++) await bench.put(String(n), n);
  bench.deadly = [2, 150, 151, 300];
  await bench.shard.refresh();
  const others = Array.from({ length: 300 }, (_, n) => n).filter(
    (n) => ![1, 149, 150, 299].includes(n),
  );
  expect([...bench.visible()].sort()).toEqual(ids(...others).sort());
  expect(bench.shard.counters.snapshot().failedDocuments).toBe(4);
  expect(bench.errors).toContainEqual({
    index: 'i',
    shard: 0,
    type: 'doc',
    id: '149',
    sequence: 150,
    reason: 'the thread that was to index it died',
  });
  // Threads died over three sizes of ranges, and over each document alone.
  expect(bench.builds.length).toBeLessThan(100);
  // What comes later is built as a whole again.
  bench.builds.length = 0;
  for (let n = 300; n < 310; n++) await bench.put(String(n), n);
  await bench.shard.refresh();
  expect(bench.builds.at(-1)).toEqual([expect.any(Number), 310]);
  expect(bench.visible()).toHaveLength(306);
});

test('no document is set aside when threads die over each build', async () => {
  await bench.put('0', 0);
  await bench.put('1', 1);
  bench.everyBuildDies = true;
  await expect(bench.shard.refresh()).rejects.toThrow('the thread that worked on the request died');
  await expect(bench.shard.refresh()).rejects.toThrow('the thread that worked on the request died');
  bench.everyBuildDies = false;
  await bench.shard.refresh();
  expect(bench.visible()).toEqual(ids(0, 1));
  expect(bench.shard.counters.snapshot().failedDocuments).toBe(0);
});
