// `bool`, as query and as filter. They differ: in the filter a should clause has to match even beside
// must, and there is no minimum_should_match.

import { boolQuery } from '../../ast/bool-query';
import { appendAll } from '../../../common/index';
import type { JsonObject, JsonValue } from '../../../json/index';
import { combine } from '../fields/exists-fields';
import { applyMinimumShouldMatch, completeNegative } from '../../ast/minimum-should-match';
import { named, type KindParser } from '../scope/parse-scope';
import { MATCH_ALL, type Query } from '../../ast/query';
import {
  booleanOf,
  CommonOptions,
  isCacheOption,
  members,
  optionName,
  textOf,
} from '../scope/members';
import { parseList } from '../scope/parse-list';

type Occur = 'must' | 'should' | 'must_not';

function occurOf(name: string): Occur | null {
  const option = optionName(name);
  return option === 'must' || option === 'should' || option === 'must_not' ? option : null;
}

function parseClauses(
  value: JsonObject | JsonValue[],
  parse: (value: JsonValue) => Query | null,
): Query[] {
  return parseList(Array.isArray(value) ? value : [value], parse);
}

/** `{must, should, must_not, minimum_should_match, disable_coord, adjust_pure_negative, boost}`. */
export const parseBool: KindParser = (body, scope) => {
  const clauses: Record<Occur, Query[]> = { must: [], should: [], must_not: [] };
  const common = new CommonOptions();
  let minimum: string | null = null;
  let disableCoord = false;
  let adjustPureNegative = true;
  for (const member of members(body, 'object', 'array')) {
    const { name } = member;
    const option = optionName(name);
    if (member.sort !== 'value') {
      const occur = occurOf(name);
      if (occur === null) {
        const subject = member.sort === 'array' ? 'bool' : '[bool]';
        throw scope.error(`${subject} query does not support [${name}]`);
      }
      appendAll(
        clauses[occur],
        parseClauses(member.value, (value) => scope.query(value)),
      );
    } else if (option === 'disable_coord') {
      disableCoord = booleanOf(member.value);
    } else if (option === 'minimum_should_match' || option === 'minimum_number_should_match') {
      minimum = textOf(member.value);
    } else if (option === 'adjust_pure_negative') {
      adjustPureNegative = booleanOf(member.value);
    } else if (!common.read(option, member.value)) {
      throw scope.error(`[bool] query does not support [${name}]`);
    }
  }
  const { must, should, must_not: mustNot } = clauses;
  const count = must.length + should.length + mustNot.length;
  if (count === 0) return MATCH_ALL;
  scope.checkClauses(count);
  const bool: Query = boolQuery({ must, should, mustNot, disableCoord, boost: common.boost });
  const counted = applyMinimumShouldMatch(bool, minimum);
  return named(common.name, adjustPureNegative ? completeNegative(counted) : counted);
};

/** `{must, should, must_not}`; null when all lists are empty or hold empty filters only. */
export const parseBoolFilter: KindParser = (body, scope) => {
  const clauses: Record<Occur, Query[]> = { must: [], should: [], must_not: [] };
  let filterName: string | null = null;
  let empty = true;
  for (const member of members(body, 'object', 'array')) {
    const { name } = member;
    const occur = occurOf(name);
    if (member.sort !== 'value' && occur !== null) {
      empty = false;
      appendAll(
        clauses[occur],
        parseClauses(member.value, (value) => scope.filter(value)),
      );
    } else if (member.sort === 'value' && name === '_name') {
      filterName = textOf(member.value);
    } else if (member.sort !== 'value' || !isCacheOption(optionName(name))) {
      throw scope.error(`[bool] filter does not support [${name}]`);
    }
  }
  if (empty) throw scope.error('[bool] filter has no inner should/must/must_not elements');
  const { must, should, must_not: mustNot } = clauses;
  if (must.length + should.length + mustNot.length === 0) return null;
  return named(filterName, combine(must, should, mustNot));
};
