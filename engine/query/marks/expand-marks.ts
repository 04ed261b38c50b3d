// What the parts of a query that depend on the terms of a shard, or of a text, stand for there.

import type { SegmentReader } from '../../segment/index';
import { termsOf, type ExpandedTerm } from '../expand/collect-terms';
import { expandQuery } from '../expand/expand';
import { expandSpans, noNumbers } from '../expand/expand-spans';
import type { Query } from '../ast/query';
import type { QueryOf } from '../ast/traits';
import type { Weight } from '../scoring/weight';

/** Queries that stand for a set of terms of one field. */
export type TermsMark = QueryOf<'stringRange' | 'prefix' | 'wildcard' | 'regexp' | 'fuzzy'>;

/** Queries that become others by the terms there are. */
export type ExpandedMark = QueryOf<
  'phrasePrefix' | 'blended' | 'commonTerms' | 'similar' | 'fuzzyWords'
>;

/**
 * The best `limit` terms of a query of terms, in term order, with what its boost is multiplied by for each.
 *
 * @param segments of the shard, or {@link textSegment} of a text
 */
export function markedTerms(
  query: TermsMark,
  segments: readonly SegmentReader[],
  limit: number,
): readonly ExpandedTerm[] {
  return termsOf(query, segments, limit);
}

/** What a part becomes among the terms of some segments. */
export function expandMark(mark: ExpandedMark, segments: readonly SegmentReader[]): Query {
  return expandQuery(mark, { segments, unscored: noWeight });
}

/** A span query with terms of some segments in place of its queries of terms. */
export function expandSpanMark(
  mark: QueryOf<'spans'>,
  segments: readonly SegmentReader[],
): QueryOf<'spans'> {
  return expandSpans(mark, segments, noNumbers);
}

/** Only filters that count matches ask for it, and no part of a text is one. */
function noWeight(): Weight {
  throw new TypeError('no part of a text is matched');
}
