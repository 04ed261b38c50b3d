// Aggregations that are numbers: counts, sums, extremes, distinct values, distributions.

import {
  type AggregationPartial,
  type CardinalitySpec,
  type DigestData,
  DigestTable,
  type DistinctData,
  DistinctTable,
  type DocCounts,
  hashBits,
  hashDouble,
  hashed,
  hashPoint,
  hashText,
  type MetricSpec,
  type NumbersByBucket,
  type PercentilesSpec,
  type StatsSpec,
} from '../../aggregations/index';
import type { JsonObject } from '../../json/index';
import {
  bucketsOf,
  docCount,
  doubleAt,
  doubleOf,
  longOf,
  MOST_BUCKETS,
  textOf,
} from '../transport/answers';
import { type Aggs, requireWhole } from '../counting/count-context';
import { pointsOf, pointsRequest } from '../counting/points';
import { latitudeField, within } from '../layout/names';
import { EVERYTHING } from '../queries/clause-context';
import type { AggregationTranslation } from './contract';
import { fieldOfValues, named, numbersOfValues } from './values';

/** Counts, sums and extremes; with squares where `extended` is asked. */
function numbers<S extends MetricSpec>(
  withSquares: (spec: S) => boolean,
): AggregationTranslation<S> {
  return {
    request: ({ type, spec }, context) => {
      const counted = numbersOfValues(spec.values, context, named(type));
      if (counted === null) return null;
      return withSquares(spec) ? { extended_stats: counted } : { stats: counted };
    },
    read: ({ spec }, answers): AggregationPartial<NumbersByBucket> => {
      const all = (name: string, absent: number) =>
        Float64Array.from(answers, (answer) => doubleAt(answer, name, absent));
      const data = {
        counts: all('count', 0),
        sums: all('sum', 0),
        mins: all('min', Infinity),
        maxs: all('max', -Infinity),
        squares: withSquares(spec) ? all('sum_of_squares', 0) : new Float64Array(0),
      };
      return { data, size: 0, subs: [] };
    },
  };
}

export const NUMBER_AGGREGATION = numbers<MetricSpec>(() => false);
export const STATS_AGGREGATION = numbers<StatsSpec>(({ sigma }) => sigma !== null);

export const VALUE_COUNT_AGGREGATION: AggregationTranslation<MetricSpec> = {
  request: ({ type, spec: { values } }, context): Aggs | null => {
    const field = fieldOfValues(values, context, named(type));
    if (values.constant !== null) return { filter: EVERYTHING };
    if (field === null) return null;
    // Each point has one latitude.
    const counted =
      values.kind === 'points' ? within(context.path, latitudeField(values.field!)) : field;
    return { value_count: { field: counted } };
  },
  read: ({ spec: { values } }, answers): AggregationPartial<DocCounts> => {
    const countOf = (answer: JsonObject | null) =>
      values.constant === null ? doubleAt(answer, 'value', 0) : docCount(answer);
    return { data: { counts: Float64Array.from(answers, countOf) }, size: 0, subs: [] };
  },
};

/** Every distinct value with its documents. */
function distinctValues(field: string): Aggs {
  return { terms: { field, size: MOST_BUCKETS } };
}

/** Everything that a kind of request needs stands within one aggregation. */

export const CARDINALITY_AGGREGATION: AggregationTranslation<CardinalitySpec> = {
  request: ({ type, spec: { values } }, context) => {
    const field = fieldOfValues(values, context, named(type));
    if (values.constant !== null) return { filter: EVERYTHING };
    if (field === null) return null;
    if (values.kind !== 'points') return distinctValues(field);
    return { filter: EVERYTHING, aggs: pointsRequest(context, values.field!, {}) };
  },
  read: ({ type, spec }, answers): AggregationPartial<DistinctData> => {
    const { values, precision } = spec;
    const table = new DistinctTable(precision);
    table.reserve(answers.length);
    answers.forEach((answer, owner) => {
      const add = (): void => table.add(owner, hashed.high, hashed.low);
      if (answer === null) return;
      if (values.constant !== null) {
        if (docCount(answer) === 0) return;
        hashTerm(values.constant);
        add();
      } else if (values.kind === 'points') {
        for (const { latitude, longitude } of pointsOf(answer, named(type))) {
          hashPoint(latitude, longitude);
          add();
        }
      } else {
        requireWhole(answer, named(type));
        for (const bucket of bucketsOf(answer)) {
          const key = bucket.get('key') ?? null;
          if (values.kind === 'texts') hashTerm(textOf(key));
          else if (values.fieldKind === 'int' || values.fieldKind === 'long') hashLong(longOf(key));
          else hashDouble(doubleOf(key));
          add();
        }
      }
    });
    return { data: table.data(answers.length), size: 0, subs: [] };
  },
};

function hashTerm(term: string): void {
  const bytes = Buffer.from(term);
  hashText(bytes, 0, bytes.length);
}

function hashLong(value: bigint): void {
  hashBits(Number(BigInt.asIntN(32, value >> 32n)), Number(BigInt.asIntN(32, value)));
}

export const PERCENTILES_AGGREGATION: AggregationTranslation<PercentilesSpec> = {
  request: ({ type, spec: { values } }, context) => {
    const field = fieldOfValues(values, context, named(type));
    return field === null ? null : distinctValues(field);
  },
  read: ({ type, spec }, answers): AggregationPartial<DigestData> => {
    const table = new DigestTable(spec.limits);
    answers.forEach((answer, owner) => {
      requireWhole(answer, named(type));
      for (const bucket of bucketsOf(answer)) {
        const value = doubleOf(bucket.get('key') ?? null);
        for (let n = docCount(bucket); n > 0; n--) table.add(owner, value);
      }
    });
    return { data: table.data(answers.length), size: 0, subs: [] };
  },
};
