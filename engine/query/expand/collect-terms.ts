// The terms of a shard that a query of terms stands for.

import { compareUtf8, type SegmentReader } from '../../segment/index';
import { forEachTerm } from '../automaton/term-matcher';
import { selectTerms, type MultiTermQuery } from './term-selection';

/** A term with what its score is multiplied by. */
export interface ExpandedTerm {
  readonly term: string;
  readonly boost: number;
}

/**
 * The selected terms of all segments in term order: the first `limit`, or the best `limit` by similarity
 * (ties: term order).
 */
export function collectTerms(
  query: MultiTermQuery,
  segments: readonly SegmentReader[],
  limit: number,
  best: boolean,
): readonly ExpandedTerm[] {
  const found = new Map<string, number>();
  const selection = selectTerms(query);
  for (const segment of segments) {
    const dictionary = segment.terms(query.field);
    if (dictionary === null) continue;
    let taken = 0;
    forEachTerm(dictionary, selection, (term) => {
      found.set(term, selection.matcher?.boost ?? 1);
      return best || ++taken < limit;
    });
  }
  const terms = Array.from(found, ([term, boost]) => ({ term, boost }));
  if (best) terms.sort((a, b) => b.boost - a.boost || compareUtf8(a.term, b.term));
  else terms.sort((a, b) => compareUtf8(a.term, b.term));
  const chosen = terms.slice(0, limit);
  return best ? chosen.sort((a, b) => compareUtf8(a.term, b.term)) : chosen;
}

/**
 * The terms that a query of terms stands for in some segments, with their boosts, in term order: whatever its
 * rewrite, the best `limit` by similarity (ties: term order).
 *
 * @throws EngineError for regular expressions that cannot be compiled (a parser has tried before)
 */
export function termsOf(
  query: MultiTermQuery,
  segments: readonly SegmentReader[],
  limit: number,
): readonly ExpandedTerm[] {
  return collectTerms(query, segments, limit, true);
}
