// What queries over several fields share: names with boosts, one query per field, and joining them.

import { boolQuery } from '../../ast/bool-query';
import { applyMinimumShouldMatch } from '../../ast/minimum-should-match';
import { withBoost, type ParseScope } from '../scope/parse-scope';
import type { Query } from '../../ast/query';
import { matchQuery, type MatchOptions, type MatchType } from './match';
import type { Scalar } from '../scope/members';

/** The query of each field; fields that the value does not fit are left out if `lenient`. */
export function perField(
  fields: ReadonlyMap<string, number | null>,
  type: MatchType,
  value: Scalar,
  options: MatchOptions,
  scope: ParseScope,
): Query[] {
  const queries: Query[] = [];
  for (const [field, boost] of fields) {
    const query = matchQuery(type, field, value, options, scope);
    if (query === null) continue;
    const counted = applyMinimumShouldMatch(query, options.minimumShouldMatch);
    queries.push(boost === null ? counted : withBoost(counted, boost));
  }
  return queries;
}

/** The best of several queries, or with tie breaker 1 their sum. */
export function joined(
  queries: readonly Query[],
  tieBreaker: number,
  scope: ParseScope,
): Query | null {
  const [first, second] = queries;
  if (first === undefined) return null;
  if (second === undefined) return first;
  if (tieBreaker !== 1) return { kind: 'disMax', queries, tieBreaker, boost: 1 };
  scope.checkClauses(queries.length);
  return boolQuery({ should: queries });
}
