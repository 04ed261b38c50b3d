// What a stage of rescoring made of a score.

import { type Explanation, factor } from '../../query/index';
import { combinedScore, type RescorePlan } from '../plan/rescore-plan';

const f = Math.fround;

const MODE_NAMES: { readonly [Mode in RescorePlan['mode']]: string } = {
  total: 'sum',
  multiply: 'product',
  avg: 'avg',
  max: 'max',
  min: 'min',
};

/** The score of a hit by two queries. compat: whether or not the hit was among those that were rescored. */
export function explainRescored(
  first: Explanation,
  second: Explanation,
  plan: RescorePlan,
): Explanation {
  const primary = weighted(first, plan.queryWeight, 'primaryWeight');
  if (!second.isMatch) return primary;
  const secondary = weighted(second, plan.rescoreWeight, 'secondaryWeight');
  const value = combinedScore(plan.mode, primary.value, secondary.value);
  return {
    ...factor(value, `${MODE_NAMES[plan.mode]} of:`, [primary, secondary]),
    isMatch: primary.isMatch,
  };
}

function weighted(score: Explanation, weight: number, name: string): Explanation {
  const parts = [score, factor(weight, name)];
  return { ...factor(f(score.value * f(weight)), 'product of:', parts), isMatch: score.isMatch };
}
