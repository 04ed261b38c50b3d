// The time that rendering hits may take.

import { untilDeadline } from '../../common/index';

/** How much time of a search is left for its hits, and whether it was enough. */
export class FetchTime {
  /** Something was left out, or left where a loop looked at the clock. */
  wasShort = false;

  /**
   * @param deadline in milliseconds of `clock`; null: there is no end
   */
  constructor(
    readonly deadline: number | null,
    readonly clock: () => number,
  ) {}

  /** Asked before something that would be left out. */
  isOver(): boolean {
    if (this.deadline !== null && this.clock() > this.deadline) this.wasShort = true;
    return this.wasShort;
  }

  /** What `work` makes; undefined when there is no time left for it, or not enough. */
  within<T>(work: () => T): T | undefined {
    if (this.isOver()) return undefined;
    let made: T | undefined;
    const isDone = untilDeadline(this.deadline, this.clock, () => {
      made = work();
    });
    if (!isDone) this.wasShort = true;
    return made;
  }
}
