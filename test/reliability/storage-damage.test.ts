// Power cuts and damaged files, on copies of real data folders. A power cut may take whatever was not
// synced and leave garbage in its place; it must not cost anything acknowledged. Damage to what was
// synced must be noticed.

import {
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  appendFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CorruptionError, DataLossError } from '../../storage/errors';
import { Storage } from '../../storage/storage';
import type { SegmentStore } from '../../storage/types';
import { record, removeFolders, seededRandom, temporaryFolder, uid } from '../unit/storage/support';

afterEach(removeFolders);

/** The newest write-ahead file of a database. */
function newestLog(path: string, name: 'log' | 'segments'): string {
  const files = readdirSync(join(path, name)).filter((file) => file.endsWith('.log'));
  const newest = files.sort((a, b) => parseInt(a, 10) - parseInt(b, 10)).at(-1);
  if (newest === undefined) throw new Error('no write-ahead file');
  return join(path, name, newest);
}

async function index(storage: Storage, sequence: number, sourceBytes: number): Promise<void> {
  await storage.log.submit({
    estimatedBytes: sourceBytes,
    prepare: (batch) => {
      batch.putRecord(
        1,
        sequence,
        record(`d${sequence}`, { source: Buffer.alloc(sourceBytes, sequence) }),
      );
      batch.putUid(1, 'book', `d${sequence}`, uid(sequence));
    },
  });
}

/** Which of documents 1..count are there; each must be there wholly or not at all. */
function present(storage: Storage, count: number, sourceBytes: number): number[] {
  const found: number[] = [];
  for (let sequence = 1; sequence <= count; sequence++) {
    const value = storage.log.readRecord(1, sequence);
    const entry = storage.log.readUid(1, 'book', `d${sequence}`);
    expect(entry?.sequence).toBe(value === undefined ? undefined : sequence);
    if (value === undefined) continue;
    expect(value.source.equals(Buffer.alloc(sourceBytes, sequence))).toBe(true);
    found.push(sequence);
  }
  return found;
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n + 1);
}

function copyOf(path: string): string {
  const copy = join(temporaryFolder(), 'data');
  cpSync(path, copy, { recursive: true });
  return copy;
}

/** What may stand where unsynced bytes were. */
function padding(kind: number, random: () => number): Buffer {
  const length = 1 + Math.floor(random() * 5000);
  if (kind === 0) return Buffer.alloc(0);
  if (kind === 1) return Buffer.alloc(length);
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}

describe('a power cut', () => {
  test('costs nothing acknowledged, wherever the newest log is torn', async () => {
    const path = temporaryFolder();
    const storage = await Storage.open({ path });
    const file = newestLog(path, 'log');
    const count = 60;
    const sourceBytes = 1500;
    const sizes = [statSync(file).size];
    for (let n = 1; n <= count; n++) {
      await index(storage, n, sourceBytes);
      sizes.push(statSync(file).size);
    }
    expect(newestLog(path, 'log')).toBe(file);
    const random = seededRandom(20);
    for (let trial = 0; trial < 36; trial++) {
      const acknowledged = Math.floor(random() * count);
      const synced = sizes[acknowledged] ?? 0;
      const next = sizes[acknowledged + 1] ?? 0;
      const cut = trial % 4 === 0 ? synced : synced + Math.floor(random() * (next - synced));
      const copy = copyOf(path);
      const log = newestLog(copy, 'log');
      truncateSync(log, cut);
      appendFileSync(log, padding(trial % 3, random));
      const after = await Storage.open({ path: copy });
      expect(after.wasInterrupted).toBe(true);
      expect(present(after, count, sourceBytes)).toEqual(upTo(acknowledged));
      expect(await after.log.lastSequence(1)).toBe(acknowledged);
      await index(after, acknowledged + 1, sourceBytes);
      await after.close();
      const again = await Storage.open({ path: copy });
      expect(present(again, count, sourceBytes)).toEqual(upTo(acknowledged + 1));
      await again.close();
      rmSync(copy, { recursive: true });
    }
    await storage.close();
  });

  test('costs no segment whose write was acknowledged', async () => {
    const path = temporaryFolder();
    const storage = await Storage.open({ path });
    const file = newestLog(path, 'segments');
    const blocks = (id: number): Buffer[] => [Buffer.alloc(3000, id), Buffer.alloc(200, id)];
    const sizes = [statSync(file).size];
    for (let id = 1; id <= 20; id++) {
      await storage.segments.writeSegment(id, blocks(id));
      sizes.push(statSync(file).size);
    }
    const random = seededRandom(21);
    for (let trial = 0; trial < 12; trial++) {
      const acknowledged = Math.floor(random() * 20);
      const synced = sizes[acknowledged] ?? 0;
      const copy = copyOf(path);
      const log = newestLog(copy, 'segments');
      truncateSync(log, synced + Math.floor(random() * ((sizes[acknowledged + 1] ?? 0) - synced)));
      appendFileSync(log, padding(trial % 3, random));
      const after = await Storage.open({ path: copy });
      for (let id = 1; id <= acknowledged; id++) {
        expect(blocks(id).map((_, n) => after.segments.readBlock(id, n))).toEqual(blocks(id));
      }
      expectMissing(after.segments, acknowledged + 1);
      await after.close();
      rmSync(copy, { recursive: true });
    }
    await storage.close();
  });
});

function expectMissing(segments: SegmentStore, id: number): void {
  expect(() => segments.readBlock(id, 0)).toThrow(CorruptionError);
}

describe('damage to the log', () => {
  const count = 200;
  const sourceBytes = 2000;

  async function filled(close: boolean): Promise<string> {
    const path = temporaryFolder();
    const storage = await Storage.open({ path });
    for (let n = 1; n <= count; n++) await index(storage, n, sourceBytes);
    if (close) {
      await storage.close();
      return path;
    }
    const copy = copyOf(path);
    await storage.close();
    return copy;
  }

  test('in the middle is found by the gap it leaves, even if the node died before', async () => {
    const path = await filled(false);
    const random = seededRandom(22);
    for (let trial = 0; trial < 15; trial++) {
      const copy = copyOf(path);
      const log = newestLog(copy, 'log');
      const bytes = readFileSync(log);
      // The last blocks of 32 KB are left whole: damage there cannot be told from a torn write.
      const at = Math.floor(random() * (bytes.length - 3 * 32768));
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      writeFileSync(log, bytes);
      const error: unknown = await Storage.open({ path: copy }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(DataLossError);
      expect((error as DataLossError).missing.length).toBeGreaterThan(0);

      const accepted = await Storage.open({ path: copy, acceptDataLoss: true });
      const left = present(accepted, count, sourceBytes);
      expect(left.length).toBeLessThan(count);
      expect(left).toContain(count);
      await index(accepted, count + 1, sourceBytes);
      await accepted.close();
      const again = await Storage.open({ path: copy });
      expect(present(again, count + 1, sourceBytes)).toEqual([...left, count + 1]);
      await again.close();
      rmSync(copy, { recursive: true });
    }
  });

  test('anywhere is found after a clean close', async () => {
    const path = await filled(true);
    const random = seededRandom(23);
    let found = 0;
    for (let trial = 0; trial < 30; trial++) {
      const copy = copyOf(path);
      const log = newestLog(copy, 'log');
      const bytes = readFileSync(log);
      const at = trial < 5 ? bytes.length - 1 - trial * 10 : Math.floor(random() * bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      writeFileSync(log, bytes);
      try {
        const storage = await Storage.open({ path: copy });
        // A flip in bytes that mean nothing, such as the filling at the end of a block.
        expect(present(storage, count, sourceBytes)).toEqual(upTo(count));
        await storage.close();
      } catch (error) {
        expect(error).toBeInstanceOf(DataLossError);
        found++;
      }
      rmSync(copy, { recursive: true });
    }
    expect(found).toBeGreaterThan(25);
  });

  test('such as its newest file missing or cut is found after a clean close', async () => {
    const path = await filled(true);
    for (const spoil of [
      (file: string) => rmSync(file),
      (file: string) => truncateSync(file, 0),
      (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2)),
      (file: string) => truncateSync(file, statSync(file).size - 1),
    ]) {
      const copy = copyOf(path);
      spoil(newestLog(copy, 'log'));
      await expect(Storage.open({ path: copy })).rejects.toThrow(DataLossError);
    }
  });

  test('is still found after numbers were trimmed', async () => {
    const path = temporaryFolder();
    const storage = await Storage.open({ path, maxHeldBatchNumbers: 150 });
    // The flush at number 150 begins a new file, which the rest fills with more than 100 KB.
    for (let n = 1; n <= count; n++) await index(storage, n, sourceBytes);
    await storage.checkpoint();
    expect(storage.stats().batchNumbers.floor).toBeGreaterThan(100);
    for (let n = count + 1; n <= count + 20; n++) await index(storage, n, sourceBytes);
    const copy = copyOf(path);
    await storage.close();
    const log = newestLog(copy, 'log');
    const bytes = readFileSync(log);
    bytes[1000] = (bytes[1000] ?? 0) ^ 4;
    writeFileSync(log, bytes);
    await expect(Storage.open({ path: copy })).rejects.toThrow(DataLossError);
  });
});

describe('damage to tables', () => {
  test('never yields a wrong record', async () => {
    const path = temporaryFolder();
    const storage = await Storage.open({ path });
    const count = 300;
    const random = seededRandom(24);
    const sources = upTo(count).map(() =>
      Buffer.from(Array.from({ length: 200 }, () => Math.floor(random() * 256))),
    );
    await storage.log.submit({
      estimatedBytes: 1000,
      prepare: (batch) =>
        sources.forEach((source, n) => batch.putRecord(1, n + 1, record(`d${n}`, { source }))),
    });
    await storage.close();
    // Opening moves the log into a table.
    await (await Storage.open({ path })).close();
    let reported = 0;
    for (let trial = 0; trial < 25; trial++) {
      const copy = copyOf(path);
      const tables = readdirSync(join(copy, 'log')).filter((file) => file.endsWith('.ldb'));
      const table = join(copy, 'log', tables[Math.floor(random() * tables.length)] ?? '');
      const bytes = readFileSync(table);
      const at = Math.floor(random() * bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      writeFileSync(table, bytes);
      try {
        const after = await Storage.open({ path: copy });
        for (const [n, source] of sources.entries()) {
          try {
            const value = after.log.readRecord(1, n + 1);
            // Damage to a key hides its value: absent, but nothing wrong is returned.
            if (value === undefined) reported++;
            else expect(value.source.equals(source)).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(CorruptionError);
            reported++;
          }
        }
        await after.close();
      } catch (error) {
        expect([CorruptionError.name, DataLossError.name]).toContain((error as Error).name);
        reported++;
      }
      rmSync(copy, { recursive: true });
    }
    expect(reported).toBeGreaterThan(0);
  });
});
