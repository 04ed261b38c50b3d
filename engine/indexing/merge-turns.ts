// Who goes on next on the thread of the indexer: builds, which a refresh waits for, or merges.
//
// Merges stand back while something is built, but never altogether: under a steady load of writes segments
// would pile up otherwise.

/** A merge goes on after waiting this long for builds to end, in milliseconds. */
const PATIENCE_MS = 40;

/** Lets timers, messages and acknowledgements run before the next turn of work. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export class MergeTurns {
  private builds = 0;
  /** Merges waiting for the last build to end. */
  private waiting: (() => void)[] = [];

  /** Runs a build; merges stand back until it settles. */
  async build<T>(work: () => Promise<T>): Promise<T> {
    this.builds++;
    try {
      return await work();
    } finally {
      if (--this.builds === 0) for (const go of this.waiting.splice(0)) go();
    }
  }

  /** Resolves when a merge may do its next step (about 10 ms of work). */
  async next(): Promise<void> {
    await breathe();
    if (this.builds === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PATIENCE_MS);
      this.waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
