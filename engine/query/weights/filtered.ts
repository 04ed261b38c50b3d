// A query restricted by a filter.

import { Bitset, type SegmentReader } from '../../segment/index';
import { runsScripts } from '../ast/facts';
import type { Query } from '../ast/query';
import type { QueryOf } from '../ast/traits';
import type { Binder } from './binder';
import { explainConstant, hasDoc, type QueryWeight } from './query-weight';
import { FilterScorer, IntersectionScorer } from '../scorers/exclusion';
import { NO_RANKING, RestrictedTopK } from '../top-k/restricted-top-k';
import { SparseTopK } from '../top-k/sparse-top-k';
import { type ExplainContext, type Explanation, noMatch } from '../scoring/explanation';
import type { TopK, Scorer } from '../scoring/weight';
import { MatchAllWeight } from './all';
import { BoostedWeight } from './boosted-weight';
import { scripted } from './scripted-filter';

/** A filter this many times larger than the query is asked document by document, not made a set. */
const SKIP_RATIO = 32;

/** A query with more than one in so many documents asks about so many of them that the set is made. */
const SET_SHARE = 16;

/** Of a filter this many times smaller than the query each document is looked up. */
const SPARSE_RATIO = 4;

/** The weight of a filtered query; scripts are asked about what nothing else excludes. */
export function bindFiltered(whole: QueryOf<'filtered'>, binder: Binder): QueryWeight {
  const { query, filter, boost } = whole;
  if (binder.explains)
    return new FilteredWeight(binder.scored(query), binder.filter(filter), whole);
  if (runsScripts(filter)) return scripted(binder.scored(query), filter, boost, binder);
  // The types of the path and the filters of aliases stand around the query: scripts come after them.
  if (query.kind === 'filtered' && boost === 1 && runsScripts(query.filter))
    return scripted(binder.scored({ ...query, filter }), query.filter, 1, binder);
  if (query.kind === 'constantScore' && boost === 1 && runsScripts(query.query)) {
    const both: Query = { kind: 'filtered', query: filter, filter: query.query, boost: 1 };
    return binder.scored({ ...query, query: both });
  }
  return new FilteredWeight(binder.scored(query), binder.filter(filter), whole);
}

/** The documents of `query` that `filter` (bound without scores) has too; scores of `query`. */
class FilteredWeight extends BoostedWeight {
  constructor(
    query: QueryWeight,
    private readonly filter: QueryWeight,
    private readonly whole: QueryOf<'filtered'>,
  ) {
    super(query, whole.boost);
  }

  explain(segment: SegmentReader, doc: number, context: ExplainContext): Explanation {
    const passes = hasDoc(this.filter, segment, doc);
    if (this.query instanceof MatchAllWeight) {
      const text = context.textOf(this.whole);
      if (!passes) return noMatch(`${text} doesn't match id ${doc}`);
      return explainConstant(text, this.query.ownBoost * this.boost, this.norm);
    }
    const score = this.query.explain(segment, doc, context);
    if (passes) return score;
    return noMatch(`failure to match filter: ${context.filterTextOf(this.whole.filter)}`, [score]);
  }

  override cost(segment: SegmentReader): number {
    return Math.min(this.query.cost(segment), this.filter.cost(segment));
  }

  scorer(segment: SegmentReader): Scorer | null {
    const queryCost = this.query.cost(segment);
    const filterCost = this.filter.cost(segment);
    if (queryCost === 0 || filterCost === 0) return null;
    const scorer = this.query.scorer(segment);
    if (scorer === null) return null;
    if (filterCost > queryCost * SKIP_RATIO || queryCost > filterCost * SKIP_RATIO) {
      const other = this.filter.scorer(segment);
      return other === null
        ? null
        : queryCost <= filterCost
          ? new FilterScorer(scorer, other, scorer)
          : new FilterScorer(other, scorer, scorer);
    }
    const set = this.filter.matches(segment);
    return set === null ? null : new IntersectionScorer(scorer, set);
  }

  count(segment: SegmentReader): number {
    return this.query instanceof MatchAllWeight ? (this.filter.count?.(segment) ?? -1) : -1;
  }

  topK(segment: SegmentReader): TopK | null {
    const topK = this.query.topK?.(segment) ?? null;
    if (topK === null) return null;
    const queryCost = this.query.cost(segment);
    const filterCost = this.filter.cost(segment);
    if (queryCost > filterCost * SKIP_RATIO || filterCost > queryCost * SKIP_RATIO) return null;
    const asksMany = queryCost * SET_SHARE > segment.docCount;
    const test = asksMany
      ? this.filter.matches(segment)
      : (this.filter.test?.(segment, queryCost) ?? this.filter.matches(segment));
    if (test === null) return NO_RANKING;
    if (test instanceof Bitset && test.count() * SPARSE_RATIO < queryCost) {
      const scorer = this.query.scorer(segment);
      return scorer === null ? NO_RANKING : new SparseTopK(scorer, test);
    }
    return new RestrictedTopK(topK, test);
  }

  matches(segment: SegmentReader): Bitset | null {
    if (this.query instanceof MatchAllWeight) return this.filter.matches(segment);
    const left = this.query.matches(segment);
    if (left === null) return null;
    const right = this.filter.matches(segment);
    return right === null ? null : left.clone().and(right);
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const set = this.matches(segment);
    if (set !== null) into.or(set);
  }
}
