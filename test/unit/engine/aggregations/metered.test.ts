// The memory of metrics while they collect.

import { metered } from '../../../../engine/aggregations/metered';
import type { Aggregator } from '../../../../engine/aggregations/contract/aggregation';
import { DigestTable, digestLimits } from '../../../../engine/aggregations/metrics/digest-table';
import type { DocBuckets } from '../../../../engine/counting/index';

const WINDOW: DocBuckets = {
  words: Uint32Array.of(1),
  from: 0,
  to: 1,
  size: 1,
  docs: Uint32Array.of(0),
  buckets: Uint32Array.of(0),
  bucketCount: 1,
};

test('is held window by window, and given back when all is handed on', () => {
  let held = 0;
  const seen: number[] = [];
  const sizes = [10, 10, 50, 30];
  const collected = { data: {}, size: 0, subs: [] };
  const growing: Aggregator = {
    bytes: 0,
    collect() {
      Object.assign(this, { bytes: sizes.shift()! });
    },
    partial: () => collected,
  };
  const aggregator = metered(growing, (bytes) => (held += bytes));
  for (let window = 0; window < 4; window++) {
    aggregator.collect(WINDOW);
    seen.push(held);
  }
  expect(seen).toEqual([10, 10, 50, 30]);
  expect(aggregator.partial(1)).toBe(collected);
  expect(held).toBe(0);
});

test('digests tell of the values that they keep', () => {
  const table = new DigestTable(digestLimits(10_000));
  const before = table.bytes;
  for (let n = 0; n < 50_000; n++) table.add(n % 7, n);
  expect(table.bytes - before).toBeGreaterThan(50_000 * 12);
});

test('what tells of none is left as it is', () => {
  const silent: Aggregator = {
    collect: () => undefined,
    partial: () => ({ data: {}, size: 0, subs: [] }),
  };
  expect(metered(silent, () => undefined)).toBe(silent);
});
