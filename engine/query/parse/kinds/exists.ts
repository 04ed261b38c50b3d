// `exists` and `missing` filters.

import { existsFilter, missingFilter } from '../fields/exists-fields';
import { named, type KindParser } from '../scope/parse-scope';
import { booleanOf, members, textOf } from '../scope/members';

/** `{field}`; a pattern or an object means any of its fields. */
export const parseExists: KindParser = (body, scope) => {
  let field: string | null = null;
  let filterName: string | null = null;
  for (const { name, value } of members(body)) {
    if (name === 'field') field = textOf(value);
    else if (name === '_name') filterName = textOf(value);
    else throw scope.error(`[exists] filter does not support [${name}]`);
  }
  if (field === null) throw scope.error('exists must be provided with a [field]');
  return named(filterName, existsFilter(field, scope));
};

/** `{field, existence, null_value}`. */
export const parseMissing: KindParser = (body, scope) => {
  let field: string | null = null;
  let filterName: string | null = null;
  let existence = true;
  let nullValue = false;
  for (const { name, value } of members(body)) {
    if (name === 'field') field = textOf(value);
    else if (name === 'null_value') nullValue = booleanOf(value);
    else if (name === 'existence') existence = booleanOf(value);
    else if (name === '_name') filterName = textOf(value);
    else throw scope.error(`[missing] filter does not support [${name}]`);
  }
  if (field === null) throw scope.error('missing must be provided with a [field]');
  if (!existence && !nullValue) {
    throw scope.error('missing must have either existence, or null_value, or both set to true');
  }
  const filter = missingFilter(field, existence, nullValue, scope);
  return filter === null ? null : named(filterName, filter);
};
