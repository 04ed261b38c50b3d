// The aggregation types, how OpenSearch counts them, and how exact that is.

import type { Verdict } from '../counting/verdict';
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
  /** Null: it is refused, because of what {@link but} says. */
  readonly translation: AggregationTranslation | null;
}

function row(
  is: Verdict['is'],
  translation: AggregationTranslation | null,
  but: string | null = null,
): AggregationRow {
  return { is, but, translation };
}

const SUMS = 'scripts are refused; sums of fractions may differ in the last digit';
const DISTINCT = 'more than 65,535 distinct values on a shard';
const ONE_POINT =
  'documents with several points are refused, and so are more than 65,535 points on a shard, and so are percentiles and [reverse_nested] below';

/** By the name of the type. */
export const AGGREGATIONS: Readonly<Record<string, AggregationRow>> = {
  min: row('exact', NUMBER_AGGREGATION, 'scripts are refused'),
  max: row('exact', NUMBER_AGGREGATION, 'scripts are refused'),
  sum: row('near', NUMBER_AGGREGATION, SUMS),
  avg: row('near', NUMBER_AGGREGATION, SUMS),
  stats: row('near', STATS_AGGREGATION, SUMS),
  extended_stats: row('near', STATS_AGGREGATION, SUMS),
  value_count: row('exact', VALUE_COUNT_AGGREGATION, 'scripts are refused'),
  cardinality: row('exact', CARDINALITY_AGGREGATION, `scripts are refused, and so are ${DISTINCT}`),
  percentiles: row(
    'near',
    PERCENTILES_AGGREGATION,
    `exact while a bucket has few distinct values; scripts are refused, and so are ${DISTINCT}`,
  ),
  percentile_ranks: row(
    'near',
    PERCENTILES_AGGREGATION,
    `exact while a bucket has few distinct values; scripts are refused, and so are ${DISTINCT}`,
  ),
  geo_bounds: row('exact', GEO_BOUNDS_AGGREGATION),
  terms: row(
    'exact',
    TERMS_AGGREGATION,
    `scripts are refused, and so are ${DISTINCT}; with [min_doc_count] 0 terms of deleted documents are shown until OpenSearch merges them away`,
  ),
  histogram: row('exact', HISTOGRAM_AGGREGATION, 'scripts are refused'),
  date_histogram: row(
    'exact',
    DATE_HISTOGRAM_AGGREGATION,
    "scripts are refused; time zones change as OpenSearch's Java knows it",
  ),
  range: row('exact', RANGES_AGGREGATION, 'scripts are refused'),
  date_range: row('exact', RANGES_AGGREGATION, 'scripts are refused'),
  ip_range: row('exact', RANGES_AGGREGATION, 'scripts are refused'),
  geo_distance: row('exact', GEO_DISTANCE_AGGREGATION, ONE_POINT),
  geohash_grid: row('exact', GEOHASH_GRID_AGGREGATION, ONE_POINT),
  filter: row('exact', FILTER_AGGREGATION),
  filters: row('exact', FILTERS_AGGREGATION),
  global: row('exact', GLOBAL_AGGREGATION),
  missing: row('exact', MISSING_AGGREGATION),
  nested: row('exact', NESTED_AGGREGATION),
  reverse_nested: row('exact', REVERSE_NESTED_AGGREGATION),
  top_hits: row('refused', null, 'hits of buckets are not fetched'),
  scripted_metric: row('refused', null, 'scripts do not run there'),
  significant_terms: row('refused', null, 'backgrounds are not counted'),
  children: row('refused', null, 'documents are not joined'),
};
