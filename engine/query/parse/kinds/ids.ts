// Documents by id or type: `ids` as query and filter, the `type` filter.

import { JsonNumber, type JsonObject, type JsonValue } from '../../../json/index';
import { uidsQuery } from '../fields/term-fields';
import { named, withBoost, type KindParser, type ParseScope } from '../scope/parse-scope';
import type { Query } from '../../ast/query';
import { CommonOptions, firstMember, isScalar, members, textOf, tokenName } from '../scope/members';

/** `{values: [...], type|types, boost}`. */
export const parseIds: KindParser = (body, scope) => {
  const common = new CommonOptions();
  const query = parse(body, scope, 'query', common);
  if (query === null) throw scope.error('[ids] query, no ids values provided');
  return named(common.name, withBoost(query, common.boost));
};

/** As the query, without boost. */
export const parseIdsFilter: KindParser = (body, scope) => {
  const common = new CommonOptions();
  const query = parse(body, scope, 'filter', common);
  if (query === null) throw scope.error('[ids] filter requires providing a values element');
  return named(common.name, query);
};

/** Null when no `values` were given. */
function parse(
  body: Parameters<KindParser>[0],
  scope: ParseScope,
  kind: 'query' | 'filter',
  common: CommonOptions,
): Query | null {
  let ids: string[] | null = null;
  let types: string[] = [];
  for (const member of members(body, 'array')) {
    const { name } = member;
    if (member.sort === 'array') {
      scope.context.meter.add('terms', member.value.length);
      if (name === 'values') ids = member.value.map((value) => idOf(value, scope));
      else if (name === 'type' || name === 'types') {
        types = member.value.map((value) => typeName(value, scope));
      } else throw scope.error(`[ids] ${kind} does not support [${name}]`);
    } else if (name === 'type' || name === '_type') {
      types = [textOf(member.value)];
    } else if (!(kind === 'filter' && name === 'boost') && common.read(name, member.value)) {
      continue;
    } else {
      throw scope.error(`[ids] ${kind} does not support [${name}]`);
    }
  }
  if (ids === null) return null;
  const all = types.length === 1 && types[0] === '_all';
  const named = all ? scope.context.mapping.types : types;
  return uidsQuery(types.length === 0 ? scope.queryTypes : named, ids, scope);
}

function idOf(value: JsonValue, scope: ParseScope): string {
  if (typeof value === 'string' || value instanceof JsonNumber) return textOf(value);
  throw scope.error(`Illegal value for id, expecting a string or number, got: ${tokenName(value)}`);
}

function typeName(value: JsonValue, scope: ParseScope): string {
  if (value === null) throw scope.error('No type specified for term filter');
  return isScalar(value) ? textOf(value) : '';
}

/** `{value: type}` and nothing else. */
export const parseTypeFilter: KindParser = (body, scope) => {
  const [name, value] = firstMember(body) ?? ['', null];
  if (name !== 'value' || typeof value !== 'string' || (body as JsonObject).size > 1) {
    throw scope.error('[type] filter should have a value field, and the type name');
  }
  return { kind: 'types', types: [value], boost: 1 };
};
