// All documents, none, and the first so many of the shard (the limit filter).

import { Bitset, type SegmentReader, liveRootsEnd } from '../../segment/index';
import type { QueryOf } from '../ast/traits';
import {
  type ExplainContext,
  type Explanation,
  factor,
  match,
  noMatch,
} from '../scoring/explanation';
import { ConstantWeight, type QueryWeight } from './query-weight';
import { RangeScorer } from '../scorers/range-scorer';
import type { Scorer } from '../scoring/weight';

/** Every document of the segment, nested ones included. */
export class MatchAllWeight extends ConstantWeight<QueryOf<'matchAll'>> {
  /** Its boost, without those above. */
  get ownBoost(): number {
    return this.boost;
  }

  /** compat: the reference has a filter for all documents, and a query for those that have a boost. */
  override explain(segment: SegmentReader, doc: number, context: ExplainContext): Explanation {
    const { boost, norm, value } = this;
    if (boost === 1 && this.query.shown === undefined) return super.explain(segment, doc, context);
    const details = [factor(norm, 'queryNorm')];
    if (boost !== 1) details.unshift(factor(boost, 'boost'));
    return match(value, 'MatchAllDocsQuery, product of:', details);
  }

  cost(segment: SegmentReader): number {
    return segment.docCount;
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    into.or(Bitset.full(segment.docCount));
  }

  count(segment: SegmentReader): number {
    return segment.docCount;
  }

  override matches(segment: SegmentReader): Bitset | null {
    return segment.docCount === 0 ? null : Bitset.full(segment.docCount);
  }

  override scorer(segment: SegmentReader): Scorer | null {
    return segment.docCount === 0 ? null : new RangeScorer(segment.docCount, this.value);
  }
}

/** No document; weighs nothing. */
export class MatchNoneWeight implements QueryWeight {
  explain(): Explanation {
    return noMatch('MatchNoDocs matches nothing');
  }

  squaredWeights(): number {
    return 0;
  }

  normalize(): void {
    // Nothing to weigh.
  }

  cost(): number {
    return 0;
  }

  scorer(): Scorer | null {
    return null;
  }

  matches(): Bitset | null {
    return null;
  }

  count(): number {
    return 0;
  }

  addMatches(): void {
    // Nothing to add.
  }
}

/**
 * The documents below a bound in each segment, which `prepareQuery` settles because it sees all segments
 * of the shard. In a segment it did not see: the first `count` live root documents.
 */
export class LimitWeight extends ConstantWeight<QueryOf<'limit'>> {
  private readonly ends: ReadonlyMap<number, number>;

  constructor(query: QueryOf<'limit'>) {
    super(query);
    this.ends = new Map(query.ends ?? []);
  }

  private end(segment: SegmentReader): number {
    return this.ends.get(segment.segmentId) ?? liveRootsEnd(segment, this.query.count).end;
  }

  cost(segment: SegmentReader): number {
    return this.end(segment);
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const end = this.end(segment);
    for (let doc = 0; doc < end; doc++) into.add(doc);
  }

  override scorer(segment: SegmentReader): Scorer | null {
    const end = this.end(segment);
    return end === 0 ? null : new RangeScorer(end, this.value);
  }
}
