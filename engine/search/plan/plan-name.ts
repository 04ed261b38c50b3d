// What tells a plan from all others, for what is kept by plan.

import { hash } from 'node:crypto';
import { exactText } from '../../common/index';
import type { IndexPlan } from './search-plan';

/** Equal only for equal plans. Null: something in it cannot be told from others of its kind. */
export function planName(plan: IndexPlan): string | null {
  try {
    return hash('sha256', exactText(plan), 'base64');
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
