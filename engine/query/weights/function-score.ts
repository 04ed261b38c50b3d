// The documents of a query with scores changed by functions (function_score).

import { NO_MORE_DOCS, type Bitset, type SegmentReader } from '../../segment/index';
import { drain, drainInto, hasDoc, type QueryWeight } from './query-weight';
import type { QueryOf } from '../ast/traits';
import type { Binder } from './binder';
import type { BoostMode, WeightedFunction } from '../ast/score-function';
import { type ExplainContext, type Explanation, factor, match } from '../scoring/explanation';
import type { Scorer } from '../scoring/weight';
import { BoostedWeight, NOTHING } from './boosted-weight';
import { explainFunction, joinFunctions } from './explain-functions';
import { openFunction, type OpenFunction } from './score-functions';

const f = Math.fround;

type ScoreRules = QueryOf<'functionScore'>;

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
    const functions = this.functions.map(({ filter, weight, ...entry }) => ({
      apply: openFunction(entry.function, segment),
      weight,
      docs: filter === null ? null : (filter.matches(segment) ?? NOTHING),
    }));
    return new FunctionScorer(scorer, functions, { ...this.rules, boost: this.boost });
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

interface OpenEntry {
  readonly apply: OpenFunction;
  readonly weight: number | null;
  /** Null: all. */
  readonly docs: { has(doc: number): boolean } | null;
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
    const { rules } = this;
    if (this.functions.length === 0) return f(rules.boost * score);
    const factor = Math.min(this.factor(score), rules.maxBoost);
    return f(rules.boost * combined(rules.boostMode, score, factor));
  }

  /** What the functions that apply to the document come to; 1 when none does. */
  private factor(score: number): number {
    const { functions, doc } = this;
    const { scoreMode } = this.rules;
    let applied = 0;
    let result = 1;
    let weights = 0;
    for (let i = 0; i < functions.length; i++) {
      const { docs, apply, weight } = functions[i]!;
      if (docs !== null && !docs.has(doc)) continue;
      const value = weight === null ? apply(doc, score) : apply(doc, score) * weight;
      if (scoreMode === 'first') return value;
      weights += weight ?? 1;
      if (applied++ === 0) result = value;
      else if (scoreMode === 'multiply') result *= value;
      else if (scoreMode === 'max') result = Math.max(result, value);
      else if (scoreMode === 'min') result = Math.min(result, value);
      else result += value;
    }
    if (scoreMode !== 'avg' && scoreMode !== 'sum') return result;
    // compat: functions whose weights cancel out count as none.
    if (weights === 0) return 1;
    // compat: a function alone is no average.
    const isAlone = functions.length === 1 && functions[0]!.docs === null;
    return scoreMode === 'avg' && !isAlone ? result / weights : result;
  }
}

function combined(mode: BoostMode, score: number, factor: number): number {
  switch (mode) {
    case 'multiply':
      return score * factor;
    case 'replace':
      return factor;
    case 'sum':
      return score + factor;
    case 'avg':
      return (score + factor) / 2;
    case 'max':
      return Math.max(score, factor);
    case 'min':
      return Math.min(score, factor);
  }
}
