// The fast way for scripts that only compute with numbers: closures over plain doubles, without boxes.
//
// Every node has one of Java's types, found while compiling. Where a double cannot hold the exact result
// (64-bit overflow, long quotients, division by zero …) a node gives NaN, and NaN it stays up to the root:
// then the caller asks the general way of compiler.ts, which is exact and knows the errors. So NaN never
// means a result here. test/unit/engine/script compares both ways.

import type { BinaryOperator, Expression, ScriptTree } from './ast';
import { datePart, propertyOfGetter } from './dates';
import type { ScriptField } from './doc-fields';
import type { Frame } from './frame';
import { doubleFunction } from './math';
import { NumberSlot } from './number-slot';
import {
  applied,
  besideScore,
  cast,
  COMPARISONS,
  constant,
  DOUBLE_OPERATIONS,
  extreme,
  INT_OPERATIONS,
  LONG_OPERATIONS,
  negation,
  oneArgument,
  quotient,
  truthOf,
  unlessEqual,
  type NumericNode,
  type Run,
} from './numeric-operators';
import type { SegmentReader } from '../segment/index';
import type { ArithmeticRules } from './arithmetic';
import type { ScriptValue } from './values';

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

  compile(node: Expression): NumericNode | null {
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
        return cast(node.type, this.compile(node.operand));
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

  private name(name: string): NumericNode | null {
    const known = this.names.get(name);
    if (known === undefined) return null;
    if (typeof known !== 'function') return constant(known);
    const { frame } = this;
    // In mvel a score is a double like any other.
    if (name !== '_score') return null;
    const type = this.rules.integerDivision ? 'double' : 'score';
    return { type, run: () => frame.score };
  }

  private property(node: Extract<Expression, { kind: 'property' }>): NumericNode | null {
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

  private member(field: ScriptField, name: string): NumericNode | null {
    const { frame } = this;
    const slot = this.slot(field);
    if (name === 'value')
      return { type: isInteger(field) ? 'long' : 'double', run: () => slot.read(frame.doc) };
    if (name === 'empty') return { type: 'boolean', run: () => (slot.isEmpty(frame.doc) ? 1 : 0) };
    return null;
  }

  private datePart(field: ScriptField, name: string): NumericNode | null {
    if (!isInteger(field)) return null;
    const { frame } = this;
    const slot = this.slot(field);
    if (name === 'millis') return { type: 'long', run: () => slot.read(frame.doc) };
    const part = datePart(name);
    return part === null ? null : { type: 'int', run: () => part(slot.read(frame.doc)) };
  }

  private call(node: Extract<Expression, { kind: 'call' }>): NumericNode | null {
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
  private getter(object: Expression, name: string): NumericNode | null {
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

  private unary({ operator, operand }: Extract<Expression, { kind: 'unary' }>): NumericNode | null {
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

  private binary(
    operator: BinaryOperator,
    a: NumericNode | null,
    b: NumericNode | null,
  ): NumericNode | null {
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

  private logical(node: Extract<Expression, { kind: 'logical' }>): NumericNode | null {
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

  private conditional(node: Extract<Expression, { kind: 'conditional' }>): NumericNode | null {
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
