// The aggregation types, how OpenSearch counts them, and how exact that is.

import { FEW_DOCUMENTS, UNSCORED, type Verdict } from '../counting/verdict';
import type { AggregationTranslation } from './contract';
import { FILTERS_AGGREGATION, RANGES_AGGREGATION } from './fixed';
import { GEO_BOUNDS_AGGREGATION, GEO_DISTANCE_AGGREGATION, GEOHASH_GRID_AGGREGATION } from './geo';
import { DATE_HISTOGRAM_AGGREGATION, HISTOGRAM_AGGREGATION, TERMS_AGGREGATION } from './keyed';
import {
  CARDINALITY_AGGREGATION,
  NUMBER_AGGREGATION,
  PERCENTILES_AGGREGATION,
  STATS_AGGREGATION,
  VALUE_COUNT_AGGREGATION,
} from './metrics';
import {
  FILTER_AGGREGATION,
  GLOBAL_AGGREGATION,
  MISSING_AGGREGATION,
  NESTED_AGGREGATION,
  REVERSE_NESTED_AGGREGATION,
} from './single';

/** An aggregation type. */
interface AggregationRow extends Verdict {
  /** Null: OpenSearch does not count it, because of what {@link but} says. */
  readonly translation: AggregationTranslation | null;
}

function row(
  is: Verdict['is'],
  translation: AggregationTranslation | null,
  but: string | null = null,
): AggregationRow {
  return { is, but, translation };
}

const SCRIPTS = `scripts ${FEW_DOCUMENTS}; ${UNSCORED}`;
const NUMBERS = `scripts over the values of a field, or that are not known to give one number, ${FEW_DOCUMENTS}; ${UNSCORED}; extremes of those that give NaN are NaN`;
const SUMS = `sums of fractions may differ in the last digit; ${NUMBERS}`;
const DISTINCT = 'at most 65,535 distinct values on a shard';
const DIGEST = `exact while a bucket has few distinct values; ${DISTINCT}; ${SCRIPTS}`;
const POINTS = `documents with several points, and percentiles and [reverse_nested] below, ${FEW_DOCUMENTS}; at most 65,535 distinct points on a shard`;

/** By the name of the type. */
export const AGGREGATIONS: Readonly<Record<string, AggregationRow>> = {
  min: row('exact', NUMBER_AGGREGATION, NUMBERS),
  max: row('exact', NUMBER_AGGREGATION, NUMBERS),
  sum: row('near', NUMBER_AGGREGATION, SUMS),
  avg: row('near', NUMBER_AGGREGATION, SUMS),
  stats: row('near', STATS_AGGREGATION, SUMS),
  extended_stats: row('near', STATS_AGGREGATION, SUMS),
  value_count: row('exact', VALUE_COUNT_AGGREGATION, SCRIPTS),
  cardinality: row('exact', CARDINALITY_AGGREGATION, `${DISTINCT}; ${SCRIPTS}`),
  percentiles: row('near', PERCENTILES_AGGREGATION, DIGEST),
  percentile_ranks: row('near', PERCENTILES_AGGREGATION, DIGEST),
  geo_bounds: row('exact', GEO_BOUNDS_AGGREGATION),
  terms: row(
    'exact',
    TERMS_AGGREGATION,
    `orders that need all terms ${DISTINCT}; ${SCRIPTS}; with [min_doc_count] 0 terms of deleted documents are shown until OpenSearch merges them away`,
  ),
  histogram: row('exact', HISTOGRAM_AGGREGATION, SCRIPTS),
  date_histogram: row(
    'exact',
    DATE_HISTOGRAM_AGGREGATION,
    `time zones change as OpenSearch's Java knows it; ${SCRIPTS}`,
  ),
  range: row('exact', RANGES_AGGREGATION, SCRIPTS),
  date_range: row('exact', RANGES_AGGREGATION, SCRIPTS),
  ip_range: row('exact', RANGES_AGGREGATION, SCRIPTS),
  geo_distance: row('exact', GEO_DISTANCE_AGGREGATION, POINTS),
  geohash_grid: row('exact', GEOHASH_GRID_AGGREGATION, POINTS),
  filter: row('exact', FILTER_AGGREGATION),
  filters: row('exact', FILTERS_AGGREGATION),
  global: row('exact', GLOBAL_AGGREGATION),
  missing: row('exact', MISSING_AGGREGATION),
  nested: row('exact', NESTED_AGGREGATION),
  reverse_nested: row('exact', REVERSE_NESTED_AGGREGATION),
  scripted_metric: row('exact', null, `only ${FEW_DOCUMENTS}; scripts with [_score] are refused`),
  top_hits: row('refused', null, 'hits of buckets are not fetched'),
  significant_terms: row('refused', null, 'backgrounds are not counted'),
  children: row('refused', null, 'documents are not joined'),
};
