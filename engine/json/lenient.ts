// Scalars as search and facet bodies take them (reference server).

import { numberFormat, bodyBoolean } from '../common/index';
import { EngineError } from '../errors';
import { JsonNumber, type JsonValue } from './json';

const INT_MAX = 2147483647;
const INT_MIN = -2147483648;
const LONG_LIMIT = 2 ** 63;

/** Values that are written in one piece; each has a text. */
export type JsonScalar = null | boolean | string | JsonNumber;

/** Whether a value is neither an object nor a list. */
export function isScalar(value: JsonValue): value is JsonScalar {
  return !(Array.isArray(value) || value instanceof Map);
}

/** The text of a value that is written in one piece, as it is spelled; undefined for null and all others. */
export function scalarText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return value instanceof JsonNumber ? value.text : undefined;
}

/**
 * Numbers other than 0 and texts other than false, 0, off, no and the empty one are true. Null: `fallback`.
 */
export function lenientBoolean(value: JsonValue, fallback: boolean): boolean {
  if (value === null) return fallback;
  if (typeof value === 'boolean') return value;
  if (value instanceof JsonNumber) return lenientInteger(value, 0) !== 0;
  if (typeof value === 'string') return bodyBoolean(value);
  throw unexpected(value);
}

/**
 * A 32-bit integer: numbers lose their fraction, texts must be digits. Null: `fallback`.
 *
 * @throws EngineError NumberFormatException, JsonParseException, ElasticsearchParseException
 */
export function lenientInteger(value: JsonValue, fallback: number): number {
  if (value === null) return fallback;
  if (value instanceof JsonNumber) {
    const number = Math.trunc(value.value);
    if (number > INT_MAX || number < INT_MIN) {
      throw new EngineError(
        'JsonParseException',
        `Numeric value (${value.text}) out of range of int (-2147483648 - 2147483647)`,
      );
    }
    return number;
  }
  if (typeof value === 'string') {
    const number = /^[+-]?\d+$/.test(value) ? Number(value) : NaN;
    if (!(number >= INT_MIN && number <= INT_MAX)) throw numberFormat(value);
    return number;
  }
  if (typeof value === 'boolean') throw notNumeric(value);
  throw unexpected(value);
}

/**
 * A 64-bit integer by the rules of {@link lenientInteger}, as the nearest double.
 *
 * @throws EngineError NumberFormatException, JsonParseException
 */
export function lenientLong(value: string | boolean | JsonNumber): number {
  if (typeof value === 'boolean') throw notNumeric(value);
  if (value instanceof JsonNumber) {
    const number = Math.trunc(value.value);
    if (!(Math.abs(number) <= LONG_LIMIT)) {
      throw new EngineError(
        'JsonParseException',
        `Numeric value (${value.text}) out of range of long (-9223372036854775808 - 9223372036854775807)`,
      );
    }
    return number;
  }
  const number = /^[+-]?\d+$/.test(value) ? Number(value) : NaN;
  if (!(Math.abs(number) <= LONG_LIMIT)) throw numberFormat(value);
  return number;
}

/** A float from a number or its text. Null: `fallback`. */
export function lenientFloat(value: JsonValue, fallback: number | null): number | null {
  if (value === null) return fallback;
  if (value instanceof JsonNumber) return value.value;
  if (typeof value === 'string') {
    const number = Number(value);
    if (value.trim() === '' || Number.isNaN(number)) throw numberFormat(value);
    return number;
  }
  if (typeof value === 'boolean') throw notNumeric(value);
  throw unexpected(value);
}

function notNumeric(value: boolean): EngineError {
  const token = value ? 'VALUE_TRUE' : 'VALUE_FALSE';
  return new EngineError(
    'JsonParseException',
    `Current token (${token}) not numeric, can not use numeric value accessors`,
  );
}

function unexpected(value: JsonValue): EngineError {
  const token = Array.isArray(value) ? 'START_ARRAY' : 'START_OBJECT';
  return new EngineError('ElasticsearchParseException', `Expected a scalar value but got ${token}`);
}
