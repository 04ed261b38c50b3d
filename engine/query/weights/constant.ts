// Any query with the same score for every match (constant_score, unscored terms).

import type { Bitset, SegmentReader } from '../../segment/index';
import type { Query } from '../ast/query';
import { ConstantWeight, type QueryWeight } from './query-weight';
import { ConstantScorer } from '../scorers/constant-scorer';
import type { Scorer } from '../scoring/weight';

/** The documents of `inner`, which was bound without scores. */
export class ConstantScoreWeight extends ConstantWeight {
  constructor(
    private readonly inner: QueryWeight,
    query: Query,
  ) {
    super(query);
  }

  cost(segment: SegmentReader): number {
    return this.inner.cost(segment);
  }

  count(segment: SegmentReader): number {
    return this.inner.count?.(segment) ?? -1;
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    this.inner.addMatches(segment, into);
  }

  override matches(segment: SegmentReader): Bitset | null {
    return this.inner.matches(segment);
  }

  override scorer(segment: SegmentReader): Scorer | null {
    const scorer = this.inner.scorer(segment);
    return scorer === null ? null : new ConstantScorer(scorer, this.value);
  }
}
