// `range`, as query and as filter.

import { isJsonObject, type JsonObject } from '../../../json/index';
import { timeZone } from '../../../mapping/index';
import { replaceBoost } from '../../ast/boost';
import { isDate, isNumeric, restrict } from '../scope/field-ref';
import { checkTimeZone, rangeQuery, type RangeSpec } from '../fields/range-fields';
import { named, type KindParser, type ParseScope } from '../scope/parse-scope';
import {
  firstMember,
  booleanOf,
  CommonOptions,
  isCacheOption,
  optionName,
  textOf,
  isScalar,
  type Scalar,
} from '../scope/members';

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

const NO_BOUNDS: RangeSpec = {
  from: null,
  to: null,
  includeFrom: true,
  includeTo: true,
  format: null,
  timeZone: null,
};

/**
 * Reads bounds; members that are none go to `other`, which says whether it knows them.
 *
 * @param kind what errors call the range
 */
function readBounds(
  spec: Mutable<RangeSpec>,
  body: JsonObject,
  other: (option: string, value: Scalar) => boolean,
  kind: '[range] query' | '[range] filter' | '[numeric_range] filter',
  scope: ParseScope,
): void {
  for (const [name, given] of body) {
    const value = isScalar(given) ? given : null;
    if (given !== null && value === null) {
      throw scope.error(`${kind} does not support [${name}]`);
    }
    if (!readBound(spec, optionName(name), value) && (value === null || !other(name, value))) {
      throw scope.error(`${kind} does not support [${name}]`);
    }
  }
}

function readBound(spec: Mutable<RangeSpec>, option: string, value: Scalar | null): boolean {
  switch (option) {
    case 'from':
      spec.from = value;
      return true;
    case 'to':
      spec.to = value;
      return true;
    case 'gt':
    case 'gte':
    case 'ge':
      spec.from = value;
      spec.includeFrom = option !== 'gt';
      return true;
    case 'lt':
    case 'lte':
    case 'le':
      spec.to = value;
      spec.includeTo = option !== 'lt';
      return true;
    case 'include_lower':
      spec.includeFrom = value !== null && booleanOf(value);
      return true;
    case 'include_upper':
      spec.includeTo = value !== null && booleanOf(value);
      return true;
    case 'time_zone':
      spec.timeZone = value === null ? null : timeZone(textOf(value)).id;
      return true;
    case 'format':
      spec.format = value === null ? null : textOf(value);
      return true;
    default:
      return false;
  }
}

/** `{field: {gte, gt, lte, lt, from, to, include_lower, include_upper, time_zone, format, boost}}`. */
export const parseRange: KindParser = (body, scope) => {
  const member = firstMember(body);
  if (member === null) {
    throw scope.error('[range] query malformed, no field to indicate field name');
  }
  const [name, content] = member;
  if (!isJsonObject(content)) {
    throw scope.error('[range] query malformed, after field missing start object');
  }
  const options = new CommonOptions();
  const spec = { ...NO_BOUNDS };
  const read = (option: string, value: Scalar): boolean => options.read(option, value);
  readBounds(spec, content, read, '[range] query', scope);
  if (isJsonObject(body) && body.size > 1) {
    throw scope.error('[range] query malformed, does not end with an object');
  }
  const ref = scope.field(name);
  checkTimeZone(ref, spec, 'range', scope);
  const query = replaceBoost(rangeQuery(ref, spec, 'query', scope), options.boost);
  return named(options.name, restrict(ref, query));
};

/** What both filters have: a field with bounds, and options. */
interface RangeFilter {
  readonly field: string;
  readonly spec: RangeSpec;
  readonly name: string | null;
}

/**
 * Of several fields the last holds, with the bounds of all (reference server).
 *
 * @param option reads an option that only this filter has; false: it has none of that name
 */
function readRangeFilter(
  body: Parameters<KindParser>[0],
  kind: '[range] filter' | '[numeric_range] filter',
  option: (name: string, value: Scalar) => boolean,
  scope: ParseScope,
): RangeFilter {
  let field: string | null = null;
  let filterName: string | null = null;
  const spec = { ...NO_BOUNDS };
  for (const [name, value] of isJsonObject(body) ? body : []) {
    if (isJsonObject(value)) {
      field = name;
      readBounds(spec, value, () => false, kind, scope);
    } else if (isScalar(value)) {
      if (name === '_name') filterName = textOf(value);
      else if (!option(name, value) && !isCacheOption(optionName(name)))
        throw scope.error(`${kind} does not support [${name}]`);
    }
  }
  if (field === null) throw scope.error(`${kind} no field specified for range filter`);
  return { field, spec, name: filterName };
}

/** As the query, plus `execution`. */
export const parseRangeFilter: KindParser = (body, scope) => {
  let execution = 'index';
  const option = (name: string, value: Scalar): boolean => {
    if (name === 'execution') execution = textOf(value);
    return name === 'execution';
  };
  const { field, spec, name } = readRangeFilter(body, '[range] filter', option, scope);
  const ref = scope.field(field);
  if (ref.mapped !== null && execution !== 'index') {
    if (execution !== 'fielddata') {
      throw scope.error(`[range] filter doesn't support [${execution}] execution`);
    }
    if (!isNumeric(ref) && !isDate(ref)) {
      throw scope.error(`[range] filter field [${field}] is not a numeric type`);
    }
  }
  checkTimeZone(ref, spec, 'range', scope);
  return named(name, restrict(ref, rangeQuery(ref, spec, 'filter', scope)));
};

/** `numeric_range`: a range over a field that has to be one of numbers, dates or addresses. */
export const parseNumericRangeFilter: KindParser = (body, scope) => {
  const { field, spec, name } = readRangeFilter(body, '[numeric_range] filter', () => false, scope);
  const ref = scope.field(field);
  if (ref.mapped === null) throw scope.error(`failed to find mapping for field [${field}]`);
  if (!isNumeric(ref)) throw scope.error(`Field [${field}] is not a numeric type`);
  return named(name, restrict(ref, rangeQuery(ref, spec, 'filter', scope)));
};
