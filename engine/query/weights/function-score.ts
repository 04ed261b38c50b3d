// The documents of a query with scores changed by functions (function_score).

import { NO_MORE_DOCS, type Bitset, type SegmentReader } from '../../segment/index';
import { drain, drainInto, hasDoc, type QueryWeight } from './query-weight';
import type { QueryOf } from '../ast/traits';
import type { Binder } from './binder';
import type { WeightedFunction } from '../ast/score-function';
import { type ExplainContext, type Explanation, factor, match } from '../scoring/explanation';
import type { Scorer, TopK } from '../scoring/weight';
import { FunctionTopK, largestFactor } from '../top-k/function-top-k';
import { combined, type OpenEntry, type ScoreRules, scoreWith } from '../scoring/function-rules';
import { BoostedWeight, NOTHING } from './boosted-weight';
import { explainFunction, joinFunctions } from './explain-functions';
import { openFunction } from './score-functions';

const f = Math.fround;

/** The weight of a function_score query. */
export function bindFunctionScore(query: QueryOf<'functionScore'>, binder: Binder): QueryWeight {
  const functions = query.functions.map((entry) => ({
    ...entry,
    filter: entry.filter === null ? null : binder.filter(entry.filter),
  }));
  return new FunctionScoreWeight(binder.scored(query.query), functions, query);
}

/** The documents of a query, scored anew; those below the least score are left out. */
class FunctionScoreWeight extends BoostedWeight {
  constructor(
    query: QueryWeight,
    private readonly functions: readonly WeightedFunction<QueryWeight>[],
    private readonly rules: ScoreRules,
  ) {
    super(query, rules.boost);
  }

  explain(segment: SegmentReader, doc: number, context: ExplainContext): Explanation {
    const score = this.query.explain(segment, doc, context);
    const { functions, rules } = this;
    if (!score.isMatch || functions.length === 0) return score;
    const explained = { segment, doc, context, score };
    const values = functions.map((entry) =>
      entry.filter === null || hasDoc(entry.filter, segment, doc)
        ? explainFunction(entry, openFunction(entry.function, segment), explained)
        : null,
    );
    const [first, ...others] = values;
    const isForAll = (rules.functions[0]?.filter?.kind ?? 'matchAll') === 'matchAll';
    if (first && others.length === 0 && isForAll) return this.combine(score, first);
    const applied = values.flatMap((value, i) => {
      if (value === null) return [];
      const filter = rules.functions[i]!.filter;
      const text = filter === null ? '*:*' : context.filterTextOf(filter);
      const parts = [factor(1, `match filter: ${text}`), value];
      return [match(value.value, 'function score, product of:', parts)];
    });
    const boost = factor(this.boost, 'queryBoost');
    if (applied.length === 0) {
      const text = 'function score, no filter match, product of:';
      return match(f(this.boost * score.value), text, [score, boost]);
    }
    const weights = functions.reduce((sum, { weight }) => sum + (weight ?? 1), 0);
    return this.combine(score, joinFunctions(rules.scoreMode, applied, weights));
  }

  /** The score of the document by that of the query and what the functions come to. */
  private combine(score: Explanation, functions: Explanation): Explanation {
    const { boostMode, maxBoost } = this.rules;
    const least = Math.min(functions.value, f(maxBoost));
    const bounded = match(least, 'Math.min of', [functions, factor(maxBoost, 'maxBoost')]);
    const boost = factor(this.boost, 'queryBoost');
    const value = f(combined(boostMode, score.value, bounded.value));
    const total = f(this.boost * value);
    const text = 'function score, product of:';
    if (boostMode === 'replace') return match(total, text, [bounded, boost]);
    if (boostMode === 'multiply') return match(total, text, [score, bounded, boost]);
    return match(total, text, [match(value, `${boostMode} of`, [score, bounded]), boost]);
  }

  scorer(segment: SegmentReader): Scorer | null {
    const scorer = this.query.scorer(segment);
    if (scorer === null) return null;
    return new FunctionScorer(scorer, this.open(segment), this.ownRules);
  }

  private open(segment: SegmentReader): OpenEntry[] {
    return this.functions.map(({ filter, weight, ...entry }) => ({
      apply: openFunction(entry.function, segment),
      weight,
      docs: filter === null ? null : (filter.matches(segment) ?? NOTHING),
    }));
  }

  private get ownRules(): ScoreRules {
    return { ...this.rules, boost: this.boost };
  }

  topK(segment: SegmentReader): TopK | null {
    const { rules } = this;
    if (rules.minScore !== null || rules.boostMode !== 'multiply' || !(this.boost > 0)) return null;
    const most = largestFactor(rules);
    const inner = most === null ? null : (this.query.topK?.(segment) ?? null);
    if (most === null || inner === null) return null;
    return new FunctionTopK(inner, this.open(segment), this.ownRules, most);
  }

  matches(segment: SegmentReader): Bitset | null {
    if (this.rules.minScore === null) return this.query.matches(segment);
    const scorer = this.scorer(segment);
    return scorer === null ? null : drain(scorer, segment.docCount);
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    if (this.rules.minScore === null) {
      this.query.addMatches(segment, into);
      return;
    }
    const scorer = this.scorer(segment);
    if (scorer !== null) drainInto(scorer, into);
  }
}

class FunctionScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  private current = 0;

  constructor(
    private readonly inner: Scorer,
    private readonly functions: readonly OpenEntry[],
    private readonly rules: ScoreRules,
  ) {
    this.cost = inner.cost;
  }

  nextDoc(): number {
    return this.settle(this.inner.nextDoc());
  }

  advance(target: number): number {
    return this.settle(this.inner.advance(target));
  }

  score(): number {
    return this.rules.minScore === null ? this.compute() : this.current;
  }

  /** Goes on to the first document that scores enough. */
  private settle(from: number): number {
    const { minScore } = this.rules;
    let doc = from;
    if (minScore !== null) {
      while (doc !== NO_MORE_DOCS) {
        this.doc = doc;
        this.current = this.compute();
        if (this.current >= minScore) break;
        doc = this.inner.nextDoc();
      }
    }
    return (this.doc = doc);
  }

  private compute(): number {
    const score = this.inner.score();
    return scoreWith(this.functions, this.rules, this.doc, score);
  }
}
