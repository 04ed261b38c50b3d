// What a boolean combination says of its score (bool and boosting queries).

import type { SegmentReader } from '../../segment/index';
import type { Query } from '../ast/query';
import {
  type ExplainContext,
  type Explanation,
  factor,
  match,
  noMatch,
} from '../scoring/explanation';
import type { QueryWeight } from './query-weight';

const f = Math.fround;

/** A clause, in the place where it was written. */
export interface ExplainedClause {
  readonly occur: 'must' | 'should' | 'mustNot';
  readonly query: Query;
  readonly weight: QueryWeight;
}

/** How matching clauses become the score. */
export interface ClauseRules {
  /** Least number of optional clauses; 0: none. */
  readonly minimum: number;
  /** Coordination factors by number of matching clauses. */
  readonly factors: Float32Array;
  /** The number of clauses that are not prohibited. */
  readonly clauseCount: number;
}

/** The sum of the clauses, or why it is none. */
export function explainClauses(
  clauses: readonly ExplainedClause[],
  { minimum, factors, clauseCount }: ClauseRules,
  segment: SegmentReader,
  doc: number,
  context: ExplainContext,
): Explanation {
  const details: Explanation[] = [];
  let sum = 0;
  let overlap = 0;
  let optional = 0;
  let fails = false;
  for (const { occur, query, weight } of clauses) {
    const part = weight.scorer(segment) === null ? null : weight.explain(segment, doc, context);
    if (part?.isMatch === true) {
      if (occur === 'mustNot') {
        fails = true;
        details.push(noMatch(`match on prohibited clause (${context.textOf(query)})`, [part]));
        continue;
      }
      details.push(part);
      sum = f(sum + part.value);
      overlap++;
      if (occur === 'should') optional++;
    } else if (occur === 'must') {
      fails = true;
      const why = part === null ? [] : [part];
      details.push(noMatch(`no match on required clause (${context.textOf(query)})`, why));
    }
  }
  if (fails)
    return noMatch('Failure to meet condition(s) of required/prohibited clause(s)', details);
  if (optional < minimum) {
    return noMatch(`Failure to match minimum number of optional clauses: ${minimum}`, details);
  }
  const scored = overlap > 0 ? match : noMatchOf;
  const total = scored(sum, 'sum of:', details);
  const coord = factors[overlap]!;
  if (coord === 1) return total;
  const text = `coord(${overlap}/${clauseCount})`;
  return scored(f(sum * coord), 'product of:', [total, factor(coord, text)]);
}

/** No clause matched, nor had to. */
function noMatchOf(value: number, text: string, details: readonly Explanation[]): Explanation {
  return { ...match(value, text, details), isMatch: false };
}
