// The most frequent terms over several segments without adding up whole dictionaries.
//
// Each segment names its most frequent terms. What a segment did not name cannot have more there than its
// cut-off count, which bounds every term from above; sums of named counts bound it from below. Only the
// terms that these bounds leave in the race are looked up in the segments that did not name them. Once
// enough of them lie above what a term may have that nobody named, the answer is proven; otherwise more
// terms are named, and in the end the caller falls back to adding everything up. Where counts are skewed,
// the first round does.

import { PositionHeap, compareTerms, termKey, type Term } from '../../counting/index';
import type { TermWithCount } from './counted-terms';
import type { SegmentTerms } from './segment-terms';

/** Terms named beyond the wanted ones, in the first round; grows by {@link GROWTH} in each further one. */
const FIRST_MARGIN = 8;
const GROWTH = 4;
const ROUNDS = 3;
/** What naming a term costs, and what looking one up costs, in terms added up in sequence. */
const NAMING_COST = 8;
const LOOKUP_COST = 24;

/**
 * The `size` most frequent terms that may be shown (count descending, then term descending). Null: not worth
 * it or not proven, add everything up instead.
 */
export function topTerms(
  segments: readonly SegmentTerms[],
  size: number,
): readonly TermWithCount[] | null {
  let all = 0;
  for (const segment of segments) all += segment.counts.length;
  let margin = FIRST_MARGIN;
  for (let round = 0; round < ROUNDS; round++, margin *= GROWTH) {
    const naming = size + margin;
    if (naming * segments.length * NAMING_COST > all) return null;
    const proven = tryRound(segments, size, naming, all / LOOKUP_COST);
    if (proven !== null) return proven;
  }
  return null;
}

interface Candidate {
  readonly term: Term;
  /** What the segments that named it have of it. */
  count: number;
  /** How much more the others may have. */
  open: number;
  /** Segments that named it. */
  readonly named: number[];
}

function tryRound(
  segments: readonly SegmentTerms[],
  size: number,
  naming: number,
  lookups: number,
): readonly TermWithCount[] | null {
  const named = segments.map((segment) => nameTerms(segment, naming));
  let bound = 0;
  for (const { bound: own } of named) bound += own;
  const candidates = new Map<Term, Candidate>();
  named.forEach(({ entries, bound: own }, i) => {
    for (const [ordinal, count] of entries) {
      const term = segments[i]!.terms.termAt(ordinal);
      let candidate = candidates.get(termKey(term));
      if (candidate === undefined) {
        candidate = { term, count: 0, open: bound, named: [] };
        candidates.set(termKey(term), candidate);
      }
      candidate.count += count;
      candidate.open -= own;
      candidate.named.push(i);
    }
  });
  const byCount = [...candidates.values()].sort((a, b) => b.count - a.count);
  const least = byCount[size - 1]?.count ?? 0;
  const race = byCount.filter(({ count, open }) => count + open >= least);
  let needed = 0;
  for (const { open, named: by } of race) if (open > 0) needed += segments.length - by.length;
  if (needed > lookups) return null;
  for (const candidate of race) {
    if (candidate.open === 0) continue;
    for (let i = 0; i < segments.length; i++) {
      if (named[i]!.bound > 0 && !candidate.named.includes(i))
        candidate.count += countOf(segments[i]!, candidate.term);
    }
  }
  race.sort((a, b) => b.count - a.count || compareTerms(b.term, a.term));
  const last = race[size - 1];
  // An unnamed term with as many might be the greater one of the two.
  const isProven = bound === 0 || (last !== undefined && last.count > bound);
  return isProven ? race.slice(0, size).map(({ term, count }) => [term, count]) : null;
}

/** A segment's most frequent ordinals with their counts, and the highest count any other one may have. */
function nameTerms(
  { counts, ordinals, filter }: SegmentTerms,
  limit: number,
): { entries: (readonly [ordinal: number, count: number])[]; bound: number } {
  if (limit === 0) return { entries: [], bound: Infinity };
  const heap = new PositionHeap(limit, (a, b) => counts[a]! - counts[b]! || a - b);
  let bar = 0;
  let bound = 0;
  // Backwards: of equal counts those that come up first are the better ones.
  for (let i = counts.length - 1; i >= 0; i--) {
    const count = counts[i]!;
    if (count <= bar) {
      if (count > bound) bound = count;
      continue;
    }
    if (filter !== null && !filter.accepts(ordinals === null ? i : ordinals[i]!)) continue;
    if (heap.isFull) bound = bar;
    heap.offer(i);
    if (heap.isFull) bar = counts[heap.last]!;
  }
  const entries = heap.kept.map((i) => [ordinals === null ? i : ordinals[i]!, counts[i]!] as const);
  return { entries, bound };
}

function countOf(segment: SegmentTerms, term: Term): number {
  const ordinal = segment.terms.ordinalOf(term);
  if (ordinal < 0) return 0;
  if (segment.ordinals === null) return segment.counts[ordinal]!;
  const at = indexOf(segment.ordinals, ordinal);
  return at < 0 ? 0 : segment.counts[at]!;
}

function indexOf(sorted: Uint32Array, wanted: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = sorted[middle]!;
    if (value === wanted) return middle;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
