// Runs searches while there is room for what they hold.

import { type CancelSignal, leastOf } from '../../common/index';
import type { SegmentReader, ShardSnapshot } from '../../segment/index';
import type { SearchJob } from '../plan/executor';
import { searchMemory } from './search-memory';
import { SearchBudget } from './search-budget';

/** Lets searches begin as long as those that have begun are not expected to hold too much. */
export class BudgetedSearches {
  private readonly budget: SearchBudget;

  /**
   * @param limit bytes that they may be expected to hold together
   * @param open the segments of a shard
   */
  constructor(
    limit: number,
    private readonly open: (snapshot: ShardSnapshot) => readonly SegmentReader[],
  ) {
    this.budget = new SearchBudget(limit);
  }

  /** Searches that wait. */
  get waiting(): number {
    return this.budget.waiting;
  }

  /** @throws EngineError when it is cancelled while it waits; what `run` throws */
  run<T>(job: SearchJob, signal: CancelSignal | undefined, run: () => Promise<T>): Promise<T> {
    // A shard that was not reached in time is left out, so the first deadline is that of all.
    const deadline = leastOf(job.shards.map(({ planned }) => planned.deadline ?? Infinity));
    return this.budget.during(
      this.bytesOf(job),
      { deadline: deadline === Infinity ? null : deadline, signal },
      run,
    );
  }

  /** Gives up all that wait. */
  giveUp(): void {
    this.budget.giveUp();
  }

  private bytesOf(job: SearchJob): number {
    try {
      return searchMemory(job, this.open);
    } catch {
      // The search itself will say what is damaged.
      return 0;
    }
  }
}
