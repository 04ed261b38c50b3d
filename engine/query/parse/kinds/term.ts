// `term`: one exact value, as query and as filter.

import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/index';
import { replaceBoost } from '../../ast/boost';
import { restrict } from '../scope/field-ref';
import { termQuery, termsFilter } from '../fields/term-fields';
import { named, type KindParser, type ParseScope } from '../scope/parse-scope';
import {
  type KindBody,
  CommonOptions,
  firstMember,
  isCacheOption,
  isScalar,
  members,
  optionName,
  refuseSecondMember,
  textOf,
  type Scalar,
} from '../scope/members';

/**
 * The single `field: value` member of a query body.
 *
 * @throws EngineError when there is none, or a second one
 */
export function singleField(
  body: KindBody,
  kind: string,
  scope: ParseScope,
): readonly [string, JsonValue] {
  const member = firstMember(body);
  if (member === null) throw scope.error(`[${kind}] query malformed, no field`);
  refuseSecondMember(body as JsonObject);
  return member;
}

/** The value of the short form, which is read as text: `2.7` and `null` are words. */
export function shortValue(value: JsonValue): string {
  if (value === null) return 'null';
  if (isScalar(value)) return textOf(value);
  return isJsonObject(value) ? '{' : '[';
}

/** `{field: value}` or `{field: {value|term, boost, _name}}`. */
export const parseTerm: KindParser = (body, scope) => {
  const [name, content] = singleField(body, 'term', scope);
  const options = new CommonOptions();
  let value: Scalar | null = null;
  if (isJsonObject(content)) {
    for (const { name: option, value: given } of members(content)) {
      if (option === 'term' || option === 'value') value = given;
      else if (!options.read(option, given)) {
        throw scope.error(`[term] query does not support [${option}]`);
      }
    }
  } else {
    value = shortValue(content);
  }
  if (value === null) throw scope.error('No value specified for term query');
  const ref = scope.field(name);
  const query = replaceBoost(termQuery(ref, value, scope), options.boost);
  return named(options.name, restrict(ref, query));
};

/** `{field: value}` or `{field: {value|term}}`; of several fields and values the last holds. */
export const parseTermFilter: KindParser = (body, scope) => {
  let field: string | null = null;
  let value: Scalar | null = null;
  let filterName: string | null = null;
  for (const member of members(body, 'object')) {
    if (member.sort === 'object') {
      field = member.name;
      value = objectValue(member.value, scope) ?? value;
    } else if (member.name === '_name') {
      filterName = textOf(member.value);
    } else if (!isCacheOption(optionName(member.name))) {
      field = member.name;
      value = member.value;
    }
  }
  if (field === null) throw scope.error('No field specified for term filter');
  if (value === null) throw scope.error('No value specified for term filter');
  const ref = scope.field(field);
  return named(filterName, restrict(ref, termsFilter(ref, [value], scope)));
};

function objectValue(content: JsonObject, scope: ParseScope): Scalar | null {
  let value: Scalar | null = null;
  for (const { name, value: given } of members(content)) {
    if (name !== 'term' && name !== 'value') {
      throw scope.error(`[term] filter does not support [${name}]`);
    }
    value = given;
  }
  return value;
}
