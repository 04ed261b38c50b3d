// What is removed when, and what a stop in the middle leaves for the next start.

import {
  GarbageCollector,
  parsePurgeList,
  purgeList,
  type Garbage,
} from '../../../../engine/shard/shard-garbage';
import type { CommittedSegment } from '../../../../storage/types';
import { ShardBench, SHARD_ID } from './support';

/** How long tombstones are kept here. */
let kept = 60_000;

let bench: ShardBench;
let collector: GarbageCollector;
const forgotten: number[] = [];
beforeEach(async () => {
  bench = await ShardBench.create();
  forgotten.length = 0;
  kept = 60_000;
  collector = newCollector();
});
afterEach(() => bench.remove());

function newCollector(): GarbageCollector {
  return new GarbageCollector(
    SHARD_ID,
    () => bench.storage.log,
    bench.storage.segments,
    (segments) => forgotten.push(...segments),
    () => bench.now,
    () => kept,
  );
}

function garbage(generation: number, changes: Partial<Garbage> = {}): Garbage {
  return { generation, segments: [], chunks: [], superseded: [], tombstones: [], ...changes };
}

/** Adds an entry as a commit does: with its durable list. */
async function commit(entry: Garbage): Promise<void> {
  const [name, value] = purgeList(SHARD_ID, entry)!;
  await bench.storage.log.submit({
    estimatedBytes: 10,
    prepare: (batch) => batch.putMetadata(name, value),
  });
  collector.add(entry);
}

async function lists(): Promise<string[]> {
  return [...(await bench.storage.log.readMetadata('purge/')).keys()];
}

const uid = (id: string) => bench.storage.log.readUid(SHARD_ID, 'doc', id);

test('a list survives its encoding', () => {
  const entry = garbage(12, { superseded: [1, 5], tombstones: [{ sequence: 7, at: 99.5 }] });
  const [name, value] = purgeList(SHARD_ID, entry)!;
  expect(parsePurgeList(name, value)).toEqual({ shard: SHARD_ID, garbage: entry });
  expect(purgeList(SHARD_ID, garbage(1, { segments: [1] }))).toBeNull();
});

test('records wait for the last snapshot older than their commit', async () => {
  for (const n of [0, 1, 2]) await bench.put('a', n);
  await commit(garbage(5, { superseded: [1, 2] }));
  await collector.collect(4);
  expect(await bench.records()).toEqual([1, 2, 3]);
  expect(await lists()).toEqual(['purge/1/5']);
  await collector.collect(5);
  expect(await bench.records()).toEqual([3]);
  expect(await lists()).toEqual([]);
});

test('segments and chunks go, and are forgotten before', async () => {
  const { storage } = bench;
  await storage.segments.writeSegment(3, [Buffer.from('x')]);
  await storage.segments.writeDeletions([
    { segment: 4, chunk: 0, generation: 2, bits: Buffer.alloc(4) },
  ]);
  collector.add(garbage(1, { segments: [3], chunks: [{ segment: 4, chunk: 0, generation: 2 }] }));
  expect(collector.segments()).toEqual([3]);
  await collector.collect(Infinity);
  expect(forgotten).toEqual([3]);
  expect(collector.segments()).toEqual([]);
  expect(() => storage.segments.readBlock(3, 0)).toThrow('is missing');
  expect(() => storage.segments.readDeletions(4, 0, 2)).toThrow('is missing');
});

describe('the version of a deleted document', () => {
  beforeEach(async () => {
    await bench.put('a', 1);
    await bench.put('a', null);
    await commit(garbage(1, { superseded: [1], tombstones: [{ sequence: 2, at: bench.now }] }));
    await collector.collect(1);
  });

  test('is kept for its time and then forgotten', async () => {
    bench.now += kept - 1;
    await collector.collect(1);
    expect(uid('a')).toMatchObject({ deleted: true, version: 2 });
    bench.now += 1;
    await collector.collect(1);
    expect(uid('a')).toBeUndefined();
    expect(await bench.records()).toEqual([]);
    expect(await lists()).toEqual([]);
  });

  test('is kept as long as the index says by then', async () => {
    kept = 120_000;
    bench.now += 60_000;
    await collector.collect(1);
    expect(uid('a')).toMatchObject({ deleted: true, version: 2 });
    kept = 10_000;
    await collector.collect(1);
    expect(uid('a')).toBeUndefined();
  });

  test('goes on when the document was written again', async () => {
    await bench.put('a', 3);
    bench.now += kept;
    await collector.collect(1);
    expect(uid('a')).toMatchObject({ deleted: false, version: 3, sequence: 3 });
    expect(await bench.records()).toEqual([3]);
  });
});

test('a stop in the middle keeps the durable list until everything in it is done', async () => {
  const COUNT = 1200;
  await Promise.all(Array.from({ length: COUNT }, (_, i) => bench.put('a', i)));
  const superseded = Array.from({ length: COUNT - 1 }, (_, i) => i + 1);
  await commit(garbage(1, { superseded }));
  const release = bench.hold();
  const collecting = collector.collect(1);
  await new Promise((resolve) => setImmediate(resolve));
  const stopped = collector.stop();
  release();
  await Promise.all([collecting, stopped]);
  const left = await bench.records();
  expect(left.length).toBeGreaterThan(1);
  expect(await lists()).toEqual(['purge/1/1']);
  // The next start takes the list up again.
  const next = newCollector();
  for (const [name, value] of await bench.storage.log.readMetadata('purge/')) {
    next.add(parsePurgeList(name, value).garbage);
  }
  await next.collect(1);
  expect(await bench.records()).toEqual([COUNT]);
  expect(await lists()).toEqual([]);
});

test('one damaged record does not keep the others', async () => {
  await bench.put('a', null);
  await bench.put('b', null);
  await commit(garbage(1, { tombstones: [{ sequence: 1, at: 0 }] }));
  await commit(garbage(2, { tombstones: [{ sequence: 2, at: 0 }] }));
  let reads = 0;
  bench.plan.damage = (key, value) => (key[0] === 0x52 && reads++ === 0 ? Buffer.alloc(20) : value);
  await collector.collect(2);
  expect(await bench.records()).toEqual([1]);
});

/** A snapshot that is held. */
function held(generation: number, sequence: number, segments: readonly number[] = []) {
  const committed = segments.map(
    (id) => ({ id, deletionChunks: [0, 3] }) as unknown as CommittedSegment,
  );
  return { commit: { generation, sequence, segments: committed }, records: sequence };
}

test('what came and went behind a snapshot does not wait for it', async () => {
  for (const n of [1, 2, 3, 4]) await bench.put('a', n);
  const gone: number[][] = [];
  collector = new GarbageCollector(
    SHARD_ID,
    () => bench.storage.log,
    {
      removeSegments: (ids) => Promise.resolve(void gone.push([...ids])),
      removeDeletions: (chunks) =>
        Promise.resolve(void gone.push(chunks.map((one) => -one.generation))),
      removeOtherDeletions: () => Promise.resolve(),
    },
    () => undefined,
    () => bench.now,
    () => kept,
  );
  const snapshot = held(1, 1, [10]);
  const chunk = (segment: number, generation: number) => ({ segment, chunk: 1, generation });
  await commit(garbage(2, { superseded: [1], chunks: [chunk(10, 3), chunk(10, 2)] }));
  await commit(garbage(3, { superseded: [2, 3], segments: [10, 11] }));
  await collector.collect(1, [snapshot, held(3, 4)]);
  expect(await bench.records()).toEqual([1, 4]);
  expect(gone).toEqual([[-2], [11]]);
  expect(collector.superseded()).toEqual([1]);
  // The list of what is gone in part stays, too: its segment still waits.
  expect(await lists()).toHaveLength(2);
  await collector.collect(3, [held(3, 4)]);
  expect(await bench.records()).toEqual([4]);
  expect(gone.slice(2)).toEqual([[-3], [10]]);
  expect(await lists()).toEqual([]);
});

test('records whose replacements are gone are removed before their lists are forgotten', async () => {
  for (const n of [1, 2, 3]) await bench.put('a', n);
  await commit(garbage(2, { superseded: [1] }));
  await commit(garbage(3, { superseded: [2] }));
  await collector.collect(1, [held(1, 1)]);
  expect(await bench.records()).toEqual([1, 3]);
  await collector.forgetRecords();
  expect(await bench.records()).toEqual([3]);
});

test('a tombstone waits for the oldest record of its document', async () => {
  kept = 0;
  for (const n of [1, 2, null]) await bench.put('a', n);
  await commit(garbage(2, { superseded: [1] }));
  await commit(garbage(3, { superseded: [2], tombstones: [{ sequence: 3, at: 0 }] }));
  await collector.collect(1, [held(1, 1)]);
  expect(await bench.records()).toEqual([1, 3]);
  await collector.collect(1, [held(3, 3)]);
  expect(await bench.records()).toEqual([]);
  expect(await lists()).toEqual([]);
});
