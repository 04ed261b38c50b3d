// The fast way for scripts that only compute with numbers: closures over plain doubles, without boxes.
//
// Every node has one of Java's types, found while compiling. Where a double cannot hold the exact result
// (64-bit overflow, long quotients, division by zero …) a node gives NaN, and NaN it stays up to the root:
// then the caller asks the general way of compiler.ts, which is exact and knows the errors. So NaN never
// means a result here. test/unit/script compares both ways.

import { Double } from '../json/index';
import type { BinaryOperator, Expression, ScriptTree } from './ast';
import { datePart, propertyOfGetter } from './dates';
import type { ScriptField } from './doc-fields';
import type { Frame } from './frame';
import { doubleFunction } from './math';
import { NumberSlot } from './number-slot';
import type { SegmentReader } from '../segment/index';
import type { ArithmeticRules } from './arithmetic';
import type { ScriptValue } from './values';

type NumberType = 'int' | 'long' | 'double' | 'decimal' | 'score';
type Run = () => number;

interface Node {
  readonly type: NumberType | 'boolean';
  /** Booleans are 0 and 1; NaN: not known here. */
  readonly run: Run;
}

/** Operators by what they make of two numbers; those that are missing are left to the general way. */
type Operations<Result> = {
  readonly [operator in BinaryOperator]?: (a: Run, b: Run) => Result;
};

/** A numeric script bound to its fields. */
export interface NumericCode {
  readonly isBoolean: boolean;
  /** Reads from this segment; false when it holds integers that doubles cannot. */
  open(segment: SegmentReader): boolean;
  /** The result for the frame's document; NaN: ask the general way. */
  readonly run: Run;
}

type Names = ReadonlyMap<string, ScriptValue | (() => ScriptValue)>;

/** Null for scripts that do more than compute one number or boolean. */
export function compileNumeric(
  tree: ScriptTree,
  fields: readonly ScriptField[],
  names: Names,
  frame: Frame,
  rules: ArithmeticRules,
): NumericCode | null {
  const [only] = tree.statements;
  if (tree.statements.length !== 1 || only === undefined) return null;
  const expression =
    only.kind === 'expression' || only.kind === 'return' ? expressionOf(only) : null;
  if (expression === null) return null;
  const compiler = new NumericCompiler(fields, names, frame, rules);
  const node = compiler.compile(expression);
  if (node === null) return null;
  const { slots } = compiler;
  return {
    isBoolean: node.type === 'boolean',
    run: node.run,
    open: (segment) => {
      let exact = true;
      for (const slot of slots) {
        slot.open(segment);
        exact &&= slot.isExact;
      }
      return exact;
    },
  };
}

function expressionOf(
  statement: Extract<ScriptTree['statements'][number], { kind: 'expression' | 'return' }>,
): Expression | null {
  return statement.kind === 'expression' ? statement.expression : statement.value;
}

class NumericCompiler {
  readonly slots: NumberSlot[] = [];

  constructor(
    private readonly fields: readonly ScriptField[],
    private readonly names: Names,
    private readonly frame: Frame,
    private readonly rules: ArithmeticRules,
  ) {}

  compile(node: Expression): Node | null {
    switch (node.kind) {
      case 'literal':
        return constant(node.value);
      case 'name':
        return this.name(node.name);
      case 'property':
        return this.property(node);
      case 'call':
        return this.call(node);
      case 'unary':
        return this.unary(node);
      case 'binary':
        return this.binary(node.operator, this.compile(node.left), this.compile(node.right));
      case 'logical':
        return this.logical(node);
      case 'conditional':
        return this.conditional(node);
      case 'cast':
        return this.cast(node.type, this.compile(node.operand));
      case 'assign':
      case 'closure':
      case 'index':
      case 'instanceof':
      case 'list':
      case 'map':
      case 'new':
      case 'range':
      case 'step':
      case 'template':
        return null;
    }
  }

  private name(name: string): Node | null {
    const known = this.names.get(name);
    if (known === undefined) return null;
    if (typeof known !== 'function') return constant(known);
    const { frame } = this;
    // In mvel a score is a double like any other.
    if (name !== '_score') return null;
    const type = this.rules.integerDivision ? 'double' : 'score';
    return { type, run: () => frame.score };
  }

  private property(node: Extract<Expression, { kind: 'property' }>): Node | null {
    if (node.spread) return null;
    const field = this.field(node.object);
    if (field !== null) return this.member(field, node.name);
    const { object } = node;
    if (object.kind !== 'property' || object.name !== 'date' || object.spread) return null;
    const dated = this.field(object.object);
    return dated === null ? null : this.datePart(dated, node.name);
  }

  /** The numeric field that `doc['f']` or `doc.f` names, or null. */
  private field(node: Expression): ScriptField | null {
    if (node.kind !== 'index' && node.kind !== 'property') return null;
    const { object } = node;
    if (object.kind !== 'name' || object.name !== 'doc') return null;
    const name = node.kind === 'property' ? node.name : this.textOf(node.index);
    const field = this.fields.find((candidate) => candidate.name === name);
    if (field === undefined || field.constant !== null) return null;
    return isNumericKind(field) ? field : null;
  }

  private textOf(node: Expression): ScriptValue | undefined {
    if (node.kind === 'literal') return node.value;
    const known = node.kind === 'name' ? this.names.get(node.name) : undefined;
    return typeof known === 'function' ? undefined : known;
  }

  private slot({ field }: ScriptField): NumberSlot {
    const known = this.slots.find((slot) => slot.field === field);
    if (known !== undefined) return known;
    const slot = new NumberSlot(field);
    this.slots.push(slot);
    return slot;
  }

  private member(field: ScriptField, name: string): Node | null {
    const { frame } = this;
    const slot = this.slot(field);
    if (name === 'value')
      return { type: isInteger(field) ? 'long' : 'double', run: () => slot.read(frame.doc) };
    if (name === 'empty') return { type: 'boolean', run: () => (slot.isEmpty(frame.doc) ? 1 : 0) };
    return null;
  }

  private datePart(field: ScriptField, name: string): Node | null {
    if (!isInteger(field)) return null;
    const { frame } = this;
    const slot = this.slot(field);
    if (name === 'millis') return { type: 'long', run: () => slot.read(frame.doc) };
    const part = datePart(name);
    return part === null ? null : { type: 'int', run: () => part(slot.read(frame.doc)) };
  }

  private call(node: Extract<Expression, { kind: 'call' }>): Node | null {
    if (node.spread) return null;
    const { object } = node;
    if (object !== null && !isMath(object))
      return node.args.length === 0 ? this.getter(object, node.name) : null;
    const args = node.args.map((arg) => this.compile(arg));
    const [a, b] = args;
    const apply = doubleFunction(node.name, args.length);
    if (args.some((arg) => arg === null || arg.type === 'boolean' || arg.type === 'score'))
      return null;
    if (apply !== null && a) return { type: 'double', run: applied(apply, a.run, b?.run) };
    if (args.length === 1 && a) return oneArgument(node.name, a);
    if (args.length === 2 && a && b) return extreme(node.name, a, b);
    return null;
  }

  /** `doc['f'].isEmpty()`, `doc['d'].date.getYear()` */
  private getter(object: Expression, name: string): Node | null {
    const property = propertyOfGetter(name);
    if (property === null) return null;
    const { at } = object;
    return this.property({
      kind: 'property',
      object,
      name: property,
      safe: false,
      spread: false,
      at,
    });
  }

  private unary({ operator, operand }: Extract<Expression, { kind: 'unary' }>): Node | null {
    const node = this.compile(operand);
    if (node === null || operator === '~') return null;
    const { type, run } = node;
    if (operator === '!') return { type: 'boolean', run: negation(truthOf(node)) };
    if (type === 'boolean' || type === 'score') return null;
    if (operator === '+') return node;
    if (type === 'int') {
      return {
        type,
        run: () => {
          const x = run();
          return x === x ? (x === 0 ? 0 : -x | 0) : NaN;
        },
      };
    }
    return {
      type,
      run: () => {
        const x = run();
        return type === 'double' ? -x : 0 - x;
      },
    };
  }

  private binary(operator: BinaryOperator, a: Node | null, b: Node | null): Node | null {
    if (a === null || b === null || a.type === 'boolean' || b.type === 'boolean') return null;
    const [left, right] = besideScore(a, b, operator);
    if (left === null || right === null) return null;
    const compared = COMPARISONS[operator]?.(left.run, right.run) ?? null;
    if (compared !== null) {
      const isRounded = left.type === 'decimal' || right.type === 'decimal';
      return {
        type: 'boolean',
        run: isRounded ? unlessEqual(left.run, right.run, compared) : compared,
      };
    }
    const isDouble = left.type === 'double' || right.type === 'double';
    if (isDouble) return DOUBLE_OPERATIONS[operator]?.(left.run, right.run) ?? null;
    if (left.type === 'decimal' || right.type === 'decimal') return null;
    if (operator === '/' && !this.rules.integerDivision) {
      return { type: 'decimal', run: quotient(left.run, right.run) };
    }
    return left.type === 'int' && right.type === 'int'
      ? (INT_OPERATIONS[operator]?.(left.run, right.run) ?? null)
      : (LONG_OPERATIONS[operator]?.(left.run, right.run) ?? null);
  }

  private logical(node: Extract<Expression, { kind: 'logical' }>): Node | null {
    const left = this.compile(node.left);
    const right = this.compile(node.right);
    if (left === null || right === null) return null;
    const a = truthOf(left);
    const b = truthOf(right);
    const run =
      node.operator === '&&'
        ? () => {
            const x = a();
            return x === 0 || x !== x ? x : b();
          }
        : () => {
            const x = a();
            return x === 1 || x !== x ? x : b();
          };
    return { type: 'boolean', run };
  }

  private conditional(node: Extract<Expression, { kind: 'conditional' }>): Node | null {
    const tested = this.compile(node.test);
    const then = node.then === null ? null : this.compile(node.then);
    const otherwise = this.compile(node.otherwise);
    // Branches of different types would give results of different types.
    if (tested === null || then === null || otherwise === null || then.type !== otherwise.type)
      return null;
    const test = truthOf(tested);
    const [yes, no] = [then.run, otherwise.run];
    return {
      type: then.type,
      run: () => {
        const x = test();
        return x === 1 ? yes() : x === 0 ? no() : NaN;
      },
    };
  }

  private cast(type: string, operand: Node | null): Node | null {
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
}

function isNumericKind({ kind }: ScriptField): boolean {
  return kind === 'int' || kind === 'long' || kind === 'float' || kind === 'double';
}

function isInteger({ kind }: ScriptField): boolean {
  return kind === 'int' || kind === 'long';
}

function isMath(node: Expression): boolean {
  return node.kind === 'name' && node.name === 'Math';
}

function constant(value: ScriptValue): Node | null {
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

/** What a double stands for exactly, else NaN. */
function safe(value: number): number {
  return value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER ? value : NaN;
}

/** compat: beside integers a score is an integer, too. */
function besideScore(
  a: Node,
  b: Node,
  operator: BinaryOperator,
): readonly [Node | null, Node | null] {
  if (a.type !== 'score' && b.type !== 'score') return [a, b];
  if (operator === '**' || operator === '/') return [null, null];
  const asDouble = a.type === 'double' || b.type === 'double';
  return [besides(a, asDouble), besides(b, asDouble)];
}

function besides(node: Node, asDouble: boolean): Node {
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

function truthOf({ run }: Node): Run {
  return () => {
    const x = run();
    return x === x ? (x === 0 ? 0 : 1) : NaN;
  };
}

function negation(run: Run): Run {
  return () => 1 - run();
}

function applied(apply: (...args: number[]) => number, a: Run, b: Run | undefined): Run {
  return b === undefined ? () => apply(a()) : () => apply(a(), b());
}

function oneArgument(name: string, { type, run }: Node): Node | null {
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

function extreme(name: string, a: Node, b: Node): Node | null {
  if ((name !== 'max' && name !== 'min') || a.type === 'decimal' || b.type === 'decimal')
    return null;
  const [x, y] = [a.run, b.run];
  const isDouble = a.type === 'double' || b.type === 'double';
  const type = isDouble ? 'double' : a.type === 'int' && b.type === 'int' ? 'int' : 'long';
  return { type, run: name === 'max' ? () => Math.max(x(), y()) : () => Math.min(x(), y()) };
}

/** Equal doubles may stand for unequal decimals. */
function unlessEqual(a: Run, b: Run, compared: Run): Run {
  return () => (a() === b() ? NaN : compared());
}

/** NaN compares in a way of its own: then nothing is known here. */
const COMPARISONS: Operations<Run> = {
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

const DOUBLE_OPERATIONS: Operations<Node> = {
  '+': (a, b) => ({ type: 'double', run: () => a() + b() }),
  '-': (a, b) => ({ type: 'double', run: () => a() - b() }),
  '*': (a, b) => ({ type: 'double', run: () => a() * b() }),
  '/': (a, b) => ({ type: 'double', run: () => a() / b() }),
  '%': (a, b) => ({ type: 'double', run: () => a() % b() }),
};

const INT_OPERATIONS: Operations<Node> = {
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

const LONG_OPERATIONS: Operations<Node> = {
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

/** Exact where the decimals of a quotient end soon, else to 10 places; NaN where that is too close to call. */
function quotient(a: Run, b: Run): Run {
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
