// `Math`, the other static members that scripts may use, and the bare functions of groovy scripts.

import { Double, Float } from '../json/index';
import { BigInteger } from './decimal';
import {
  noMethod,
  isIntegral,
  isNumber,
  toBigInt,
  toDouble,
  textOf,
  type ScriptNumber,
  type ScriptValue,
} from './values';
import { formatText } from './format-text';
import { numberFormat, parseDoubleText } from './types';

type DoubleFunction = (...args: number[]) => number;

/** Functions from doubles to a double, with the number of their arguments. */
const DOUBLE_FUNCTIONS: ReadonlyMap<string, readonly [arity: number, apply: DoubleFunction]> =
  new Map<string, readonly [number, DoubleFunction]>([
    ['acos', [1, Math.acos]],
    ['asin', [1, Math.asin]],
    ['atan', [1, Math.atan]],
    ['atan2', [2, Math.atan2]],
    ['cbrt', [1, Math.cbrt]],
    ['ceil', [1, Math.ceil]],
    ['cos', [1, Math.cos]],
    ['cosh', [1, Math.cosh]],
    ['exp', [1, Math.exp]],
    ['expm1', [1, Math.expm1]],
    ['floor', [1, Math.floor]],
    ['hypot', [2, Math.hypot]],
    ['log', [1, Math.log]],
    ['log10', [1, Math.log10]],
    ['log1p', [1, Math.log1p]],
    ['pow', [2, Math.pow]],
    ['rint', [1, roundHalfEven]],
    ['signum', [1, Math.sign]],
    ['sin', [1, Math.sin]],
    ['sinh', [1, Math.sinh]],
    ['sqrt', [1, Math.sqrt]],
    ['tan', [1, Math.tan]],
    ['tanh', [1, Math.tanh]],
    ['toDegrees', [1, (x) => x * (180 / Math.PI)]],
    ['toRadians', [1, (x) => x * (Math.PI / 180)]],
  ]);

/** A function of doubles by its name and number of arguments, or null. */
export function doubleFunction(name: string, arity: number): DoubleFunction | null {
  const found = DOUBLE_FUNCTIONS.get(name);
  return found?.[0] === arity ? found[1] : null;
}

/** Calls `Math.name`. @throws EngineError MissingMethodException */
export function callMath(name: string, args: readonly ScriptValue[]): ScriptValue {
  const numbers = args.filter(isNumber);
  if (numbers.length === args.length) {
    const result = callNumeric(name, numbers);
    if (result !== null) return result;
  }
  throw noMethod('static java.lang.Math', name, args);
}

function callNumeric(name: string, args: readonly ScriptNumber[]): ScriptValue {
  const [a, b] = args;
  if (args.length === 0) return name === 'random' ? new Double(Math.random()) : null;
  const apply = doubleFunction(name, args.length);
  if (apply !== null && a !== undefined) {
    return new Double(b === undefined ? apply(toDouble(a)) : apply(toDouble(a), toDouble(b)));
  }
  if (args.length === 1 && a !== undefined) {
    if (name === 'abs') return absolute(a);
    if (name === 'round') return rounded(a);
    return null;
  }
  if (args.length !== 2 || a === undefined || b === undefined) return null;
  switch (name) {
    case 'max':
      return extreme(a, b, Math.max, (x, y) => (x > y ? x : y));
    case 'min':
      return extreme(a, b, Math.min, (x, y) => (x < y ? x : y));
    case 'floorMod':
      return isIntegral(a) && isIntegral(b) ? floorMod(a, b) : null;
    default:
      return null;
  }
}

function absolute(value: ScriptNumber): ScriptNumber {
  if (typeof value === 'number') return Math.abs(value) | 0;
  if (typeof value === 'bigint') return BigInt.asIntN(64, value < 0n ? -value : value);
  if (value instanceof Float) return new Float(Math.abs(value.value));
  return new Double(Math.abs(toDouble(value)));
}

/** Half up; an Integer of a float, else a Long. */
function rounded(value: ScriptNumber): ScriptNumber {
  const whole = new Double(Math.floor(toDouble(value) + 0.5));
  const long = toBigInt(whole);
  if (!(value instanceof Float) && typeof value !== 'number') return long;
  const [min, max] = [-(2n ** 31n), 2n ** 31n - 1n];
  return Number(long < min ? min : long > max ? max : long);
}

function extreme(
  a: ScriptNumber,
  b: ScriptNumber,
  ofDoubles: (x: number, y: number) => number,
  ofLongs: (x: bigint, y: bigint) => bigint,
): ScriptNumber {
  if (typeof a === 'number' && typeof b === 'number') return ofDoubles(a, b);
  if (isIntegral(a) && isIntegral(b)) {
    const result = ofLongs(toBigInt(a), toBigInt(b));
    return a instanceof BigInteger || b instanceof BigInteger ? new BigInteger(result) : result;
  }
  const result = ofDoubles(toDouble(a), toDouble(b));
  const single = isSingle(a) && isSingle(b);
  return single ? new Float(result) : new Double(result);
}

function isSingle(value: ScriptNumber): boolean {
  return value instanceof Float || typeof value === 'number';
}

function floorMod(a: ScriptNumber, b: ScriptNumber): ScriptNumber | null {
  const x = toBigInt(a);
  const y = toBigInt(b);
  if (y === 0n) return null;
  const result = ((x % y) + y) % y;
  return typeof a === 'number' && typeof b === 'number' ? Number(result) : result;
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

const CONSTANTS: ReadonlyMap<string, ScriptValue> = new Map<string, ScriptValue>([
  ['Math.PI', new Double(Math.PI)],
  ['Math.E', new Double(Math.E)],
  ['Integer.MAX_VALUE', 2147483647],
  ['Integer.MIN_VALUE', -2147483648],
  ['Long.MAX_VALUE', 2n ** 63n - 1n],
  ['Long.MIN_VALUE', -(2n ** 63n)],
  ['Double.MAX_VALUE', new Double(Number.MAX_VALUE)],
  ['Double.MIN_VALUE', new Double(Number.MIN_VALUE)],
  ['Double.NaN', new Double(NaN)],
  ['Double.POSITIVE_INFINITY', new Double(Infinity)],
  ['Double.NEGATIVE_INFINITY', new Double(-Infinity)],
  ['Float.MAX_VALUE', new Float(3.4028234663852886e38)],
]);

/** A static field such as `Math.PI`, or undefined. */
export function staticField(type: string, name: string): ScriptValue | undefined {
  return CONSTANTS.get(`${type}.${name}`);
}

/** Classes whose static members scripts may use. */
export const STATIC_CLASSES: ReadonlySet<string> = new Set([
  'Math',
  'Integer',
  'Long',
  'Double',
  'Float',
  'String',
  'Boolean',
  'System',
  'Arrays',
  'Collections',
]);

/**
 * Calls a static method of one of {@link STATIC_CLASSES}.
 *
 * @param now epoch milliseconds
 * @throws EngineError MissingMethodException, NumberFormatException
 */
export function callStatic(
  type: string,
  name: string,
  args: readonly ScriptValue[],
  now: number,
): ScriptValue {
  if (type === 'Math') return callMath(name, args);
  const [value] = args;
  const list = listStatic(type, name, args);
  if (list !== undefined) return list;
  if (type === 'System' && name === 'currentTimeMillis' && value === undefined) return BigInt(now);
  if (args.length === 1 && value !== undefined) {
    const parsed = parsedStatic(type, name, value);
    if (parsed !== undefined) return parsed;
  }
  const home = type === 'Arrays' || type === 'Collections' ? 'java.util' : 'java.lang';
  throw noMethod(`static ${home}.${type}`, name, args);
}

/** Lists by hand, which scripts of older languages need where others write `[x]`. */
function listStatic(
  type: string,
  name: string,
  args: readonly ScriptValue[],
): ScriptValue | undefined {
  switch (`${type}.${name}`) {
    case 'Arrays.asList':
      return [...args];
    case 'Collections.singleton':
    case 'Collections.singletonList':
      return args.length === 1 ? [...args] : undefined;
    case 'Collections.emptyList':
      return args.length === 0 ? [] : undefined;
    case 'String.format':
      return typeof args[0] === 'string' ? formatText(args[0], args.slice(1)) : undefined;
    default:
      return undefined;
  }
}

function parsedStatic(type: string, name: string, value: ScriptValue): ScriptValue | undefined {
  const text = textOf(value);
  switch (`${type}.${name}`) {
    case 'Integer.parseInt':
    case 'Integer.valueOf':
      return Number(parseLong(text, 32));
    case 'Long.parseLong':
    case 'Long.valueOf':
      return parseLong(text, 64);
    case 'Double.parseDouble':
    case 'Double.valueOf':
      return new Double(parseDoubleText(text));
    case 'Float.parseFloat':
    case 'Float.valueOf':
      return new Float(Math.fround(parseDoubleText(text)));
    case 'Double.isNaN':
      return isNumber(value) && Number.isNaN(toDouble(value));
    case 'Double.isInfinite':
      return isNumber(value) && Math.abs(toDouble(value)) === Infinity;
    case 'String.valueOf':
    case 'Integer.toString':
    case 'Long.toString':
    case 'Double.toString':
      return text;
    case 'Boolean.parseBoolean':
    case 'Boolean.valueOf':
      return text.toLowerCase() === 'true';
    default:
      return undefined;
  }
}

/** Strict digits within the range of so many bits. @throws EngineError NumberFormatException */
export function parseLong(text: string, bits: 32 | 64): bigint {
  if (!/^[+-]?\d{1,30}$/.test(text)) throw numberFormat(text);
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  if (BigInt.asIntN(bits, value) !== value) throw numberFormat(text);
  return value;
}
