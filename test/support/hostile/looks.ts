// How late an event loop was found at many looks, put together.

/** Milliseconds, and at how many looks it was late by so many. */
export type DelayCounts = readonly (readonly [ms: number, count: number])[];

/** Looks of several stretches of time. */
export class Looks {
  private readonly counts = new Map<number, number>();
  count = 0;

  /** Adds those of one stretch. */
  add(delays: DelayCounts): void {
    for (const [ms, count] of delays) {
      this.counts.set(ms, (this.counts.get(ms) ?? 0) + count);
      this.count += count;
    }
  }

  /** At 99 of 100 looks it was late by this or less. */
  p99Ms(): number {
    let below = 0;
    for (const [ms, count] of [...this.counts].sort(([a], [b]) => a - b)) {
      below += count;
      if (below >= 0.99 * this.count) return ms;
    }
    return 0;
  }

  /** The latest. */
  maxMs(): number {
    return [...this.counts.keys()].reduce((most, ms) => Math.max(most, ms), 0);
  }
}
