// Methods of numbers and booleans.

import type { BinaryOperator } from './ast';
import { Closure, type MethodContext } from './closure';
import { Double } from '../json/index';
import { callMath } from './math';
import { conversionTo } from './types';
import {
  compareValues,
  isIntegral,
  isNumber,
  javaClassOf,
  javaEquals,
  noMethod,
  textOf,
  toBigInt,
  toDouble,
  type ScriptNumber,
  type ScriptValue,
} from './values';

const CONVERSIONS: ReadonlyMap<string, string> = new Map([
  ['intValue', 'int'],
  ['longValue', 'long'],
  ['doubleValue', 'double'],
  ['floatValue', 'float'],
  ['shortValue', 'short'],
  ['byteValue', 'byte'],
  ['toInteger', 'int'],
  ['toLong', 'long'],
  ['toDouble', 'double'],
  ['toFloat', 'float'],
  ['toBigDecimal', 'BigDecimal'],
  ['toBigInteger', 'BigInteger'],
]);

/** Operators by the names of their methods. */
const OPERATORS: ReadonlyMap<string, BinaryOperator> = new Map([
  ['plus', '+'],
  ['minus', '-'],
  ['multiply', '*'],
  ['div', '/'],
  ['mod', '%'],
  ['power', '**'],
]);

/** @throws EngineError MissingMethodException */
export function callNumberMethod(
  value: ScriptNumber,
  name: string,
  args: readonly ScriptValue[],
  context: MethodContext,
): ScriptValue {
  const type = CONVERSIONS.get(name);
  if (type !== undefined && args.length === 0) return conversionTo(type)!(value);
  const [first] = args;
  const operator = OPERATORS.get(name);
  if (operator !== undefined && args.length === 1 && first !== undefined) {
    return context.arithmetic.apply(operator, value, first);
  }
  const closure = args.at(-1);
  if (closure instanceof Closure && counts(value, name, args, closure)) return null;
  switch (name) {
    case 'toString':
      if (first === undefined) return textOf(value);
      break;
    case 'abs':
      if (first === undefined) return callMath('abs', [value]);
      break;
    case 'round':
      return round(value, args);
    case 'compareTo':
      if (first !== undefined) return compareValues(value, first);
      break;
    case 'equals':
      if (first !== undefined) return javaEquals(value, first);
      break;
    case 'intdiv':
      if (isIntegral(value) && first !== undefined && isIntegral(first) && toBigInt(first) !== 0n) {
        const quotient = toBigInt(value) / toBigInt(first);
        return typeof value === 'number' && typeof first === 'number'
          ? Number(BigInt.asIntN(32, quotient))
          : BigInt.asIntN(64, quotient);
      }
      break;
    case 'isNaN':
      if (first === undefined) return Number.isNaN(toDouble(value));
      break;
    case 'isInfinite':
      if (first === undefined) return Math.abs(toDouble(value)) === Infinity;
      break;
    case 'max':
    case 'min':
      if (first !== undefined && isNumber(first)) return callMath(name, [value, first]);
      break;
    default:
      break;
  }
  throw noMethod(javaClassOf(value), name, args);
}

/** `3.times { }`, `1.upto(3) { }`, `3.downto(1) { }`, `0.step(10, 2) { }`; false when it is none of them. */
function counts(
  value: ScriptNumber,
  name: string,
  args: readonly ScriptValue[],
  { call }: Closure,
): boolean {
  const [to, by] = args;
  if (typeof value !== 'number') return false;
  if (name === 'times' && args.length === 1) {
    for (let i = 0; i < value; i++) call(i);
  } else if (name === 'upto' && args.length === 2 && typeof to === 'number') {
    for (let i = value; i <= to; i++) call(i);
  } else if (name === 'downto' && args.length === 2 && typeof to === 'number') {
    for (let i = value; i >= to; i--) call(i);
  } else if (name === 'step' && typeof to === 'number' && typeof by === 'number' && by !== 0) {
    for (let i = value; by > 0 ? i < to : i > to; i += by) call(i);
  } else {
    return false;
  }
  return true;
}

/** Half up, to whole numbers or to `places`. */
function round(value: ScriptNumber, args: readonly ScriptValue[]): ScriptValue {
  const [places] = args;
  if (isIntegral(value)) return value;
  if (places === undefined) return callMath('round', [value]);
  if (typeof places !== 'number') throw noMethod(javaClassOf(value), 'round', args);
  const factor = Math.pow(10, places);
  return new Double(Math.floor(toDouble(value) * factor + 0.5) / factor);
}
