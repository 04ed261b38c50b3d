// `range`, as query and as filter.

import { isJsonObject, type JsonObject } from '../../json/json';
import { timeZone } from '../../mapping/date-format';
import { replaceBoost } from '../boost';
import { isDate, isNumeric, restrict } from '../field-queries/field-ref';
import { checkTimeZone, rangeQuery, type RangeSpec } from '../field-queries/range';
import { named, type KindParser, type ParseScope } from '../parse-scope';
import {
  firstMember,
  booleanOf,
  CommonOptions,
  isCacheOption,
  optionName,
  textOf,
} from './members';
import { isScalar, type Scalar } from './members';

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Reads the bounds; members that are none go to `other`, which says whether it knows them. */
function readBounds(
  body: JsonObject,
  other: (option: string, value: Scalar) => boolean,
  kind: 'query' | 'filter',
  scope: ParseScope,
): RangeSpec {
  const spec: Mutable<RangeSpec> = {
    from: null,
    to: null,
    includeFrom: true,
    includeTo: true,
    format: null,
    timeZone: null,
  };
  for (const [name, given] of body) {
    const value = isScalar(given) ? given : null;
    if (given !== null && value === null) {
      throw scope.error(`[range] ${kind} does not support [${name}]`);
    }
    if (!readBound(spec, optionName(name), value) && (value === null || !other(name, value))) {
      throw scope.error(`[range] ${kind} does not support [${name}]`);
    }
  }
  return spec;
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
  const spec = readBounds(content, (option, value) => options.read(option, value), 'query', scope);
  if (isJsonObject(body) && body.size > 1) {
    throw scope.error('[range] query malformed, does not end with an object');
  }
  const ref = scope.field(name);
  checkTimeZone(ref, spec, 'range', scope);
  const query = replaceBoost(rangeQuery(ref, spec, 'query', scope), options.boost);
  return named(options.name, restrict(ref, query));
};

/** As the query, plus `execution`; of several fields the last holds. */
export const parseRangeFilter: KindParser = (body, scope) => {
  let field: string | null = null;
  let bounds: JsonObject = new Map();
  let execution = 'index';
  let filterName: string | null = null;
  for (const [name, value] of isJsonObject(body) ? body : []) {
    if (isJsonObject(value)) {
      field = name;
      bounds = value;
    } else if (isScalar(value)) {
      if (name === '_name') filterName = textOf(value);
      else if (name === 'execution') execution = textOf(value);
      else if (!isCacheOption(optionName(name))) {
        throw scope.error(`[range] filter does not support [${name}]`);
      }
    }
  }
  if (field === null) throw scope.error('[range] filter no field specified for range filter');
  const spec = readBounds(bounds, () => false, 'filter', scope);
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
  return named(filterName, restrict(ref, rangeQuery(ref, spec, 'filter', scope)));
};
