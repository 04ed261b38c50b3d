// min, max, sum and avg (reference server).

import { singleNumber } from './metric';

/** compat: an infinite extreme is taken for none. */
function unlessInfinite(extreme: number): number | null {
  return Math.abs(extreme) === Infinity ? null : extreme;
}

export const MIN_AGGREGATION = singleNumber('min', {
  shown: ({ min }) => unlessInfinite(min),
  ordered: ({ min }) => min,
});

export const MAX_AGGREGATION = singleNumber('max', {
  shown: ({ max }) => unlessInfinite(max),
  ordered: ({ max }) => max,
});

export const SUM_AGGREGATION = singleNumber('sum', {
  shown: ({ sum }) => sum,
  ordered: ({ sum }) => sum,
});

export const AVG_AGGREGATION = singleNumber('avg', {
  shown: ({ count, sum }) => (count === 0 ? null : sum / count),
  ordered: ({ count, sum }) => sum / count,
});
