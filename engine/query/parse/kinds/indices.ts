// `indices`: one query on some indices, another on the rest; as query and as filter.

import type { JsonObject } from '../../../json/index';
import { named, type KindParser, type ParseScope } from '../scope/parse-scope';
import { MATCH_ALL, MATCH_NONE, type Query } from '../../ast/query';
import { isScalar, members, textOf } from '../scope/members';

/** `{index|indices, query, no_match_query: query|"all"|"none"}`. */
export const parseIndices: KindParser = (body, scope) =>
  parse('query', body, scope, (inner) => scope.query(inner));

/** `{index|indices, filter, no_match_filter: filter|"all"|"none"}`. */
export const parseIndicesFilter: KindParser = (body, scope) =>
  parse('filter', body, scope, (inner) => scope.filter(inner));

/** Only the side that applies to this index is parsed. */
function parse(
  kind: 'query' | 'filter',
  body: Parameters<KindParser>[0],
  scope: ParseScope,
  parseBody: (inner: JsonObject) => Query | null,
): Query | null {
  let match: JsonObject | null = null;
  let otherwise: JsonObject | Query = MATCH_ALL;
  let indices: readonly string[] | null = null;
  let name: string | null = null;
  for (const member of members(body, 'object', 'array')) {
    if (member.sort === 'object' && member.name === kind) {
      match = member.value;
    } else if (member.sort === 'object' && member.name === `no_match_${kind}`) {
      otherwise = member.value;
    } else if (member.name === 'indices' && member.sort === 'array') {
      scope.context.meter.add('fields', member.value.length);
      indices = once(indices, member.value.filter(isScalar).map(textOf), scope);
    } else if (member.name === 'index' && member.sort === 'value') {
      indices = once(indices, [textOf(member.value)], scope);
    } else if (member.name === `no_match_${kind}` && member.sort === 'value') {
      otherwise = textOf(member.value) === 'none' ? MATCH_NONE : MATCH_ALL;
    } else if (member.name === '_name' && member.sort === 'value') {
      name = textOf(member.value);
    } else {
      throw scope.error(`[indices] ${kind} does not support [${member.name}]`);
    }
  }
  if (match === null) throw scope.error(`[indices] requires '${kind}' element`);
  if (indices === null) throw scope.error("[indices] requires 'indices' or 'index' element");
  const chosen = scope.matchesIndex(indices) ? match : otherwise;
  const query = chosen instanceof Map ? parseBody(chosen) : chosen;
  return query === null ? null : named(name, query);
}

function once(
  before: readonly string[] | null,
  names: readonly string[],
  scope: ParseScope,
): readonly string[] {
  if (before !== null) throw scope.error('[indices] indices or index already specified');
  return names;
}
