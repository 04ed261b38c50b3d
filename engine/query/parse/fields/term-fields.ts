// Exact values: what `term`, `terms` and everything that ends in a single value become.

import { META_FIELD } from '../../../mapping/index';
import { JsonNumber, truncated } from '../../../json/index';
import { textOf, valueText, type Scalar } from '../scope/members';
import type { ParseScope } from '../scope/parse-scope';
import { MATCH_NONE, type Query } from '../../ast/query';
import { prefixCoded } from './prefix-coded';
import type { QueryOf } from '../../ast/traits';
import { fieldOf, isNumeric, kindOf, type FieldRef } from '../scope/field-ref';
import { parseDouble, parseInt64 } from '../../../common/index';

/** The scored query for one value. @throws EngineError when the value does not fit the field */
export function termQuery(ref: FieldRef, value: Scalar, scope: ParseScope): Query {
  if (ref.special !== null) return specialTerms(ref, [value], scope);
  if (isNumeric(ref)) {
    return numberSet(ref, [numberOf(ref, value)], scope);
  }
  const term = termText(ref, value);
  return { kind: 'term', ...fieldOf(ref, ref.id), term, boost: 1, scored: true };
}

/** Documents with any of the values, unscored. @throws EngineError as {@link termQuery} */
export function termsFilter(ref: FieldRef, values: readonly Scalar[], scope: ParseScope): Query {
  if (values.length === 0) return MATCH_NONE;
  if (ref.special !== null) return specialTerms(ref, values, scope);
  if (isNumeric(ref)) {
    const numbers = sortedDistinct(values.map((value) => numberOf(ref, value)));
    return numberSet(ref, numbers, scope);
  }
  return {
    ...termSet(
      ref.id,
      values.map((value) => termText(ref, value)),
    ),
    ...fieldOf(ref, ref.id),
  };
}

function numberSet(
  ref: FieldRef,
  values: readonly (number | bigint)[],
  scope: ParseScope,
): QueryOf<'numberSet'> {
  return scope.shown({ kind: 'numberSet', field: ref.id, values, boost: 1 }, () => {
    const name = ref.mapped?.indexName ?? ref.name;
    const kind = kindOf(ref) ?? 'int';
    return values.map((value) => `${name}:${prefixCoded(value, kind)}`).join(' ');
  });
}

/**
 * Documents with any of the values of a numeric field, as it is filtered by field data: the values are
 * plain numbers, whatever the field's own format (dates are epoch milliseconds), and decimals are doubles,
 * which only few floats equal.
 *
 * @throws EngineError NumberFormatException
 */
export function fielddataFilter(
  ref: FieldRef,
  values: readonly Scalar[],
  scope: ParseScope,
): Query {
  const kind = kindOf(ref);
  const isDecimal = kind === 'float' || kind === 'double';
  const numbers = values.map((value) => {
    if (isDecimal) return value instanceof JsonNumber ? value.value : parseDouble(textOf(value));
    const exact = value instanceof JsonNumber ? truncated(value, 64) : parseInt64(textOf(value));
    return kind === 'long' ? exact : Number(exact);
  });
  const held =
    kind === 'float' ? numbers.filter((value) => Math.fround(Number(value)) === value) : numbers;
  if (held.length === 0) return MATCH_NONE;
  const set: Query = { kind: 'numberSet', field: ref.id, values: sortedDistinct(held), boost: 1 };
  return scope.shown(set, () => fielddataText(ref, values, isDecimal ? 'Doubles' : 'Longs'));
}

/** How the reference prints a filter of values by field data. */
export function fielddataText(
  ref: FieldRef,
  values: readonly Scalar[],
  kind: 'Bytes' | 'Doubles' | 'Longs',
): string {
  const texts = values.map((value) => {
    if (kind !== 'Bytes') return textOf(value);
    const bytes = [...Buffer.from(termText(ref, value))];
    return `[${bytes.map((byte) => byte.toString(16)).join(' ')}]`;
  });
  return `${kind}FieldDataFilter:${ref.mapped?.indexName ?? ref.name}:[${texts.join(', ')}]`;
}

/** The number that a numeric field holds for a value: bigint for kind long, number for the others. */
export function numberOf(ref: FieldRef, value: Scalar): number | bigint {
  const converted = ref.mapped?.termOf(value) ?? NaN;
  return kindOf(ref) === 'long' ? BigInt(converted) : Number(converted);
}

/**
 * The term a field holds for a value. Numbers on string fields were read as numbers first, so `1.50`
 * looks for `1.5`.
 */
export function termText(ref: FieldRef, value: Scalar): string {
  const text = valueText(value);
  if (ref.mapped === null || kindOf(ref) !== 'string') return text;
  return String(ref.mapped.termOf(ref.mapped.type === 'boolean' ? value : text));
}

/** `_id` looks at `_uid` in all types asked for, `_parent` at all types that can be parents. */
function specialTerms(ref: FieldRef, values: readonly Scalar[], scope: ParseScope): Query {
  if (ref.special === '_type') {
    return { kind: 'types', types: sortedDistinct(values.map(textOf)), boost: 1 };
  }
  if (ref.special === '_id') return uidsQuery(ref.types, values.map(textOf), scope);
  const { mapping } = scope.context;
  const parents = mapping.types.filter((type) => mapping.parentType(type) === null);
  if (parents.length > 1) scope.context.meter.add('terms', (parents.length - 1) * values.length);
  const terms = values.map(textOf).flatMap((value) => {
    return value.includes('#') ? [value] : parents.map((type) => `${type}#${value}`);
  });
  return terms.length === 0 ? MATCH_NONE : termSet(META_FIELD._parent, terms);
}

/** Documents by type and id. The ids themselves have been counted, not that there is one for each type. */
export function uidsQuery(
  types: readonly string[],
  ids: readonly string[],
  scope: ParseScope,
): Query {
  if (types.length > 1) scope.context.meter.add('terms', (types.length - 1) * ids.length);
  const uids = types.flatMap((type) => ids.map((id) => `${type}#${id}`));
  return uids.length === 0 ? MATCH_NONE : { kind: 'uids', uids: sortedDistinct(uids), boost: 1 };
}

function termSet(field: number, terms: readonly string[]): QueryOf<'termSet'> {
  return { kind: 'termSet', field, terms: sortedDistinct(terms), boost: 1 };
}

/** Ascending, strings by UTF-16 unit, each value once. */
function sortedDistinct<T extends string | number | bigint>(values: readonly T[]): T[] {
  const distinct = [...new Set(values)];
  // Without a comparator, strings are sorted by UTF-16 unit, and much faster.
  return typeof distinct[0] === 'string'
    ? distinct.sort()
    : distinct.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
