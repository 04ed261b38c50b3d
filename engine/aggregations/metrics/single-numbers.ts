// min, max, sum and avg (reference server).

import { singleNumber } from './metric';

export const MIN_AGGREGATION = singleNumber('min', {
  shown: ({ count, min }) => (count === 0 ? null : min),
  ordered: ({ min }) => min,
});

export const MAX_AGGREGATION = singleNumber('max', {
  shown: ({ count, max }) => (count === 0 ? null : max),
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
