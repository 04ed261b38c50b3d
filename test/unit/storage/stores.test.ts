import { Worker } from 'node:worker_threads';
import { CorruptionError } from '../../../storage/errors';
import { openLogReader, openSegmentReader, openSegmentStore } from '../../../storage/worker-access';
import { Storage } from '../../../storage/storage';
import type { LogRecord, SequenceNumber } from '../../../storage/types';
import { recordKey } from '../../../storage/keys';
import { FaultPlan } from '../../support/faulty-database';
import {
  record,
  recordsOf,
  removeFolders,
  seededRandom,
  segment,
  temporaryFolder,
  uid,
} from './support';

let storage: Storage;
let plan: FaultPlan;

beforeEach(async () => {
  plan = new FaultPlan();
  storage = await Storage.open({ path: temporaryFolder(), wrap: plan.wrap });
});

afterEach(async () => {
  await storage.close();
  removeFolders();
});

async function fill(shard: number, from: number, to: number): Promise<void> {
  await storage.log.submit({
    estimatedBytes: 1000,
    prepare: (batch) => {
      for (let sequence = from; sequence <= to; sequence++) {
        batch.putRecord(shard, sequence, record(`d${sequence}`));
        batch.putUid(shard, 'book', `d${sequence}`, uid(sequence));
      }
    },
  });
}

async function sequences(
  scan: AsyncIterable<readonly (readonly [SequenceNumber, LogRecord])[]>,
): Promise<{ slices: number; found: number[] }> {
  const found: number[] = [];
  let slices = 0;
  for await (const slice of scan) {
    slices++;
    for (const [sequence, value] of slice) {
      expect(value.id).toBe(`d${sequence}`);
      found.push(sequence);
    }
  }
  return { slices, found };
}

describe('the log', () => {
  test('scans from exclusive to inclusive, in order, in slices', async () => {
    await fill(1, 1, 500);
    await fill(2, 1, 3);
    const { found, slices } = await sequences(recordsOf(storage.log, 1, 10, 490, 2048));
    expect(found).toEqual(Array.from({ length: 480 }, (_, n) => n + 11));
    expect(slices).toBeGreaterThan(5);
    expect(
      (await sequences(recordsOf(storage.log, 2, 0, Number.MAX_SAFE_INTEGER, 2048))).found,
    ).toEqual([1, 2, 3]);
    expect((await sequences(recordsOf(storage.log, 3, 0, 99, 2048))).found).toEqual([]);
  });

  test('a scan can be left early', async () => {
    await fill(1, 1, 100);
    for await (const slice of recordsOf(storage.log, 1, 0, 100, 512)) {
      expect(slice[0]?.[0]).toBe(1);
      break;
    }
  });

  test('knows the last sequence of each shard', async () => {
    await fill(1, 1, 300);
    await fill(3, 7, 9);
    expect(await storage.log.lastSequence(1)).toBe(300);
    expect(await storage.log.lastSequence(2)).toBe(0);
    expect(await storage.log.lastSequence(3)).toBe(9);
  });

  test('keeps names that are traps elsewhere apart', async () => {
    const names = [
      '__proto__',
      'constructor',
      '',
      '\ud800',
      '\ufffd',
      '\udc00',
      'a\u0000b',
      'x'.repeat(100_000),
    ];
    await storage.log.submit({
      estimatedBytes: 1000,
      prepare: (batch) => {
        let sequence = 0;
        for (const type of names)
          for (const id of names) batch.putUid(1, type, id, uid(++sequence));
        for (const name of names)
          batch.putMetadata(name, Buffer.from(JSON.stringify({ name: name.length })));
      },
    });
    let sequence = 0;
    for (const type of names) {
      for (const id of names) expect(storage.log.readUid(1, type, id)).toEqual(uid(++sequence));
    }
    const metadata = await storage.log.readMetadata();
    expect([...metadata.keys()].sort()).toEqual([...names].sort());
    const found = new Set<string>();
    for await (const { type, id } of storage.log.scanUids(1))
      found.add(`${type.length}:${type}${id}`);
    expect(found.size).toBe(names.length ** 2);
  });

  test('keeps intents and commit points', async () => {
    const commit = {
      generation: 2,
      sequence: 9,
      segments: [segment(5, { deletionChunks: [0, 2] })],
    };
    await storage.log.submit({
      estimatedBytes: 100,
      prepare: (batch) => {
        batch.putBuildIntent(5);
        batch.putBuildIntent(2 ** 40);
        batch.putDeleteIntent(1, [3, 4]);
        batch.putDeleteIntent(2, []);
        batch.putCommit(7, commit);
      },
    });
    expect(await storage.log.readBuildIntents()).toEqual([5, 2 ** 40]);
    expect(await storage.log.readDeleteIntents()).toEqual([
      { shard: 1, segments: [3, 4] },
      { shard: 2, segments: [] },
    ]);
    expect(storage.log.readCommit(7)).toEqual(commit);
    expect(storage.log.readCommit(8)).toBeUndefined();
    await storage.log.submit({
      estimatedBytes: 100,
      prepare: (batch) => {
        batch.removeBuildIntent(5);
        batch.removeDeleteIntent(1);
        batch.removeCommit(7);
      },
    });
    expect(await storage.log.readBuildIntents()).toEqual([2 ** 40]);
    expect(await storage.log.readDeleteIntents()).toEqual([{ shard: 2, segments: [] }]);
    expect(storage.log.readCommit(7)).toBeUndefined();
  });

  test('removeShard leaves nothing of the shard and everything of its neighbours', async () => {
    const ids = [255, 256, 257];
    for (const shard of ids) {
      await fill(shard, 1, 9000);
      await storage.log.submit({
        estimatedBytes: 10,
        prepare: (batch) => batch.putCommit(shard, { generation: 1, sequence: 0, segments: [] }),
      });
    }
    plan.batches.length = 0;
    await storage.log.removeShard(256);
    expect(plan.batches.length).toBeGreaterThan(4);
    await storage.log.removeShard(256);
    for (const shard of ids) {
      const left = shard === 256 ? 0 : 9000;
      expect((await sequences(recordsOf(storage.log, shard, 0, 10_000, 65536))).found).toHaveLength(
        left,
      );
      let uids = 0;
      for await (const entry of storage.log.scanUids(shard)) uids += entry.id === '' ? 0 : 1;
      expect(uids).toBe(left);
      expect(storage.log.readCommit(shard) === undefined).toBe(shard === 256);
      expect(await storage.log.lastSequence(shard)).toBe(left);
    }
  });

  test('reports damage of a record and serves the others', async () => {
    await fill(1, 1, 3);
    const damaged = recordKey(1, 2);
    plan.damage = (key, value) => {
      if (value === undefined || !key.equals(damaged)) return value;
      const copy = Buffer.from(value);
      copy[5] = (copy[5] ?? 0) ^ 1;
      return copy;
    };
    expect(() => storage.log.readRecord(1, 2)).toThrow(CorruptionError);
    expect(() => storage.log.readRecord(1, 2)).toThrow('record 2 of shard 1 is damaged');
    expect(storage.log.readRecord(1, 3)?.id).toBe('d3');
  });
});

describe('the segments', () => {
  const blocks = Array.from({ length: 150 }, (_, n) => Buffer.alloc(65536, n));

  test('are written in batches of about 1 MB and read back with memory of their own', async () => {
    plan.batches.length = 0;
    await storage.segments.writeSegment(9, blocks);
    expect(plan.batches.length).toBe(10);
    expect(plan.mostInFlight).toBe(1);
    for (const [n, block] of blocks.entries()) {
      const read = storage.segments.readBlock(9, n);
      expect(read.equals(block)).toBe(true);
      expect(read.byteOffset).toBe(0);
      expect(new Uint32Array(read.buffer, 0, read.length / 4)).toHaveLength(16384);
    }
    expect(() => storage.segments.readBlock(9, 150)).toThrow('block 150 of segment 9 is missing');
    expect(() => storage.segments.readBlock(8, 0)).toThrow(CorruptionError);
  });

  test('keep one batch in flight when several writers meet', async () => {
    await Promise.all([
      storage.segments.writeSegment(1, blocks),
      storage.segments.writeSegment(2, blocks),
      storage.segments.writeDeletions([
        { segment: 3, chunk: 0, generation: 1, bits: Buffer.alloc(4096) },
      ]),
    ]);
    expect(plan.mostInFlight).toBe(1);
    expect(storage.segments.readBlock(2, 149).equals(blocks[149] ?? Buffer.alloc(0))).toBe(true);
  });

  test('keep every generation of a deletion chunk until it is removed', async () => {
    const chunk = (generation: number) => ({ segment: 3, chunk: 1, generation });
    const bits = (n: number) => Buffer.alloc(4096, n);
    await storage.segments.writeDeletions([
      { ...chunk(1), bits: bits(1) },
      { ...chunk(2), bits: bits(2) },
    ]);
    expect(storage.segments.readDeletions(3, 1, 1)).toEqual(bits(1));
    expect(storage.segments.readDeletions(3, 1, 2)).toEqual(bits(2));
    await storage.segments.removeDeletions([chunk(1)]);
    expect(() => storage.segments.readDeletions(3, 1, 1)).toThrow(CorruptionError);
    expect(storage.segments.readDeletions(3, 1, 2)).toEqual(bits(2));
  });

  test('removeSegments removes blocks and deletion chunks of these segments only', async () => {
    for (const id of [255, 256, 257]) {
      await storage.segments.writeSegment(id, blocks.slice(0, 5));
      await storage.segments.writeDeletions([
        { segment: id, chunk: 0, generation: 4, bits: Buffer.alloc(8) },
      ]);
    }
    await storage.segments.removeSegments([256, 99]);
    await storage.segments.removeSegments([256]);
    for (const id of [255, 257]) {
      expect(storage.segments.readBlock(id, 4)).toEqual(blocks[4]);
      expect(storage.segments.readDeletions(id, 0, 4)).toEqual(Buffer.alloc(8));
    }
    for (let block = 0; block < 5; block++) {
      expect(() => storage.segments.readBlock(256, block)).toThrow(CorruptionError);
    }
    expect(() => storage.segments.readDeletions(256, 0, 4)).toThrow(CorruptionError);
  });
});

test('removing a large shard or segment gives the disk space back', async () => {
  const random = seededRandom(1);
  const noise = Buffer.from(Array.from({ length: 65536 }, () => Math.floor(random() * 256)));
  for (let segment = 1; segment <= 2; segment++) {
    await storage.segments.writeSegment(segment, new Array<Buffer>(300).fill(noise));
  }
  await storage.log.submit({
    estimatedBytes: 1000,
    prepare: (batch) => {
      for (let n = 1; n <= 12_000; n++) {
        batch.putRecord(1, n, record(`d${n}`, { source: noise.subarray(n, n + 300) }));
      }
    },
  });
  const before = await storage.diskUsage();
  expect(before.segments).toBeGreaterThan(30_000_000);
  expect(before.log).toBeGreaterThan(3_500_000);
  await storage.segments.removeSegments([1, 2]);
  await storage.log.removeShard(1);
  const after = await storage.diskUsage();
  expect(after.segments).toBeLessThan(2_000_000);
  expect(after.log).toBeLessThan(1_000_000);
});

describe('worker access', () => {
  test('sees writes of main at once, and main sees those of the indexer', async () => {
    const log = await openLogReader(storage.location);
    const reader = await openSegmentReader(storage.location);
    const indexer = await openSegmentStore(storage.location, () => undefined);
    await fill(1, 1, 2);
    expect(log.readRecord(1, 2)?.id).toBe('d2');
    expect(log.readUid(1, 'book', 'd1')).toEqual(uid(1));
    await indexer.writeSegment(4, [Buffer.from('block')]);
    await indexer.writeDeletions([
      { segment: 4, chunk: 0, generation: 1, bits: Buffer.from('bits') },
    ]);
    expect(storage.segments.readBlock(4, 0).toString()).toBe('block');
    expect(reader.readDeletions(4, 0, 1).toString()).toBe('bits');
    expect(reader.readBlock(4, 0).toString()).toBe('block');
    await indexer.removeDeletions([{ segment: 4, chunk: 0, generation: 1 }]);
    await indexer.removeSegments([4]);
    expect(() => indexer.readBlock(4, 0)).toThrow(CorruptionError);
    await Promise.all([log.close(), reader.close(), indexer.close()]);
    await log.close();
    expect(storage.log.readRecord(1, 1)?.id).toBe('d1');
  });

  test('another thread shares the handle instead of being locked out', async () => {
    await fill(1, 1, 1);
    const code = `
      const { workerData, parentPort } = require('node:worker_threads');
      const { ClassicLevel } = require(workerData.module);
      (async () => {
        const level = new ClassicLevel(workerData.path, {
          keyEncoding: 'buffer', valueEncoding: 'buffer', createIfMissing: false, multithreading: true,
        });
        await level.open();
        const value = level.getSync(Buffer.from(workerData.key));
        await level.close();
        parentPort.postMessage(value.toString('latin1'));
      })();`;
    const worker = new Worker(code, {
      eval: true,
      workerData: {
        module: require.resolve('classic-level'),
        path: `${storage.location.path}/log`,
        key: recordKey(1, 1),
      },
    });
    const value = await new Promise<string>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    await worker.terminate();
    expect(value).toContain('{"id":"d1"}');
    expect(storage.log.readRecord(1, 1)?.id).toBe('d1');
  });
});
