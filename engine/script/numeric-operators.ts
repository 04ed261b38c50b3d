// Operators of numeric scripts on Java's types of numbers, as closures over doubles. numeric.ts says what NaN
// means.

import { Double } from '../json/index';
import type { BinaryOperator } from './ast';
import type { ScriptValue } from './values';

/** Java's types of numbers; a score becomes what stands beside it. */
type NumberType = 'int' | 'long' | 'double' | 'decimal' | 'score';
/** Computes a value for the document of the frame. */
export type Run = () => number;

/** A compiled piece of a numeric script. */
export interface NumericNode {
  readonly type: NumberType | 'boolean';
  /** Booleans are 0 and 1; NaN: not known here. */
  readonly run: Run;
}

/** A literal or parameter; null for values that are no numbers that doubles hold. */
export function constant(value: ScriptValue): NumericNode | null {
  if (typeof value === 'number') return { type: 'int', run: () => value };
  if (typeof value === 'boolean') return { type: 'boolean', run: () => (value ? 1 : 0) };
  if (value instanceof Double) {
    const double = value.value;
    return { type: 'double', run: () => double };
  }
  if (typeof value !== 'bigint') return null;
  const long = Number(value);
  return Number.isSafeInteger(long) ? { type: 'long', run: () => long } : null;
}

/** `(int) x` and the like; null where only the general way knows the result. */
export function cast(type: string, operand: NumericNode | null): NumericNode | null {
  if (operand === null || operand.type === 'boolean') return null;
  const { run } = operand;
  switch (type) {
    case 'double':
    case 'Double':
      return { type: 'double', run };
    case 'int':
    case 'Integer':
      return {
        type: 'int',
        run: () => {
          const x = Math.trunc(run()) + 0;
          return x >= -2147483648 && x <= 2147483647 ? x : NaN;
        },
      };
    case 'long':
    case 'Long':
      return { type: 'long', run: () => safe(Math.trunc(run()) + 0) };
    default:
      return null;
  }
}

/** What a double stands for exactly, else NaN. */
function safe(value: number): number {
  return value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER ? value : NaN;
}

/** compat: beside integers a score is an integer, too. */
export function besideScore(
  a: NumericNode,
  b: NumericNode,
  operator: BinaryOperator,
): readonly [NumericNode | null, NumericNode | null] {
  if (a.type !== 'score' && b.type !== 'score') return [a, b];
  if (operator === '**' || operator === '/') return [null, null];
  const asDouble = a.type === 'double' || b.type === 'double';
  return [besides(a, asDouble), besides(b, asDouble)];
}

function besides(node: NumericNode, asDouble: boolean): NumericNode {
  if (node.type !== 'score') return node;
  const { run } = node;
  if (asDouble) return { type: 'double', run };
  return {
    type: 'int',
    run: () => {
      const x = Math.trunc(run()) + 0;
      return x >= -2147483648 && x <= 2147483647 ? x : NaN;
    },
  };
}

/** 1 for what is not zero. */
export function truthOf({ run }: NumericNode): Run {
  return () => {
    const x = run();
    return x === x ? (x === 0 ? 0 : 1) : NaN;
  };
}

/** 1 for 0, 0 for 1. */
export function negation(run: Run): Run {
  return () => 1 - run();
}

/** A function of `Math` on doubles. */
export function applied(apply: (...args: number[]) => number, a: Run, b: Run | undefined): Run {
  return b === undefined ? () => apply(a()) : () => apply(a(), b());
}

/** `abs` and `round`, whose type depends on the argument. */
export function oneArgument(name: string, { type, run }: NumericNode): NumericNode | null {
  if (type === 'decimal') return null;
  if (name === 'abs') {
    const most = type === 'int' ? 2147483647 : Infinity;
    return {
      type,
      run: () => {
        const x = Math.abs(run());
        return x <= most ? x : NaN;
      },
    };
  }
  if (name === 'round' && type !== 'int')
    return { type: 'long', run: () => safe(Math.floor(run() + 0.5) + 0) };
  return null;
}

/** `max` and `min`. */
export function extreme(name: string, a: NumericNode, b: NumericNode): NumericNode | null {
  if ((name !== 'max' && name !== 'min') || a.type === 'decimal' || b.type === 'decimal')
    return null;
  const [x, y] = [a.run, b.run];
  const isDouble = a.type === 'double' || b.type === 'double';
  const type = isDouble ? 'double' : a.type === 'int' && b.type === 'int' ? 'int' : 'long';
  return { type, run: name === 'max' ? () => Math.max(x(), y()) : () => Math.min(x(), y()) };
}

/** Equal doubles may stand for unequal decimals. */
export function unlessEqual(a: Run, b: Run, compared: Run): Run {
  return () => (a() === b() ? NaN : compared());
}

/**
 * Exact where the decimals of a quotient end soon, else to 10 places; NaN where that is too close to call.
 */
export function quotient(a: Run, b: Run): Run {
  return () => {
    const x = a();
    const y = b();
    if (y === 0) return NaN;
    const exact = x / y;
    if (Number.isInteger(exact) || ends(y)) return exact + 0;
    const scaled = exact * 1e10;
    if (!(scaled < 2 ** 44 && scaled > -(2 ** 44))) return NaN;
    const whole = Math.floor(scaled);
    const rest = scaled - whole;
    // Near a half, rounding twice as the reference does could go the other way.
    if (rest > 0.4 && rest < 0.6) return NaN;
    return isReducible(x, y) ? NaN : (rest < 0.5 ? whole : whole + 1) / 1e10;
  };
}

/** A divisor of twos and fives only: decimals end. */
function ends(divisor: number): boolean {
  let rest = Math.abs(divisor);
  while (rest % 2 === 0) rest /= 2;
  while (rest % 5 === 0) rest /= 5;
  return rest === 1;
}

/** Shortening the fraction may leave a divisor of twos and fives only. */
function isReducible(x: number, y: number): boolean {
  let a = Math.abs(x);
  let b = Math.abs(y);
  while (b !== 0) [a, b] = [b, a % b];
  return a > 1 && ends(y / a);
}

/** Operators by what they make of two numbers; those that are missing are left to the general way. */
type Operations<Result> = {
  readonly [operator in BinaryOperator]?: (a: Run, b: Run) => Result;
};

/** NaN compares in a way of its own: then nothing is known here. */
export const COMPARISONS: Operations<Run> = {
  '<': (a, b) => () => {
    const x = a();
    const y = b();
    return x < y ? 1 : x >= y ? 0 : NaN;
  },
  '<=': (a, b) => () => {
    const x = a();
    const y = b();
    return x <= y ? 1 : x > y ? 0 : NaN;
  },
  '>': (a, b) => () => {
    const x = a();
    const y = b();
    return x > y ? 1 : x <= y ? 0 : NaN;
  },
  '>=': (a, b) => () => {
    const x = a();
    const y = b();
    return x >= y ? 1 : x < y ? 0 : NaN;
  },
  '==': (a, b) => () => {
    const x = a();
    const y = b();
    return x === y ? 1 : x === x && y === y ? 0 : NaN;
  },
  '!=': (a, b) => () => {
    const x = a();
    const y = b();
    return x === y ? 0 : x === x && y === y ? 1 : NaN;
  },
};

/** Operations on doubles. */
export const DOUBLE_OPERATIONS: Operations<NumericNode> = {
  '+': (a, b) => ({ type: 'double', run: () => a() + b() }),
  '-': (a, b) => ({ type: 'double', run: () => a() - b() }),
  '*': (a, b) => ({ type: 'double', run: () => a() * b() }),
  '/': (a, b) => ({ type: 'double', run: () => a() / b() }),
  '%': (a, b) => ({ type: 'double', run: () => a() % b() }),
};

/** Operations on 32-bit integers, which wrap around. */
export const INT_OPERATIONS: Operations<NumericNode> = {
  '+': (a, b) => ({
    type: 'int',
    run: () => {
      const x = a() + b();
      return x === x ? x | 0 : NaN;
    },
  }),
  '-': (a, b) => ({
    type: 'int',
    run: () => {
      const x = a() - b();
      return x === x ? x | 0 : NaN;
    },
  }),
  '*': (a, b) => ({
    type: 'int',
    run: () => {
      const x = a();
      const y = b();
      return x === x && y === y ? Math.imul(x, y) : NaN;
    },
  }),
  '/': (a, b) => ({
    type: 'int',
    run: () => {
      const x = a() / b();
      return x - x === 0 ? x | 0 : NaN;
    },
  }),
  '%': (a, b) => ({
    type: 'int',
    run: () => {
      const x = a() % b();
      return x === x ? x | 0 : NaN;
    },
  }),
};

/** Operations on 64-bit integers, as far as doubles hold them exactly. */
export const LONG_OPERATIONS: Operations<NumericNode> = {
  '+': (a, b) => ({ type: 'long', run: () => safe(a() + b()) }),
  '-': (a, b) => ({ type: 'long', run: () => safe(a() - b()) }),
  '*': (a, b) => ({ type: 'long', run: () => safe(a() * b() + 0) }),
  '/': (a, b) => ({
    type: 'long',
    run: () => {
      const x = a() / b();
      return x - x === 0 ? safe(Math.trunc(x) + 0) : NaN;
    },
  }),
  '%': (a, b) => ({ type: 'long', run: () => safe((a() % b()) + 0) }),
};
