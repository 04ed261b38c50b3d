// Space that comes back while nobody writes.

import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inspectFolder } from '../../../storage/inspect/inspect';
import { Storage } from '../../../storage/storage';
import { frameValue } from '../../../storage/codec';
import { blockKey } from '../../../storage/keys';
import { LevelDatabase } from '../../../storage/level-database';
import type { TidyOptions } from '../../../storage/idle-compactor';
import { FaultPlan } from '../../support/faulty-database';
import { pause, until as comesTrue } from '../../support/until';
import { record, removeFolders, temporaryFolder, uid } from './support';

const MIB = 1024 * 1024;
/** All that the clock of these tests leaves as it is: everything but `setTimeout` and `performance`. */
const REAL: NonNullable<Parameters<typeof jest.useFakeTimers>[0]> = {
  doNotFake: [
    ...(['Date', 'hrtime', 'nextTick', 'queueMicrotask', 'setImmediate'] as const),
    ...(['clearImmediate', 'setInterval', 'clearInterval'] as const),
  ],
};
const SOON: TidyOptions = { restMs: 150, minFreeBytes: 0 };

let folder: string;
let storage: Storage;

// Time passes when a test waits, and stands still while it writes: a slow machine has no rests in between.
beforeEach(async () => {
  jest.useFakeTimers(REAL);
  folder = temporaryFolder();
  storage = await Storage.open({ path: folder, tidy: SOON });
});

afterEach(async () => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  await storage.close();
  removeFolders();
});

/** Bytes of a database's files whose names end so. */
function bytesOf(database: 'log' | 'segments', suffix = ''): number {
  let bytes = 0;
  for (const name of readdirSync(join(folder, database))) {
    if (!name.endsWith(suffix)) continue;
    bytes += statSync(join(folder, database, name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}

function until(condition: () => boolean): Promise<void> {
  return comesTrue(() => {
    jest.advanceTimersByTime(200);
    return condition();
  });
}

/** Resolves when a compactor looks at the disk, which is what it begins with. */
function nextTidying(): Promise<void> {
  const looks = jest.spyOn(LevelDatabase.prototype, 'freeBytes');
  const before = looks.mock.calls.length;
  return until(() => looks.mock.calls.length > before);
}

const NOISE = randomBytes(2 * MIB);

/** Bytes that cannot be compressed, the same for the same seed. */
function noise(seed: number, length: number): Buffer {
  const at = (seed * 500) % (NOISE.length - length);
  return NOISE.subarray(at, at + length);
}

function blocks(seed: number, count: number): Buffer[] {
  return Array.from({ length: count }, (_, n) => noise(seed * 1000 + n, 65_536));
}

/** Blocks that deflating makes much smaller than LevelDB's own compression does. */
function prose(seed: number, count: number): Buffer[] {
  return Array.from({ length: count }, (_, n) => {
    const block = Buffer.alloc(65_536);
    const bits = noise(seed * 100 + n, 65_536);
    for (let i = 0; i < block.length; i++) block[i] = 97 + (bits[i]! & 15);
    return block;
  });
}

async function writeRecords(first: number, last: number): Promise<void> {
  for (let from = first; from <= last; from += 500) {
    await storage.log.submit({
      estimatedBytes: 300_000,
      prepare: (batch) => {
        for (let n = from; n < from + 500 && n <= last; n++) {
          batch.putRecord(1, n, record(`d${n}`, { source: noise(n, 500) }));
          batch.putUid(1, 'book', `d${n}`, uid(n));
        }
      },
    });
  }
}

async function removeRecords(sequences: readonly number[]): Promise<void> {
  await storage.log.submit({
    estimatedBytes: sequences.length * 16,
    prepare: (batch) => {
      for (const sequence of sequences) batch.removeRecord(1, sequence);
    },
  });
}

describe('a database at rest', () => {
  test('leaves nothing in its write-ahead file', async () => {
    await writeRecords(1, 4000);
    await until(() => bytesOf('log', '.log') < 1000);
    expect(bytesOf('log', '.ldb')).toBeGreaterThan(2 * MIB);
    expect(storage.log.readRecord(1, 4000)?.source).toEqual(noise(4000, 500));
    // Its one writer goes on as before.
    await writeRecords(4001, 4010);
    await storage.close();
    storage = await Storage.open({ path: folder });
    expect(storage.log.readUid(1, 'book', 'd4010')?.sequence).toBe(4010);
    expect(await storage.log.lastSequence(1)).toBe(4010);
  });

  test('is left alone while somebody writes', async () => {
    await storage.close();
    storage = await Storage.open({ path: folder, tidy: { restMs: 800, minFreeBytes: 0 } });
    await writeRecords(1, 3000);
    for (let n = 3001; n < 3010; n++) {
      jest.advanceTimersByTime(700);
      await writeRecords(n, n);
    }
    expect(bytesOf('log', '.log')).toBeGreaterThan(1.5 * MIB);
    await until(() => bytesOf('log', '.log') < 1000);
  });

  test('is left alone on a disk that has no room for the table, and is tried again', async () => {
    await storage.close();
    storage = await Storage.open({ path: folder, tidy: { restMs: 10, minFreeBytes: Infinity } });
    let free = 9 * MIB;
    jest.spyOn(LevelDatabase.prototype, 'freeBytes').mockImplementation(async () => free);
    await writeRecords(1, 3000);
    const full = bytesOf('log', '.log');
    expect(full).toBeGreaterThan(1.5 * MIB);
    for (let look = 0; look < 3; look++) await nextTidying();
    expect(bytesOf('log', '.log')).toBe(full);
    // Nobody writes, and it takes no more than it needs.
    free = 12 * MIB;
    await until(() => bytesOf('log', '.log') < 1000);
  });

  test('gives back the bytes of removed records where space is short, as far as there is room', async () => {
    await writeRecords(1, 6000);
    await until(() => bytesOf('log', '.log') < 1000);
    await storage.close();
    storage = await Storage.open({ path: folder, tidy: { restMs: 10, minFreeBytes: Infinity } });
    let free = 31 * MIB;
    jest.spyOn(LevelDatabase.prototype, 'freeBytes').mockImplementation(async () => free);
    const full = bytesOf('log', '.ldb');
    await removeRecords(Array.from({ length: 5800 }, (_, i) => i + 101));
    for (let look = 0; look < 3; look++) await nextTidying();
    expect(bytesOf('log', '.ldb')).toBeGreaterThan(0.9 * full);
    // What is written again is next to nothing; half of the tables would need more.
    free = 33 * MIB;
    await until(() => bytesOf('log', '.ldb') < 0.3 * full);
    expect(storage.log.readRecord(1, 50)?.source).toEqual(noise(50, 500));
  });

  test('gives back the bytes of removed segments, and keeps those of their neighbours', async () => {
    for (const id of [3, 4, 5, 6]) await storage.segments.writeSegment(id, blocks(id, 30));
    await until(() => bytesOf('segments', '.log') < 1000);
    const full = bytesOf('segments');
    expect(full).toBeGreaterThan(7 * MIB);
    await storage.segments.removeSegments([3, 5]);
    await until(() => bytesOf('segments') < 0.55 * full);
    for (const id of [4, 6]) {
      for (const [n, block] of blocks(id, 30).entries()) {
        expect(storage.segments.readBlock(id, n).equals(block)).toBe(true);
      }
    }
    expect(() => storage.segments.readBlock(5, 0)).toThrow('missing');
  });

  test('deflates the segments that stay, once', async () => {
    await storage.close();
    const plan = new FaultPlan();
    storage = await Storage.open({ path: folder, tidy: SOON, wrap: plan.wrap });
    for (const id of [2, 3, 9]) await storage.segments.writeSegment(id, prose(id, 40));
    await storage.segments.removeSegments([3]);
    const before = plan.batches.length;
    await until(() => bytesOf('segments', '.log') < 1000 && bytesOf('segments') < 3 * MIB);
    expect(plan.batches.length).toBeGreaterThan(before);
    for (const id of [2, 9]) {
      for (const [n, block] of prose(id, 40).entries()) {
        expect(storage.segments.readBlock(id, n).equals(block)).toBe(true);
      }
    }
    await storage.close();
    expect((await inspectFolder(folder, () => undefined)).problems).toEqual([]);
    // Another process finds nothing left to do.
    storage = await Storage.open({ path: folder, tidy: SOON, wrap: plan.wrap });
    await storage.segments.writeSegment(10, prose(10, 1));
    const after = plan.batches.length;
    await nextTidying();
    await pause(500);
    expect(plan.batches.length).toBe(after);
    expect(storage.segments.readBlock(9, 39).equals(prose(9, 40)[39]!)).toBe(true);
  });

  test.each([false, true])(
    'keeps segments whole when deflating them fails (landed: %s)',
    async (landed) => {
      await storage.close();
      const plan = new FaultPlan(0, 'write', landed);
      let failures = 0;
      const onFailure = (): void => void failures++;
      storage = await Storage.open({ path: folder, tidy: SOON, wrap: plan.wrap, onFailure });
      await storage.segments.writeSegment(1, prose(1, 60));
      // The second batch of those that deflate.
      plan.failAt = plan.count + 2;
      await until(() => failures === 1);
      expect(storage.failure).not.toBeNull();
      await expect(storage.segments.writeSegment(2, prose(2, 1))).rejects.toThrow('batch failed');
      await storage.reopen();
      for (const [n, block] of prose(1, 60).entries()) {
        expect(storage.segments.readBlock(1, n).equals(block)).toBe(true);
      }
      expect(plan.writesAfterFailure).toBe(0);
      // What was begun is finished after the next write.
      await storage.segments.writeSegment(2, prose(2, 1));
      await until(() => bytesOf('segments', '.log') < 1000 && bytesOf('segments') < 2.3 * MIB);
      expect(storage.segments.readBlock(1, 0).equals(prose(1, 1)[0]!)).toBe(true);
    },
  );

  test('deflates what is whole of a segment with a damaged block', async () => {
    await storage.segments.writeSegment(1, prose(1, 40));
    await storage.close();
    const database = await LevelDatabase.open('segments', join(folder, 'segments'), false);
    const value = frameValue(blockKey(1, 3), prose(1, 40)[3]!);
    value[7]! ^= 1;
    await database.batch([{ type: 'put', key: blockKey(1, 3), value }]);
    await database.close();
    storage = await Storage.open({ path: folder, tidy: SOON });
    await storage.segments.writeSegment(2, prose(2, 40));
    await until(() => bytesOf('segments', '.log') < 1000 && bytesOf('segments') < 3 * MIB);
    expect(() => storage.segments.readBlock(1, 3)).toThrow('checksum mismatch');
    expect(storage.segments.readBlock(1, 4).equals(prose(1, 40)[4]!)).toBe(true);
  });

  test('keeps nothing of what it replaced in a large segment', async () => {
    const blocks = prose(1, 400);
    await storage.segments.writeSegment(1, blocks);
    await until(() => bytesOf('segments', '.log') < 1000 && bytesOf('segments') < 14.2 * MIB);
    for (const n of [0, 200, 399]) {
      expect(storage.segments.readBlock(1, n).equals(blocks[n]!)).toBe(true);
    }
  });

  test('leaves nothing of a segment that is removed while it is deflated', async () => {
    await storage.close();
    const plan = new FaultPlan();
    storage = await Storage.open({ path: folder, tidy: SOON, wrap: plan.wrap });
    await storage.segments.writeSegment(5, prose(5, 80));
    const before = plan.batches.length;
    await until(() => plan.batches.length > before);
    await storage.segments.removeSegments([5]);
    await until(() => bytesOf('segments', '.ldb') < 10_000 && bytesOf('segments', '.log') < 1000);
    for (let n = 0; n < 80; n++) expect(() => storage.segments.readBlock(5, n)).toThrow('missing');
  });

  test('gives back what an earlier process did not', async () => {
    await storage.close();
    storage = await Storage.open({ path: folder, tidy: { restMs: 60_000 } });
    for (const id of [1, 2]) await storage.segments.writeSegment(id, blocks(id, 40));
    await storage.segments.removeSegments([1]);
    await storage.close();
    storage = await Storage.open({ path: folder, tidy: SOON });
    const full = bytesOf('segments');
    expect(full).toBeGreaterThan(4 * MIB);
    await storage.segments.writeSegment(7, blocks(7, 1));
    await storage.segments.removeSegments([7]);
    await until(() => bytesOf('segments') < 0.6 * full);
    expect(storage.segments.readBlock(2, 39).equals(blocks(2, 40)[39]!)).toBe(true);
  });

  test('gives back the bytes of removed records', async () => {
    await writeRecords(1, 6000);
    await until(() => bytesOf('log', '.log') < 1000);
    const full = bytesOf('log');
    const removed = Array.from({ length: 2000 }, (_, n) => 3 * n + 1);
    await removeRecords(removed);
    await until(() => bytesOf('log') < 0.75 * full);
    expect(storage.log.readRecord(1, 4)).toBeUndefined();
    expect(storage.log.readRecord(1, 5)?.id).toBe('d5');
  });

  test('is closed in order in the middle of it', async () => {
    await writeRecords(1, 4000);
    await storage.segments.writeSegment(1, blocks(1, 60));
    await storage.segments.removeSegments([1]);
    await nextTidying();
    await storage.close();
    storage = await Storage.open({ path: folder });
    expect(storage.wasInterrupted).toBe(false);
    expect(storage.log.readRecord(1, 1)?.id).toBe('d1');
  });
});
