// Filters made of filters or queries: `and`, `or`, `not`, `query`, `fquery`, `limit`.

import { appendAll } from '../../../common/index';
import type { JsonValue } from '../../../json/index';
import { combine } from '../fields/exists-fields';
import { named, type KindParser, type ParseScope } from '../scope/parse-scope';
import { isDecidedByScore } from '../../ast/facts';
import { MATCH_ALL, type Query } from '../../ast/query';
import { intOf, isCacheOption, members, optionName, textOf } from '../scope/members';
import { parseList } from '../scope/parse-list';

/** `[filters]` or `{filters: [...]}`: all of them. */
export const parseAnd: KindParser = (body, scope) =>
  parseListed('and', body, scope, (filters) =>
    scope.shown(combine(filters, [], []), () =>
      filters.map((filter) => `+${scope.filterText(filter)}`).join(' '),
    ),
  );

/** `[filters]` or `{filters: [...]}`: any of them. */
export const parseOr: KindParser = (body, scope) =>
  parseListed('or', body, scope, (filters) =>
    scope.shown(combine([], filters, []), () =>
      filters.map((filter) => scope.filterText(filter)).join(' '),
    ),
  );

function parseListed(
  kind: string,
  body: Parameters<KindParser>[0],
  scope: ParseScope,
  join: (filters: readonly Query[]) => Query,
): Query | null {
  const filters: Query[] = [];
  let filterName: string | null = null;
  let found = false;
  const readList = (list: readonly JsonValue[]): void => {
    found = found || list.length > 0;
    appendAll(
      filters,
      parseList(list, (value) => scope.filter(value)),
    );
  };
  if (Array.isArray(body)) readList(body);
  for (const member of members(body, 'array')) {
    const { name } = member;
    if (member.sort === 'array') {
      found = true;
      if (name === 'filters') readList(member.value);
    } else if (name === '_name') {
      filterName = textOf(member.value);
    } else if (!isCacheOption(optionName(name))) {
      throw scope.error(`[${kind}] filter does not support [${name}]`);
    }
  }
  if (!found) throw scope.error(`[${kind}] filter requires 'filters' to be set on it'`);
  return filters.length === 0 ? null : named(filterName, join(filters));
}

/** `{filter: {...}}`, or the filter itself as a member. */
export const parseNot: KindParser = (body, scope) => {
  let filter: Query | null = null;
  let filterName: string | null = null;
  let found = false;
  if (Array.isArray(body)) throw scope.error('No filter registered for [null]');
  for (const member of members(body, 'object', 'array')) {
    const { name } = member;
    if (member.sort === 'object' && name === 'filter') {
      found = true;
      filter = scope.filter(member.value);
    } else if (member.sort !== 'value') {
      found = true;
      filter = scope.filterOf(name, member.value);
    } else if (name === '_name') {
      filterName = textOf(member.value);
    } else if (!isCacheOption(optionName(name))) {
      throw scope.error(`[not] filter does not support [${name}]`);
    }
  }
  if (!found) throw scope.error('filter is required when using `not` filter');
  if (filter === null) return null;
  const others = combine([MATCH_ALL], [], [filter]);
  return named(
    filterName,
    scope.shown(others, () => `NotFilter(${scope.filterText(filter)})`),
  );
};

/** `{"query": {...}}` among filters: a query without its score. */
export const parseQueryFilter: KindParser = (body, scope) =>
  wrapped(scope.query(Array.isArray(body) ? null : body), scope);

/** The same with options: `{query, _name}`. */
export const parseFquery: KindParser = (body, scope) => {
  let query: Query | null = null;
  let filterName: string | null = null;
  let found = false;
  for (const member of members(body, 'object')) {
    const { name } = member;
    if (member.sort === 'object') {
      if (name !== 'query') throw scope.error(`[fquery] filter does not support [${name}]`);
      found = true;
      query = scope.query(member.value);
    } else if (name === '_name') {
      filterName = textOf(member.value);
    } else if (!isCacheOption(optionName(name))) {
      throw scope.error(`[fquery] filter does not support [${name}]`);
    }
  }
  if (!found) throw scope.error("[fquery] requires 'query' element");
  const filter = wrapped(query, scope);
  return filter === null ? null : named(filterName, filter);
};

function wrapped(query: Query | null, scope: ParseScope): Query | null {
  if (query === null) return null;
  // Scores that decide what matches are those of this query alone, whatever filters stand around it.
  const filter: Query = isDecidedByScore(query)
    ? { kind: 'constantScore', query, boost: 1 }
    : query;
  return scope.shown(filter, () => `QueryWrapperFilter(${scope.queryText(query)})`);
}

/** `{value: n}`: the first n documents of each shard. */
export const parseLimit: KindParser = (body, scope) => {
  let count = -1;
  for (const { name, value } of members(body)) {
    if (name !== 'value') throw scope.error(`[limit] filter does not support [${name}]`);
    count = intOf(value);
  }
  if (count === -1) throw scope.error('No value specified for limit filter');
  return { kind: 'limit', count };
};
