// Aggregations: parsing, collecting, adding up and rendering; one file for each type.

export type {
  AggregationPartial,
  AggregationPlan,
  ReducedAggregation,
  Steps,
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
export { RunFailure, unknownMember } from './contract/values';
export { AggregationRun, type AggregatedSearch, isRepeatableCount } from './aggregation-run';
export { concluded, hasConclusion, needsWholeShard } from './finish';
export { AggregationRenderer, type PlannedPartial, reduceAggregation } from './merge-partials';
export { kindOf } from './registry';
export { NO_AGGREGATIONS, parseAggregations, type ParsedAggregations } from './parse-aggregations';
export { TOP_HITS_TYPE } from './metrics/top-hits';
