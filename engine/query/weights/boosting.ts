// Documents of one query, demoted where another one matches too (boosting).

import type { Bitset, SegmentReader } from '../../segment/index';
import type { QueryOf } from '../ast/traits';
import type { Binder } from './binder';
import type { QueryWeight } from './query-weight';
import { RequiredOptionalScorer } from '../scorers/required-optional';
import type { ExplainContext, Explanation } from '../scoring/explanation';
import { explainClauses } from './explain-clauses';
import type { Scorer } from '../scoring/weight';

const f = Math.fround;

/** The weight of a boosting query, with the boost that it inherits from one that it stands for alone. */
export function bindBoosting(
  query: QueryOf<'boosting'>,
  binder: Binder,
  boost: number,
): QueryWeight {
  const { positive, negative } = query;
  return new BoostingWeight(binder.scored(positive), binder.scored(negative), query, boost);
}

/**
 * The documents of `positive`; where `negative` matches the score is multiplied by `negativeBoost`. The
 * negative query has boost 0 (prepareQuery sees to it) and adds nothing, except where the reference
 * forgets that boost: then its score is added before the multiplication.
 */
class BoostingWeight implements QueryWeight {
  private readonly factors: Float32Array;
  private readonly boost: number;

  constructor(
    private readonly positive: QueryWeight,
    private readonly negative: QueryWeight,
    private readonly query: QueryOf<'boosting'>,
    boost: number,
  ) {
    this.factors = Float32Array.of(0, 1, query.negativeBoost);
    this.boost = f(boost);
  }

  squaredWeights(): number {
    const sum = f(this.positive.squaredWeights() + this.negative.squaredWeights());
    return f(sum * f(this.boost * this.boost));
  }

  normalize(norm: number, topBoost: number): void {
    const boost = f(topBoost * this.boost);
    this.positive.normalize(norm, boost);
    this.negative.normalize(norm, boost);
  }

  explain(segment: SegmentReader, doc: number, context: ExplainContext): Explanation {
    const { query, positive, negative, factors } = this;
    const clauses = [
      { occur: 'must', query: query.positive, weight: positive },
      { occur: 'should', query: query.negative, weight: negative },
    ] as const;
    return explainClauses(clauses, { minimum: 0, factors, clauseCount: 2 }, segment, doc, context);
  }

  cost(segment: SegmentReader): number {
    return this.positive.cost(segment);
  }

  scorer(segment: SegmentReader): Scorer | null {
    const positive = this.positive.scorer(segment);
    if (positive === null) return null;
    const negative = this.negative.scorer(segment);
    if (negative === null) return positive;
    return new RequiredOptionalScorer(positive, negative, 1, this.factors, null);
  }

  matches(segment: SegmentReader): Bitset | null {
    return this.positive.matches(segment);
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    this.positive.addMatches(segment, into);
  }
}
