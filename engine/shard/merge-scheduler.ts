// Which job the indexer thread runs next: builds, which a refresh waits for, or merges.
//
// While something is built merges take every other stretch of time at most: a build waits for one step of a
// merge, and merges end also under a steady load of writes, where segments would pile up otherwise. Merges
// take turns, so that a small one is not held up by a huge one.

/** Gives builds and merges their turns. */
export class MergeScheduler {
  private builds = 0;
  /** Merges that want to go on, in the order in which they asked. */
  private readonly waiting: (() => void)[] = [];
  /** Cancels the wake-up that is under way; null: none is. */
  private cancel: (() => void) | null = null;
  /** Until then it is the builds' turn, if there are any: as long as the last step took. */
  private restUntil = 0;

  /** Runs a build; merges stand back until it settles, or their turn has come. */
  async build<T>(work: () => Promise<T>): Promise<T> {
    this.builds++;
    this.wakeNext();
    try {
      return await work();
    } finally {
      this.builds--;
      this.wakeNext();
    }
  }

  /** Runs a step of a merge (a few milliseconds of work) when it may go on. */
  async step<T>(work: () => T): Promise<T> {
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
      if (this.cancel === null) this.wakeNext();
    });
    const started = performance.now();
    try {
      return work();
    } finally {
      const now = performance.now();
      this.restUntil = now + (now - started);
      this.wakeNext();
    }
  }

  /** Plans when the first merge that waits goes on. */
  private wakeNext(): void {
    this.cancel?.();
    this.cancel = null;
    if (this.waiting.length === 0) return;
    const wake = (): void => {
      this.cancel = null;
      this.waiting.shift()!();
    };
    const rest = this.builds === 0 ? 0 : this.restUntil - performance.now();
    if (rest > 0) {
      const timer = setTimeout(wake, rest);
      this.cancel = () => clearTimeout(timer);
    } else {
      const immediate = setImmediate(wake);
      this.cancel = () => clearImmediate(immediate);
    }
  }
}
