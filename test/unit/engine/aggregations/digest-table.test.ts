// Distributions by bucket against sorted lists: exact while there are few distinct values, near when there
// are many, from several parts that call buckets differently.

import {
  type DigestData,
  digestLimits,
  DigestTable,
  mergeDigests,
} from '../../../../engine/aggregations/metrics/digest-table';
import { quantileOf, rankOf } from '../../../../engine/aggregations/metrics/quantiles';
import { Random, testSeed } from '../../../support/random';

const LIMITS = digestLimits(100);
const BUCKETS = 4;

function interpolated(sorted: readonly number[], q: number): number {
  const index = q * (sorted.length - 1);
  const low = sorted[Math.floor(index)]!;
  return low + (sorted[Math.ceil(index)]! - low) * (index - Math.floor(index));
}

/** Values in three parts, merged. */
function collected(random: Random, count: number, value: () => number) {
  const became = Uint32Array.of(3, 0, 2, 1, 0xffffffff);
  const values: number[][] = Array.from({ length: BUCKETS }, () => []);
  const tables = [0, 1, 2].map(() => new DigestTable(LIMITS));
  for (let i = 0; i < count; i++) {
    const bucket = random.below(5);
    const one = value();
    tables[random.below(3)]!.add(bucket, one);
    values[became[bucket]!]?.push(one);
  }
  for (const list of values) list.sort((a, b) => a - b);
  const parts = tables.map((table) => ({ data: table.data(5), owners: became }));
  return { values, data: mergeDigests(parts, BUCKETS, LIMITS) };
}

const SHARES = [0, 0.001, 0.01, 0.25, 0.5, 0.75, 0.99, 0.999, 1];

test('few distinct values are told exactly, however often each is there', () => {
  const random = new Random(testSeed(99));
  for (const count of [0, 1, 7, 300, 40_000]) {
    const { values, data } = collected(random, count, () => random.below(900) / 4 - 50);
    values.forEach((list, bucket) => {
      for (const q of SHARES) {
        const value = quantileOf(data, bucket, q);
        if (list.length === 0) expect(value).toBeNaN();
        else expect(value).toBeCloseTo(interpolated(list, q), 9);
      }
    });
  }
});

test('of many distinct values ranks are near, and nearest at both ends', () => {
  const random = new Random(testSeed(7));
  const { values, data } = collected(random, 200_000, () => random.next() ** 3);
  values.forEach((list, bucket) => {
    expect(data.isMerged[bucket]).toBe(1);
    expect(data.starts[bucket + 1]! - data.starts[bucket]!).toBeLessThanOrEqual(LIMITS.exact);
    for (const q of SHARES) {
      const value = quantileOf(data, bucket, q);
      const rank = list.filter((one) => one < value).length / list.length;
      expect(Math.abs(rank - q)).toBeLessThan(0.0002 + 0.01 * 4 * q * (1 - q));
      expect(Math.abs(rankOf(data, bucket, value) - q)).toBeLessThan(0.002);
    }
  });
});

function digestOf(values: readonly number[]): DigestData {
  const table = new DigestTable(LIMITS);
  for (const value of values) table.add(0, value);
  return table.data(1);
}

// As the reference server answers.
test.each([
  [[10, 20, 20, 30, 45], 9, 8],
  [[10, 20, 20, 30, 45], 21, 44],
  [[10, 20, 20, 30, 45], 25, 43.33333333333333],
  [[10, 20, 20, 30, 45], 52, 79.33333333333333],
  [[10, 20, 20, 30, 45], 60, 100],
  [[10, 20, 20], 10, 16.666666666666664],
  [[10, 20, 20], 16, 0],
  [[10, 20, 20], 20, 100],
  [[10], 9, 0],
  [[10], 10, 100],
  [[10, 20], 16, 5],
  [[10, 20], 24, 45],
  [[10, 10, 10], 9, 0],
  [[10, 10, 10], 10, 100],
])('the rank in %j of %d is %d', (values, value, rank) => {
  expect(100 * rankOf(digestOf(values), 0, value)).toBeCloseTo(rank, 10);
});
