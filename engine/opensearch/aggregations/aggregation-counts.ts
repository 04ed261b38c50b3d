// The aggregations of a search as those of OpenSearch, tree by tree.

import type {
  AggregatedSearch,
  AggregationPartial,
  AggregationPlan,
} from '../../aggregations/index';
import type { JsonObject } from '../../json/index';
import { partOf } from '../transport/answers';
import {
  type Aggs,
  type Choose,
  chooseAll,
  type CountContext,
  type TermsAsked,
} from '../counting/count-context';
import { unsupported } from '../layout/unsupported';
import type { AggregationContext, AggregationTranslation, Answers, Below } from './contract';
import { AGGREGATIONS } from './table';
import { named } from './values';

/**
 * @param choose says of which terms those at the top have buckets
 * @throws EngineError ElasticsearchIllegalArgumentException for what cannot be had
 */
export function aggregationAggs(
  plan: AggregatedSearch,
  context: CountContext,
  choose: Choose = chooseAll,
): Aggs {
  return aggsOf(plan.aggregations, 'a', { ...context, scope: plan.scope }, choose);
}

/** What OpenSearch has of aggregation `a`. @param choice of which terms it has buckets @throws EngineError */
export function readAggregation(
  plan: AggregatedSearch,
  a: number,
  answer: JsonObject | null,
  context: CountContext,
  choice?: TermsAsked,
): AggregationPartial {
  const aggregation = plan.aggregations[a]!;
  const own = { ...context, scope: plan.scope, choice };
  const answers = [partOf(answer, `a${a}`)];
  return translationOf(aggregation).read(aggregation, answers, own, BELOW);
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
  choose: Choose = chooseAll,
): Aggs {
  const aggs: Record<string, Aggs> = {};
  plans.forEach((plan, i) => {
    const choice = choose(`${letter}${i}`);
    if (choice === null) return;
    const agg = translationOf(plan).request(plan, { ...context, choice }, BELOW);
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
  const whole = { ...context, choice: undefined };
  return plans.map((plan, i) => {
    const own = answers.map((answer) => partOf(answer, `${letter}${i}`));
    return translationOf(plan).read(plan, own, whole, BELOW);
  });
}
