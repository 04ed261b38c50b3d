// The four orders of a terms facet, with their rules for equal counts (reference server), and choosing the
// first entries by one of them.

import { PositionHeap, type Compare } from '../../counting/index';
import { readUtf8 } from '../../segment/index';
import { compareNumbers } from './number-order';
import {
  entriesNeeded,
  leastCount,
  type CountedTerms,
  type CountedText,
  type TermsOrder,
  type TermsSpec,
} from './terms-spec';

/**
 * Positions of the terms that are shown, first one first, by the order asked for. What may not be shown at
 * all is not in `counted`.
 *
 * Of equal counts the greater term comes first under `count`, the smaller one under `reverse_count`.
 */
export function topPositions(counted: CountedTerms, spec: TermsSpec): number[] {
  const { counts } = counted;
  const { order, from } = spec;
  const needed = Math.min(entriesNeeded(spec), counts.length);
  const heap = new PositionHeap(needed, qualityOf(counted, order));
  const least = leastCount(spec);
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i]!;
    if (count < least) continue;
    if (heap.isFull) {
      // Most do not get further.
      if (needed === 0) break;
      const last = counts[heap.last]!;
      if (order === 'count' ? count < last : order === 'reverse_count' && count > last) continue;
    }
    heap.offer(i);
  }
  return heap.drain().slice(from);
}

/** How many terms an answer without `size` would show. */
export function entriesOf({ counts }: CountedTerms, spec: TermsSpec): number {
  const least = leastCount(spec);
  let entries = 0;
  for (let i = 0; i < counts.length; i++) if (counts[i]! >= least) entries++;
  return entries;
}

/** The text of a term at a position. */
export function termText(counted: CountedText, at: number): string {
  return readUtf8(counted.text, counted.starts[at]!, counted.starts[at + 1]!);
}

function qualityOf(counted: CountedTerms, order: TermsOrder): Compare {
  const { counts } = counted;
  const terms = compareTerms(counted);
  switch (order) {
    case 'count':
      return (a, b) => counts[a]! - counts[b]! || terms(a, b);
    case 'reverse_count':
      return (a, b) => counts[b]! - counts[a]! || terms(b, a);
    case 'term':
      return (a, b) => terms(b, a);
    case 'reverse_term':
      return terms;
  }
}

function compareTerms(counted: CountedTerms): Compare {
  // Texts stand in order.
  return counted.type === 'string' ? (a, b) => a - b : compareNumbers(counted.terms);
}
