// Documents with a value in any of some fields, constant score.

import type { Bitset, SegmentReader } from '../../segment/index';
import type { QueryOf } from '../ast/traits';
import { ConstantWeight } from './query-weight';

/** The union of the presence sets of fields. */
export class ExistsWeight extends ConstantWeight<QueryOf<'exists'>> {
  cost(segment: SegmentReader): number {
    let sum = 0;
    for (const field of this.query.fields) sum += segment.presence(field)?.count() ?? 0;
    return Math.min(sum, segment.docCount);
  }

  count(segment: SegmentReader): number {
    return this.query.fields.length === 1 ? this.cost(segment) : -1;
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    for (const field of this.query.fields) {
      const present = segment.presence(field);
      if (present !== null) into.or(present);
    }
  }
}
