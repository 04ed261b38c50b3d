// How each number type reads values: from JSON, from text, from queries and from mapping options.

import { EngineError } from '../../errors';
import {
  JsonNumber,
  type JsonValue,
  formatDouble,
  javaText,
  optionInt,
  optionLong,
  truncated,
} from '../../json/index';
import {
  compact,
  exactLong,
  isInteger,
  parseDouble,
  parseInt16,
  parseInt32,
  parseInt64,
  parseInt8,
} from '../../common/index';
import type { FieldKind } from '../../metadata/index';

/** The numeric types. */
export type NumberTypeName = 'byte' | 'short' | 'integer' | 'long' | 'float' | 'double';

/** How one number type reads values. */
export interface NumberTraits {
  readonly kind: FieldKind;
  /** Name in the error texts of `coerce: false`. */
  readonly className: string;
  readonly precisionStep: number;
  /** The value of a string. @throws EngineError NumberFormatException */
  readonly ofString: (text: string) => number | bigint;
  /** The value of a JSON number by its spelling. @throws EngineError JsonParseException out of range */
  readonly ofNumber: (spelling: string) => number | bigint;
  /** The value of text in a query. @throws EngineError NumberFormatException */
  readonly ofQueryText: (text: string) => number | bigint;
  /** The value of a JSON number in a query: narrowed, never refused. */
  readonly ofQueryNumber: (number: JsonNumber) => number | bigint;
  /** The `null_value` of a mapping. */
  readonly ofOption: (value: JsonValue) => number | bigint;
  readonly fraction: boolean;
}

const INT_RANGE = '(-2147483648 - 2147483647)';
const LONG_RANGE = '(-9223372036854775808 - 9223372036854775807)';

function outOfRange(spelling: string, type: string): EngineError {
  return new EngineError(
    'JsonParseException',
    `Numeric value (${spelling}) out of range of ${type}`,
  );
}

/** A JSON number as 32-bit integer; decimals are truncated. */
export function jsonInt(spelling: string): number {
  const value = Number(spelling);
  if (value >= -2147483648 && value <= 2147483647) return Math.trunc(value);
  const short = isInteger(spelling) && spelling.length <= 19;
  throw outOfRange(spelling, short ? 'int' : `int ${INT_RANGE}`);
}

function jsonShort(spelling: string): number {
  const value = jsonInt(spelling);
  if (value < -32768 || value > 32767) throw outOfRange(spelling, 'Java short');
  return value;
}

function wrapByte(value: number): number {
  return (value << 24) >> 24;
}

/** Integers of up to this many characters are exact as doubles. */
const SAFE_DIGITS = 15;

/**
 * A JSON number as 64-bit integer; decimals are truncated.
 *
 * @throws EngineError JsonParseException
 */
export function jsonLong(spelling: string): number | bigint {
  if (spelling.length <= SAFE_DIGITS) {
    const value = Number(spelling);
    if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return Math.trunc(value) + 0;
  }
  const exact = exactLong(spelling);
  if (exact !== null) return compact(exact);
  if (!isInteger(spelling)) {
    const value = Number(spelling);
    // compat: the limit itself is no long, but as a double it is the nearest to the largest one.
    if (value === 2 ** 63) return 2n ** 63n - 1n;
    if (value >= -(2 ** 63) && value < 2 ** 63) return compact(BigInt(Math.trunc(value)));
  }
  throw outOfRange(spelling, `long ${LONG_RANGE}`);
}

/**
 * Without `coerce` a number may not lose its fraction.
 *
 * @throws EngineError IllegalArgumentException
 */
export function requireIntegral(spelling: string, className: string): void {
  if (isInteger(spelling)) return;
  const value = Number(spelling);
  if (Number.isInteger(value)) return;
  throw new EngineError(
    'IllegalArgumentException',
    `${formatDouble(value)} cannot be converted to ${className} without data loss`,
  );
}

/** What differs between the numeric types. */
export const NUMBER_TRAITS: Readonly<Record<NumberTypeName, NumberTraits>> = {
  byte: {
    kind: 'int',
    className: 'Short',
    precisionStep: 2147483647,
    ofString: (text) => wrapByte(parseInt16(text)),
    ofNumber: (spelling) => wrapByte(jsonShort(spelling)),
    ofQueryText: parseInt8,
    ofQueryNumber: (number) => Number(truncated(number, 8)),
    ofOption: (value) => wrapByte(optionInt(value)),
    fraction: false,
  },
  short: {
    kind: 'int',
    className: 'Short',
    precisionStep: 8,
    ofString: parseInt16,
    ofNumber: jsonShort,
    ofQueryText: parseInt16,
    ofQueryNumber: (number) => Number(truncated(number, 16)),
    ofOption: (value) => (optionInt(value) << 16) >> 16,
    fraction: false,
  },
  integer: {
    kind: 'int',
    className: 'Integer',
    precisionStep: 8,
    ofString: parseInt32,
    ofNumber: jsonInt,
    ofQueryText: parseInt32,
    ofQueryNumber: (number) => Number(truncated(number, 32)),
    ofOption: optionInt,
    fraction: false,
  },
  long: {
    kind: 'long',
    className: 'Long',
    precisionStep: 16,
    ofString: (text) => compact(parseInt64(text)),
    ofNumber: jsonLong,
    ofQueryText: (text) => compact(parseInt64(text)),
    ofQueryNumber: (number) => compact(truncated(number, 64)),
    ofOption: (value) => compact(optionLong(value)),
    fraction: false,
  },
  float: {
    kind: 'float',
    className: 'Float',
    precisionStep: 8,
    ofString: (text) => Math.fround(parseDouble(text)),
    ofNumber: (spelling) => Math.fround(jsonDouble(spelling)),
    ofQueryText: (text) => Math.fround(parseDouble(text)),
    ofQueryNumber: (number) => Math.fround(number.value),
    ofOption: (value) => Math.fround(decimalOption(value)),
    fraction: true,
  },
  double: {
    kind: 'double',
    className: 'Double',
    precisionStep: 16,
    ofString: parseDouble,
    ofNumber: jsonDouble,
    ofQueryText: parseDouble,
    ofQueryNumber: (number) => number.value,
    ofOption: decimalOption,
    fraction: true,
  },
};

/** A JSON number as double. An integer has no negative zero, a decimal has. */
function jsonDouble(spelling: string): number {
  return spelling === '-0' ? 0 : Number(spelling);
}

function decimalOption(value: JsonValue): number {
  return value instanceof JsonNumber ? value.value : parseDouble(javaText(value));
}
