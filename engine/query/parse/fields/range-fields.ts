// Ranges over numbers, dates and terms.

import { EngineError } from '../../../errors';
import { formatDouble, formatFloat } from '../../../json/index';
import { rangeText } from '../../ast/describe';
import { textOf, valueText, type Scalar } from '../scope/members';
import { FLEETING, type ParseScope } from '../scope/parse-scope';
import { type NumericBound, type Query, UNMAPPED_FIELD } from '../../ast/query';
import { fieldOf, isDate, isNumeric, kindOf, type FieldRef } from '../scope/field-ref';
import type { FieldKind } from '../../../metadata/index';

/** A range as asked for; null bounds are open. */
export interface RangeSpec {
  readonly from: Scalar | null;
  readonly to: Scalar | null;
  readonly includeFrom: boolean;
  readonly includeTo: boolean;
  /** Date format overriding the field's, or null. */
  readonly format: string | null;
  /** Time zone id, or null. */
  readonly timeZone: string | null;
}

/**
 * The range of a field, with constant score.
 *
 * @param context dates given with `gt` are rounded up in queries but not in filters
 * @throws EngineError when a bound does not fit the field
 */
export function rangeQuery(
  ref: FieldRef,
  spec: RangeSpec,
  context: 'query' | 'filter',
  scope: ParseScope,
): Query {
  if (isNumeric(ref)) return numericRange(ref, spec, context, scope);
  const field = ref.special === '_type' || ref.special === null ? ref.id : UNMAPPED_FIELD;
  return {
    kind: 'stringRange',
    ...fieldOf(ref, field),
    from: spec.from === null ? null : textBound(ref, spec.from, scope),
    to: spec.to === null ? null : textBound(ref, spec.to, scope),
    includeFrom: spec.includeFrom,
    includeTo: spec.includeTo,
    boost: 1,
  };
}

function textBound(ref: FieldRef, value: Scalar, scope: ParseScope): string {
  const text = valueText(value);
  if (ref.mapped === null || kindOf(ref) !== 'string') return text;
  const options = { roundUp: false, format: null, timeZone: null, now: scope.context.now };
  return String(ref.mapped.boundOf(ref.mapped.type === 'boolean' ? value : text, options));
}

function numericRange(
  ref: FieldRef,
  spec: RangeSpec,
  context: 'query' | 'filter',
  scope: ParseScope,
): Query {
  const kind = kindOf(ref) ?? 'long';
  const bound = (value: Scalar | null, roundUp: boolean): NumericBound => {
    if (value === null || ref.mapped === null) return null;
    const converted = ref.mapped.boundOf(value, {
      roundUp: roundUp && isDate(ref),
      format: spec.format,
      timeZone: spec.timeZone,
      now: scope.context.now,
    });
    return kind === 'long' ? BigInt(converted) : Number(converted);
  };
  const from = bound(spec.from, context === 'query' && !spec.includeFrom);
  const to = bound(spec.to, spec.includeTo);
  const range: Query = {
    kind: 'numericRange',
    field: ref.id,
    from: spec.includeFrom ? from : neighbour(from, 1, kind),
    to: spec.includeTo ? to : neighbour(to, -1, kind),
    boost: 1,
  };
  return scope.shown(range, () => {
    const show = (value: NumericBound): string | null => boundText(value, kind);
    const text = rangeText({ ...spec, from: show(from), to: show(to) });
    const whole = `${ref.mapped?.indexName ?? ref.name}:${text}`;
    const isFleeting = context === 'filter' && isDate(ref) && [spec.from, spec.to].some(isNow);
    return isFleeting ? `${FLEETING}${whole})` : whole;
  });
}

/** compat: `now` is taken for rounded when a slash follows before a blank. */
function isNow(bound: Scalar | null): boolean {
  return bound !== null && /now[^ /]*( |$)/.test(textOf(bound));
}

function boundText(bound: NumericBound, kind: FieldKind): string | null {
  if (bound === null || typeof bound === 'bigint') return bound === null ? null : String(bound);
  if (kind === 'float') return formatFloat(bound);
  return kind === 'double' ? formatDouble(bound) : String(bound);
}

/** The next value of the kind above (1) or below (-1) a bound. */
function neighbour(bound: NumericBound, direction: 1 | -1, kind: FieldKind): NumericBound {
  if (bound === null) return null;
  if (typeof bound === 'bigint') return bound + BigInt(direction);
  if (kind === 'float') return nextFloat(bound, direction);
  return kind === 'double' ? nextDouble(bound, direction) : bound + direction;
}

const FLOAT = new Float32Array(1);
const FLOAT_BITS = new Int32Array(FLOAT.buffer);
const DOUBLE = new Float64Array(1);
const DOUBLE_BITS = new BigInt64Array(DOUBLE.buffer);

function nextFloat(value: number, direction: 1 | -1): number {
  FLOAT[0] = value;
  if (!Number.isFinite(FLOAT[0])) return nextInfinite(FLOAT[0], direction, 3.4028234663852886e38);
  if (FLOAT[0] === 0) return direction * 1.401298464324817e-45;
  const away = FLOAT[0] > 0 === direction > 0 ? 1 : -1;
  FLOAT_BITS[0] = (FLOAT_BITS[0] ?? 0) + away;
  return FLOAT[0];
}

/** The next double above (1) or below (-1) a value. */
export function nextDouble(value: number, direction: 1 | -1): number {
  DOUBLE[0] = value;
  if (!Number.isFinite(value)) return nextInfinite(value, direction, Number.MAX_VALUE);
  if (value === 0) return direction * Number.MIN_VALUE;
  const away = value > 0 === direction > 0 ? 1n : -1n;
  DOUBLE_BITS[0] = (DOUBLE_BITS[0] ?? 0n) + away;
  return DOUBLE[0];
}

function nextInfinite(value: number, direction: 1 | -1, largest: number): number {
  if (value === Infinity && direction < 0) return largest;
  if (value === -Infinity && direction > 0) return -largest;
  return NaN;
}

/**
 * Refuses a time zone where it cannot apply.
 *
 * @throws EngineError QueryParsingException
 */
export function checkTimeZone(
  ref: FieldRef,
  spec: RangeSpec,
  kind: string,
  scope: ParseScope,
): void {
  if (spec.timeZone === null || ref.mapped === null) return;
  if (!isDate(ref)) {
    throw scope.error(`[range] time_zone can not be applied to non date field [${ref.name}]`);
  }
  if ([spec.from, spec.to].some((bound) => bound !== null && typeof bound === 'object')) {
    throw scope.error(
      `[${kind}] time_zone when using ms since epoch format as it's UTC based can not be applied to [${ref.name}]`,
    );
  }
}

/** What `build` makes; null for a value that does not fit its field, where that is to be passed over. */
export function leniently(
  { lenient }: { readonly lenient: boolean },
  build: () => Query | null,
): Query | null {
  try {
    return build();
  } catch (error) {
    const isConversion = error instanceof EngineError && error.wireName !== 'TooManyClauses';
    if (lenient && isConversion) return null;
    throw error;
  }
}
