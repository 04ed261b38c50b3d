// Queries around other queries: `dis_max`, `boosting`, `constant_score`, `filtered`.

import { appendAll } from '../../../common/index';
import type { JsonValue } from '../../../json/index';
import { named, type KindParser } from '../scope/parse-scope';
import { MATCH_ALL, type Query } from '../../ast/query';
import {
  CommonOptions,
  floatOf,
  isCacheOption,
  members,
  optionName,
  textOf,
} from '../scope/members';
import { parseList } from '../scope/parse-list';

/** `{queries, tie_breaker, boost}`. */
export const parseDisMax: KindParser = (body, scope) => {
  const common = new CommonOptions();
  const queries: Query[] = [];
  let tieBreaker = 0;
  let found = false;
  for (const member of members(body, 'object', 'array')) {
    const { name } = member;
    if (name === 'queries' && member.sort !== 'value') {
      found = true;
      const list: JsonValue[] = member.sort === 'array' ? member.value : [member.value];
      if (list.length === 0) {
        throw scope.error('[_na] query malformed, must start with start_object');
      }
      appendAll(
        queries,
        parseList(list, (value) => scope.query(value)),
      );
    } else if (member.sort === 'value' && optionName(name) === 'tie_breaker') {
      tieBreaker = floatOf(member.value);
    } else if (member.sort !== 'value' || !common.read(name, member.value)) {
      throw scope.error(`[dis_max] query does not support [${name}]`);
    }
  }
  if (!found) throw scope.error("[dis_max] requires 'queries' field");
  if (queries.length === 0) return null;
  return named(common.name, { kind: 'disMax', queries, tieBreaker, boost: common.boost });
};

/** `{positive, negative, negative_boost}`. Its own boost is accepted and dropped. */
export const parseBoosting: KindParser = (body, scope) => {
  const parsed = new Map<string, Query | null>();
  let negativeBoost: number | null = null;
  for (const member of members(body, 'object')) {
    const { name } = member;
    const option = optionName(name);
    if (member.sort === 'object' && (name === 'positive' || name === 'negative')) {
      parsed.set(name, scope.query(member.value));
    } else if (member.sort === 'value' && option === 'negative_boost') {
      negativeBoost = floatOf(member.value);
    } else if (member.sort !== 'value' || option !== 'boost') {
      throw scope.error(`[boosting] query does not support [${name}]`);
    } else {
      floatOf(member.value);
    }
  }
  for (const part of ['positive', 'negative']) {
    // The stray quote at the end is the reference's.
    if (!parsed.has(part))
      throw scope.error(`[boosting] query requires '${part}' query to be set'`);
  }
  if (negativeBoost === null || negativeBoost === -1) {
    throw scope.error("[boosting] query requires 'negative_boost' to be set'");
  }
  const positive = parsed.get('positive') ?? null;
  const negative = parsed.get('negative') ?? null;
  if (positive === null || negative === null) return null;
  return { kind: 'boosting', positive, negative, negativeBoost };
};

/** `{filter|query, boost}`; around an empty filter it says nothing. */
export const parseConstantScore: KindParser = (body, scope) => {
  let inner: Query | null = null;
  let found = false;
  let isQuery = false;
  let boost = 1;
  for (const member of members(body, 'object')) {
    const { name } = member;
    if (member.sort === 'object' && (name === 'filter' || name === 'query')) {
      const part = name === 'filter' ? scope.filter(member.value) : scope.query(member.value);
      // Of a filter and a query the filter counts.
      if (found && !isQuery && name === 'query') continue;
      found = true;
      isQuery = name === 'query';
      inner = part;
    } else if (member.sort === 'value' && name === 'boost') {
      boost = floatOf(member.value);
    } else if (member.sort !== 'value' || !isCacheOption(optionName(name))) {
      throw scope.error(`[constant_score] query does not support [${name}]`);
    }
  }
  if (!found) throw scope.error("[constant_score] requires either 'filter' or 'query' element");
  if (inner === null) return null;
  // compat: all documents are a filter of their own.
  if (!isQuery && inner.kind === 'matchAll' && boost === 1) return inner;
  const query = { kind: 'constantScore', query: inner, boost } as const;
  return isQuery ? { ...query, ofQuery: true } : query;
};

const STRATEGIES: ReadonlySet<string> = new Set([
  'query_first',
  'random_access_always',
  'leap_frog',
  'leap_frog_query_first',
  'leap_frog_filter_first',
]);
const NUMBERED_STRATEGY = /^(?:random_access_|randomAccess)\d+$/;

/** `{query, filter, boost}`. Without a filter, or with one that is everything, it is the bare query. */
export const parseFiltered: KindParser = (body, scope) => {
  const common = new CommonOptions();
  let query: Query | null = MATCH_ALL;
  let filter: Query | null = null;
  for (const member of members(body, 'object')) {
    const { name } = member;
    const option = optionName(name);
    if (member.sort === 'object') {
      if (name === 'query') query = scope.query(member.value);
      else if (name === 'filter') filter = scope.filter(member.value);
      else throw scope.error(`[filtered] query does not support [${name}]`);
    } else if (option === 'strategy') {
      const strategy = textOf(member.value);
      if (!STRATEGIES.has(optionName(strategy)) && !NUMBERED_STRATEGY.test(strategy)) {
        throw scope.error(`[filtered] strategy value not supported [${strategy}]`);
      }
    } else if (!isCacheOption(option) && !common.read(option, member.value)) {
      throw scope.error(`[filtered] query does not support [${name}]`);
    }
  }
  if (query === null || filter === null) return query;
  // Where texts are asked for, another filter for everything has one.
  if (filter.kind === 'matchAll' && filter.shown === undefined) return query;
  if (query.kind === 'matchAll') {
    const boost = Math.fround(query.boost * common.boost);
    // compat: this one is no longer the query that was given a name.
    return { kind: 'constantScore', query: filter, boost };
  }
  return named(common.name, { kind: 'filtered', query, filter, boost: common.boost });
};
