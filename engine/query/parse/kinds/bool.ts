// `bool`, as query and as filter. They differ: in the filter a should clause has to match even beside
// must, and there is no minimum_should_match.

import { boolQuery } from '../../ast/bool-query';
import { appendAll } from '../../../common/index';
import type { JsonObject, JsonValue } from '../../../json/index';
import { combine } from '../fields/exists-fields';
import { applyMinimumShouldMatch, completeNegative } from '../../ast/minimum-should-match';
import { named, type KindParser } from '../scope/parse-scope';
import { MATCH_ALL_DOCS, type Occur, type Query } from '../../ast/query';
import {
  booleanOf,
  CommonOptions,
  isCacheOption,
  members,
  optionName,
  textOf,
} from '../scope/members';
import { parseList } from '../scope/parse-list';

const OCCURS: ReadonlyMap<string, Occur> = new Map([
  ['must', 'must'],
  ['should', 'should'],
  ['must_not', 'mustNot'],
]);

/** The clauses of a body, list by list and in the order in which they were written. */
class Clauses {
  readonly must: Query[] = [];
  readonly should: Query[] = [];
  readonly mustNot: Query[] = [];
  readonly order: Occur[] = [];

  add(occur: Occur, queries: readonly Query[]): void {
    appendAll(this[occur], queries);
    for (let i = 0; i < queries.length; i++) this.order.push(occur);
  }
}

function parseClauses(
  value: JsonObject | JsonValue[],
  parse: (value: JsonValue) => Query | null,
): Query[] {
  return parseList(Array.isArray(value) ? value : [value], parse);
}

/** `{must, should, must_not, minimum_should_match, disable_coord, adjust_pure_negative, boost}`. */
export const parseBool: KindParser = (body, scope) => {
  const clauses = new Clauses();
  const common = new CommonOptions();
  let minimum: string | null = null;
  let disableCoord = false;
  let adjustPureNegative = true;
  for (const member of members(body, 'object', 'array')) {
    const { name } = member;
    const option = optionName(name);
    if (member.sort !== 'value') {
      const occur = OCCURS.get(option);
      if (occur === undefined) {
        const subject = member.sort === 'array' ? 'bool' : '[bool]';
        throw scope.error(`${subject} query does not support [${name}]`);
      }
      clauses.add(
        occur,
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
  const { must, should, mustNot, order } = clauses;
  const count = order.length;
  if (count === 0) return MATCH_ALL_DOCS;
  scope.checkClauses(count);
  const bool: Query = boolQuery({
    must,
    should,
    mustNot,
    order,
    disableCoord,
    boost: common.boost,
  });
  const counted = applyMinimumShouldMatch(bool, minimum);
  return named(common.name, adjustPureNegative ? completeNegative(counted) : counted);
};

/** `{must, should, must_not}`; null when all lists are empty or hold empty filters only. */
export const parseBoolFilter: KindParser = (body, scope) => {
  const clauses = new Clauses();
  let filterName: string | null = null;
  let empty = true;
  for (const member of members(body, 'object', 'array')) {
    const { name } = member;
    const occur = OCCURS.get(optionName(name));
    if (member.sort !== 'value' && occur !== undefined) {
      empty = false;
      clauses.add(
        occur,
        parseClauses(member.value, (value) => scope.filter(value)),
      );
    } else if (member.sort === 'value' && name === '_name') {
      filterName = textOf(member.value);
    } else if (member.sort !== 'value' || !isCacheOption(optionName(name))) {
      throw scope.error(`[bool] filter does not support [${name}]`);
    }
  }
  if (empty) throw scope.error('[bool] filter has no inner should/must/must_not elements');
  const { must, should, mustNot, order } = clauses;
  if (order.length === 0) return null;
  const filter = scope.shown(combine(must, should, mustNot), () =>
    scope.filterText(boolQuery({ must, should, mustNot, order })),
  );
  return named(filterName, filter);
};
