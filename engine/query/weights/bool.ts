// must, should, must_not.
//
// How scores are added depends on the clauses that have documents in a segment: optional ones alone are
// summed in double, required ones alone in float32 by ascending cost, and both together as two sums. The
// coordination factor counts matching clauses against all clauses that are not prohibited.

import { appendAll } from '../../common/index';
import { Bitset, type SegmentReader } from '../../segment/index';
import { inOrder } from '../ast/clause-order';
import { isDecidedByScore } from '../ast/facts';
import type { QueryOf } from '../ast/traits';
import type { Binder } from './binder';
import { drain, type QueryWeight } from './query-weight';
import { ConjunctionScorer } from '../scorers/conjunction';
import { ExclusionScorer } from '../scorers/exclusion';
import { RequiredBothScorer, RequiredOptionalScorer } from '../scorers/required-optional';
import { SumScorer, type SumRounding } from '../scorers/sum-scorer';
import { coord } from '../scoring/similarity';
import { ConjunctionTopK } from '../top-k/conjunction-top-k';
import { RequiredTopK } from '../top-k/required-top-k';
import { Complement, NO_RANKING, RestrictedTopK } from '../top-k/restricted-top-k';
import { TermsTopK, type RankedTerm } from '../top-k/terms-top-k';
import type { ExplainContext, Explanation } from '../scoring/explanation';
import type { TopK, Scorer } from '../scoring/weight';
import { explainClauses } from './explain-clauses';
import { TermWeight } from './term';

const f = Math.fround;

/** The weight of a bool query; one of a single clause is that clause. */
export function bindBool(query: QueryOf<'bool'>, binder: Binder, root: boolean): QueryWeight {
  const { must, should, mustNot, minimumShouldMatch } = query;
  if (minimumShouldMatch === 0 && mustNot.length === 0 && must.length + should.length === 1) {
    return binder.alone(must[0] ?? should[0]!, query.boost, root);
  }
  return new BoolWeight(
    must.map((clause) => binder.scored(clause)),
    should.map((clause) => binder.scored(clause)),
    mustNot.map((clause) =>
      binder.explains || isDecidedByScore(clause) ? binder.scored(clause) : binder.unscored(clause),
    ),
    binder.normsQueries ? query : { ...query, disableCoord: true },
    root,
  );
}

/**
 * Boolean combination. Without `must` and `should` it matches nothing. As the whole query (`root`) its
 * optional clauses are rounded as the reference's bulk scorer does.
 */
class BoolWeight implements QueryWeight {
  private readonly boost: number;
  private readonly minimum: number;
  /** Coordination factors by number of matching clauses. */
  private readonly factors: Float32Array;
  /** The same with coordination disabled: all 1. */
  private readonly ones: Float32Array;

  constructor(
    private readonly must: readonly QueryWeight[],
    private readonly should: readonly QueryWeight[],
    private readonly mustNot: readonly QueryWeight[],
    private readonly query: QueryOf<'bool'>,
    private readonly root: boolean,
  ) {
    this.boost = f(query.boost);
    this.minimum = query.minimumShouldMatch;
    const clauses = must.length + should.length;
    this.ones = new Float32Array(clauses + 1).fill(1);
    this.factors = query.disableCoord
      ? this.ones
      : Float32Array.from({ length: clauses + 1 }, (_, n) => coord(n, clauses));
  }

  squaredWeights(): number {
    let sum = 0;
    for (const clause of this.must) sum = f(sum + clause.squaredWeights());
    for (const clause of this.should) sum = f(sum + clause.squaredWeights());
    return f(sum * f(this.boost * this.boost));
  }

  normalize(norm: number, topBoost: number): void {
    const boost = f(topBoost * this.boost);
    for (const clause of this.must) clause.normalize(norm, boost);
    for (const clause of this.should) clause.normalize(norm, boost);
    for (const clause of this.mustNot) clause.normalize(norm, boost);
  }

  explain(segment: SegmentReader, doc: number, context: ExplainContext): Explanation {
    const { must, should, minimum, factors } = this;
    const clauses = inOrder(this.query, (occur, i) => ({
      occur,
      query: this.query[occur][i]!,
      weight: this[occur][i]!,
    }));
    const rules = { minimum, factors, clauseCount: must.length + should.length };
    return explainClauses(clauses, rules, segment, doc, context);
  }

  cost(segment: SegmentReader): number {
    if (this.should.length < this.minimum) return 0;
    if (this.must.length > 0) {
      let least = Infinity;
      for (const clause of this.must) least = Math.min(least, clause.cost(segment));
      return least;
    }
    let sum = 0;
    for (const clause of this.should) sum += clause.cost(segment);
    return Math.min(sum, segment.docCount);
  }

  scorer(segment: SegmentReader): Scorer | null {
    const required: Scorer[] = [];
    for (const clause of this.must) {
      const scorer = clause.scorer(segment);
      if (scorer === null) return null;
      required.push(scorer);
    }
    const optional: Scorer[] = [];
    for (const clause of this.should) {
      const scorer = clause.scorer(segment);
      if (scorer !== null) optional.push(scorer);
    }
    let { minimum } = this;
    if (optional.length < minimum) return null;
    const bulk = this.root && this.must.length === 0 && minimum <= 1 && optional.length > 0;
    if (!bulk && optional.length === minimum) {
      // Every optional clause is in fact required.
      appendAll(required, optional.splice(0));
      minimum = 0;
    }
    if (required.length === 0) {
      if (optional.length === 0) return null;
      const rounding: SumRounding = bulk ? 'productOnly' : 'sumThenFactor';
      return this.exclude(segment, new SumScorer(optional, minimum, this.factors, rounding));
    }
    if (optional.length === 0) {
      const factor = this.factors[required.length]!;
      return this.exclude(segment, new ConjunctionScorer(required, factor));
    }
    const both = this.exclude(
      segment,
      required.length === 1 ? required[0]! : new ConjunctionScorer(required, 1),
    );
    const several =
      optional.length === 1 ? null : new SumScorer(optional, minimum, this.ones, 'sumThenFactor');
    const any = several ?? optional[0]!;
    return minimum > 0
      ? new RequiredBothScorer(both, any, required.length, this.factors, several)
      : new RequiredOptionalScorer(both, any, required.length, this.factors, several);
  }

  /** Any or all of some terms, or one of which others raise the score; other shapes are walked. */
  topK(segment: SegmentReader): TopK | null {
    const { mustNot } = this;
    const topK = this.rankingOfTerms(segment);
    if (topK === null || topK === NO_RANKING || mustNot.length === 0) return topK;
    const [only, ...others] = mustNot;
    if (only !== undefined && others.length === 0) {
      const excluded = only.matches(segment);
      return excluded === null ? topK : new RestrictedTopK(topK, new Complement(excluded));
    }
    const excluded = new Bitset(segment.docCount);
    for (const clause of mustNot) clause.addMatches(segment, excluded);
    return new RestrictedTopK(topK, new Complement(excluded));
  }

  private rankingOfTerms(segment: SegmentReader): TopK | null {
    const { must, should, minimum, factors } = this;
    if (minimum > (must.length > 0 ? 0 : 1)) return null;
    const required = rankedTerms(must, segment);
    const optional = rankedTerms(should, segment);
    if (required === null || optional === null) return null;
    const terms = must.length === 0 ? optional : required;
    const [first] = terms;
    if (first === undefined || required.length < must.length) return NO_RANKING;
    if (must.length > 1) {
      if (optional.length > 0) return null;
      return new ConjunctionTopK(required, factors[must.length]!, segment.docCount);
    }
    if (must.length > 0 && optional.length > 0) {
      return new RequiredTopK(first, optional, factors, segment.docCount);
    }
    const bulk = this.root && must.length === 0;
    const rounding: SumRounding = bulk ? 'productOnly' : 'sumThenFactor';
    return new TermsTopK(terms, { factors, rounding }, segment.docCount);
  }

  private exclude(segment: SegmentReader, included: Scorer): Scorer {
    const prohibited: Scorer[] = [];
    for (const clause of this.mustNot) {
      const scorer = clause.scorer(segment);
      if (scorer !== null) prohibited.push(scorer);
    }
    if (prohibited.length === 0) return included;
    const excluded =
      prohibited.length === 1
        ? prohibited[0]!
        : new SumScorer(prohibited, 1, new Float32Array(prohibited.length + 1), 'sumThenFactor');
    return new ExclusionScorer(included, excluded);
  }

  matches(segment: SegmentReader): Bitset | null {
    const { must, should, mustNot, minimum } = this;
    const cost = this.cost(segment);
    if (cost === 0) return null;
    // Few candidates, or clauses to count: walk them. Else whole sets, 32 documents at a time.
    if (minimum > 1 || (must.length > 1 && cost * 32 < segment.docCount)) {
      const scorer = this.scorer(segment);
      return scorer === null ? null : drain(scorer, segment.docCount);
    }
    let set: Bitset | null = null;
    if (must.length > 0) {
      for (const clause of must) {
        const matches = clause.matches(segment);
        if (matches === null) return null;
        if (set === null) set = matches.clone();
        else set.and(matches);
      }
    }
    if (should.length > 0 && (set === null || minimum === 1)) {
      const any = new Bitset(segment.docCount);
      for (const clause of should) clause.addMatches(segment, any);
      set = set === null ? any : set.and(any);
    }
    if (set === null) return null;
    for (const clause of mustNot) {
      const matches = clause.matches(segment);
      if (matches !== null) set.andNot(matches);
    }
    return set;
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const { must, should, mustNot, minimum } = this;
    if (must.length === 0 && mustNot.length === 0 && minimum <= 1) {
      for (const clause of should) clause.addMatches(segment, into);
      return;
    }
    const set = this.matches(segment);
    if (set !== null) into.or(set);
  }
}

/** The clauses that occur in a segment, if all are terms whose scores can be bounded; else null. */
function rankedTerms(
  clauses: readonly QueryWeight[],
  segment: SegmentReader,
): readonly RankedTerm[] | null {
  const ranked: RankedTerm[] = [];
  for (const clause of clauses) {
    if (!(clause instanceof TermWeight) || !clause.isRankable) return null;
    const term = clause.rankedIn(segment);
    if (term !== null) ranked.push(term);
  }
  return ranked;
}
