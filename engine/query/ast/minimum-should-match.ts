// The `minimum_should_match` grammar: `2`, `-1`, `75%`, `-25%`, `2<75%`, `2<-1 9<90%` (reference server).

import { type Query, MATCH_ALL } from './query';
import { numberFormat, parseInt32 } from '../../common/index';

const f = Math.fround;

/**
 * How many of `optional` clauses have to match; 0 stands for "not set".
 *
 * @throws EngineError NumberFormatException when a number in `spec` is none
 */
export function minimumShouldMatch(optional: number, spec: string): number {
  const text = spec.trim();
  if (text.includes('<')) return conditional(optional, text);
  const result = text.includes('%') ? percentage(optional, text) : count(optional, text);
  return Math.max(0, Math.min(optional, result));
}

/** `bound<spec` parts with ascending bounds: the last part whose bound is below `optional` holds. */
function conditional(optional: number, text: string): number {
  let result = optional;
  for (const part of text.replace(/\s+<\s*|\s*<\s+/g, '<').split(' ')) {
    const [bound = '', inner = ''] = part.split('<');
    if (optional <= parseInt32(bound)) return result;
    if (inner === '') throw numberFormat(inner);
    result = minimumShouldMatch(optional, inner);
  }
  return result;
}

function percentage(optional: number, text: string): number {
  const percent = parseInt32(text.slice(0, -1));
  const share = f(f(optional * percent) * f(0.01));
  return share < 0 ? optional + Math.trunc(share) : Math.trunc(share);
}

function count(optional: number, text: string): number {
  const number = parseInt32(text);
  return number < 0 ? optional + number : number;
}

/** Sets the minimum on a bool query; other queries, and a null spec, leave it as it is. */
export function applyMinimumShouldMatch(query: Query, spec: string | null): Query {
  if (spec === null || query.kind !== 'bool') return query;
  const minimum = minimumShouldMatch(query.should.length, spec);
  return minimum > 0 ? { ...query, minimumShouldMatch: minimum } : query;
}

/** A bool of prohibited clauses only means all other documents. */
export function completeNegative(query: Query): Query {
  if (query.kind !== 'bool' || query.mustNot.length === 0) return query;
  if (query.must.length + query.should.length > 0) return query;
  return {
    ...query,
    must: [MATCH_ALL],
    order: [...query.mustNot.map(() => 'mustNot' as const), 'must'],
  };
}
