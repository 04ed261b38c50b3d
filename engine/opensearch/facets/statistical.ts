// statistical: sums and extremes of all numbers of fields.

import { NO_NUMBERS, type NumberSums, sumOf } from '../../counting/index';
import type { StatisticalSpec } from '../../facets/index';
import { doubleAt, partOf } from '../transport/answers';
import type { Aggs } from '../counting/count-context';
import type { FacetTranslation } from './contract';
import { numbersOf } from './origin';

export const STATISTICAL_FACET: FacetTranslation<StatisticalSpec, NumberSums> = {
  request: ({ sources }, context) => {
    const aggs: Record<string, Aggs> = {};
    sources.forEach((source, i) => {
      const numbers = numbersOf(source, context);
      if (numbers !== null) aggs[`s${i}`] = { extended_stats: numbers };
    });
    return aggs;
  },
  read: ({ sources }, { counted }) =>
    sources
      .map((_, i): NumberSums => {
        const stats = partOf(counted, `s${i}`);
        const count = doubleAt(stats, 'count', 0);
        if (count === 0) return NO_NUMBERS;
        return {
          count,
          total: doubleAt(stats, 'sum', 0),
          sumOfSquares: doubleAt(stats, 'sum_of_squares', 0),
          min: doubleAt(stats, 'min', Infinity),
          max: doubleAt(stats, 'max', -Infinity),
        };
      })
      .reduce(sumOf, NO_NUMBERS),
};
