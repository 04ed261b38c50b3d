// Values as the reference server's runtime converts them: option values of mappings, numbers in
// strings, and the way it prints values into error texts. The error texts are part of the wire format.

import { EngineError } from '../errors';
import { formatDouble } from './write';
import { isJsonObject, JsonNumber, type JsonValue } from './json';
import {
  parseInt32,
  parseInt64,
  parseDouble,
  isInteger,
  exactLong,
  inTableOrder,
} from '../common/index';

/** `MapperParsingException` (400). */
export function mapperParsing(message: string, cause?: unknown): EngineError {
  return new EngineError('MapperParsingException', message, { cause });
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

/** The same with members of objects in the order of a hash table: so parameters of scripts are printed. */
export function javaHashText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(javaHashText).join(', ')}]`;
  if (!isJsonObject(value)) return javaText(value);
  const names = inTableOrder([...value.keys()]);
  return `{${names.map((name) => `${name}=${javaHashText(value.get(name)!)}`).join(', ')}}`;
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
