// What weights share that change or restrict the documents of one query, and have a boost of their own.

import type { SegmentReader, Bitset } from '../../segment/index';
import type { QueryWeight } from './query-weight';
import type { ExplainContext, Explanation } from '../scoring/explanation';
import type { DocTest, Scorer } from '../scoring/weight';

const f = Math.fround;

/** No documents. */
export const NOTHING: DocTest = { has: () => false };

/** A weight around another one, whose scores its boost multiplies as the reference server's do. */
export abstract class BoostedWeight implements QueryWeight {
  protected readonly boost: number;
  /** What the boost was multiplied by. */
  protected norm = 1;

  constructor(
    protected readonly query: QueryWeight,
    boost: number,
  ) {
    this.boost = f(boost);
  }

  squaredWeights(): number {
    return f(f(this.query.squaredWeights() * this.boost) * this.boost);
  }

  normalize(norm: number, topBoost: number): void {
    this.norm = f(norm * topBoost);
    this.query.normalize(norm, f(topBoost * this.boost));
  }

  cost(segment: SegmentReader): number {
    return this.query.cost(segment);
  }

  abstract explain(segment: SegmentReader, doc: number, context: ExplainContext): Explanation;
  abstract scorer(segment: SegmentReader): Scorer | null;
  abstract matches(segment: SegmentReader): Bitset | null;
  abstract addMatches(segment: SegmentReader, into: Bitset): void;
}
