// A shard's snapshots, builds and merges against each other, and what damage does to it.

import { until } from '../../../support/until';
import { DEFAULT_MERGE_POLICY } from '../../../../engine/shard/merge-policy';
import { exportShard } from '../../../../engine/snapshots/export';
import { ShardBench, SHARD_ID } from './support';

let bench: ShardBench;
beforeEach(async () => {
  bench = await ShardBench.create();
});
afterEach(() => bench.remove());

const { segmentsPerTier } = DEFAULT_MERGE_POLICY;
const ONE_SEGMENT = { maxSegments: 1, onlyExpungeDeletes: false };
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
  await shard.optimize(ONE_SEGMENT);
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

test('while a snapshot is held, what comes and goes behind it is removed, and exports know of it', async () => {
  const { shard } = bench;
  await bench.put('a', 1);
  await shard.refresh();
  const before = shard.acquire();
  for (let n = 2; n < 20; n++) {
    await bench.put('a', n);
    await shard.refresh();
    await shard.collectGarbage();
  }
  // What the snapshot shows and what is there now.
  expect(await bench.records()).toEqual([1, 19]);
  expect(bench.visible(before)).toEqual(['a']);
  const pinned = shard.acquireLog();
  const chunks = await exportShard(bench.storage.log, pinned, {
    compress: false,
    write: () => Promise.resolve('chunk'),
    progress: () => undefined,
    signal: new AbortController().signal,
  });
  expect(chunks.map(({ documents }) => documents)).toEqual([1]);
  pinned.release();
  before.release();
  await shard.collectGarbage();
  expect(await bench.records()).toEqual([19]);
});

test('segments built in the background are invisible until a refresh, and merged with care', async () => {
  const { shard } = bench;
  await bench.segment(0, 2);
  const total = () => bench.visible().length;
  await bench.put('2', 2);
  await shard.buildAhead();
  await bench.put('0', null);
  await shard.buildAhead();
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
  const merged = shard.optimize(ONE_SEGMENT);
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
  await shard.optimize(ONE_SEGMENT);
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
  const { plan } = bench;
  const isWriting = (): boolean => plan.batches.at(-1)?.name === 'segments';
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  // The merge cannot end before the shard is being closed.
  Object.defineProperty(plan, 'gate', { get: () => (isWriting() ? held : Promise.resolve()) });
  const optimizing = shard.optimize(ONE_SEGMENT);
  const refused = expect(optimizing).rejects.toMatchObject({ status: 503 });
  await bench.until(isWriting);
  const closed = shard.close();
  release();
  await closed;
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

test('slices are built while records come in, without showing them', async () => {
  const { shard } = bench;
  await bench.segment(0, 2);
  await bench.putMany(10, 9000);
  await bench.until(() => shard.backlog < 8192);
  expect(bench.visible()).toEqual(ids(0, 1));
  expect(shard.isDirty).toBe(true);
  expect(shard.counters.builds.total).toBe(2);
  await bench.reload();
  expect(bench.shard.backlog).toBeLessThan(8192);
  await bench.shard.refresh();
  expect(bench.visible()).toHaveLength(9002);
});

test('overwriting the same documents over and over keeps the number of records bounded', async () => {
  const { shard } = bench;
  for (let round = 0; round < 30; round++) {
    await bench.putMany(0, 50);
    await shard.refresh();
    await shard.merge();
  }
  await shard.collectGarbage();
  expect(bench.visible()).toHaveLength(50);
  expect(await bench.records()).toHaveLength(50);
  const documents = shard.segments().reduce((sum, { docCount }) => sum + docCount, 0);
  expect(documents).toBeLessThan(200);
});

test('a small merge does not wait for a large one', async () => {
  const { shard } = bench;
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  bench.beforeMerge = (job) => (job.segments[0]!.docCount === 1000 ? gate : Promise.resolve());
  for (let i = 0; i < segmentsPerTier; i++) {
    await bench.putMany(i * 1000, 1000);
    await shard.refresh();
  }
  await bench.until(() => shard.counters.merges.current === 1);
  for (let i = 0; i < segmentsPerTier; i++) await bench.segment(100_000 + i, 100_001 + i);
  await bench.until(() => shard.segments().length === segmentsPerTier + 1);
  expect(shard.counters.merges).toMatchObject({ total: 1, current: 1 });
  release();
  await shard.merge();
  expect(shard.segments()).toHaveLength(2);
  expect(bench.visible()).toHaveLength(segmentsPerTier * 1001);
});

test('a shard that nobody writes to merges what is left, once', async () => {
  const { shard } = bench;
  const written = performance.now();
  for (let i = 0; i < 3; i++) {
    await bench.putMany(i * 8000, 8000);
    await shard.refresh();
  }
  const begin = jest.spyOn(shard.counters.merges, 'begin');
  const started = performance.now();
  const clock = jest.spyOn(performance, 'now');
  try {
    // Before the last write, for all that it matters: it was made a moment ago.
    clock.mockReturnValue(written);
    shard.mergeAtRest();
    expect(begin).not.toHaveBeenCalled();
    clock.mockReturnValue(started + 60_000);
    shard.mergeAtRest();
    expect(begin).toHaveBeenCalledTimes(1);
    shard.mergeAtRest();
    expect(begin).toHaveBeenCalledTimes(1);
  } finally {
    clock.mockRestore();
  }
  await bench.until(() => shard.segments().length === 1);
  expect(bench.visible()).toHaveLength(24_000);
});

test('a shard at rest waits for the merges of its last writes', async () => {
  const { shard } = bench;
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  bench.beforeMerge = (job) => (job.segments.length === segmentsPerTier ? gate : Promise.resolve());
  for (let i = 0; i < segmentsPerTier; i++) await bench.segment(i, i + 1);
  await bench.until(() => shard.counters.merges.current === 1);
  for (let i = 1; i < 4; i++) {
    await bench.putMany(i * 8000, 8000);
    await shard.refresh();
  }
  const clock = jest.spyOn(performance, 'now');
  clock.mockReturnValue(performance.now() + 60_000);
  try {
    shard.mergeAtRest();
    expect(shard.counters.merges.current).toBe(1);
    release();
    await shard.merge();
    expect(shard.segments().length).toBeGreaterThan(1);
    shard.mergeAtRest();
  } finally {
    clock.mockRestore();
  }
  await bench.until(() => shard.segments().length === 1);
  expect(bench.visible()).toHaveLength(24_000 + segmentsPerTier);
});

test('optimizing ends while documents are written, and small merges go on beside it', async () => {
  const { shard } = bench;
  await bench.putMany(0, 1000);
  await shard.refresh();
  await bench.putMany(1000, 1000);
  await shard.refresh();
  const merged: number[] = [];
  bench.beforeMerge = async ({ segments }) => {
    merged.push(segments.length);
    if (merged.length > 1) return;
    for (let i = 2000; i < 2000 + segmentsPerTier; i++) await bench.segment(i, i + 1);
    await bench.until(() => shard.counters.merges.total === 1);
  };
  await shard.optimize(ONE_SEGMENT);
  await shard.merge();
  expect(merged).toEqual([2, segmentsPerTier]);
  expect(shard.segments().map(({ docCount }) => docCount)).toEqual([2000, segmentsPerTier]);
});

test('what a shard does is counted', async () => {
  const { shard } = bench;
  await bench.segment(0, 3);
  await bench.segment(3, 6);
  await shard.refresh();
  await shard.flush();
  await shard.optimize(ONE_SEGMENT);
  const operations = shard.counters.snapshot();
  expect(operations).toMatchObject({
    refreshes: { total: 2 },
    builds: { total: 2 },
    flushes: { total: 1 },
    merges: { total: 1, docs: 6, current: 0, currentDocs: 0, currentBytes: 0 },
  });
  expect(operations.merges.bytes).toBeGreaterThan(0);
  expect(operations.merges.ms).toBeGreaterThan(0);
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

  test('of a segment that a deletion hits stops searches instead of leaving the document in', async () => {
    await bench.segment(0, 3);
    damageKeys('S');
    await bench.reload();
    expect(bench.shard.failure).toBeNull();
    await bench.put('1', null);
    await expect(bench.shard.refresh()).rejects.toMatchObject({
      wireName: 'CorruptIndexException',
    });
    expect(() => bench.shard.acquire()).toThrow('checksum mismatch');
    await until(() => bench.shard.rebuilding === null);
    expect(bench.shard.segments().map(({ rootCount }) => rootCount)).toEqual([2]);
  });

  test('of a segment that is to be merged is met once, and the shard built again', async () => {
    await bench.segment(0, 3);
    await bench.segment(3, 6);
    damageKeys('S');
    await bench.reload();
    await expect(bench.shard.optimize(ONE_SEGMENT)).rejects.toThrow('checksum mismatch');
    expect(() => bench.shard.acquire()).toThrow('checksum mismatch');
    await until(() => bench.shard.rebuilding === null);
    expect(bench.shard.counters.rebuilds.total).toBe(1);
    await bench.shard.optimize(ONE_SEGMENT);
    expect(bench.shard.counters.rebuilds.total).toBe(1);
    expect(bench.shard.segments().map(({ docCount }) => docCount)).toEqual([6]);
  });
});
