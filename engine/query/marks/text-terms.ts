// The terms of one text as a segment of one document that has them in every field: what queries stand for in
// the text is found as it is in a shard.

import type { SegmentReader } from '../../segment/index';
import { ListedTerms, listedSegment } from '../expand/listed-terms';

/** A text as {@link expandQuery} and {@link termsOf} see a segment: they ask for terms and counts only. */
export function textSegment(terms: ReadonlySet<string>): SegmentReader {
  const listed = new ListedTerms(new Map(Array.from(terms, (term) => [term, 1])));
  return listedSegment(1, () => listed);
}
