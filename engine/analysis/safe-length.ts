// Below which length nobody has to look at what analysis would make of a text.

import type { Analyzer } from './chain/analyzer';

/** Built-in analyzers make few tokens of a text, and no more than one of a character. */
const BUILT_IN_BYTES = 128;

/**
 * The largest length at which none of `analyzers`, nor a built-in one, can make more than `bytes` of tokens;
 * -1 when one of them cannot be used.
 */
export function safeLength(analyzers: Iterable<Analyzer>, bytes: number): number {
  let safe = Math.floor(bytes / BUILT_IN_BYTES);
  for (const analyzer of analyzers) {
    const { fault } = analyzer;
    if (fault !== undefined && fault !== null && fault.isHarmless !== true) return -1;
    safe = largestBelow(safe, (length) => (analyzer.largestSize?.(length) ?? 0) <= bytes);
  }
  return safe;
}

/** The largest number up to `most` for which `holds`, which holds for all below that. */
function largestBelow(most: number, holds: (n: number) => boolean): number {
  if (holds(most)) return most;
  let [low, high] = [0, most];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
