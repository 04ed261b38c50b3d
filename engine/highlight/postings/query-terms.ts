// The terms of a query, for the postings highlighter: all of them, wherever they stand (reference server).

import type { FieldId } from '../../metadata/index';
import {
  expandMark,
  expandSpanMark,
  hasSpanTerms,
  type Mark,
  markedTerms,
  type Query,
  spanTerms,
  visitMarks,
} from '../../query/index';
import { compareUtf8, type SegmentReader } from '../../segment/index';

/** Terms that a query of terms is replaced with, which does not score by them. */
const MAX_TERMS = 50;

/** A term with the field it is looked for in. */
export interface FieldTerm {
  readonly field: FieldId;
  readonly term: string;
}

type SpansMark = Extract<Mark, { kind: 'spans' }>;

/** The span query with the terms of the shard. */
function spansIn(mark: SpansMark, segments: () => readonly SegmentReader[]): SpansMark {
  return hasSpanTerms(mark.tree) ? expandSpanMark(mark, segments()) : mark;
}

/**
 * The distinct terms of a query. compat: queries of terms count only where nothing but bool queries and
 * filters is around them, or where they score by their terms.
 */
export function queryTerms(
  query: Query,
  segments: () => readonly SegmentReader[],
): readonly FieldTerm[] {
  const found = new Map<string, FieldTerm>();
  const put = (field: FieldId, term: string): void => {
    found.set(`${field}/${term}`, { field, term });
  };
  const mark = (part: Mark, isPlain: boolean): void => {
    switch (part.kind) {
      case 'term':
        put(part.field, part.term);
        return;
      case 'stringRange':
      case 'prefix':
      case 'wildcard':
      case 'regexp':
      case 'fuzzy': {
        const scores =
          part.kind === 'fuzzy' || ('rewrite' in part && part.rewrite.method !== 'constant');
        if (!scores && !isPlain) return;
        for (const { term } of markedTerms(part, segments(), MAX_TERMS)) put(part.field, term);
        return;
      }
      case 'phrase':
        for (const { terms } of part.slots) for (const term of terms) put(part.field, term);
        return;
      case 'spans':
        for (const { field, term } of spanTerms(spansIn(part, segments).tree)) put(field, term);
        return;
      case 'phrasePrefix':
      case 'blended':
      case 'commonTerms':
      case 'similar':
      case 'fuzzyWords':
        visitMarks(expandMark(part, segments()), {
          entersNested: true,
          mark: (inner) => mark(inner, false),
        });
    }
  };
  visitMarks(query, { entersNested: true, mark: (part, { isPlain }) => mark(part, isPlain) });
  return [...found.values()].sort((a, b) => a.field - b.field || compareUtf8(a.term, b.term));
}
