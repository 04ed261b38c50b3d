// The orders of a terms_stats facet and choosing the first terms by one of them (reference server).

import { type BucketStats, type KeyList, PositionHeap, type Compare } from '../../counting/index';
import { compareNumbers } from '../terms/number-order';
import type { StatsOrder } from './terms-stats-spec';

/**
 * Positions of the first `size` terms (0: all), first one first. By `count` and by term the greater or the
 * smaller one comes first, `min` begins with the smallest, the others with the largest; a reversed order is
 * the exact mirror image.
 *
 * @param terms null: terms ascend with their positions
 */
export function topStats(
  terms: BigInt64Array | Float64Array | null,
  stats: BucketStats,
  order: StatsOrder,
  size: number,
): number[] {
  const n = stats.counts.length;
  const heap = new PositionHeap(
    size === 0 ? n : Math.min(size, n),
    precedence(terms, stats, order),
  );
  for (let i = 0; i < n; i++) heap.offer(i);
  return heap.drain();
}

/** The terms to compare; null where positions do. */
export function numberTerms(terms: KeyList): BigInt64Array | Float64Array | null {
  return terms.type === 'string' ? null : terms.values;
}

function precedence(
  terms: BigInt64Array | Float64Array | null,
  stats: BucketStats,
  { by, reverse }: StatsOrder,
): Compare {
  const byTerm = terms === null ? (a: number, b: number) => a - b : compareNumbers(terms);
  const { counts } = stats;
  const byCount: Compare = (a, b) => counts[a]! - counts[b]! || byTerm(a, b);
  const forward = ((): Compare => {
    switch (by) {
      case 'count':
        return byCount;
      case 'term':
        return (a, b) => byTerm(b, a);
      case 'min':
        return (a, b) => compare(stats.mins[b]!, stats.mins[a]!) || byCount(a, b);
      case 'max':
        return (a, b) => compare(stats.maxs[a]!, stats.maxs[b]!) || byCount(a, b);
      case 'total':
        return (a, b) => compare(stats.totals[a]!, stats.totals[b]!) || byCount(a, b);
      case 'mean':
        return (a, b) => compare(meanOf(stats, a), meanOf(stats, b)) || byCount(a, b);
    }
  })();
  return reverse ? (a, b) => -forward(a, b) : forward;
}

/** The mean of a bucket; 0 where there are no values. */
export function meanOf({ totals, totalCounts }: BucketStats, at: number): number {
  return totalCounts[at] === 0 ? 0 : totals[at]! / totalCounts[at]!;
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
