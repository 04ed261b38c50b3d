// A shard's snapshots, builds and merges against each other, and what damage does to it.

import { ShardBench, SHARD_ID } from './support';

let bench: ShardBench;
beforeEach(async () => {
  bench = await ShardBench.create();
});
afterEach(() => bench.remove());

const ids = (...numbers: number[]) => numbers.map(String);

test('a held snapshot shows the same documents whatever happens, and lets go of them afterwards', async () => {
  const { shard } = bench;
  await bench.segment(0, 4);
  await bench.segment(4, 8);
  const before = shard.acquire();
  await bench.put('1', null);
  await bench.put('2', 22);
  await shard.refresh();
  const between = shard.acquire();
  await bench.put('5', null);
  await shard.optimize(1);
  await bench.put('6', null);
  await shard.refresh();
  bench.now += 1_000_000;
  await shard.collectGarbage();
  expect(bench.visible(before)).toEqual(ids(0, 1, 2, 3, 4, 5, 6, 7));
  expect(bench.visible(between)).toEqual(ids(0, 3, 4, 5, 6, 7, 2));
  expect(bench.visible()).toEqual(ids(0, 3, 4, 7, 2));
  // Released in any order; more than once does nothing.
  between.release();
  before.release();
  before.release();
  await shard.collectGarbage();
  expect(bench.visible()).toEqual(ids(0, 3, 4, 7, 2));
  expect(await bench.records()).toHaveLength(5);
});

test('segments built in the background are invisible until a refresh, and merged with care', async () => {
  const { shard } = bench;
  await bench.segment(0, 2);
  const total = () => bench.visible().length;
  await bench.put('2', 2);
  await shard.flush();
  await bench.put('0', null);
  await shard.flush();
  expect(total()).toBe(2);
  expect(shard.isDirty).toBe(true);
  // A merge of what is visible with what is not shows nothing of it, either.
  await shard.merge();
  expect(bench.visible()).toEqual(ids(0, 1));
  await shard.refresh();
  expect(bench.visible()).toEqual(ids(1, 2));
  expect(shard.isDirty).toBe(false);
});

test('a refresh that joins a waiting one sees what was acknowledged before it', async () => {
  const { shard } = bench;
  await bench.put('0', 0);
  const release = bench.hold();
  const running = shard.refresh();
  const waiting = shard.refresh();
  release();
  await bench.put('1', 1);
  const joined = shard.refresh();
  await joined;
  expect(bench.visible()).toEqual(ids(0, 1));
  await Promise.all([running, waiting]);
});

test('deletions that arrive while a merge runs are carried over', async () => {
  const { shard } = bench;
  await bench.segment(0, 5);
  await bench.segment(5, 10);
  await bench.put('3', null);
  await shard.refresh();
  const merged = shard.optimize(1);
  // The merge has begun with the snapshot of now; these come while it runs.
  for (const id of ids(0, 7, 9)) await bench.put(id, null);
  await shard.refresh();
  await merged;
  await shard.refresh();
  expect(bench.visible()).toEqual(ids(1, 2, 4, 5, 6, 8));
  await bench.reload();
  expect(bench.visible()).toEqual(ids(1, 2, 4, 5, 6, 8));
});

test('a merge of segments in which everything was deleted leaves none', async () => {
  const { shard } = bench;
  await bench.segment(0, 3);
  for (const id of ids(0, 1, 2)) await bench.put(id, null);
  await shard.refresh();
  await shard.optimize(1);
  expect(shard.segments()).toEqual([]);
  await bench.segment(3, 4);
  expect(bench.visible()).toEqual(['3']);
  await bench.reload();
  expect(bench.visible()).toEqual(['3']);
});

test('closing stops a merge and takes back what it wrote', async () => {
  const { shard, storage } = bench;
  await bench.segment(0, 2);
  await bench.segment(2, 4);
  const optimizing = shard.optimize(1);
  const refused = expect(optimizing).rejects.toMatchObject({ status: 503 });
  while (bench.plan.batches.at(-1)?.name !== 'segments') {
    await new Promise((resolve) => setImmediate(resolve));
  }
  await shard.close();
  await refused;
  const segments = storage.log.readCommit(SHARD_ID)!.segments.map(({ id }) => id);
  expect(segments).toHaveLength(2);
  for (let id = 1; id <= 40; id++) {
    if (segments.includes(id)) continue;
    expect(() => storage.segments.readBlock(id, 0)).toThrow('is missing');
  }
});

test('sequences go on above everything that was ever committed', async () => {
  await bench.segment(0, 2);
  await bench.put('1', null);
  await bench.shard.refresh();
  bench.now += 1_000_000;
  // The record with the highest number is cleared away; its number must not be given out again.
  await bench.shard.collectGarbage();
  await bench.shard.collectGarbage();
  expect(await bench.records()).toEqual([1]);
  await bench.reload();
  expect(bench.shard.allocate()).toBe(4);
});

describe('damage', () => {
  const damageKeys = (prefix: string): void => {
    bench.plan.damage = (key, value) => {
      if (value === undefined || String.fromCharCode(key[0]!) !== prefix) return value;
      const damaged = Buffer.from(value);
      damaged[0]! ^= 0x10;
      return damaged;
    };
  };

  test('of the commit point fails the shard, not its opening', async () => {
    await bench.segment(0, 2);
    damageKeys('C');
    await bench.reload();
    const error = { wireName: 'CorruptIndexException', status: 500 };
    expect(bench.shard.failure).toMatchObject(error);
    expect(() => bench.shard.acquire()).toThrow('checksum mismatch');
    expect(() => bench.shard.allocate()).toThrow('checksum mismatch');
    await expect(bench.shard.refresh()).rejects.toMatchObject(error);
    expect(bench.shard.isDirty).toBe(false);
  });

  test('of a segment that a deletion hits fails the shard instead of leaving the document in', async () => {
    await bench.segment(0, 3);
    damageKeys('S');
    await bench.reload();
    expect(bench.shard.failure).toBeNull();
    await bench.put('1', null);
    await expect(bench.shard.refresh()).rejects.toMatchObject({
      wireName: 'CorruptIndexException',
    });
    expect(() => bench.shard.acquire()).toThrow('checksum mismatch');
  });

  test('of a segment that is to be merged is met once, and searches of the others go on', async () => {
    await bench.segment(0, 3);
    await bench.segment(3, 6);
    damageKeys('S');
    await bench.reload();
    await expect(bench.shard.optimize(1)).rejects.toThrow('checksum mismatch');
    const batches = bench.plan.batches.length;
    await bench.shard.optimize(1);
    expect(bench.plan.batches.length).toBe(batches);
    expect(bench.shard.failure).toBeNull();
  });
});
