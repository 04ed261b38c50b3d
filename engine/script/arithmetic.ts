// Operators on script values, by groovy's rules on Java's numbers: 32- and 64-bit integers wrap around,
// dividing them gives decimals, a double or float on either side makes everything a double.

import { Double, Float } from '../json/index';
import type { BinaryOperator } from './ast';
import { BigInteger, Decimal } from './decimal';
import { limitExceeded, runtimeError } from './errors';
import type { StepBudget } from './limits';
import {
  bigIntegers,
  bitwise,
  decimals,
  doubles,
  integers,
  METHOD_OF,
  shift,
} from './number-operators';
import {
  compareValues,
  HostObject,
  isIntegral,
  isNumber,
  isTrue,
  javaClassOf,
  javaEquals,
  looselyEqual,
  noMethod,
  ScoreValue,
  textOf,
  toBigInt,
  toDecimal,
  toDouble,
  type ScriptNumber,
  type ScriptValue,
} from './values';

/** What differs between the languages. */
export interface ArithmeticRules {
  /** mvel: integers divided by integers are integers. */
  readonly integerDivision: boolean;
}

/** Decimal digits of powers and products of numbers of any size. */
const MAX_BITS = 8192n;

/** The operators of one running script. */
export class Arithmetic {
  constructor(
    private readonly rules: ArithmeticRules,
    private readonly budget: StepBudget,
  ) {}

  /**
   * Applies an operator other than `=~` and `==~`.
   *
   * @throws EngineError with the Java exception the reference would report
   */
  apply(operator: BinaryOperator, a: ScriptValue, b: ScriptValue): ScriptValue {
    if (a instanceof ScoreValue) return this.apply(operator, scoreBeside(a, b, operator), b);
    if (b instanceof ScoreValue) return this.apply(operator, a, scoreBeside(b, a, operator));
    if (operator === '==') return this.equal(a, b);
    if (operator === '!=') return !this.equal(a, b);
    if (operator === '<') return compareValues(a, b) < 0;
    if (operator === '<=') return compareValues(a, b) <= 0;
    if (operator === '>') return compareValues(a, b) > 0;
    if (operator === '>=') return compareValues(a, b) >= 0;
    if (operator === '<=>') return compareValues(a, b);
    if (operator === 'in') return this.contains(b, a);
    if (isNumber(a) && isNumber(b)) return this.numbers(operator, a, b);
    return this.others(operator, a, b);
  }

  negate(value: ScriptValue): ScriptValue {
    if (typeof value === 'number') return (-value | 0) === 0 ? 0 : -value | 0;
    if (typeof value === 'bigint') return BigInt.asIntN(64, -value);
    if (value instanceof Double) return new Double(-value.value);
    if (value instanceof ScoreValue) return new Double(-value.value);
    if (value instanceof Float) return new Float(-value.value);
    if (value instanceof Decimal) return value.negate();
    if (value instanceof BigInteger) return new BigInteger(-value.value);
    if (Array.isArray(value)) return value.map((item) => this.negate(item));
    throw noMethod(javaClassOf(value), 'negative', []);
  }

  complement(value: ScriptValue): ScriptValue {
    if (typeof value === 'number') return ~value;
    if (typeof value === 'bigint') return ~value;
    if (value instanceof BigInteger) return new BigInteger(~value.value);
    throw noMethod(javaClassOf(value), 'bitwiseNegate', []);
  }

  private equal(a: ScriptValue, b: ScriptValue): boolean {
    this.chargeFor(a);
    return looselyEqual(a, b);
  }

  /** The operator `in`. */
  private contains(container: ScriptValue, item: ScriptValue): boolean {
    const plain = container instanceof HostObject ? container.plain() : container;
    this.chargeFor(plain);
    if (Array.isArray(plain)) return plain.some((element) => javaEquals(element, item));
    if (plain instanceof Map) return item !== null && isTrue(plain.get(textOf(item)) ?? null);
    return looselyEqual(plain, item);
  }

  private chargeFor(value: ScriptValue): void {
    const size = Array.isArray(value) ? value.length : value instanceof Map ? value.size : 0;
    if (size > 16) this.budget.charge(size >> 4);
  }

  private numbers(operator: BinaryOperator, a: ScriptNumber, b: ScriptNumber): ScriptValue {
    if (operator === '**') return this.power(a, b);
    if (operator === '<<' || operator === '>>' || operator === '>>>') return shift(operator, a, b);
    if (operator === '&' || operator === '|' || operator === '^') return bitwise(operator, a, b);
    if (isFloating(a) || isFloating(b)) {
      return new Double(doubles(operator, toDouble(a), toDouble(b)));
    }
    if (operator === '/' && !(this.rules.integerDivision && isIntegral(a) && isIntegral(b))) {
      const quotient = toDecimal(a).divide(toDecimal(b));
      if (quotient === null) throw runtimeError('ArithmeticException', 'Division by zero');
      return this.bounded(quotient);
    }
    if (typeof a === 'number' && typeof b === 'number') return integers(operator, a, b);
    if (a instanceof Decimal || b instanceof Decimal) {
      return this.bounded(decimals(operator, toDecimal(a), toDecimal(b)));
    }
    const result = bigIntegers(operator, toBigInt(a), toBigInt(b));
    if (a instanceof BigInteger || b instanceof BigInteger)
      return this.bounded(new BigInteger(result));
    return BigInt.asIntN(64, result);
  }

  /** Groovy's `**`: the smallest class that holds the result. */
  private power(a: ScriptNumber, b: ScriptNumber): ScriptNumber {
    if (isIntegral(a) && typeof b === 'number' && b >= 0) {
      const base = toBigInt(a);
      const bits = BigInt(base.toString(2).length) * BigInt(b);
      if (bits > MAX_BITS) {
        if (base >= -1n && base <= 1n) return Number(base ** BigInt(b & 1 ? 1 : b === 0 ? 0 : 2));
        throw limitExceeded(`[${MAX_BITS}] bits in a number`);
      }
      const result = base ** BigInt(b);
      if (typeof a === 'number' && BigInt.asIntN(32, result) === result) return Number(result);
      if (typeof a === 'bigint' && BigInt.asIntN(64, result) === result) return result;
      return new BigInteger(result);
    }
    if (a instanceof Decimal && typeof b === 'number' && b >= 0) {
      const digits = a.toString().length * b;
      if (digits > 4096) throw limitExceeded('[4096] digits in a number');
      return new Decimal(a.unscaled ** BigInt(b), a.scale * b);
    }
    const result = Math.pow(toDouble(a), toDouble(b));
    if (Number.isInteger(result) && !Object.is(result, -0)) {
      if (Math.abs(result) < 2 ** 31) return result;
      if (Math.abs(result) < 2 ** 63) return BigInt(result);
    }
    return new Double(result);
  }

  private bounded<T extends BigInteger | Decimal>(value: T): T {
    const unscaled = value instanceof BigInteger ? value.value : value.unscaled;
    const limit = 1n << MAX_BITS;
    if (unscaled > limit || unscaled < -limit)
      throw limitExceeded(`[${MAX_BITS}] bits in a number`);
    if (value instanceof Decimal && value.scale > Number(MAX_BITS)) {
      throw limitExceeded(`[${MAX_BITS}] decimal places`);
    }
    return value;
  }

  private others(operator: BinaryOperator, a: ScriptValue, b: ScriptValue): ScriptValue {
    // Only strings, numbers and null are joined to a string; lists take it as an element.
    const joins = typeof a === 'string' || (typeof b === 'string' && (a === null || isNumber(a)));
    if (operator === '+' && joins) return this.concat(a, b);
    if (typeof a === 'string') return this.strings(operator, a, b);
    if (typeof a === 'boolean' && typeof b === 'boolean') {
      if (operator === '&') return a && b;
      if (operator === '|') return a || b;
      if (operator === '^') return a !== b;
    }
    if (Array.isArray(a)) return this.lists(operator, a, b);
    if (a instanceof Map && b instanceof Map && operator === '+') {
      this.budget.checkSize(a.size + b.size);
      this.budget.charge((a.size + b.size) >> 4);
      return new Map([...a, ...b]);
    }
    if (a instanceof HostObject && Array.isArray(a.plain()))
      return this.others(operator, a.plain(), b);
    const method = METHOD_OF[operator] ?? operator;
    if (a === null) {
      throw runtimeError(
        'NullPointerException',
        operator === '+'
          ? `Cannot execute null+${textOf(b)}`
          : `Cannot invoke method ${method}() on null object`,
      );
    }
    if (isNumber(a) && b === null) {
      throw runtimeError(
        'GroovyRuntimeException',
        `Ambiguous method overloading for method ${javaClassOf(a)}#${method}.\n` +
          'Cannot resolve which method to invoke for [null] due to overlapping prototypes',
      );
    }
    throw noMethod(javaClassOf(a), method, [b]);
  }

  private concat(a: ScriptValue, b: ScriptValue): string {
    const left = textOf(a);
    const right = textOf(b);
    this.budget.checkLength(left.length + right.length);
    return left + right;
  }

  private strings(operator: BinaryOperator, a: string, b: ScriptValue): ScriptValue {
    if (operator === '-') {
      const text = textOf(b);
      const at = b === null ? -1 : a.indexOf(text);
      return at < 0 ? a : a.slice(0, at) + a.slice(at + text.length);
    }
    if (operator === '*' && isNumber(b)) {
      const times = Number(toBigInt(b));
      if (times < 0) {
        throw runtimeError(
          'IllegalArgumentException',
          `multiply() should be called with a number of 0 or greater not: ${times}`,
        );
      }
      this.budget.checkLength(a.length * times);
      return a.repeat(times);
    }
    if (operator === '<<') return this.concat(a, b);
    throw noMethod('java.lang.String', METHOD_OF[operator] ?? operator, [b]);
  }

  private lists(operator: BinaryOperator, a: ScriptValue[], b: ScriptValue): ScriptValue {
    const other = b instanceof HostObject ? b.plain() : b;
    this.budget.charge(1 + (a.length >> 4));
    if (operator === '+') {
      const added = Array.isArray(other) ? other : [b];
      this.budget.checkSize(a.length + added.length);
      return [...a, ...added];
    }
    if (operator === '-') {
      const removed = Array.isArray(other) ? other : [b];
      this.budget.charge((a.length * removed.length) >> 4);
      return a.filter((item) => !removed.some((gone) => looselyEqual(item, gone)));
    }
    if (operator === '*' && isNumber(other)) {
      const times = Number(toBigInt(other));
      if (times >= 0) {
        this.budget.checkSize(a.length * times);
        return Array.from({ length: times }, () => a).flat();
      }
    }
    if (operator === '<<') {
      this.budget.checkSize(a.length + 1);
      a.push(b);
      return a;
    }
    throw noMethod('java.util.ArrayList', METHOD_OF[operator] ?? operator, [b]);
  }
}

/** compat: beside integers a score is an integer, too. */
function scoreBeside(score: ScoreValue, other: ScriptValue, operator: BinaryOperator): ScriptValue {
  const asDouble = operator === '/' || operator === '**' || (operator === '+' && !isNumber(other));
  if (asDouble || (isNumber(other) && isFloating(other))) return new Double(score.value);
  return Number(BigInt.asIntN(32, toBigInt(score)));
}

function isFloating(value: ScriptNumber): boolean {
  return value instanceof Double || value instanceof Float;
}
