// Which terms the reference names where it explains a query that stands for many terms with one score.

import { compareUtf8, type SegmentReader } from '../../segment/index';
import type { SelectionQuery } from '../ast/describe';
import { forEachTerm } from '../automaton/term-matcher';
import { selectTerms } from '../expand/term-selection';
import { NumericRangeWeight } from './numeric';

/** From so many terms on the reference makes a filter. */
const MAX_TERMS = 350;

/** The same from this share of documents on, those counted several times that have several of the terms. */
const MAX_SHARE = 0.001;

/** The terms in their order; null when there are so many that the reference makes a filter of them. */
export function lookedUpTerms(
  query: SelectionQuery,
  segments: readonly SegmentReader[],
): readonly string[] | null {
  if (query.kind === 'numericRange') {
    const weight = new NumericRangeWeight(query);
    return segments.some((segment) => weight.cost(segment) > 0) ? null : [];
  }
  let maxDoc = 0;
  for (const segment of segments) maxDoc += segment.docCount;
  const most = Math.floor(MAX_SHARE * maxDoc);
  const selection = selectTerms(query);
  const terms = new Set<string>();
  let docs = 0;
  for (const segment of segments) {
    const dictionary = segment.terms(query.field);
    if (dictionary === null) continue;
    let isOver = false;
    forEachTerm(dictionary, selection, (term, ordinal) => {
      terms.add(term);
      docs += dictionary.docFreq(ordinal);
      isOver = terms.size >= MAX_TERMS || docs >= most;
      return !isOver;
    });
    if (isOver) return null;
  }
  return [...terms].sort(compareUtf8);
}
