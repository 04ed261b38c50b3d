// The first terms of a single segment by any order. Ordinals stand in term order, so that no term is looked
// at but those that are kept. Hot: looks at every count.

import { PositionHeap } from '../../counting/index';
import type { TermWithCount } from './counted-terms';
import type { SegmentTerms } from './segment-terms';
import { leastCount, type TermsSpec } from './terms-spec';

/** The first `needed` terms of a segment that may be shown, in no particular order. */
export function topOfSegment(
  segment: SegmentTerms,
  spec: TermsSpec,
  needed: number,
): TermWithCount[] {
  const { terms, ordinals, counts } = segment;
  return topOrdinals(segment, spec, Math.min(needed, counts.length)).map((at) => {
    const ordinal = ordinals === null ? at : ordinals[at]!;
    return [terms.termAt(ordinal), counts[at]!];
  });
}

/** How many terms of a segment may be shown. */
export function entriesOfSegment(
  { ordinals, counts, filter }: SegmentTerms,
  spec: TermsSpec,
): number {
  const least = leastCount(spec);
  let entries = 0;
  for (let i = 0; i < counts.length; i++) {
    if (counts[i]! < least) continue;
    if (filter === null || filter.accepts(ordinals === null ? i : ordinals[i]!)) entries++;
  }
  return entries;
}

/** Indexes into the counts, in no particular order. */
export function topOrdinals(
  segment: SegmentTerms,
  spec: TermsSpec,
  needed: number,
): readonly number[] {
  if (needed === 0) return [];
  const least = leastCount(spec);
  switch (spec.order) {
    case 'count':
      return mostFrequent(segment, least, needed);
    case 'reverse_count':
      return leastFrequent(segment, least, needed);
    case 'term':
      return inOrder(segment, least, needed, 0, 1);
    case 'reverse_term':
      return inOrder(segment, least, needed, segment.counts.length - 1, -1);
  }
}

function mostFrequent(
  { ordinals, counts, filter }: SegmentTerms,
  least: number,
  needed: number,
): readonly number[] {
  const heap = new PositionHeap(needed, (a, b) => counts[a]! - counts[b]! || a - b);
  let bar = least - 1;
  // Backwards: of equal counts those that come up first are the better ones.
  for (let i = counts.length - 1; i >= 0; i--) {
    if (counts[i]! <= bar) continue;
    if (filter !== null && !filter.accepts(ordinals === null ? i : ordinals[i]!)) continue;
    heap.offer(i);
    if (heap.isFull) bar = counts[heap.last]!;
  }
  return heap.kept;
}

function leastFrequent(
  { ordinals, counts, filter }: SegmentTerms,
  least: number,
  needed: number,
): readonly number[] {
  const heap = new PositionHeap(needed, (a, b) => counts[b]! - counts[a]! || b - a);
  let bar = Infinity;
  for (let i = 0; i < counts.length; i++) {
    if (counts[i]! >= bar || counts[i]! < least) continue;
    if (filter !== null && !filter.accepts(ordinals === null ? i : ordinals[i]!)) continue;
    heap.offer(i);
    if (heap.isFull) bar = counts[heap.last]!;
  }
  return heap.kept;
}

/** Stops when enough are found. */
function inOrder(
  { ordinals, counts, filter }: SegmentTerms,
  least: number,
  needed: number,
  first: number,
  step: 1 | -1,
): number[] {
  const found: number[] = [];
  for (let i = first; i >= 0 && i < counts.length && found.length < needed; i += step) {
    if (counts[i]! < least) continue;
    if (filter === null || filter.accepts(ordinals === null ? i : ordinals[i]!)) found.push(i);
  }
  return found;
}
