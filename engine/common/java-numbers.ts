// Numbers as the reference server's runtime reads them from text.

import { EngineError } from '../errors';

const LONG_MIN = -(2n ** 63n);

const LONG_MAX = 2n ** 63n - 1n;

/** `NumberFormatException[For input string: "..."]`. */
export function numberFormat(text: string): EngineError {
  return new EngineError('NumberFormatException', `For input string: "${text}"`);
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
