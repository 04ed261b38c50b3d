// The documents of a part of the document log, for whoever follows the log with a query.

import type { Bitset, SegmentReader } from '../../segment/index';
import type { QueryOf } from '../ast/traits';
import { ConstantWeight } from './query-weight';

/** Documents, nested ones with their roots, whose records have `after` < sequence number <= `upTo`. */
export class SequencesWeight extends ConstantWeight<QueryOf<'sequences'>> {
  cost(segment: SegmentReader): number {
    return firstBeyond(segment, this.query.upTo) - firstBeyond(segment, this.query.after);
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const end = firstBeyond(segment, this.query.upTo);
    for (let doc = firstBeyond(segment, this.query.after); doc < end; doc++) into.add(doc);
  }

  count(segment: SegmentReader): number {
    return this.cost(segment);
  }
}

/** The first document beyond a sequence number: documents of a segment are in the order of the log. */
function firstBeyond(segment: SegmentReader, sequence: number): number {
  let low = 0;
  let high = segment.docCount;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (segment.sequenceOf(middle) <= sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}
