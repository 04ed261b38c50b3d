// What a search is for the shards of one index: a plan, or why there is none.

import type { Progress } from './errors';
import type { FetchPlan, IndexPlan } from './search-plan';
import type { ShardFailure } from '../../api/index';

/** What one index contributes to a search, or why it cannot. */
export type PlannedIndex =
  | {
      readonly plan: IndexPlan;
      /** What tells the plan from all others, where it is known already. */
      readonly name?: string;
      readonly fetch: FetchPlan;
      readonly page: Progress;
      readonly timeout: number;
    }
  | { readonly fail: (shard: number) => ShardFailure };
