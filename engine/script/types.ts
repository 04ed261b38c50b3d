// The types that scripts may name: in declarations, casts, `instanceof` and `new`.

import { Double, Float } from '../json/index';
import { BigInteger } from './decimal';
import { runtimeError } from './errors';
import { chargeVisits } from './limits';
import {
  HostObject,
  isNumber,
  isTrue,
  javaClassOf,
  javaEquals,
  textOf,
  toBigInt,
  toDecimal,
  toDouble,
  type ScriptNumber,
  type ScriptValue,
} from './values';

type Convert = (value: ScriptValue) => ScriptValue;

const OBJECTS = ['Object', 'def', 'var', 'Collection', 'Iterable', 'Number', 'Comparable'];
const LISTS = ['List', 'ArrayList', 'LinkedList'];
const SETS = ['Set', 'HashSet', 'LinkedHashSet', 'TreeSet'];
const MAPS = ['Map', 'HashMap', 'LinkedHashMap', 'TreeMap'];

const CONVERSIONS: ReadonlyMap<string, Convert> = new Map<string, Convert>([
  ...both(
    'int',
    'Integer',
    number((value) => Number(BigInt.asIntN(32, saturated(value, 32)))),
  ),
  ...both(
    'long',
    'Long',
    number((value) => BigInt.asIntN(64, saturated(value, 64))),
  ),
  ...both(
    'short',
    'Short',
    number((value) => Number(BigInt.asIntN(16, saturated(value, 32)))),
  ),
  ...both(
    'byte',
    'Byte',
    number((value) => Number(BigInt.asIntN(8, saturated(value, 32)))),
  ),
  ...both(
    'float',
    'Float',
    number((value) => new Float(Math.fround(toDouble(value)))),
  ),
  ...both(
    'double',
    'Double',
    number((value) => new Double(toDouble(value))),
  ),
  ...both('boolean', 'Boolean', isTrue),
  ...both('char', 'Character', (value) =>
    typeof value === 'number' ? String.fromCharCode(value) : textOf(value).charAt(0),
  ),
  ['String', (value) => (value === null ? null : textOf(value))],
  ['BigDecimal', number(toDecimal)],
  ['BigInteger', number((value) => new BigInteger(toBigInt(value)))],
  ...OBJECTS.map((name): [string, Convert] => [name, (value) => value]),
  ...LISTS.map((name): [string, Convert] => [name, toList]),
  ...SETS.map((name): [string, Convert] => [name, (value) => distinct(toList(value))]),
  ...MAPS.map((name): [string, Convert] => [name, toMap]),
]);

function both(primitive: string, boxed: string, convert: Convert): [string, Convert][] {
  return [
    [primitive, convert],
    [boxed, convert],
  ];
}

/** Text is read as a number. */
function number(convert: (value: ScriptNumber) => ScriptValue): Convert {
  return (value) => {
    if (value === null) return null;
    if (isNumber(value)) return convert(value);
    if (typeof value === 'string') return convert(parseNumber(value));
    throw cannotCast(value, 'java.lang.Number');
  };
}

/** Java narrows doubles by saturation, integers by dropping high bits. */
function saturated(value: ScriptNumber, bits: 32 | 64): bigint {
  const exact = toBigInt(value);
  if (!(value instanceof Double || value instanceof Float)) return exact;
  const limit = 2n ** BigInt(bits - 1);
  if (exact >= limit) return limit - 1n;
  return exact < -limit ? -limit : exact;
}

/** @throws EngineError NumberFormatException */
function parseNumber(text: string): ScriptNumber {
  const trimmed = text.trim();
  if (/^[+-]?\d+$/.test(trimmed) && trimmed.length < 400) {
    const value = BigInt(trimmed.startsWith('+') ? trimmed.slice(1) : trimmed);
    if (BigInt.asIntN(32, value) === value) return Number(value);
    return BigInt.asIntN(64, value) === value ? value : new BigInteger(value);
  }
  return new Double(parseDoubleText(text));
}

/** @throws EngineError NumberFormatException */
export function parseDoubleText(text: string): number {
  const match =
    /^\s*([+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|Infinity|NaN))[fFdD]?\s*$/.exec(
      text,
    );
  if (match === null) throw numberFormat(text);
  return Number(match[1]);
}

/** The error about a text that is no number, as Java words it. */
export function numberFormat(text: string): Error {
  return runtimeError(
    'NumberFormatException',
    text === '' ? 'empty String' : `For input string: "${text}"`,
  );
}

function toList(value: ScriptValue): ScriptValue {
  if (value === null) return null;
  const plain = value instanceof HostObject ? value.plain() : value;
  if (Array.isArray(plain)) return plain;
  if (typeof plain === 'string') return [...plain];
  throw cannotCast(value, 'java.util.List');
}

function toMap(value: ScriptValue): ScriptValue {
  const plain = value instanceof HostObject ? value.plain() : value;
  if (plain === null || plain instanceof Map) return plain;
  throw cannotCast(value, 'java.util.Map');
}

/** The elements of a list without repeats, first ones kept. */
export function distinct(value: ScriptValue): ScriptValue {
  if (!Array.isArray(value)) return value;
  const seen = new Set<string>();
  return value.filter((item, i) => {
    // Scalars are told apart by class and text; the rest is compared.
    if (item === null || typeof item !== 'object' || isNumber(item)) {
      const key = `${javaClassOf(item)} ${textOf(item)}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    }
    chargeVisits(i);
    for (let k = 0; k < i; k++) if (javaEquals(value[k]!, item)) return false;
    return true;
  });
}

function cannotCast(value: ScriptValue, type: string): Error {
  const from = javaClassOf(value);
  return runtimeError(
    'GroovyCastException',
    `Cannot cast object '${textOf(value)}' with class '${from}' to class '${type}'`,
  );
}

/** True for names that casts and declarations know. */
export function isTypeName(name: string): boolean {
  return CONVERSIONS.has(name) || name === 'Date';
}

/** How a value becomes one of a type; null for unknown types. */
export function conversionTo(type: string): Convert | null {
  return CONVERSIONS.get(type) ?? null;
}

const INSTANCE_TESTS: ReadonlyMap<string, (value: ScriptValue) => boolean> = new Map<
  string,
  (value: ScriptValue) => boolean
>([
  ['Integer', (value) => typeof value === 'number'],
  ['Long', (value) => typeof value === 'bigint'],
  ['Double', (value) => value instanceof Double],
  ['Float', (value) => value instanceof Float],
  ['Number', isNumber],
  ['String', (value) => typeof value === 'string'],
  ['Boolean', (value) => typeof value === 'boolean'],
  ['Object', (value) => value !== null],
  ...[...LISTS, 'Collection', 'Iterable'].map((name): [string, (value: ScriptValue) => boolean] => [
    name,
    isListLike,
  ]),
  ...MAPS.map((name): [string, (value: ScriptValue) => boolean] => [
    name,
    (value) =>
      value instanceof Map || (value instanceof HostObject && value.plain() instanceof Map),
  ]),
]);

function isListLike(value: ScriptValue): boolean {
  return Array.isArray(value) || (value instanceof HostObject && Array.isArray(value.plain()));
}

/** What `instanceof` asks; null for unknown types. */
export function instanceTest(type: string): ((value: ScriptValue) => boolean) | null {
  return INSTANCE_TESTS.get(type) ?? null;
}

/** What `new` makes of its arguments; null for types that scripts cannot make. */
export function constructorOf(
  type: string,
): ((args: readonly ScriptValue[]) => ScriptValue) | null {
  if (LISTS.includes(type))
    return ([from]) => (from === undefined || isNumber(from) ? [] : copyOf(toList(from)));
  if (SETS.includes(type))
    return ([from]) => (from === undefined ? [] : distinct(copyOf(toList(from))));
  if (MAPS.includes(type)) {
    return ([from]) => (from === undefined || isNumber(from) ? new Map() : copyOf(toMap(from)));
  }
  if (type === 'String') return ([from]) => (from === undefined ? '' : textOf(from));
  return null;
}

function copyOf(value: ScriptValue): ScriptValue {
  if (Array.isArray(value)) return [...value];
  return value instanceof Map ? new Map(value) : value;
}
