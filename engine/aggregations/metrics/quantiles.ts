// What a digest says of its values (reference server): the value below which a share of them is, and the
// share of them that is below a value.

import type { DigestData } from './digest-table';

/**
 * The value at a share q of the values of a bucket, by linear interpolation: between neighbours in the
 * sorted list of values, or between the middles of groups where values were merged. NaN: there are none.
 */
export function quantileOf(data: DigestData, bucket: number, q: number): number {
  const { starts, weights, means, isMerged } = data;
  const start = starts[bucket] ?? 0;
  const end = starts[bucket + 1] ?? start;
  if (start === end) return NaN;
  const index = q * (countOf(data, bucket) - 1);
  let g = start;
  let before = 0;
  if (isMerged[bucket] === 1) return amongGroups(data, start, end, index);
  const whole = Math.floor(index);
  while (g + 1 < end && before + weights[g]! <= whole) before += weights[g++]!;
  const isSame = whole + 1 < before + weights[g]! || g + 1 === end;
  return between(whole, index, whole + 1, means[g]!, isSame ? means[g]! : means[g + 1]!);
}

/** Between the middles of the groups [start, end), of which there are several. */
function amongGroups(
  { means, weights }: DigestData,
  start: number,
  end: number,
  index: number,
): number {
  let from = (weights[start]! - 1) / 2;
  let g = start;
  let to = from;
  // What is before the first middle, or behind the last one, is where the nearest two let expect it.
  do {
    from = to;
    to += (weights[g]! + weights[g + 1]!) / 2;
    g++;
  } while (to < index && g + 1 < end);
  return between(from, index, to, means[g - 1]!, means[g]!);
}

function between(from: number, at: number, to: number, low: number, high: number): number {
  const distance = to - from;
  return low * ((to - at) / distance) + high * ((at - from) / distance);
}

function countOf({ starts, weights }: DigestData, bucket: number): number {
  let count = 0;
  for (let g = starts[bucket]!; g < starts[bucket + 1]!; g++) count += weights[g]!;
  return count;
}

/**
 * The share of the values of a bucket that is below a value, from 0 to 1. NaN: there are none.
 *
 * compat: the reference spreads each value half way to its neighbours, and forgets the last but one where
 * it comes to the last.
 */
export function rankOf(data: DigestData, bucket: number, value: number): number {
  const { means, weights } = separated(data, bucket);
  const n = means.length;
  if (n === 0) return NaN;
  if (n === 1) return value < means[0]! ? 0 : 1;
  const count = countOf(data, bucket);
  let below = 0;
  let left = (means[1]! - means[0]!) / 2;
  let right = left;
  const share = (i: number) => {
    const part = (value - means[i]! + left) / (left + right);
    return Math.min(1, Math.max(0, (below + weights[i]! * part) / count));
  };
  for (let i = 0; i + 2 < n; i++) {
    if (value < means[i]! + right) return share(i);
    below += weights[i]!;
    left = right;
    right = (means[i + 2]! - means[i + 1]!) / 2;
  }
  left = right;
  return value < means[n - 1]! + right ? share(n - 1) : 1;
}

/** The groups of a bucket; of equal values the first and the last stand for themselves. */
function separated({ starts, means, weights, isMerged }: DigestData, bucket: number) {
  const of = { means: [] as number[], weights: [] as number[] };
  const add = (mean: number, weight: number) => {
    of.means.push(mean);
    of.weights.push(weight);
  };
  const end = starts[bucket + 1] ?? 0;
  for (let g = starts[bucket] ?? end; g < end; g++) {
    const weight = weights[g]!;
    if (isMerged[bucket] === 1 || weight === 1) add(means[g]!, weight);
    else {
      add(means[g]!, 1);
      if (weight > 2) add(means[g]!, weight - 2);
      add(means[g]!, 1);
    }
  }
  return of;
}
