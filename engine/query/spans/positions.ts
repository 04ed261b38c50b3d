// The positions of a term in a segment.

import { EngineError } from '../../errors';
import type { PostingsIterator, SegmentReader } from '../../segment/index';
import type { FieldId } from '../../metadata/index';

/**
 * Null: no document of the segment has the term.
 *
 * @param reader what the reference calls the query that asks
 * @throws EngineError IllegalStateException when the field has the term but was indexed without positions
 */
export function termPositions(
  segment: SegmentReader,
  field: FieldId,
  term: string,
  reader: 'PhraseQuery' | 'SpanTermQuery',
): PostingsIterator | null {
  const terms = segment.terms(field);
  const ordinal = terms === null ? -1 : terms.ordinalOf(term);
  if (terms === null || ordinal < 0) return null;
  if (terms.hasPositions) return terms.postings(ordinal, 'positions');
  const name = segment.fields().find((each) => each.id === field)?.name ?? String(field);
  throw withoutPositions(name, term, reader);
}

/** What is said of a field that positions were asked of in vain. */
export function withoutPositions(
  field: string,
  term: string,
  reader: 'PhraseQuery' | 'SpanTermQuery',
): EngineError {
  return new EngineError(
    'IllegalStateException',
    `field "${field}" was indexed without position data; cannot run ${reader} (term=${term})`,
  );
}
