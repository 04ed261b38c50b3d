// Counting distinct hashes by bucket: exact below the limit, near above it, and the same however the hashes
// were split up over tables.

import {
  DistinctTable,
  exactLimit,
  mergeDistinct,
} from '../../../../engine/aggregations/metrics/distinct-table';
import { hashed, hashInteger, hashText } from '../../../../engine/aggregations/metrics/hashes';
import { Random, testSeed } from '../../../support/random';

const PRECISION = 9;

function add(table: DistinctTable, owner: number, value: number): void {
  table.reserve(owner + 1);
  hashInteger(value);
  table.add(owner, hashed.high, hashed.low);
}

test('counts are exact up to the limit', () => {
  const table = new DistinctTable(PRECISION);
  const limit = exactLimit(PRECISION);
  expect(limit).toBe(96);
  for (let value = 0; value < limit; value++) {
    for (const owner of [0, 3]) add(table, owner, value - 50);
    add(table, 3, value - 50);
  }
  expect([...table.values(5)]).toEqual([96, 0, 0, 96, 0]);
});

test.each([4, 9, 14])('counts with precision %i are near above the limit', (precision) => {
  const spread = 1.04 / Math.sqrt(2 ** precision);
  for (const count of [500, 5000, 50_000]) {
    const table = new DistinctTable(precision);
    for (let value = 0; value < count; value++) add(table, 0, value * 7919);
    const [value] = table.values(1);
    expect(Math.abs(value! / count - 1)).toBeLessThan(4 * spread);
  }
});

test('texts of which one is part of another, and those that differ in one bit, are told apart', () => {
  const hashes = new Set<string>();
  const texts: string[] = ['', '\0', '\0\0', 'a', 'aa', 'aaa'];
  for (let i = 0; i < 60_000; i++) texts.push(`k${i}`, `${i}\u0080`);
  for (const text of texts) {
    const bytes = Buffer.from(text);
    hashText(bytes, 0, bytes.length);
    hashes.add(`${hashed.high}:${hashed.low}`);
  }
  expect(hashes.size).toBe(texts.length);
});

test('the same hashes count the same, however they were split up', () => {
  const random = new Random(testSeed(4711));
  for (let run = 0; run < 20; run++) {
    const whole = new DistinctTable(PRECISION);
    const parts = [0, 1, 2].map(() => new DistinctTable(PRECISION));
    const seen = [0, 1, 2, 3].map(() => new Set<number>());
    // In parts, buckets have other numbers.
    const became = Uint32Array.of(2, 0, 3, 1, 0xffffffff);
    for (let i = 0; i < 800; i++) {
      const bucket = random.below(5);
      const value = random.below(random.chance(0.5) ? 60 : 400);
      add(parts[random.below(3)]!, bucket, value);
      if (bucket === 4) continue;
      add(whole, became[bucket]!, value);
      seen[became[bucket]!]!.add(value);
    }
    const merged = mergeDistinct(
      PRECISION,
      parts.map((part) => ({ data: part.data(5), owners: became })),
      4,
    ).data(4);
    expect(merged.values).toEqual(whole.data(4).values);
    seen.forEach(({ size }, bucket) => {
      if (size <= exactLimit(PRECISION)) expect(merged.values[bucket]).toBe(size);
    });
  }
});
