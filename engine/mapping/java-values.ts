// Values as the reference server's runtime converts them: option values of mappings, numbers in
// strings, and the way it prints values into error texts. The error texts are part of the wire format.

import { EngineError } from '../errors';
import { formatDouble } from '../json/write';
import { isJsonObject, JsonNumber, type JsonValue } from '../json/json';

const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

/** `MapperParsingException` (400). */
export function mapperParsing(message: string, cause?: unknown): EngineError {
  return new EngineError('MapperParsingException', message, { cause });
}

/** `NumberFormatException[For input string: "..."]`. */
export function numberFormat(text: string): EngineError {
  return new EngineError('NumberFormatException', `For input string: "${text}"`);
}

/** The class name that error texts give for a JSON value of the wrong sort. */
export function javaClass(value: JsonValue): string {
  if (isJsonObject(value)) return 'java.util.LinkedHashMap';
  if (Array.isArray(value)) return 'java.util.ArrayList';
  if (typeof value === 'boolean') return 'java.lang.Boolean';
  if (value instanceof JsonNumber) {
    if (!isInteger(value.text)) return 'java.lang.Double';
    return Math.abs(value.value) < 2 ** 31 ? 'java.lang.Integer' : 'java.lang.Long';
  }
  return 'java.lang.String';
}

/** The failure of a value that is not of the class an option needs. */
export function classCast(value: JsonValue, wanted: string): EngineError {
  return new EngineError(
    'ClassCastException',
    `class ${javaClass(value)} cannot be cast to class ${wanted}`,
  );
}

/** A value as it is concatenated into a message: `{a={b=c}}`, `[1, x]`. */
export function javaText(value: JsonValue): string {
  if (value === null) return 'null';
  if (isJsonObject(value)) {
    return `{${[...value].map(([name, member]) => `${name}=${javaText(member)}`).join(', ')}}`;
  }
  if (Array.isArray(value)) return `[${value.map(javaText).join(', ')}]`;
  if (value instanceof JsonNumber && !isInteger(value.text)) return formatDouble(value.value);
  return value instanceof JsonNumber ? value.text : String(value);
}

/** `ignoreAbove` and `ignore_above` name the same option. */
export function underscoreCase(name: string): string {
  let result = '';
  for (const c of name) {
    if (c >= 'A' && c <= 'Z') result += (result === '' ? '' : '_') + c.toLowerCase();
    else result += c;
  }
  return result;
}

/** A mapping option as a boolean: only `false`, `0` and `off` are false. */
export function optionBoolean(value: JsonValue): boolean {
  if (typeof value === 'boolean') return value;
  if (value instanceof JsonNumber) return truncated(value, 32) !== 0n;
  const text = javaText(value);
  return text !== 'false' && text !== '0' && text !== 'off';
}

/** A mapping option as a 32-bit integer; JSON numbers wrap around, strings are parsed strictly. */
export function optionInt(value: JsonValue): number {
  return value instanceof JsonNumber ? Number(truncated(value, 32)) : parseInt32(javaText(value));
}

/** A mapping option as a 64-bit integer. */
export function optionLong(value: JsonValue): bigint {
  return value instanceof JsonNumber ? truncated(value, 64) : parseInt64(javaText(value));
}

/** The 32-bit float of a mapping option. @throws EngineError for what is no number */
export function optionFloat(value: JsonValue): number {
  return Math.fround(value instanceof JsonNumber ? value.value : parseDouble(javaText(value)));
}

/**
 * A JSON number narrowed to an integer: integers keep their low bits, decimals are truncated and
 * saturate at the range of the type (64 bits at most).
 */
export function truncated(number: JsonNumber, bits: 8 | 16 | 32 | 64): bigint {
  const exact = exactLong(number.text);
  return exact === null ? saturate(number.value, bits) : BigInt.asIntN(bits, exact);
}

function saturate(value: number, bits: 8 | 16 | 32 | 64): bigint {
  if (Number.isNaN(value)) return 0n;
  // Narrowing a decimal goes by way of int for the small types, as the runtime does it.
  const wide = bits === 64 ? 64 : 32;
  const limit = 2n ** BigInt(wide - 1);
  const high = Number(limit);
  const clamped = value >= high ? limit - 1n : value <= -high ? -limit : BigInt(Math.trunc(value));
  return BigInt.asIntN(bits, clamped);
}

/** Strict `[+-]digits` within the range of 32 bits. */
export function parseInt32(text: string): number {
  const value = digitsOf(text);
  if (value === null || value < -2147483648n || value > 2147483647n) throw numberFormat(text);
  return Number(value);
}

/** Strict `[+-]digits` within the range of 64 bits. */
export function parseInt64(text: string): bigint {
  const value = digitsOf(text);
  if (value === null || value < LONG_MIN || value > LONG_MAX) throw numberFormat(text);
  return value;
}

/** Strict `[+-]digits` within 16 bits; text that fits 32 bits only has an error text of its own. */
export function parseInt16(text: string): number {
  return ranged(parseInt32(text), text, 32768);
}

/** Strict `[+-]digits` within 8 bits. */
export function parseInt8(text: string): number {
  return ranged(parseInt32(text), text, 128);
}

function ranged(value: number, text: string, limit: number): number {
  if (value >= -limit && value < limit) return value;
  throw new EngineError('NumberFormatException', `Value out of range. Value:"${text}" Radix:10`);
}

/** The integer a text spells, of any size; null when it is not `[+-]digits`. Digits of all scripts count. */
function digitsOf(given: string): bigint | null {
  const text = asciiDigits(given);
  const first = text.charCodeAt(0);
  const start = first === 0x2b || first === 0x2d ? 1 : 0;
  if (text.length === start || text.length > 40) return null;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x30 || code > 0x39) return null;
  }
  const size = BigInt(text.slice(start));
  return first === 0x2d ? -size : size;
}

const NOT_ASCII = /[^\0-\x7f]/;
const DECIMAL_DIGIT = /\p{Nd}/gu;

/** Decimal digits of other scripts as ASCII ones: each script has its ten in a row, some follow another's. */
function asciiDigits(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return text.replace(DECIMAL_DIGIT, (digit) => {
    const code = digit.codePointAt(0)!;
    let first = code;
    while (isDecimalDigit(first - 1)) first--;
    return String((code - first) % 10);
  });
}

function isDecimalDigit(code: number): boolean {
  return /\p{Nd}/u.test(String.fromCodePoint(code));
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?$/;
const TWO_POINTS = /^[+-]?\d*\.\d*\./;
const NOT_FINITE = /^([+-]?)(NaN|Infinity)$/;
const HEXADECIMAL = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)[fFdD]?$/;

/** A decimal as the runtime reads it from text: blanks around, exponents, `1f`, `NaN`, hexadecimal floats. */
export function parseDouble(text: string): number {
  const trimmed = text.trim();
  if (DECIMAL.test(trimmed)) return parseFloat(trimmed);
  if (trimmed === '') throw new EngineError('NumberFormatException', 'empty String');
  const word = NOT_FINITE.exec(trimmed);
  if (word) return word[2] === 'NaN' ? NaN : word[1] === '-' ? -Infinity : Infinity;
  const hex = HEXADECIMAL.exec(trimmed);
  const digits = `${hex?.[2] ?? ''}${hex?.[3] ?? ''}`;
  if (hex && digits !== '') {
    const size = Number(BigInt(`0x${digits}`)) * 2 ** (Number(hex[4]) - 4 * (hex[3] ?? '').length);
    return hex[1] === '-' ? -size : size;
  }
  if (TWO_POINTS.test(trimmed)) throw new EngineError('NumberFormatException', 'multiple points');
  throw numberFormat(text);
}

/** True for a number's spelling without fraction and exponent. */
export function isInteger(spelling: string): boolean {
  for (let i = 0; i < spelling.length; i++) {
    const code = spelling.charCodeAt(i);
    if (code === 0x2e || code === 0x65 || code === 0x45) return false;
  }
  return true;
}

/** Digits and sign of the longest 64-bit integers. Longer spellings are not worth converting. */
const LONG_CHARACTERS = 20;

/** The 64-bit integer that a JSON number spells, or null for fractions and what is out of range. */
export function exactLong(spelling: string): bigint | null {
  if (spelling.length > LONG_CHARACTERS || !isInteger(spelling)) return null;
  const value = BigInt(spelling);
  return value >= LONG_MIN && value <= LONG_MAX ? value : null;
}

/** The 64-bit integer nearest to an integer of any size. */
export function saturatedLong(value: bigint): bigint {
  return value > LONG_MAX ? LONG_MAX : value < LONG_MIN ? LONG_MIN : value;
}

/** A 64-bit integer as a number where that is exact, else as it is. */
export function compact(value: bigint): number | bigint {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}
