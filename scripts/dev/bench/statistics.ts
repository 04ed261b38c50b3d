// The few statistics the tables are made of.

/** The value at a share of the sorted samples (nearest rank); NaN without samples. @param share 0 to 1 */
export function percentile(samples: readonly number[], share: number): number {
  if (samples.length === 0) return NaN;
  const sorted = Float64Array.from(samples).sort();
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1]!;
}

/** The middle of the samples; NaN without samples. */
export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** Geometric mean of the positive, finite values among `values`; NaN when there are none. */
export function geometricMean(values: readonly number[]): number {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (!(value > 0) || !Number.isFinite(value)) continue;
    sum += Math.log(value);
    count++;
  }
  return count === 0 ? NaN : Math.exp(sum / count);
}
