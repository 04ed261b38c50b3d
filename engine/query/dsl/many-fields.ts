// What queries over several fields share: names with boosts, one query per field, and joining them.

import { parseDouble } from '../../mapping/java-values';
import { applyMinimumShouldMatch } from '../minimum-should-match';
import { withBoost, type ParseScope } from '../parse-scope';
import type { Query } from '../query';
import { matchQuery, type MatchOptions, type MatchType } from './match';
import type { Scalar } from './members';

/**
 * Adds a field name with its boost (`name^2`; null: none given); patterns stand for all fields they match.
 *
 * @throws EngineError NumberFormatException for a boost that is no number
 */
export function addFields(
  text: string,
  types: readonly string[],
  fields: Map<string, number | null>,
  scope: ParseScope,
): void {
  const caret = text.indexOf('^');
  const name = caret < 0 ? text : text.slice(0, caret);
  const boost = caret < 0 ? null : Math.fround(parseDouble(text.slice(caret + 1)));
  if (!name.includes('*')) {
    fields.set(name, boost);
    return;
  }
  for (const field of scope.context.mapping.match(name, types)) fields.set(field.indexName, boost);
}

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
  return {
    kind: 'bool',
    must: [],
    should: queries,
    mustNot: [],
    minimumShouldMatch: 0,
    disableCoord: false,
    boost: 1,
  };
}
