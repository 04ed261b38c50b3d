// Aggregations: parsing, collecting, adding up and rendering; one file for each type.

export {
  type AggregationPartial,
  type AggregationPlan,
  type AggregationSpec,
  type BucketMap,
  NO_BUCKET,
  type ReducedAggregation,
  type SlottedBuckets,
  type Steps,
} from './contract/aggregation';
export type {
  BucketHit,
  BucketHitsCollector,
  BucketHitsData,
  BucketHitsSpec,
  HitsFinder,
  HitsPlace,
  ParseHits,
} from './contract/hits';
export type { DocCounts } from './contract/merging';
export type { NestedSpec } from './contract/nested-path';
export { RunFailure, unknownMember, type ValuesSpec } from './contract/values';
export { AggregationRun, type AggregatedSearch, isRepeatableCount } from './aggregation-run';
export { concluded, hasConclusion, needsWholeShard } from './finish';
export {
  AggregationRenderer,
  mergePlaced,
  type PlacedPartial,
  type PlannedPartial,
  reduceAggregation,
} from './merge-partials';
export { kindOf } from './registry';
export { NO_AGGREGATIONS, parseAggregations, type ParsedAggregations } from './parse-aggregations';
export { TOP_HITS_TYPE } from './metrics/top-hits';
export type { DateHistogramSpec } from './buckets/date-histogram';
export type { FilterSpec } from './buckets/filter';
export type { FiltersSpec } from './buckets/filters';
export type { GeoDistanceSpec } from './buckets/geo-distance';
export type { Cells, GeohashGridSpec } from './buckets/geohash-grid';
export type { NumberHistogramSpec } from './buckets/histogram';
export type { HistogramEnds } from './buckets/histograms';
export type { KeyedBuckets } from './buckets/keyed-buckets';
export type { MissingSpec } from './buckets/missing';
export type { NumberRangesSpec } from './buckets/number-ranges';
export type { RangesSpec } from './buckets/ranges';
export type { TermsData, TermsSpec } from './buckets/terms';
export { choiceTest } from './buckets/terms-members';
export { keyTypeOf } from './contract/key-source';
export type { CardinalitySpec } from './metrics/cardinality';
export { type DigestData, DigestTable } from './metrics/digest-table';
export { type DistinctData, DistinctTable } from './metrics/distinct-table';
export type { BoundsByBucket, GeoBoundsSpec } from './metrics/geo-bounds';
export { hashBits, hashDouble, hashed, hashPoint, hashText } from './metrics/hashes';
export type { MetricSpec } from './metrics/metric';
export type { NumbersByBucket } from './metrics/number-table';
export type { PercentilesSpec } from './metrics/percentiles';
export type { StatsSpec } from './metrics/stats';
