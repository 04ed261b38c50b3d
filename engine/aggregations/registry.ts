// The table of aggregation types. A new type is one file and one line here.

import type { AggregationKind } from './contract/aggregation';
import { CHILDREN_AGGREGATION } from './buckets/children';
import { DATE_HISTOGRAM_AGGREGATION } from './buckets/date-histogram';
import { DATE_RANGE_AGGREGATION } from './buckets/date-range';
import { FILTER_AGGREGATION } from './buckets/filter';
import { FILTERS_AGGREGATION } from './buckets/filters';
import { GEO_DISTANCE_AGGREGATION } from './buckets/geo-distance';
import { GEOHASH_GRID_AGGREGATION } from './buckets/geohash-grid';
import { GLOBAL_AGGREGATION } from './buckets/global';
import { HISTOGRAM_AGGREGATION } from './buckets/histogram';
import { IP_RANGE_AGGREGATION } from './buckets/ip-range';
import { MISSING_AGGREGATION } from './buckets/missing';
import { NESTED_AGGREGATION, REVERSE_NESTED_AGGREGATION } from './buckets/nested';
import { RANGE_AGGREGATION } from './buckets/range';
import { SIGNIFICANT_TERMS_AGGREGATION } from './buckets/significant-terms';
import { TERMS_AGGREGATION } from './buckets/terms';
import { CARDINALITY_AGGREGATION } from './metrics/cardinality';
import { GEO_BOUNDS_AGGREGATION } from './metrics/geo-bounds';
import { PERCENTILE_RANKS_AGGREGATION, PERCENTILES_AGGREGATION } from './metrics/percentiles';
import { SCRIPTED_METRIC_AGGREGATION } from './metrics/scripted-metric';
import {
  AVG_AGGREGATION,
  MAX_AGGREGATION,
  MIN_AGGREGATION,
  SUM_AGGREGATION,
} from './metrics/single-numbers';
import { EXTENDED_STATS_AGGREGATION, STATS_AGGREGATION } from './metrics/stats';
import { TOP_HITS_AGGREGATION } from './metrics/top-hits';
import { VALUE_COUNT_AGGREGATION } from './metrics/value-count';

const KINDS: readonly AggregationKind[] = [
  MIN_AGGREGATION,
  MAX_AGGREGATION,
  SUM_AGGREGATION,
  AVG_AGGREGATION,
  STATS_AGGREGATION,
  EXTENDED_STATS_AGGREGATION,
  VALUE_COUNT_AGGREGATION,
  TOP_HITS_AGGREGATION,
  CARDINALITY_AGGREGATION,
  PERCENTILES_AGGREGATION,
  PERCENTILE_RANKS_AGGREGATION,
  GEO_BOUNDS_AGGREGATION,
  SCRIPTED_METRIC_AGGREGATION,
  TERMS_AGGREGATION,
  SIGNIFICANT_TERMS_AGGREGATION,
  HISTOGRAM_AGGREGATION,
  DATE_HISTOGRAM_AGGREGATION,
  RANGE_AGGREGATION,
  DATE_RANGE_AGGREGATION,
  IP_RANGE_AGGREGATION,
  GEO_DISTANCE_AGGREGATION,
  GEOHASH_GRID_AGGREGATION,
  FILTER_AGGREGATION,
  FILTERS_AGGREGATION,
  GLOBAL_AGGREGATION,
  MISSING_AGGREGATION,
  NESTED_AGGREGATION,
  REVERSE_NESTED_AGGREGATION,
  CHILDREN_AGGREGATION,
];

const BY_TYPE: ReadonlyMap<string, AggregationKind> = new Map(
  KINDS.map((kind) => [kind.type, kind]),
);

/** The aggregation type that a request calls `name`. */
export function kindNamed(name: string): AggregationKind | undefined {
  return BY_TYPE.get(name);
}

/** What requests may call aggregation types. */
export const AGGREGATION_NAMES: readonly string[] = [...BY_TYPE.keys()];

/** The aggregation type of a plan. */
export function kindOf(type: string): AggregationKind {
  const kind = BY_TYPE.get(type);
  if (kind === undefined) throw new TypeError(`no aggregation kind ${type}`);
  return kind;
}
