// The aggregations of a search as those of OpenSearch, tree by tree.

import type {
  AggregatedSearch,
  AggregationPartial,
  AggregationPlan,
} from '../../aggregations/index';
import type { JsonObject } from '../../json/index';
import { partOf } from '../counting/answers';
import type { Aggs, CountContext } from '../counting/count-context';
import { unsupported } from '../queries/clause-context';
import type { AggregationContext, AggregationTranslation, Answers, Below } from './contract';
import { AGGREGATIONS } from './table';
import { named } from './values';

/** @throws EngineError ElasticsearchIllegalArgumentException for what cannot be had */
export function aggregationAggs(plan: AggregatedSearch, context: CountContext): Aggs {
  return aggsOf(plan.aggregations, 'a', { ...context, scope: plan.scope });
}

/** What {@link aggregationAggs} asked of a shard, as its aggregations. @throws EngineError */
export function readAggregations(
  plan: AggregatedSearch,
  answer: JsonObject | null,
  context: CountContext,
): AggregationPartial[] {
  return readAll(plan.aggregations, 'a', [answer], { ...context, scope: plan.scope });
}

const BELOW: Below = {
  request: ({ subs }, context) => {
    const aggs = aggsOf(subs, 's', context);
    return Object.keys(aggs).length === 0 ? {} : { aggs };
  },
  read: ({ subs }, answers, context) => readAll(subs, 's', answers, context),
};

function translationOf({ type }: AggregationPlan): AggregationTranslation {
  const found = AGGREGATIONS[type];
  if (found?.translation != null) return found.translation;
  throw unsupported(named(type), found?.but ?? 'there is no such aggregation');
}

/** @param letter names begin with it, and are told apart by numbers */
function aggsOf(
  plans: readonly AggregationPlan[],
  letter: string,
  context: AggregationContext,
): Aggs {
  const aggs: Record<string, Aggs> = {};
  plans.forEach((plan, i) => {
    const agg = translationOf(plan).request(plan, context, BELOW);
    if (agg !== null) aggs[`${letter}${i}`] = agg;
  });
  return aggs;
}

function readAll(
  plans: readonly AggregationPlan[],
  letter: string,
  answers: Answers,
  context: AggregationContext,
): AggregationPartial[] {
  return plans.map((plan, i) => {
    const own = answers.map((answer) => partOf(answer, `${letter}${i}`));
    return translationOf(plan).read(plan, own, context, BELOW);
  });
}
