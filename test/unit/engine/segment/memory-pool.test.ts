import { MemoryPool } from '../../../../engine/segment/memory/memory-pool';
import { GrowableU32, type MemoryUse } from '../../../../engine/segment/memory/growable';
import { hashTerm, TermHash } from '../../../../engine/segment/dictionary/term-hash';

const MIB = 1024 * 1024;

test('memory comes back, whatever was asked for', () => {
  const pool = new MemoryPool(4 * MIB);
  const memory = pool.take(40_000);
  expect(memory.byteLength).toBe(65_536);
  pool.give(memory);
  expect(pool.freeBytes).toBe(65_536);
  expect(pool.take(65_536)).toBe(memory);
  expect(pool.freeBytes).toBe(0);
  expect(pool.take(65_537).byteLength).toBe(131_072);
});

test('small memory, foreign memory and what is too much is not kept', () => {
  const pool = new MemoryPool(MIB);
  pool.give(new ArrayBuffer(100));
  pool.give(new ArrayBuffer(100_000));
  pool.give(new SharedArrayBuffer(65_536));
  expect(pool.freeBytes).toBe(0);
  pool.give(new ArrayBuffer(MIB / 2));
  pool.give(new ArrayBuffer(MIB));
  expect(pool.freeBytes).toBe(MIB / 2);
  pool.clear();
  expect(pool.freeBytes).toBe(0);
});

test('what a builder held is counted off when it is released, and serves the next one', () => {
  const pool = new MemoryPool(64 * MIB);
  const use: MemoryUse = { bytes: 0, pool };
  const collect = (): { terms: number[]; values: number[] } => {
    const terms = new TermHash(use);
    const values = new GrowableU32(use);
    for (let i = 0; i < 30_000; i++) {
      const bytes = Buffer.from(`term ${i % 20_000}`);
      values.push(terms.idOf(bytes, 0, bytes.length, hashTerm(bytes, 0, bytes.length)));
    }
    const found = { terms: [...terms.sorted()], values: [...values.view()] };
    expect(use.bytes).toBeGreaterThan(500_000);
    terms.release();
    values.release();
    return found;
  };
  const first = collect();
  expect(use.bytes).toBe(0);
  const kept = pool.freeBytes;
  expect(kept).toBeGreaterThan(500_000);
  // The memory is full of what the first one left.
  expect(collect()).toEqual(first);
  expect(pool.freeBytes).toBe(kept);
});
