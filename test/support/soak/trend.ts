// Where a series goes, whatever single values do.

/** A value at a time, in minutes. */
export type Sample = readonly [minute: number, value: number];

/** The median; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return NaN;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Growth per minute: the median of the slopes between any two samples (Theil and Sen). */
export function slope(samples: readonly Sample[]): number {
  const slopes: number[] = [];
  for (const [i, [minute, value]] of samples.entries()) {
    for (const [other, otherValue] of samples.slice(i + 1)) {
      if (other > minute) slopes.push((otherValue - value) / (other - minute));
    }
  }
  return slopes.length === 0 ? 0 : median(slopes);
}

/** Of each minute what `choose` says of its values: what comes and goes within it is left out. */
export function byMinute(
  samples: readonly Sample[],
  choose: (values: readonly number[]) => number,
): Sample[] {
  const minutes = new Map<number, number[]>();
  for (const [minute, value] of samples) {
    const whole = Math.floor(minute);
    const values = minutes.get(whole) ?? [];
    values.push(value);
    minutes.set(whole, values);
  }
  return [...minutes].map(([minute, values]) => [minute, choose(values)]);
}

/** The value below which 99 of 100 are. */
export function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? NaN;
}
