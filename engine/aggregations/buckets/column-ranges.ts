// Ranges that do not overlap, by the columns that say which of them each value is in: those that facets of
// ranges count by.

import {
  type BucketColumn,
  bucketColumn,
  countSlots,
  type DocBuckets,
  type NumberRange,
  RangeBuckets,
  WindowWriter,
} from '../../counting/index';
import type { FieldId } from '../../metadata/index';
import { canonicalText } from '../../query/index';
import type { Bitset, SegmentReader } from '../../segment/index';
import type { Aggregator } from '../contract/aggregation';
import type { SubAggregators } from '../contract/sub-aggregators';
import { BucketCounts } from './single-bucket';

const NO_RANGE = 0xffffffff;

/** The columns of some ranges of a field. */
export class RangeColumns {
  /** By bucket of a column: the range that it is, or {@link NO_RANGE}. */
  private readonly rangeOf: Uint32Array;
  private readonly name: string;

  private constructor(
    private readonly field: FieldId,
    private readonly ranges: readonly NumberRange[],
    private readonly buckets: RangeBuckets,
  ) {
    this.name = canonicalText(ranges.map(({ from, to }) => [from, to]));
    this.rangeOf = new Uint32Array(buckets.bucketing().size).fill(NO_RANGE);
    ranges.forEach((range, r) => {
      const bucket = buckets.bucketOf(range);
      if (bucket !== null) this.rangeOf[bucket] = r;
    });
  }

  /** Null: some ranges overlap, or there is no field. */
  static of(field: FieldId | null, ranges: readonly NumberRange[]): RangeColumns | null {
    const buckets = field === null ? null : RangeBuckets.of(ranges);
    return buckets === null ? null : new RangeColumns(field!, ranges, buckets);
  }

  /** Counts a segment by its column; null: there is none at hand. */
  open(segment: SegmentReader, subs: SubAggregators): Aggregator | null {
    const { field, name, buckets, rangeOf, ranges } = this;
    const column = bucketColumn(segment, field, name, null, () => buckets.bucketing());
    return column === null ? null : new ColumnRanges(segment, subs, column, rangeOf, ranges.length);
  }
}

class ColumnRanges implements Aggregator {
  private readonly kept: BucketCounts;
  private readonly out: WindowWriter;

  constructor(
    segment: SegmentReader,
    private readonly subs: SubAggregators,
    private readonly column: BucketColumn,
    private readonly rangeOf: Uint32Array,
    private readonly width: number,
  ) {
    this.kept = new BucketCounts(subs);
    this.out = new WindowWriter(segment.docCount);
  }

  collectSet(docs: Bitset): boolean {
    const { column, rangeOf, kept, subs } = this;
    // Several values of a document in one range count once, which counting values does not tell.
    if (column.offsets !== null || !subs.isEmpty) return false;
    const { keys, counts } = countSlots(column, docs);
    for (let i = 0; i < keys.length; i++) {
      const range = rangeOf[keys[i]!]!;
      if (range !== NO_RANGE) kept.add(range, counts[i]!);
    }
    return true;
  }

  collect(window: DocBuckets): void {
    const { from, to, size, docs, buckets } = window;
    const { column, out, rangeOf, width } = this;
    const { offsets, slots } = column;
    const first = from << 5;
    out.begin(from, to);
    if (offsets === null) {
      out.reserve(size);
      for (let i = 0; i < size; i++) {
        const slot = slots[first + docs[i]!]!;
        const range = slot === 0 ? NO_RANGE : rangeOf[slot - 1]!;
        if (range !== NO_RANGE) out.add(docs[i]!, buckets[i]! * width + range);
      }
    } else {
      for (let i = 0; i < size; i++) {
        const doc = first + docs[i]!;
        const end = offsets[doc + 1]!;
        if (out.isFullBefore(docs[i]!)) this.kept.takeWritten(out, window.bucketCount * width);
        out.reserve(out.size + width);
        let before = -1;
        for (let v = offsets[doc]!; v < end; v++) {
          const slot: number = slots[v]!;
          // Values ascend, and so do their buckets.
          if (slot === before) continue;
          before = slot;
          const range = rangeOf[slot]!;
          if (range !== NO_RANGE) out.add(docs[i]!, buckets[i]! * width + range);
        }
      }
    }
    this.kept.takeWritten(out, window.bucketCount * width);
  }

  partial(owners: number) {
    return this.kept.partial(owners * this.width);
  }
}
