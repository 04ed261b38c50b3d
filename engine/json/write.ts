// JSON text from values, with numbers as a Java server prints them: typed clients notice `4` against `4.0`.

import { Double, Float, JsonNumber, RawJson, type JsonOutput } from './json';
export { prettyJson } from './pretty';

/** Compact JSON text. Plain numbers are integers; see {@link JsonOutput} for the rest. */
export function writeJson(value: JsonOutput): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return integerText(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return typeof value === 'bigint' ? value.toString() : writeComposite(value);
}

/** Characters that JSON writes as they are. */
const PLAIN = /^[ !#-[\]-~]{0,64}$/;

/** A string as JSON; most are short and plain, and need no look at every character by JSON.stringify. */
function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

function writeComposite(value: object & JsonOutput): string {
  if (Array.isArray(value)) {
    const items = value as readonly JsonOutput[];
    if (items.length === 0) return '[]';
    let text = '[' + writeJson(items[0] ?? null);
    for (let i = 1; i < items.length; i++) text += ',' + writeJson(items[i] ?? null);
    return text + ']';
  }
  if (value instanceof Map) return writeMap(value as ReadonlyMap<string, JsonOutput>);
  if (value instanceof Double) return formatDouble(value.value);
  if (value instanceof Float) return formatFloat(value.value);
  if (value instanceof JsonNumber) return value.text;
  if (value instanceof RawJson) {
    return typeof value.text === 'string' ? value.text : value.text.toString('utf8');
  }
  return writeMembers(value as { readonly [name: string]: JsonOutput | undefined });
}

function writeMap(map: ReadonlyMap<string, JsonOutput>): string {
  let text = '';
  for (const [name, member] of map) {
    text += (text === '' ? '{' : ',') + quoted(name) + ':' + writeJson(member);
  }
  return text === '' ? '{}' : text + '}';
}

function writeMembers(members: { readonly [name: string]: JsonOutput | undefined }): string {
  let text = '';
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (member === undefined) continue;
    text += (text === '' ? '{' : ',') + quoted(name) + ':' + writeJson(member);
  }
  return text === '' ? '{}' : text + '}';
}

/** Integers beyond 2^53 that come as a number are printed with all digits of the double, never as `1e21`. */
function integerText(value: number): string {
  if (!Number.isInteger(value)) return formatDouble(value);
  return Math.abs(value) < 1e21 ? String(value === 0 ? 0 : value) : BigInt(value).toString();
}

/**
 * A 64-bit float by Java's rule (reference server): always a decimal point; plain between 10^-3 and
 * 10^7, else `d.dE±n`; NaN and the infinities as quoted strings; negative zero keeps its sign.
 */
export function formatDouble(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  if (!Number.isFinite(value)) return notFinite(value);
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e7) {
    const text = String(value);
    return Number.isInteger(value) ? text + '.0' : text;
  }
  // Numbers of this size are written with the same digits, and quicker, without an exponent.
  if (size >= 1e7 && size < 1e21) return (value < 0 ? '-' : '') + withExponent(String(size));
  return scientific(value.toExponential());
}

/** `12345678.5` → `1.23456785E7`, `12000000` → `1.2E7`. */
function withExponent(text: string): string {
  const point = text.indexOf('.');
  const exponent = (point < 0 ? text.length : point) - 1;
  let end = text.length;
  if (point < 0) while (end > 2 && text.charCodeAt(end - 1) === ZERO) end--;
  const fraction = point < 0 ? text.slice(1, end) : text.slice(1, point) + text.slice(point + 1);
  return `${text[0]!}.${fraction}E${exponent}`;
}

const ZERO = '0'.charCodeAt(0);

/** Below this a float has fewer than 24 bits of precision. */
const SMALLEST_NORMAL_FLOAT = 2 ** -126;

/** A 32-bit float with the shortest digits that read back as the same float, laid out like a double. */
export function formatFloat(value: number): string {
  const float = Math.fround(value);
  if (float === 0) return Object.is(float, -0) ? '-0.0' : '0.0';
  if (!Number.isFinite(float)) return notFinite(float);
  if (Math.abs(float) < SMALLEST_NORMAL_FLOAT) return formatDouble(fewestDigits(float, 1));
  const quick = quickDigits(float);
  if (!Number.isNaN(quick)) return formatDouble(quick);
  // No two decimals of 6 digits are the same float, so rounding to 6 finds the shorter ones as well.
  const short = Number(float.toPrecision(6));
  return formatDouble(Math.fround(short) === float ? short : fewestDigits(float, 7));
}

/** 10^0 .. 10^12, which doubles hold exactly. */
const POWERS_OF_TEN = Float64Array.from({ length: 13 }, (_, i) => Number(`1e${i}`));

/**
 * The decimal of the fewest digits, 6 at least, that is the float, as {@link fewestDigits} finds it but by
 * arithmetic: the quotient, or the product, of two exact integers is the double next to the decimal. NaN
 * where the float is not of the usual size, or what is rounded too close to the middle between two decimals
 * to tell.
 */
function quickDigits(float: number): number {
  const size = Math.abs(float);
  if (!(size >= 1e-3 && size < 1e15)) return NaN;
  // Below 0 they are zeros before the point.
  let places = size < 1e5 ? 8 : 0;
  while (shifted(size, places) >= 1e6) places--;
  for (const most = places + 3; places <= most; places++) {
    const scaled = shifted(size, places);
    const whole = Math.floor(scaled);
    const rest = scaled - whole;
    if (Math.abs(rest - 0.5) < 1e-6) return NaN;
    const decimal = shifted(rest < 0.5 ? whole : whole + 1, -places);
    if (Math.fround(decimal) === size) return float < 0 ? -decimal : decimal;
  }
  return NaN;
}

/** A number with its point moved by -12 to 12 places to the right. */
function shifted(value: number, places: number): number {
  return places >= 0 ? value * POWERS_OF_TEN[places]! : value / POWERS_OF_TEN[-places]!;
}

/** The nearest decimal of the fewest digits, at least `from` and at most 9, that is the float. */
function fewestDigits(float: number, from: number): number {
  for (let digits = from; digits < 9; digits++) {
    const shorter = Number(float.toPrecision(digits));
    if (Math.fround(shorter) === float) return shorter;
  }
  return Number(float.toPrecision(9));
}

function notFinite(value: number): string {
  return Number.isNaN(value) ? '"NaN"' : value > 0 ? '"Infinity"' : '"-Infinity"';
}

/** `1.5e+21` → `1.5E21`, `1e-7` → `1.0E-7`. */
function scientific(text: string): string {
  const mark = text.indexOf('e');
  const mantissa = text.slice(0, mark);
  const exponent = text.charAt(mark + 1) === '+' ? text.slice(mark + 2) : text.slice(mark + 1);
  return `${mantissa.includes('.') ? mantissa : mantissa + '.0'}E${exponent}`;
}
