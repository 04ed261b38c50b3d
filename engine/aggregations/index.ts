// Aggregations: parsing, collecting, adding up and rendering; one file for each type.

export type { AggregationPartial, AggregationPlan } from './contract/aggregation';
export { AggregationRun, type AggregatedSearch } from './aggregation-run';
export { AggregationRenderer, type PlannedPartial, reduceAggregation } from './merge-partials';
export { NO_AGGREGATIONS, parseAggregations, type ParsedAggregations } from './parse-aggregations';
