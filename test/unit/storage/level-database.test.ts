import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AbstractChainedBatch } from 'abstract-level';
import { Level } from 'level';
import {
  ClosedError,
  CorruptionError,
  DiskFullError,
  InputOutputError,
  LockedError,
} from '../../../storage/errors';
import { Storage } from '../../../storage/storage';
import type { KeyValueDatabase } from '../../../storage/key-value-database';
import { LevelDatabase, translateLevelError } from '../../../storage/level-database';
import { record, removeFolders, temporaryFolder } from './support';

let database: KeyValueDatabase;
let path: string;

beforeEach(async () => {
  path = join(temporaryFolder(), 'log');
  mkdirSync(path);
  database = await LevelDatabase.open('log', path, true);
});

afterEach(async () => {
  await database.close();
  removeFolders();
});

const key = (n: number): Buffer => Buffer.from([0x52, n >> 8, n & 0xff]);
const range = { gte: key(0), lt: key(0xffff) };

async function fill(count: number, bytes: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => n);
  await database.batch(
    numbers.map((n) => ({ type: 'put', key: key(n), value: Buffer.alloc(bytes, n) })),
  );
}

async function scan(
  options: Parameters<KeyValueDatabase['scan']>[1],
): Promise<(readonly [number, number])[][]> {
  const slices: (readonly [number, number])[][] = [];
  for await (const slice of database.scan(range, options)) {
    slices.push(slice.map(([k, value]) => [k.readUInt16BE(1), value.length] as const));
  }
  return slices;
}

describe('the adapter', () => {
  test('scans forwards and backwards, in slices, limited, with or without values', async () => {
    await fill(1000, 100);
    const all = await scan({ sliceBytes: 10_000 });
    expect(all.length).toBeGreaterThan(5);
    expect(all.flat().map(([n]) => n)).toEqual(Array.from({ length: 1000 }, (_, n) => n));
    expect(await scan({ sliceBytes: 10_000, reverse: true, limit: 2 })).toEqual([
      [
        [999, 100],
        [998, 100],
      ],
    ]);
    expect((await scan({ sliceBytes: 10_000, limit: 5, keysOnly: true })).flat()[4]).toEqual([
      4, 0,
    ]);
    expect(await scan({ sliceBytes: 10_000, limit: 0 })).toEqual([]);
  });

  test('a scan sees the database as it was at its beginning', async () => {
    await fill(500, 100);
    let seen = 0;
    for await (const slice of database.scan(range, { sliceBytes: 5000 })) {
      seen += slice.length;
      await database.batch(slice.map(([k]) => ({ type: 'del', key: k })));
    }
    expect(seen).toBe(500);
    expect(await scan({ sliceBytes: 5000 })).toEqual([]);
  });

  test('returns values that own their memory', async () => {
    await fill(1, 64);
    const value = database.get(key(0));
    expect(value?.byteOffset).toBe(0);
    expect(value?.buffer.byteLength).toBe(64);
    expect(database.get(key(1))).toBeUndefined();
  });

  test('a flush empties the write-ahead file into a table', async () => {
    await fill(100, 1000);
    const before = await database.writeAheadFiles();
    expect(before.size).toBe(1);
    expect(readdirSync(path).some((file) => file.endsWith('.ldb'))).toBe(false);
    await database.flush();
    const after = await database.writeAheadFiles();
    expect([...before].some((file) => after.has(file))).toBe(false);
    expect(readdirSync(path).some((file) => file.endsWith('.ldb'))).toBe(true);
    expect(database.get(key(99))?.length).toBe(1000);
    expect(await database.diskBytes()).toBeGreaterThan(1000);
  });

  test('a scan over damage ends with an error, and so does a read', async () => {
    await fill(400, 500);
    await database.flush();
    await database.close();
    const table = readdirSync(path).find((file) => file.endsWith('.ldb')) ?? '';
    const bytes = readFileSync(join(path, table));
    bytes.fill(0xa5, 100, 400);
    writeFileSync(join(path, table), bytes);
    database = await LevelDatabase.open('log', path, false);
    await expect(scan({ sliceBytes: 5000 })).rejects.toThrow(CorruptionError);
    expect(() => database.get(key(0))).toThrow(CorruptionError);
  });

  test('reports use after closing', async () => {
    await database.close();
    await database.close();
    expect(() => database.get(key(0))).toThrow(ClosedError);
    await expect(database.batch([{ type: 'del', key: key(0) }])).rejects.toThrow(ClosedError);
    await expect(scan({ sliceBytes: 100 })).rejects.toThrow(ClosedError);
  });
});

describe('errors of the database underneath', () => {
  const wrapped = (code: string, message: string): Error =>
    Object.assign(
      new Error('Database failed to open', { cause: Object.assign(new Error(message), { code }) }),
      {
        code: 'LEVEL_DATABASE_NOT_OPEN',
      },
    );

  test.each([
    [wrapped('LEVEL_LOCKED', 'IO error: lock x/LOCK: already held by process'), LockedError],
    [
      wrapped('LEVEL_CORRUPTION', 'Corruption: 1 missing files; e.g.: x/000005.ldb'),
      CorruptionError,
    ],
    [wrapped('LEVEL_INVALID', 'x: does not exist (create_if_missing is false)'), CorruptionError],
    [wrapped('LEVEL_IO_ERROR', 'IO error: x/000009.ldb: No space left on device'), DiskFullError],
    [wrapped('LEVEL_IO_ERROR', 'IO error: x/000009.ldb: Disk quota exceeded'), DiskFullError],
    [wrapped('LEVEL_IO_ERROR', 'IO error: x/000009.ldb: Input/output error'), InputOutputError],
    [
      Object.assign(new Error('Database is not open'), { code: 'LEVEL_DATABASE_NOT_OPEN' }),
      ClosedError,
    ],
    [
      Object.assign(new Error('Iterator is not open'), { code: 'LEVEL_ITERATOR_NOT_OPEN' }),
      ClosedError,
    ],
    ['not even an error', InputOutputError],
  ])('become ours, without their codes', (error, expected) => {
    const translated = translateLevelError(error, 'cannot read');
    expect(translated).toBeInstanceOf(expected);
    expect(translated.code).toMatch(/^STORAGE_/);
    expect(translated.message).toContain('cannot read');
    expect(translated.cause).toBe(error);
    expect(translateLevelError(translated, 'again')).toBe(translated);
  });
});

test('every write of every kind is synced', async () => {
  const write = jest.spyOn(AbstractChainedBatch.prototype, 'write');
  const others = (['put', 'del', 'clear'] as const).map((name) =>
    jest.spyOn(Level.prototype, name),
  );
  const storage = await Storage.open({ path: temporaryFolder(), maxHeldBatchNumbers: 4 });
  for (let n = 1; n < 9; n++) {
    await storage.log.submit({
      estimatedBytes: 100,
      prepare: (unit) => {
        unit.putRecord(1, n, record(`d${n}`));
        unit.putMetadata('cluster', Buffer.from('{}'));
        unit.putBuildIntent(n);
      },
    });
  }
  await storage.segments.writeSegment(1, [Buffer.alloc(10)]);
  await storage.segments.writeDeletions([
    { segment: 1, chunk: 0, generation: 1, bits: Buffer.alloc(1) },
  ]);
  await storage.segments.removeDeletions([{ segment: 1, chunk: 0, generation: 1 }]);
  await storage.segments.removeSegments([1]);
  await storage.log.removeShard(1);
  await storage.checkpoint();
  await storage.close();
  expect(write.mock.calls.length).toBeGreaterThan(15);
  for (const call of write.mock.calls as unknown[][]) expect(call).toEqual([{ sync: true }]);
  for (const other of others) expect(other).not.toHaveBeenCalled();
  jest.restoreAllMocks();
});
