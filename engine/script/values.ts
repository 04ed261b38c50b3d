// The values of scripts and how they print, compare and convert. Each stands for one Java class:
//
//   number Integer · bigint Long · Double · Float · BigInteger · Decimal BigDecimal
//   string · boolean · null · array ArrayList · Map LinkedHashMap (keys are text)
//
// and host objects for what the engine lends: fields, dates, points.

import {
  Double,
  Float,
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonOutput,
  type JsonValue,
  formatDouble,
  formatFloat,
} from '../json/index';
import { BigInteger, Decimal } from './decimal';
import { limitExceeded, missingMethod, missingProperty, runtimeError } from './errors';
import { chargeVisits, chargeWritten, checkTextLength, MAX_VALUE_DEPTH } from './limits';

/**
 * The score of a document in groovy: a number that other doubles see as it is, and integers without its
 * fraction (reference server).
 */
export class ScoreValue {
  constructor(readonly value: number) {}
}

/** A number of any of the classes that scripts compute with. */
export type ScriptNumber = number | bigint | Double | Float | BigInteger | Decimal | ScoreValue;
/** A list of a script. */
export type ScriptList = ScriptValue[];
/** A map of a script. */
export type ScriptMap = Map<string, ScriptValue>;
/** Any value of a script. */
export type ScriptValue =
  | null
  | boolean
  | string
  | ScriptNumber
  | HostObject
  | ScriptList
  | ScriptMap;

/** Something of the engine that scripts may ask. */
export abstract class HostObject {
  /** For error texts. */
  abstract readonly javaClass: string;

  /** @throws EngineError for names it does not have */
  property(name: string): ScriptValue {
    throw missingProperty(name, this.javaClass);
  }

  /** Calls a method of its own; undefined when it has none of that name for these arguments. */
  method(_name: string, _args: readonly ScriptValue[]): ScriptValue | undefined {
    return undefined;
  }

  /** The value that stands for it where plain data is needed: its list, text or map. */
  abstract plain(): ScriptValue;

  text(depth: number): string {
    return textOf(this.plain(), depth);
  }
}

/** The failure of calling a method that a value does not have. */
export function noMethod(
  owner: string,
  name: string,
  args: readonly ScriptValue[],
): ReturnType<typeof missingMethod> {
  return missingMethod(
    owner,
    name,
    args.map(javaClassOf).join(', '),
    args.map((arg) => textOf(arg)).join(', '),
  );
}

/** Whether a value is a number of any type. */
export function isNumber(value: ScriptValue): value is ScriptNumber {
  if (typeof value === 'number' || typeof value === 'bigint') return true;
  return (
    typeof value === 'object' &&
    (value instanceof Double ||
      value instanceof Float ||
      value instanceof Decimal ||
      value instanceof BigInteger ||
      value instanceof ScoreValue)
  );
}

/** True for the kinds of numbers without fraction. */
export function isIntegral(value: ScriptValue): value is number | bigint | BigInteger {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof BigInteger;
}

/** The nearest double. */
export function toDouble(value: ScriptNumber): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Decimal) return value.toNumber();
  return value instanceof BigInteger ? Number(value.value) : value.value;
}

/** Without its fraction, of any size. NaN is 0, infinities saturate at 64 bits (Java). */
export function toBigInt(value: ScriptNumber): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return BigInt(value);
  if (value instanceof BigInteger) return value.value;
  if (value instanceof Decimal) return value.truncate();
  const number = value.value;
  if (Number.isNaN(number)) return 0n;
  if (number >= 2 ** 63) return 2n ** 63n - 1n;
  return number <= -(2 ** 63) ? -(2n ** 63n) : BigInt(Math.trunc(number));
}

/** The Java class that scripts see a value as. */
export function javaClassOf(value: ScriptValue): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'number':
      return 'java.lang.Integer';
    case 'bigint':
      return 'java.lang.Long';
    case 'string':
      return 'java.lang.String';
    case 'boolean':
      return 'java.lang.Boolean';
    case 'object':
    case 'function':
    case 'symbol':
    case 'undefined':
      break;
  }
  if (Array.isArray(value)) return 'java.util.ArrayList';
  if (value instanceof Map) return 'java.util.LinkedHashMap';
  if (value instanceof Double) return 'java.lang.Double';
  if (value instanceof Float) return 'java.lang.Float';
  if (value instanceof Decimal) return 'java.math.BigDecimal';
  if (value instanceof BigInteger) return 'java.math.BigInteger';
  return value instanceof ScoreValue ? 'org.elasticsearch.script.ScoreAccessor' : value.javaClass;
}

/** As concatenated to a string: `1.0E8`, `[1, x]`, `[a:1]`. @throws EngineError when nested too deeply */
export function textOf(value: ScriptValue, depth = 0): string {
  return written(value, depth, GROOVY);
}

/** As the engine prints it where it becomes a term: a map as `{a=1}`. @throws EngineError likewise */
export function termTextOf(value: ScriptValue): string {
  return written(value, 0, JAVA);
}

/** How maps are printed. */
interface MapStyle {
  readonly open: string;
  readonly close: string;
  readonly empty: string;
  readonly between: string;
}
const GROOVY: MapStyle = { open: '[', close: ']', empty: '[:]', between: ':' };
const JAVA: MapStyle = { open: '{', close: '}', empty: '{}', between: '=' };

function written(value: ScriptValue, depth: number, style: MapStyle): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
    case 'function':
    case 'symbol':
    case 'undefined':
      break;
  }
  checkDepth(depth);
  const inner = (item: ScriptValue): string => written(item, depth + 1, style);
  if (Array.isArray(value)) return `[${listed(value, inner)}]`;
  if (value instanceof Map) {
    if (value.size === 0) return style.empty;
    const items = listed(value, ([key, item]) => `${key}${style.between}${inner(item)}`);
    return style.open + items + style.close;
  }
  if (value instanceof Double || value instanceof ScoreValue) {
    return formatDouble(value.value).replaceAll('"', '');
  }
  if (value instanceof Float) return formatFloat(value.value).replaceAll('"', '');
  if (value instanceof Decimal) return value.toString();
  return value instanceof BigInteger ? value.value.toString() : value.text(depth + 1);
}

/** Never longer than a string of a script may be, however often the same list is in it. */
function listed<T>(items: Iterable<T>, text: (item: T) => string): string {
  const texts: string[] = [];
  let length = 2;
  for (const item of items) {
    const next = text(item);
    length += next.length + 2;
    checkTextLength(length);
    texts.push(next);
  }
  chargeWritten(length);
  return texts.join(', ');
}

function checkDepth(depth: number): void {
  if (depth > MAX_VALUE_DEPTH) throw limitExceeded(`[${MAX_VALUE_DEPTH}] levels in a value`);
}

/** What a value counts as in a condition (groovy): empty, zero and null are false. */
export function isTrue(value: ScriptValue): boolean {
  if (value === null) return false;
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return value !== '';
    case 'number':
      return value !== 0;
    case 'bigint':
      return value !== 0n;
    case 'object':
    case 'function':
    case 'symbol':
    case 'undefined':
      break;
  }
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Map) return value.size > 0;
  if (isNumber(value)) return toDouble(value) !== 0;
  const plain = value.plain();
  return plain instanceof HostObject || plain === null ? true : isTrue(plain);
}

/** Java's `equals`: numbers of different classes differ. */
export function javaEquals(a: ScriptValue, b: ScriptValue, depth = 0): boolean {
  if (isNumber(a) && isNumber(b)) {
    return javaClassOf(a) === javaClassOf(b) && compareNumbers(a, b) === 0;
  }
  return sameValues(a, b, javaEquals, depth);
}

/** The operator `==`: numbers by value, whatever their class. */
export function looselyEqual(a: ScriptValue, b: ScriptValue, depth = 0): boolean {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b) === 0;
  return sameValues(a, b, looselyEqual, depth);
}

function sameValues(
  a: ScriptValue,
  b: ScriptValue,
  equal: (a: ScriptValue, b: ScriptValue, depth: number) => boolean,
  depth: number,
): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  checkDepth(depth);
  chargeVisits(1);
  if (a instanceof HostObject)
    return equal(a.plain(), b instanceof HostObject ? b.plain() : b, depth + 1);
  if (b instanceof HostObject) return equal(a, b.plain(), depth + 1);
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, i) => charged() && equal(item, b[i]!, depth + 1))
    );
  }
  if (!(a instanceof Map) || !(b instanceof Map) || a.size !== b.size) return false;
  for (const [key, item] of a) {
    const other = b.get(key);
    if (other === undefined || !charged() || !equal(item, other, depth + 1)) return false;
  }
  return true;
}

/** Each element costs, as lists may be long. */
function charged(): true {
  chargeVisits(1);
  return true;
}

/** By value; a NaN is larger than everything else, as Java compares doubles. */
function compareNumbers(a: ScriptNumber, b: ScriptNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  if (isIntegral(a) && isIntegral(b)) {
    const difference = toBigInt(a) - toBigInt(b);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }
  if (isExact(a) && isExact(b)) return toDecimal(a).compare(toDecimal(b));
  const x = toDouble(a);
  const y = toDouble(b);
  if (x < y) return -1;
  if (x > y) return 1;
  if (x === y) return 0;
  return Number.isNaN(x) ? (Number.isNaN(y) ? 0 : 1) : -1;
}

function isExact(value: ScriptNumber): value is number | bigint | BigInteger | Decimal {
  return !(value instanceof Double || value instanceof Float || value instanceof ScoreValue);
}

/** Any number as a decimal one; doubles by their shortest notation. */
export function toDecimal(value: ScriptNumber): Decimal {
  if (value instanceof Decimal) return value;
  return isExact(value) ? Decimal.of(toBigInt(value)) : Decimal.fromDouble(toDouble(value));
}

/**
 * The operators `<`, `<=>` …: numbers by value, strings by UTF-16 units, null before everything.
 *
 * @throws EngineError GroovyRuntimeException for values that have no order
 */
export function compareValues(a: ScriptValue, b: ScriptValue): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : 1;
  if (typeof a === 'boolean' && typeof b === 'boolean') return a ? 1 : -1;
  // A string of one character also counts as its code.
  if (isCharacter(a) && isNumber(b)) return compareNumbers(a.charCodeAt(0), b);
  if (isNumber(a) && isCharacter(b)) return compareNumbers(a, b.charCodeAt(0));
  if (a instanceof HostObject || b instanceof HostObject) {
    const x = a instanceof HostObject ? a.plain() : a;
    const y = b instanceof HostObject ? b.plain() : b;
    if (typeof x === 'string' && typeof y === 'string') return x < y ? -1 : x > y ? 1 : 0;
  }
  throw runtimeError(
    'GroovyRuntimeException',
    `Cannot compare ${javaClassOf(a)} with value '${textOf(a)}' and ${javaClassOf(b)} with value '${textOf(b)}'`,
  );
}

function isCharacter(value: ScriptValue): value is string {
  return typeof value === 'string' && value.length === 1;
}

/** JSON as scripts see it: integers as Integer, Long or BigInteger, decimals as Double. Always a copy. */
export function fromJson(value: JsonValue): ScriptValue {
  if (value instanceof JsonNumber) return numberFromJson(value);
  if (Array.isArray(value)) return value.map(fromJson);
  return isJsonObject(value) ? objectFromJson(value) : value;
}

/** A JSON object as a map of script values. */
export function objectFromJson(object: JsonObject): ScriptMap {
  const map: ScriptMap = new Map();
  for (const [name, member] of object) map.set(name, fromJson(member));
  return map;
}

function numberFromJson(number: JsonNumber): ScriptNumber {
  if (!number.isInteger) return new Double(number.value);
  const value = number.value;
  if (value >= -2147483648 && value <= 2147483647) return value === 0 ? 0 : value;
  const exact = BigInt(number.text);
  return BigInt.asIntN(64, exact) === exact ? exact : new BigInteger(exact);
}

/**
 * A value as responses print it: numbers beyond 64 bits as strings (reference server).
 *
 * @throws EngineError when it is nested too deeply, or too much counting what is in it again and again
 */
export function toOutput(value: ScriptValue, depth = 0): JsonOutput {
  chargeWritten(typeof value === 'string' ? value.length : 0);
  if (value === null || typeof value !== 'object') return value;
  checkDepth(depth);
  if (Array.isArray(value)) return value.map((item) => toOutput(item, depth + 1));
  if (value instanceof Map) {
    const output = new Map<string, JsonOutput>();
    for (const [key, item] of value) {
      chargeWritten(key.length);
      output.set(key, toOutput(item, depth + 1));
    }
    return output;
  }
  if (value instanceof Double || value instanceof Float) return value;
  if (value instanceof Decimal) return value.toString();
  if (value instanceof BigInteger) return value.value.toString();
  if (value instanceof ScoreValue) return new Double(value.value);
  return toOutput(value.plain(), depth + 1);
}
