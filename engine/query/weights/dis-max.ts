// The best matching of several queries (dis_max).

import { Bitset, type SegmentReader } from '../../segment/index';
import { formatFloat } from '../../json/index';
import type { QueryOf } from '../ast/traits';
import type { Binder } from './binder';
import type { QueryWeight } from './query-weight';
import { MaxScorer } from '../scorers/max-scorer';
import { type ExplainContext, type Explanation, match, noMatch } from '../scoring/explanation';
import type { Scorer } from '../scoring/weight';

const f = Math.fround;

/** The weight of a dis_max query; one around a single query is that query. */
export function bindDisMax(
  { queries, tieBreaker, boost }: QueryOf<'disMax'>,
  binder: Binder,
): QueryWeight {
  const [only, second] = queries;
  if (only !== undefined && second === undefined) return binder.alone(only, boost, false);
  return new DisMaxWeight(
    queries.map((query) => binder.scored(query)),
    tieBreaker,
    boost,
  );
}

/** Union of queries; the score is the best one plus `tieBreaker` times the others. */
class DisMaxWeight implements QueryWeight {
  private readonly tieBreaker: number;
  private readonly boost: number;

  constructor(
    private readonly queries: readonly QueryWeight[],
    tieBreaker: number,
    boost: number,
  ) {
    this.tieBreaker = f(tieBreaker);
    this.boost = f(boost);
  }

  squaredWeights(): number {
    const { tieBreaker, boost } = this;
    let sum = 0;
    let max = 0;
    for (const query of this.queries) {
      const weight = query.squaredWeights();
      sum = f(sum + weight);
      max = Math.max(max, weight);
    }
    const rest = f(f(f(sum - max) * tieBreaker) * tieBreaker);
    return f(f(f(rest + max) * boost) * boost);
  }

  normalize(norm: number, topBoost: number): void {
    const boost = f(topBoost * this.boost);
    for (const query of this.queries) query.normalize(norm, boost);
  }

  explain(segment: SegmentReader, doc: number, context: ExplainContext): Explanation {
    const { tieBreaker } = this;
    const parts = this.queries
      .map((query) => query.explain(segment, doc, context))
      .filter(({ isMatch }) => isMatch);
    let sum = 0;
    let max = 0;
    for (const { value } of parts) {
      sum = f(sum + value);
      max = Math.max(max, value);
    }
    const rest = f(f(sum - max) * tieBreaker);
    const text =
      tieBreaker === 0 ? 'max of:' : `max plus ${formatFloat(tieBreaker)} times others of:`;
    if (parts.length === 0) return noMatch(text);
    return match(f(max + rest), text, parts);
  }

  cost(segment: SegmentReader): number {
    let sum = 0;
    for (const query of this.queries) sum += query.cost(segment);
    return Math.min(sum, segment.docCount);
  }

  scorer(segment: SegmentReader): Scorer | null {
    const scorers: Scorer[] = [];
    for (const query of this.queries) {
      const scorer = query.scorer(segment);
      if (scorer !== null) scorers.push(scorer);
    }
    if (scorers.length === 0) return null;
    return scorers.length === 1 ? scorers[0]! : new MaxScorer(scorers, this.tieBreaker);
  }

  matches(segment: SegmentReader): Bitset | null {
    if (this.cost(segment) === 0) return null;
    const set = new Bitset(segment.docCount);
    this.addMatches(segment, set);
    return set;
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    for (const query of this.queries) query.addMatches(segment, into);
  }
}
