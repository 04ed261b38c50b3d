// Operators on two numbers, class by class. arithmetic.ts chooses the class that operands are brought to.

import type { BinaryOperator } from './ast';
import { BigInteger, Decimal } from './decimal';
import { runtimeError } from './errors';
import {
  isIntegral,
  javaClassOf,
  textOf,
  toBigInt,
  type ScriptNumber,
  type ScriptValue,
} from './values';

/** The methods that operators call (groovy). */
export const METHOD_OF: { readonly [operator in BinaryOperator]?: string } = {
  '+': 'plus',
  '-': 'minus',
  '*': 'multiply',
  '/': 'div',
  '%': 'mod',
  '**': 'power',
  '<<': 'leftShift',
  '>>': 'rightShift',
  '>>>': 'rightShiftUnsigned',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
};

/** `+ - * / %` on doubles. */
export function doubles(operator: BinaryOperator, a: number, b: number): number {
  if (operator === '+') return a + b;
  if (operator === '-') return a - b;
  if (operator === '*') return a * b;
  return operator === '/' ? a / b : a % b;
}

/** `+ - * / %` on 32-bit integers, which wrap around. @throws EngineError for a division by zero */
export function integers(operator: BinaryOperator, a: number, b: number): number {
  if (operator === '+') return (a + b) | 0;
  if (operator === '-') return (a - b) | 0;
  if (operator === '*') return Math.imul(a, b);
  if (b === 0) throw divisionByZero();
  return operator === '/' ? (a / b) | 0 : (a % b) | 0;
}

/** `+ - * / %` on integers of any size. @throws EngineError for a division by zero */
export function bigIntegers(operator: BinaryOperator, a: bigint, b: bigint): bigint {
  if (operator === '+') return a + b;
  if (operator === '-') return a - b;
  if (operator === '*') return a * b;
  if (b === 0n) throw divisionByZero();
  return operator === '/' ? a / b : a % b;
}

/** `+ - * %` on decimals. @throws EngineError for a remainder of a division by zero */
export function decimals(operator: BinaryOperator, a: Decimal, b: Decimal): Decimal {
  if (operator === '+') return a.add(b);
  if (operator === '-') return a.subtract(b);
  if (operator === '*') return a.multiply(b);
  if (b.unscaled === 0n) throw divisionByZero();
  const quotient = a.divide(b)?.truncate() ?? 0n;
  return a.subtract(b.multiply(Decimal.of(quotient)));
}

function divisionByZero(): Error {
  return runtimeError('ArithmeticException', '/ by zero');
}

/** `<<`, `>>` and `>>>`. @throws EngineError for numbers that are no 32- or 64-bit integers */
export function shift(
  operator: '<<' | '>>' | '>>>',
  a: ScriptNumber,
  b: ScriptNumber,
): ScriptValue {
  if (!isIntegral(b)) throw notBits('Shift distance must be an integral type, but', b);
  const distance = Number(BigInt.asIntN(32, toBigInt(b)));
  if (typeof a === 'number') {
    if (operator === '<<') return a << distance;
    return operator === '>>' ? a >> distance : (a >>> distance) | 0;
  }
  if (typeof a === 'bigint') {
    const places = BigInt(distance & 63);
    if (operator === '<<') return BigInt.asIntN(64, a << places);
    return operator === '>>' ? a >> places : BigInt.asIntN(64, BigInt.asUintN(64, a) >> places);
  }
  throw notBits(`Cannot use ${METHOD_OF[operator]!}() on this number type:`, a);
}

/** `&`, `|` and `^`. @throws EngineError for numbers that are no integers */
export function bitwise(operator: '&' | '|' | '^', a: ScriptNumber, b: ScriptNumber): ScriptValue {
  if (!isIntegral(a)) throw notBits(`Cannot use ${METHOD_OF[operator]!}() on this number type:`, a);
  if (!isIntegral(b)) throw notBits(`Cannot use ${METHOD_OF[operator]!}() on this number type:`, b);
  if (typeof a === 'number' && typeof b === 'number') {
    return operator === '&' ? a & b : operator === '|' ? a | b : a ^ b;
  }
  const x = toBigInt(a);
  const y = toBigInt(b);
  const result = operator === '&' ? x & y : operator === '|' ? x | y : x ^ y;
  return a instanceof BigInteger || b instanceof BigInteger ? new BigInteger(result) : result;
}

function notBits(message: string, value: ScriptNumber): Error {
  return runtimeError(
    'UnsupportedOperationException',
    `${message} ${javaClassOf(value)} with value: ${textOf(value)}`,
  );
}
