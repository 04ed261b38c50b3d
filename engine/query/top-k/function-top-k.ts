// The best hits of a query whose scores functions multiply by something that is never above a known factor:
// what is too bad for that factor is too bad for any.

import type { ScoreFunction } from '../ast/score-function';
import type { BestHits, DocTest, TopK } from '../scoring/weight';
import { type OpenEntry, type ScoreRules, scoreWith } from '../scoring/function-rules';

/** Scores are rounded to float32 on the way, which a bound has to allow for. */
const ROUNDING = 1 + 1e-6;

/** The largest value that the functions of a query come to; null: there is none, or it may be negative. */
export function largestFactor({ functions, scoreMode, maxBoost }: ScoreRules): number | null {
  if (!(maxBoost > 0) || scoreMode === 'avg') return null;
  let largest = 0;
  let sum = 0;
  let product = 1;
  let isForAll = false;
  for (const { filter, function: own, weight } of functions) {
    const most = largestValue(own);
    const value = most === null ? NaN : most * (weight ?? 1);
    if (!(value >= 0) || (weight ?? 1) < 0) return null;
    isForAll ||= filter === null;
    largest = Math.max(largest, value);
    sum += value;
    product *= filter === null ? value : Math.max(1, value);
  }
  // Where no function applies, or their weights cancel out, the factor is 1.
  const none = isForAll && scoreMode !== 'sum' ? 0 : 1;
  if (scoreMode === 'multiply') return Math.min(Math.max(product, none), maxBoost);
  return Math.min(Math.max(scoreMode === 'sum' ? sum : largest, none), maxBoost);
}

function largestValue(own: ScoreFunction): number | null {
  switch (own.kind) {
    case 'constant':
      return own.value ?? 1;
    case 'decay':
    case 'random':
      return 1;
    case 'fieldValue':
    case 'script':
      return null;
  }
}

/** A ranking with scores changed by functions. */
export class FunctionTopK implements TopK {
  /** @param most what the functions come to at most */
  constructor(
    private readonly inner: TopK,
    private readonly functions: readonly OpenEntry[],
    private readonly rules: ScoreRules,
    private readonly most: number,
  ) {}

  count(accept: DocTest | null): number {
    return this.inner.count(accept);
  }

  offer(accept: DocTest | null, best: BestHits, segment: number): void {
    const { functions, rules } = this;
    const most = this.most * rules.boost * ROUNDING;
    this.inner.offer(
      accept,
      {
        places: Infinity,
        get threshold() {
          // Scores below zero would grow by small factors.
          return best.threshold > 0 ? best.threshold / most : -Infinity;
        },
        offer: (score, at, doc) => best.offer(scoreWith(functions, rules, doc, score), at, doc),
      },
      segment,
    );
  }
}
