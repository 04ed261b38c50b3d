// How an aggregation type is counted by OpenSearch. Answers are read level by level, as facetd's aggregations
// work: what OpenSearch has of each bucket of the parent becomes arrays by that bucket.

import type {
  AggregationPartial,
  AggregationPlan,
  AggregationSpec,
} from '../../aggregations/index';
import type { JsonObject } from '../../json/index';
import type { Query } from '../../query/index';
import type { Aggs, CountContext } from '../counting/count-context';

/** What aggregations on a shard may know. */
export interface AggregationContext extends CountContext {
  /** What `global` sees; null: everything. */
  readonly scope: Query | null;
}

/** By bucket of the parent: what OpenSearch counted in it; null: it was not asked, or has nothing. */
export type Answers = readonly (JsonObject | null)[];

/** What stands below an aggregation. */
export interface Below {
  /** `{aggs: …}` for them, or nothing where there are none. @param context of the documents that they get */
  request(plan: AggregationPlan, context: AggregationContext): Aggs;
  /** Their partials. @param answers by bucket of the aggregation itself */
  read(plan: AggregationPlan, answers: Answers, context: AggregationContext): AggregationPartial[];
}

/** How an aggregation type is counted. */
export interface AggregationTranslation<S extends AggregationSpec = AggregationSpec> {
  /**
   * Null: there is nothing to be asked for.
   *
   * @throws EngineError ElasticsearchIllegalArgumentException for what cannot be had
   */
  request(plan: AggregationPlan<S>, context: AggregationContext, below: Below): Aggs | null;
  /** @throws EngineError where OpenSearch has more than can be read */
  read(
    plan: AggregationPlan<S>,
    answers: Answers,
    context: AggregationContext,
    below: Below,
  ): AggregationPartial;
}
