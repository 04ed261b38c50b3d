// How the functions that apply to a document make its score, together and with that of the query.

import type { BoostMode } from '../ast/score-function';
import type { QueryOf } from '../ast/traits';

const f = Math.fround;

/** A function on the documents of one segment. */
export interface OpenEntry {
  /** The value for a document, given the score of the query. */
  readonly apply: (doc: number, score: number) => number;
  readonly weight: number | null;
  /** Null: all. */
  readonly docs: { has(doc: number): boolean } | null;
}

/** What a function_score query says of joining scores. */
export type ScoreRules = QueryOf<'functionScore'>;

/** The score of a document by that of the query (float32). */
export function scoreWith(
  functions: readonly OpenEntry[],
  rules: ScoreRules,
  doc: number,
  score: number,
): number {
  if (functions.length === 0) return f(rules.boost * score);
  const factor = Math.min(factorOf(functions, rules, doc, score), rules.maxBoost);
  return f(rules.boost * combined(rules.boostMode, score, factor));
}

/** What the functions that apply to the document come to; 1 when none does. */
function factorOf(
  functions: readonly OpenEntry[],
  { scoreMode }: ScoreRules,
  doc: number,
  score: number,
): number {
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

/** The score of the query and what the functions come to, as one. */
export function combined(mode: BoostMode, score: number, factor: number): number {
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
