// Methods of numbers and booleans.

import { Double } from '../json/json';
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

/** @throws EngineError MissingMethodException */
export function callNumberMethod(
  value: ScriptNumber,
  name: string,
  args: readonly ScriptValue[],
): ScriptValue {
  const type = CONVERSIONS.get(name);
  if (type !== undefined && args.length === 0) return conversionTo(type)!(value);
  const [first] = args;
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

/** Half up, to whole numbers or to `places`. */
function round(value: ScriptNumber, args: readonly ScriptValue[]): ScriptValue {
  const [places] = args;
  if (isIntegral(value)) return value;
  if (places === undefined) return callMath('round', [value]);
  if (typeof places !== 'number') throw noMethod(javaClassOf(value), 'round', args);
  const factor = Math.pow(10, places);
  return new Double(Math.floor(toDouble(value) * factor + 0.5) / factor);
}
