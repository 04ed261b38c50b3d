// Distributions of measured values: counts by fixed upper bounds, as monitoring systems add them up.

/** A histogram at one moment, as plain data. */
export interface HistogramStats {
  /** Upper bounds, inclusive and ascending; values above the last one are in a bucket of their own. */
  readonly bounds: readonly number[];
  /** Values in each bucket, not cumulative; one more than there are bounds. */
  readonly counts: readonly number[];
  readonly count: number;
  readonly sum: number;
}

/** Counts values by bucket. Adding one allocates nothing. */
export class Histogram {
  private readonly counts: Float64Array;
  private total = 0;

  /** @param bounds upper bounds, inclusive and ascending */
  constructor(private readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  /** Adds a value; `times` says how often it was seen. */
  add(value: number, times = 1): void {
    const { bounds, counts } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++;
    counts[bucket]! += times;
    this.total += value * times;
  }

  /** The histogram as it is now. */
  stats(): HistogramStats {
    const counts = Array.from(this.counts);
    const count = counts.reduce((sum, inBucket) => sum + inBucket, 0);
    return { bounds: this.bounds, counts, count, sum: this.total };
  }
}
