// `span_term`: the positions of one exact term.

import { incompleteSource } from '../../../errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/index';
import { UNMAPPED_FIELD, type SpanTree } from '../../ast/query';
import type { SpanField } from '../../ast/spans';
import { isNumeric, type FieldRef } from '../scope/field-ref';
import { numberOf, termText } from '../fields/term-fields';
import { CommonOptions, floatOf, misplaced, numberIn, refuseSecondMember } from '../scope/members';
import { named, type KindParser, type ParseScope } from '../scope/parse-scope';
import { shortValue } from './term';

/**
 * `{field: value}` or `{field: {value|term, boost, _name}}`. A type in front of the field restricts nothing.
 */
export const parseSpanTerm: KindParser = (body, scope) => {
  const [field, content] = fieldOf(body);
  const common = new CommonOptions();
  const value = isJsonObject(content)
    ? readOptions(content, common, scope)
    : shortText(field, content);
  if (value === null) throw scope.error('No value specified for term query');
  const tree = termSpans(scope.field(field), value);
  return named(common.name, { kind: 'spans', tree, boost: common.boost });
};

/** compat: of a list for a body, the object in it is taken for that of the field. */
function fieldOf(body: JsonObject | JsonValue[]): readonly [string, JsonValue] {
  if (Array.isArray(body)) {
    const [first] = body;
    if (first !== undefined) return ['span_term', first];
  } else {
    refuseSecondMember(body);
    for (const member of body) return member;
  }
  throw incompleteSource();
}

/** compat: what is in a list is met where a name should stand. */
function shortText(field: string, content: JsonValue): string {
  if (Array.isArray(content) && content.length > 0) throw misplaced(field, content[1]);
  return shortValue(content);
}

function readOptions(content: JsonObject, common: CommonOptions, scope: ParseScope): string | null {
  let value: string | null = null;
  for (const [name, given] of content) {
    if (isJsonObject(given)) {
      const [inner] = [...given.keys()];
      throw scope.error(`[span_term] query does not support [${inner ?? name}]`);
    }
    // compat: of a list, its closing bracket is the value.
    if (name === 'term' || name === 'value') value = Array.isArray(given) ? ']' : shortValue(given);
    else if (name === 'boost') common.boost = numberIn(given, floatOf);
    else if (name === '_name') common.name = shortValue(given);
    else throw scope.error(`[span_term] query does not support [${name}]`);
  }
  return value;
}

function termSpans(ref: FieldRef, value: string): SpanTree {
  const field = spanField(ref);
  if (!isNumeric(ref))
    return { type: 'term', field, term: ref.special === null ? termText(ref, value) : value };
  const query = {
    kind: 'numberSet',
    field: ref.id,
    values: [numberOf(ref, value)],
    boost: 1,
  } as const;
  return { type: 'multi', field, query };
}

/** A field of the request as spans have it. */
export function spanField(ref: FieldRef): SpanField {
  const id = ref.special === '_id' ? UNMAPPED_FIELD : ref.id;
  return id === UNMAPPED_FIELD ? { id, unmapped: ref.mapped?.indexName ?? ref.name } : { id };
}
