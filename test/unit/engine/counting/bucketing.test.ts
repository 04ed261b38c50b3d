import {
  IntervalBuckets,
  RoundedBuckets,
  type Bucketing,
} from '../../../../engine/counting/bucketing';
import { DateRounding, type CalendarUnit } from '../../../../engine/counting/date-rounding';
import { Random } from '../../../support/random';

/** Fractions around 0, whole days on both sides of 1970, and a gap. */
const VALUES = valuesOf(new Random(11));

function valuesOf(random: Random): Float64Array {
  const near = [-1.5, -1, -0.5, -0, 0, 0.5, 1, 1.5];
  const far = Array.from({ length: 3000 }, () => Math.trunc((random.next() - 0.3) * 4e10));
  return Float64Array.from([...far, ...near, 1.6e11]);
}

const EXTENT = { min: Math.min(...VALUES), max: Math.max(...VALUES), valueCount: 200_000 };

/** The key that every value gets. */
function keysBy(bucketing: Bucketing): number[] {
  const places = Uint32Array.from(VALUES, (_, i) => i);
  const buckets = new Uint32Array(VALUES.length);
  bucketing.assign(VALUES, places, VALUES.length, buckets);
  const keys = bucketing.keys();
  expect(keys.length).toBe(bucketing.size);
  expect(new Set(keys).size).toBe(keys.length);
  const order = bucketing.inOrder();
  if (order !== null) {
    const ascending = Array.from(order, (bucket) => keys[bucket]!);
    expect(ascending).toEqual([...keys].sort((a, b) => a - b));
  }
  return Array.from(buckets, (bucket) => keys[bucket]!);
}

test.each<[CalendarUnit | number, string, string, number]>([
  ['hour', 'UTC', 'UTC', 0],
  ['day', 'UTC', 'UTC', -3_600_001],
  [5_400_000, 'UTC', 'UTC', 7],
  ['second', 'UTC', 'UTC', 0],
  ['week', 'UTC', 'UTC', 0],
  ['month', 'UTC', 'UTC', 0],
  ['day', 'Europe/Berlin', 'UTC', 0],
  ['hour', 'UTC', 'Europe/Berlin', 0],
])(
  '%s in %s, shown in %s, begins where each value is rounded to',
  (interval, pre, post, offset) => {
    const rounding = new DateRounding({
      interval,
      preZone: pre,
      postZone: post,
      adjustLargeInterval: false,
      preOffset: offset,
      postOffset: -offset,
      factor: 1,
    });
    const expected = Array.from(VALUES, (value) => rounding.round(value));
    expect(keysBy(new RoundedBuckets(rounding, EXTENT))).toEqual(expected);
  },
);

test.each([1, 7, 3_600_000, 1e9])('intervals of %d are rounded towards zero', (interval) => {
  const expected = Array.from(VALUES, (value) => Math.trunc(value / interval) + 0);
  expect(keysBy(new IntervalBuckets(interval, EXTENT))).toEqual(expected);
});
