// Documents whose value lies in a range, found by looking at one after the other.

import { NO_MORE_DOCS, type Bitset } from '../../segment/index';
import type { DocTest, Scorer } from '../scoring/weight';

/** The documents d with `low <= values[d] <= high`, all with the same score. */
export class ScanScorer implements Scorer, DocTest {
  doc = -1;

  /** @param present documents that have a value at all; null: all, or the others lie outside the range */
  constructor(
    private readonly values: ArrayLike<number>,
    private readonly present: Bitset | null,
    private readonly low: number,
    private readonly high: number,
    readonly cost: number,
    private readonly value: number,
  ) {}

  nextDoc(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    const { values, present, low, high } = this;
    const end = values.length;
    for (let doc = target; doc < end; doc++) {
      const value = values[doc]!;
      if (value >= low && value <= high && (present === null || present.has(doc))) {
        return (this.doc = doc);
      }
    }
    return (this.doc = NO_MORE_DOCS);
  }

  has(doc: number): boolean {
    const value = this.values[doc]!;
    return (
      value >= this.low && value <= this.high && (this.present === null || this.present.has(doc))
    );
  }

  score(): number {
    return this.value;
  }
}
