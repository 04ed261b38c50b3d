// Lists of counted terms: made from what segments counted, and added up over segments, shards and indices.

import { type Term, TypeConflict, ValueTable } from '../../counting/index';
import { formatDouble } from '../../json/index';
import type { SegmentTerms } from './segment-terms';
import { termText } from './terms-order';
import type { CountedTerms, CountedText, TermType } from './terms-spec';
import { TextCounter } from './text-counter';
import { mergeStreams, streamOfList, streamOfSegment } from './text-merge';

/** A term with its count over everything that was looked at. */
export type TermWithCount = readonly [term: Term, count: number];

/** A list of distinct terms in any order. */
export function collectTerms(type: TermType, terms: readonly TermWithCount[]): CountedTerms {
  if (type === 'string') {
    const sums = new TextCounter();
    for (const [term, count] of terms) sums.add(term as string, count);
    return sums.result();
  }
  const counts = Uint32Array.from(terms, ([, count]) => count);
  return type === 'long'
    ? { type, terms: BigInt64Array.from(terms, ([term]) => term as bigint), counts }
    : { type, terms: Float64Array.from(terms, ([term]) => term as number), counts };
}

/** Adds up all terms of segments that may be shown; `includeZero`: also those that nothing in scope has. */
export function addUp(
  type: TermType,
  segments: readonly SegmentTerms[],
  includeZero: boolean,
): CountedTerms {
  if (type === 'string')
    return mergeStreams(segments.map((segment) => streamOfSegment(segment, includeZero)));
  const sums = new ValueTable(type);
  for (const { terms, ordinals, counts, filter } of segments) {
    for (let i = 0; i < counts.length; i++) {
      if (counts[i] === 0 && !includeZero) continue;
      const ordinal = ordinals === null ? i : ordinals[i]!;
      if (filter === null || filter.accepts(ordinal))
        sums.addTerm(terms.termAt(ordinal) as bigint | number, counts[i]!);
    }
  }
  return sums.result();
}

/**
 * The terms of all lists, counts of equal ones added up; null where there is no list.
 *
 * @throws TypeConflict for lists of different types
 */
export function mergeCounted(all: readonly CountedTerms[]): CountedTerms | null {
  // compat: text without a term looks like an unmapped field, which agrees with every type; the first of the
  // others says the type, and those without a term agree with it.
  const first = all.find((list) => list.type !== 'string' || list.counts.length > 0);
  const lists = all.filter((list) => list === first || list.counts.length > 0);
  if (first === undefined || lists.length === 1) return first ?? null;
  if (first.type === 'string') {
    return mergeStreams(
      lists.map((list) => {
        if (list.type !== 'string') throw new TypeConflict('ClassCastException');
        return streamOfList(list);
      }),
    );
  }
  const sums = new ValueTable(first.type);
  for (const list of lists) {
    if (list.type === 'string' || list.type !== first.type)
      throw new TypeConflict('ClassCastException');
    sums.addAll(list);
  }
  return sums.result();
}

/** All terms as text, as they are printed. */
export function asText(list: CountedTerms): CountedText {
  if (list.type === 'string') return list;
  const sums = new TextCounter();
  for (let i = 0; i < list.counts.length; i++)
    sums.add(numberText(list.terms[i]!), list.counts[i]!);
  return sums.result();
}

function numberText(value: bigint | number): string {
  return typeof value === 'bigint' ? value.toString() : formatDouble(value);
}

/** A list without the terms that a test refuses. */
export function keepText(list: CountedText, accepts: (term: string) => boolean): CountedText {
  const kept = new TextCounter();
  for (let i = 0; i < list.counts.length; i++) {
    const term = termText(list, i);
    if (accepts(term)) kept.add(term, list.counts[i]!);
  }
  return kept.result();
}

/** The list of the terms at these positions. */
export function pick(list: CountedTerms, positions: readonly number[]): CountedTerms {
  switch (list.type) {
    case 'string':
      return collectTerms(
        'string',
        positions.map((i) => [termText(list, i), list.counts[i]!]),
      );
    case 'long':
    case 'double':
      return collectTerms(
        list.type,
        positions.map((i) => [list.terms[i]!, list.counts[i]!]),
      );
  }
}
