// The language `expression`: one formula over doubles, without strings, lists or variables.

import { EngineError } from '../errors';
import { Double, JsonNumber, type JsonObject } from '../json/index';
import { distanceFrom } from '../geo/index';
import type { Expression, ScriptTree } from './ast';
import type { ScriptField } from './doc-fields';
import { expressionError } from './errors';
import { tokenize } from './lexer';
import { NumberSlot } from './number-slot';
import { isNumber, textOf, toBigInt, toDouble } from './values';

/** What a formula reads while it runs. */
export interface FormulaFrame {
  doc: number;
  score: number;
  /** The value that `_value` stands for. */
  number: number;
}

/** A formula bound to its fields. */
export interface Formula {
  readonly slots: readonly NumberSlot[];
  readonly run: () => number;
}

const METERS_PER_KILOMETER = 1000;

/** Functions of one argument. */
const ONE: readonly [string, (x: number) => number][] = [
  ['abs', Math.abs],
  ['acos', Math.acos],
  ['acosh', Math.acosh],
  ['asin', Math.asin],
  ['asinh', Math.asinh],
  ['atan', Math.atan],
  ['atanh', Math.atanh],
  ['ceil', Math.ceil],
  ['cos', Math.cos],
  ['cosh', Math.cosh],
  ['exp', Math.exp],
  ['floor', Math.floor],
  ['ln', Math.log],
  ['log10', Math.log10],
  ['sin', Math.sin],
  ['sinh', Math.sinh],
  ['sqrt', Math.sqrt],
  ['tan', Math.tan],
  ['tanh', Math.tanh],
];

/** The value of an argument that is not there. */
const ZERO = (): number => 0;

const FUNCTIONS: ReadonlyMap<
  string,
  { readonly arity: number; readonly apply: (...args: number[]) => number }
> = new Map([
  ...ONE.map(([name, apply]) => [name, { arity: 1, apply }] as const),
  ['atan2', { arity: 2, apply: Math.atan2 }],
  ['logn', { arity: 2, apply: (base: number, x: number) => Math.log(x) / Math.log(base) }],
  ['max', { arity: 2, apply: Math.max }],
  ['min', { arity: 2, apply: Math.min }],
  ['pow', { arity: 2, apply: Math.pow }],
  ['haversin', { arity: 4, apply: haversin }],
]);

/** Kilometers between two points in degrees. */
function haversin(latitude: number, longitude: number, lat2: number, lon2: number): number {
  return distanceFrom({ latitude, longitude }, 'sloppy_arc', METERS_PER_KILOMETER)(lat2, lon2);
}

/**
 * Checks that a source is a formula over fields of an index.
 *
 * @throws EngineError ExpressionScriptCompilationException, IllegalArgumentException
 */
export function checkExpression(
  tree: ScriptTree,
  fields: readonly ScriptField[],
  params: JsonObject,
): void {
  compileFormula(tree, fields, params, { doc: 0, score: 0, number: 0 });
}

/** @throws EngineError as {@link checkExpression} */
export function compileFormula(
  tree: ScriptTree,
  fields: readonly ScriptField[],
  params: JsonObject,
  frame: FormulaFrame,
): Formula {
  const compiler = new FormulaCompiler(tree.source, fields, params, frame);
  return { run: compiler.formula(tree), slots: compiler.slots };
}

class FormulaCompiler {
  readonly slots: NumberSlot[] = [];

  constructor(
    private readonly source: string,
    private readonly fields: readonly ScriptField[],
    private readonly params: JsonObject,
    private readonly frame: FormulaFrame,
  ) {}

  formula({ statements }: ScriptTree): () => number {
    for (const { kind, text, value } of tokenize(this.source)) {
      const isSuffixed =
        kind === 'literal' && typeof value !== 'string' && /^\d.*[a-z]$/i.test(text);
      if (isSuffixed && !/^0x/i.test(text)) throw this.invalid(`extraneous '${text.slice(-1)}'`);
    }
    const [only] = statements;
    if (only === undefined) throw this.invalid('unexpected end of expression.');
    if (statements.length > 1 || only.kind !== 'expression')
      throw this.invalid('invalid sequence of tokens');
    return this.compile(only.expression);
  }

  private compile(node: Expression): () => number {
    switch (node.kind) {
      case 'literal': {
        if (node.value === null || !isNumber(node.value)) return this.variable(this.textAt(node));
        const value = toDouble(node.value);
        return () => value;
      }
      case 'name':
        return this.variable(node.name);
      case 'property':
        return this.member(node);
      case 'call':
        return this.call(node);
      case 'unary':
        return this.unary(node);
      case 'binary':
        return this.binary(node);
      case 'logical': {
        const left = this.compile(node.left);
        const right = this.compile(node.right);
        return node.operator === '&&'
          ? () => (left() !== 0 && right() !== 0 ? 1 : 0)
          : () => (left() !== 0 || right() !== 0 ? 1 : 0);
      }
      case 'conditional': {
        if (node.then === null) throw this.invalid("invalid sequence of tokens near '?:'");
        const test = this.compile(node.test);
        const then = this.compile(node.then);
        const otherwise = this.compile(node.otherwise);
        return () => (test() !== 0 ? then() : otherwise());
      }
      case 'assign':
      case 'cast':
      case 'closure':
      case 'index':
      case 'instanceof':
      case 'list':
      case 'map':
      case 'new':
      case 'range':
      case 'step':
      case 'template':
        throw this.invalid('invalid sequence of tokens');
    }
  }

  private textAt(node: Extract<Expression, { kind: 'literal' }>): string {
    if (typeof node.value === 'string') throw this.invalid("unexpected character '''");
    return textOf(node.value);
  }

  private variable(name: string): () => number {
    const { frame } = this;
    if (name === '_score') return () => frame.score;
    if (name === '_value') return () => frame.number;
    if (name === 'doc') {
      throw expressionError(
        "Variable 'doc' in expression must be used with a specific field like: doc['myfield'].value",
      );
    }
    const param = this.params.get(name);
    if (param === undefined) throw expressionError(`Unknown variable [${name}] in expression`);
    if (!(param instanceof JsonNumber)) {
      throw expressionError(`Parameter [${name}] must be a numeric type`);
    }
    const { value } = param;
    return () => value;
  }

  /** `doc['f'].value` */
  private member({ object, name }: Extract<Expression, { kind: 'property' }>): () => number {
    const isField =
      object.kind === 'index' && object.object.kind === 'name' && object.object.name === 'doc';
    if (!isField || object.index.kind !== 'literal' || typeof object.index.value !== 'string') {
      return this.variable(rootOf(object));
    }
    if (name !== 'value') {
      throw expressionError(
        "Invalid member for field data in expression.  Only '.value' is currently supported.",
      );
    }
    const fieldName = object.index.value;
    const field = this.fields.find((candidate) => candidate.name === fieldName);
    if (field === undefined) {
      throw expressionError(`Field [${fieldName}] used in expression does not exist in mappings`);
    }
    if (field.kind === null || field.kind === 'string' || field.kind === 'geo') {
      throw expressionError(`Field [${fieldName}] used in expression must be numeric`);
    }
    const slot = new NumberSlot(field.field);
    this.slots.push(slot);
    const { frame } = this;
    return () => slot.read(frame.doc);
  }

  private call(node: Extract<Expression, { kind: 'call' }>): () => number {
    const name = node.object === null ? node.name : `${rootOf(node.object)}.${node.name}`;
    const found = FUNCTIONS.get(name);
    if (found === undefined) throw illegal(`Unrecognized method call (${name}).`);
    if (found.arity !== node.args.length) {
      throw illegal(
        `Expected (${found.arity}) arguments for method call (${name}), but found (${node.args.length}).`,
      );
    }
    const { apply } = found;
    const args = node.args.map((arg) => this.compile(arg));
    const [a = ZERO, b = ZERO, c = ZERO, d = ZERO] = args;
    if (args.length === 1) return () => apply(a());
    if (args.length === 2) return () => apply(a(), b());
    return () => apply(a(), b(), c(), d());
  }

  private unary({ operator, operand }: Extract<Expression, { kind: 'unary' }>): () => number {
    const value = this.compile(operand);
    switch (operator) {
      case '-':
        return () => -value();
      case '+':
        return value;
      case '!':
        return () => (value() === 0 ? 1 : 0);
      case '~':
        return () => Number(~long(value()));
    }
  }

  private binary({ operator, left, right }: Extract<Expression, { kind: 'binary' }>): () => number {
    const a = this.compile(left);
    const b = this.compile(right);
    switch (operator) {
      case '+':
        return () => a() + b();
      case '-':
        return () => a() - b();
      case '*':
        return () => a() * b();
      case '/':
        return () => a() / b();
      case '%':
        return () => a() % b();
      case '==':
        return () => (a() === b() ? 1 : 0);
      case '!=':
        return () => (a() !== b() ? 1 : 0);
      case '<':
        return () => (a() < b() ? 1 : 0);
      case '<=':
        return () => (a() <= b() ? 1 : 0);
      case '>':
        return () => (a() > b() ? 1 : 0);
      case '>=':
        return () => (a() >= b() ? 1 : 0);
      case '&':
        return () => Number(long(a()) & long(b()));
      case '|':
        return () => Number(long(a()) | long(b()));
      case '^':
        return () => Number(long(a()) ^ long(b()));
      case '<<':
        return () => Number(BigInt.asIntN(64, long(a()) << (long(b()) & 63n)));
      case '>>':
        return () => Number(long(a()) >> (long(b()) & 63n));
      case '>>>':
        return () => Number(BigInt.asUintN(64, long(a())) >> (long(b()) & 63n));
      case '**':
      case '<=>':
      case '==~':
      case '=~':
      case 'in':
        throw this.invalid(`invalid sequence of tokens near '${operator}'`);
    }
  }

  private invalid(problem: string): EngineError {
    return invalidExpression(this.source, problem);
  }
}

/** 400: text that is no formula. */
export function invalidExpression(source: string, problem: string): EngineError {
  const cause = new EngineError('ParseException', ` ${problem}`);
  const message = `Failed to parse expression: ${source}`;
  return new EngineError('ExpressionScriptCompilationException', message, { cause });
}

/** The 64-bit integer that bit operators make of a double. */
function long(value: number): bigint {
  return toBigInt(new Double(value));
}

function rootOf(node: Expression): string {
  let root = node;
  while (root.kind === 'property' || root.kind === 'index') root = root.object;
  return root.kind === 'name' ? root.name : 'expression';
}

function illegal(message: string): EngineError {
  return new EngineError('IllegalArgumentException', message, { status: 400 });
}
