// Documents with a value in any of some fields, constant score.

import type { Bitset, SegmentReader } from '../../segment/index';
import { ConstantWeight } from './query-weight';
import type { FieldId } from '../../metadata/index';

/** The union of the presence sets of fields. */
export class ExistsWeight extends ConstantWeight {
  constructor(
    private readonly fields: readonly FieldId[],
    boost: number,
  ) {
    super(boost);
  }

  cost(segment: SegmentReader): number {
    let sum = 0;
    for (const field of this.fields) sum += segment.presence(field)?.count() ?? 0;
    return Math.min(sum, segment.docCount);
  }

  count(segment: SegmentReader): number {
    return this.fields.length === 1 ? this.cost(segment) : -1;
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    for (const field of this.fields) {
      const present = segment.presence(field);
      if (present !== null) into.or(present);
    }
  }
}
