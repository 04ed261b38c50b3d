// Stretches of positions of the documents of a segment, one after the other.
//
// Hot: millions of positions may be looked at in one search. Everything moves by numbers in fields.

/**
 * Spans by document. Standing on a document they stand on one of its spans, from `start` up to but without
 * `end`; starts never descend within a document.
 */
export interface Spans {
  /** -1 before the first document, NO_MORE_DOCS at the end. */
  doc: number;
  start: number;
  end: number;
  /** Upper bound of the number of documents. */
  readonly cost: number;
  /** The first span of the next document that has one. */
  nextDoc(): number;
  /** The first span of the first such document >= target (target > doc). */
  advance(target: number): number;
  /** The next span of the document; false: there is none, and the span is undefined from then on. */
  nextSpan(): boolean;
}

/** Whether the span of one begins before that of another, or with it and ends earlier. */
export function isBefore(a: Spans, b: Spans): boolean {
  return a.start < b.start || (a.start === b.start && a.end < b.end);
}
