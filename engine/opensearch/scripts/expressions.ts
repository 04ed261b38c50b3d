// Expressions of scripts as Painless. Where the types of numbers are known before anything runs, operators
// are those of Java; elsewhere functions of library.ts go by facetd's rules on whatever values there are.

import {
  BigInteger,
  type BinaryOperator,
  type Expression,
  isNumber,
  propertyOfGetter,
  scriptClass,
  type ScriptField,
  type ScriptPlan,
  type ScriptValue,
  staticClass,
} from '../../script/index';
import { Double, Float, JsonNumber, type JsonValue } from '../../json/index';
import { dateMethod, dateProperty, type FieldPieces, valueOf } from './fields';
import { mathCall, methodOf, staticCall, staticConstant } from './methods';
import {
  anything,
  boxed,
  grouped,
  isNumeric,
  notTranslated,
  NULL_PIECE,
  type Piece,
  type ScriptParts,
  truth,
  type ValuePiece,
} from './pieces';
import type { Variables } from './variables';

/** What a script may ask for besides its fields and parameters: code by name. */
export type GivenNames = ReadonlyMap<string, ValuePiece>;

/** Names of roots that a script of OpenSearch cannot see. */
const ROOTS: ReadonlySet<string> = new Set(['_source', '_fields', 'ctx']);

/** Functions of library.ts, by operator; comparisons and shifts are made otherwise. */
const FUNCTIONS: { readonly [operator in BinaryOperator]?: string } = {
  '+': 'plus',
  '-': 'minus',
  '*': 'times',
  '/': 'quotient',
  '%': 'modulo',
  '**': 'power',
};

const BITS: { readonly [operator in BinaryOperator]?: string } = {
  '&': `bits('and'`,
  '|': `bits('or'`,
  '^': `bits('xor'`,
  '<<': `shift('leftShift'`,
  '>>': `shift('rightShift'`,
  '>>>': `shift('rightShiftUnsigned'`,
};

const COMPARISONS: ReadonlySet<BinaryOperator> = new Set(['<', '<=', '>', '>=', '==', '!=']);

/** What casts and declarations make of a value, by type. */
const CONVERSIONS: Readonly<Record<string, (code: string) => ValuePiece>> = {
  int: (code) => anything(`toInt(${code})`),
  Integer: (code) => anything(`toInt(${code})`),
  long: (code) => anything(`toLong(${code})`),
  Long: (code) => anything(`toLong(${code})`),
  float: (code) => anything(`toFloat(${code})`),
  Float: (code) => anything(`toFloat(${code})`),
  double: (code) => anything(`toDouble(${code})`),
  Double: (code) => anything(`toDouble(${code})`),
  boolean: (code) => ({ type: 'boolean', code: `truth(${code})` }),
  Boolean: (code) => ({ type: 'boolean', code: `truth(${code})` }),
  String: (code) => anything(`toText(${code})`),
  def: anything,
  Object: anything,
  Number: anything,
};

/** Code of `value` as a declared type has it. @throws EngineError for a type that is not translated */
export function converted(type: string | null, value: ValuePiece): ValuePiece {
  if (type === null) return value;
  const convert = Object.hasOwn(CONVERSIONS, type) ? CONVERSIONS[type]! : null;
  if (convert === null) throw notTranslated(`the type [${type}]`);
  const { code } = value;
  // Types that are known stay known.
  if (value.type === 'int' || value.type === 'long') {
    if (type === 'long' || type === 'Long') return { type: 'long', code: grouped('long', code) };
    if (type === 'int' || type === 'Integer') return { type: 'int', code: `intOf(${code})` };
  }
  if (isNumeric(value.type) && (type === 'double' || type === 'Double')) {
    return { type: 'double', code: grouped('double', code) };
  }
  if (value.type === 'double' && (type === 'int' || type === 'Integer'))
    return { type: 'int', code: `intOf(${code})` };
  if (value.type === 'double' && (type === 'long' || type === 'Long'))
    return { type: 'long', code: `longOf(${code})` };
  return convert(boxed(value));
}

/** Translates the expressions of one script. */
export class ExpressionTranslator {
  private readonly params: ReadonlyMap<string, JsonValue>;
  private readonly fieldsByName: ReadonlyMap<string, ScriptField>;
  private readonly dividesIntegers: boolean;

  /** @param now the present, epoch milliseconds */
  constructor(
    private readonly plan: ScriptPlan,
    params: ReadonlyMap<string, JsonValue>,
    private readonly given: GivenNames,
    private readonly parts: ScriptParts,
    private readonly fields: FieldPieces,
    private readonly variables: Variables,
    private readonly now: number,
  ) {
    this.params = params;
    this.fieldsByName = new Map(plan.fields.map((field) => [field.name, field]));
    this.dividesIntegers = plan.lang === 'mvel';
  }

  /** @throws EngineError for what is not translated */
  value(node: Expression): ValuePiece {
    return valueOf(this.piece(node), this.fields);
  }

  truth(node: Expression): string {
    return truth(this.value(node));
  }

  private boxed(node: Expression): string {
    return boxed(this.value(node));
  }

  private piece(node: Expression): Piece {
    switch (node.kind) {
      case 'literal':
        return this.literal(node.value);
      case 'template':
        return this.template(node.parts);
      case 'name':
        return this.name(node.name);
      case 'property':
        return this.property(node);
      case 'index':
        return this.index(node);
      case 'call':
        return this.call(node);
      case 'list':
        return anything(
          node.items.length === 0
            ? 'new ArrayList()'
            : `[${node.items.map((item) => this.boxed(item)).join(', ')}]`,
        );
      case 'range':
        return anything(
          `range(${this.boxed(node.from)}, ${this.boxed(node.to)}, ${String(node.exclusive)})`,
        );
      case 'unary':
        return this.unary(node);
      case 'step':
        return this.step(node);
      case 'binary':
        return this.binary(node.operator, this.value(node.left), this.value(node.right));
      case 'logical':
        return {
          type: 'boolean',
          code: grouped(
            'boolean',
            `${this.truth(node.left)} ${node.operator} ${this.truth(node.right)}`,
          ),
        };
      case 'conditional':
        return this.conditional(node);
      case 'assign':
        return this.assign(node);
      case 'cast':
        return converted(node.type, this.value(node.operand));
      case 'map':
        throw notTranslated('a map');
      case 'closure':
        throw notTranslated('a closure');
      case 'instanceof':
        throw notTranslated('[instanceof]');
      case 'new':
        throw notTranslated(`[new ${node.type}]`);
    }
  }

  private literal(value: ScriptValue): ValuePiece {
    const { parts } = this;
    if (value === null) return NULL_PIECE;
    if (typeof value === 'number') return parts.int(value);
    if (typeof value === 'bigint') return parts.long(value);
    if (typeof value === 'boolean') return parts.boolean(value);
    if (typeof value === 'string') return anything(parts.param(value));
    if (value instanceof Double) return parts.double(value.value);
    if (value instanceof Float) {
      return anything(`toFloat(${parts.param(new Double(value.value))})`);
    }
    if (value instanceof BigInteger) {
      return anything(`new BigInteger(${parts.param(value.value.toString())})`);
    }
    throw notTranslated(isNumber(value) ? 'a decimal' : 'such a value');
  }

  private template(texts: readonly (string | Expression)[]): ValuePiece {
    let code: string | null = null;
    for (const each of texts) {
      const next =
        typeof each === 'string' ? `text(${this.parts.param(each)})` : `text(${this.boxed(each)})`;
      code = code === null ? next : `concat(${code}, ${next})`;
    }
    return anything(code ?? `text(${this.parts.param('')})`);
  }

  private name(name: string): Piece {
    const outer = this.named(name);
    const variable = this.variables.read(name);
    if (variable === null) return outer ?? anything(`groovy(${this.noProperty(name)})`);
    if (variable.isDeclared) return anything(variable.code);
    return anything(`known(${variable.code}, ${this.noProperty(name)})`);
  }

  /** What stands under a name that no variable has; null: nothing. */
  named(name: string): ValuePiece | null {
    const given = this.given.get(name);
    if (given !== undefined) return given;
    const param = this.params.get(name);
    if (param !== undefined) return this.param(param);
    if (name === 'doc') throw notTranslated('[doc] without a field');
    if (ROOTS.has(name)) throw notTranslated(`[${name}]`);
    return null;
  }

  private param(value: JsonValue): ValuePiece {
    const { parts } = this;
    if (value === null) return NULL_PIECE;
    if (typeof value === 'boolean') return parts.boolean(value);
    if (!(value instanceof JsonNumber)) return anything(parts.param(value));
    if (!value.isInteger) return parts.double(value.value);
    const whole = BigInt(value.text);
    if (BigInt.asIntN(32, whole) === whole) return parts.int(Number(whole));
    if (BigInt.asIntN(64, whole) === whole) return parts.long(whole);
    return anything(`new BigInteger(${parts.param(whole.toString())})`);
  }

  private noProperty(name: string): string {
    const owner = scriptClass(this.plan.source);
    return this.parts.param(
      `MissingPropertyException[No such property: ${name} for class: ${owner}]`,
    );
  }

  /** The field that `doc['f']`, `doc.f` or `doc.get('f')` names; undefined: it is something else. */
  private field(node: Expression): ScriptField | string | undefined {
    if (node.kind !== 'index' && node.kind !== 'property' && node.kind !== 'call') return undefined;
    const { object } = node;
    if (object?.kind !== 'name' || object.name !== 'doc' || this.isHidden('doc')) return undefined;
    const isGet = node.kind === 'call' && node.name === 'get' && node.args.length === 1;
    if (node.kind === 'call' && !isGet) return undefined;
    const name =
      node.kind === 'property'
        ? node.name
        : this.textOf(node.kind === 'index' ? node.index : node.args[0]!);
    return this.fieldsByName.get(name) ?? name;
  }

  private isHidden(name: string): boolean {
    return this.variables.read(name) !== null || this.given.has(name) || this.params.has(name);
  }

  /** A text that is known before the script runs. */
  private textOf(node: Expression): string {
    if (node.kind === 'literal' && typeof node.value === 'string') return node.value;
    const param = node.kind === 'name' ? this.params.get(node.name) : undefined;
    const isParam =
      node.kind === 'name' && !this.given.has(node.name) && this.variables.read(node.name) === null;
    if (isParam && typeof param === 'string') return param;
    throw notTranslated('a field that only running it names');
  }

  /** A field that is not mapped fails where it is asked for. */
  private noField(name: string): ValuePiece {
    const text = `ElasticsearchIllegalArgumentException[No field found for [${name}] in mapping with types []]`;
    return anything(`groovy(${this.parts.param(text)})`);
  }

  private property(node: Extract<Expression, { kind: 'property' }>): Piece {
    if (node.spread) throw notTranslated('[*.]');
    const field = this.field(node);
    if (field !== undefined) return this.fieldPiece(field);
    const owner = this.staticOwner(node.object);
    if (owner !== null) {
      const constant = staticConstant(owner, node.name);
      if (constant === null) throw notTranslated(`[${owner}.${node.name}]`);
      return constant;
    }
    return this.member(this.piece(node.object), node.name, node.safe);
  }

  private fieldPiece(field: ScriptField | string): Piece {
    return typeof field === 'string' ? this.noField(field) : { type: 'field', field };
  }

  private member(object: Piece, name: string, isSafe: boolean): Piece {
    const special = this.specialProperty(object, name);
    if (special !== null) return special;
    if (object.type !== 'def') throw notTranslated(`the property [${name}]`);
    const named = this.parts.param(name);
    if (!isSafe) return anything(`member(${object.code}, ${named})`);
    const kept = this.parts.local();
    return anything(`any(isNull(${kept} = ${object.code}) ? null : member(${kept}, ${named}))`);
  }

  /** Of fields, points and dates; null: there is none, or it is another value. */
  private specialProperty(object: Piece, name: string): Piece | null {
    if (object.type === 'field') return this.fields.property(object.field, name);
    if (object.type === 'point') return this.fields.pointProperty(object.field, name);
    if (object.type !== 'date') return null;
    return dateProperty(object.code, name, this.presentTime.code);
  }

  private get presentTime(): ValuePiece {
    return this.parts.long(BigInt(this.now));
  }

  private index(node: Extract<Expression, { kind: 'index' }>): Piece {
    const field = this.field(node);
    if (field !== undefined) return this.fieldPiece(field);
    const object = this.piece(node.object);
    if (node.index.kind === 'literal' && typeof node.index.value === 'string') {
      return this.member(object, node.index.value, false);
    }
    const list = valueOf(object, this.fields);
    return anything(`element(${boxed(list)}, ${this.boxed(node.index)})`);
  }

  private call(node: Extract<Expression, { kind: 'call' }>): Piece {
    const { name, object } = node;
    if (node.spread) throw notTranslated('[*.]');
    if (object === null) return this.function(name, node.args);
    const field = this.field(node);
    if (field !== undefined) return this.fieldPiece(field);
    if (this.isDoc(object)) {
      const [only] = node.args;
      if (name !== 'containsKey' || only === undefined || node.args.length > 1) {
        throw notTranslated(`[doc.${name}]`);
      }
      return this.parts.boolean(this.fieldsByName.has(this.textOf(only)));
    }
    const owner = this.staticOwner(object);
    if (owner === 'Math') return this.function(name, node.args, true);
    if (owner !== null) {
      const args = node.args.map((arg) => this.value(arg));
      return staticCall(owner, name, args, this.presentTime);
    }
    return this.method(this.piece(object), name, node);
  }

  private isDoc(node: Expression): boolean {
    return node.kind === 'name' && node.name === 'doc' && !this.isHidden('doc');
  }

  private staticOwner(node: Expression): string | null {
    const owner = staticClass(node);
    return owner !== null && node.kind === 'name' && this.isHidden(owner) ? null : owner;
  }

  private function(name: string, nodes: readonly Expression[], isMath = false): ValuePiece {
    const args = nodes.map((arg) => this.value(arg));
    if (name === 'time' && args.length === 0 && !isMath) return this.presentTime;
    const called = mathCall(name, args, this.parts);
    if (called !== null) return called;
    const list = args.length === 0 ? 'new ArrayList()' : `[${args.map(boxed).join(', ')}]`;
    return anything(`noMethod('static java.lang.Math', ${this.parts.param(name)}, ${list})`);
  }

  private method(
    object: Piece,
    name: string,
    { args: nodes, safe }: Extract<Expression, { kind: 'call' }>,
  ): Piece {
    const getter = nodes.length === 0 ? propertyOfGetter(name) : null;
    const special = getter === null ? null : this.specialProperty(object, getter);
    if (special !== null) return special;
    if (object.type === 'date') {
      const [other] = nodes;
      const found = dateMethod(object.code, name, other === undefined ? null : this.piece(other));
      if (found === null) throw notTranslated(`the method [${name}] of a date`);
      return found;
    }
    const args = nodes.map((arg) => this.value(arg));
    if (object.type === 'field') {
      const own = this.fields.method(object.field, name, args);
      if (own !== null) return own;
    }
    const value = valueOf(object, this.fields);
    if (!safe || value.type !== 'def') return methodOf(value, name, args);
    const kept = this.parts.local();
    const called = methodOf(anything(kept), name, args);
    return anything(`any(isNull(${kept} = ${value.code}) ? null : ${boxed(called)})`);
  }

  private unary({ operator, operand }: Extract<Expression, { kind: 'unary' }>): ValuePiece {
    if (operator === '!') return { type: 'boolean', code: `!${this.truth(operand)}` };
    const value = this.value(operand);
    if (operator === '+') return value;
    if (operator === '~') return anything(`complement(${boxed(value)})`);
    if (isNumeric(value.type))
      return { type: value.type, code: grouped(value.type, `-${value.code}`) };
    return anything(`negated(${boxed(value)})`);
  }

  private conditional(node: Extract<Expression, { kind: 'conditional' }>): ValuePiece {
    const otherwise = this.value(node.otherwise);
    const tested = this.value(node.test);
    if (node.then === null) {
      const kept = this.parts.local();
      return anything(`any(truth(${kept} = ${boxed(tested)}) ? ${kept} : ${boxed(otherwise)})`);
    }
    const then = this.value(node.then);
    const test = truth(tested);
    if (then.type === otherwise.type && then.type !== 'def') {
      return {
        type: then.type,
        code: grouped(then.type, `${test} ? ${then.code} : ${otherwise.code}`),
      };
    }
    return anything(`any(${test} ? ${boxed(then)} : ${boxed(otherwise)})`);
  }

  private assign(node: Extract<Expression, { kind: 'assign' }>): ValuePiece {
    if (node.target.kind !== 'name') throw notTranslated('an assignment to a part of something');
    const { name } = node.target;
    const value = this.value(node.value);
    const assigned =
      node.operator === null
        ? value
        : this.binary(node.operator, valueOf(this.name(name), this.fields), value);
    return this.variables.write(name, boxed(assigned));
  }

  private step(node: Extract<Expression, { kind: 'step' }>): ValuePiece {
    if (node.target.kind !== 'name') throw notTranslated('an assignment to a part of something');
    const { name } = node.target;
    const before = boxed(valueOf(this.name(name), this.fields));
    const kept = this.parts.local();
    const change = node.by === 1 ? 'plus' : 'minus';
    const one = boxed(this.parts.int(1));
    if (node.prefix) return this.variables.write(name, `${change}(${before}, ${one})`);
    const written = this.variables.write(name, `${change}(${kept}, ${one})`);
    return anything(`first(${kept} = ${before}, ${written.code})`);
  }

  private binary(operator: BinaryOperator, a: ValuePiece, b: ValuePiece): ValuePiece {
    if (operator === '=~' || operator === '==~') throw notTranslated('a regular expression');
    if (operator === 'in') {
      return { type: 'boolean', code: `within(${boxed(a)}, ${boxed(b)})` };
    }
    const left = besideScore(a, b, operator);
    const right = besideScore(b, left, operator);
    if (isNumeric(left.type) && isNumeric(right.type)) {
      const known = this.onNumbers(operator, left, right);
      if (known !== null) return known;
    }
    const [x, y] = [boxed(left), boxed(right)];
    if (operator === '==') return { type: 'boolean', code: `same(${x}, ${y})` };
    if (operator === '!=') return { type: 'boolean', code: `!same(${x}, ${y})` };
    if (operator === '<=>') return { type: 'int', code: `order(${x}, ${y})` };
    if (COMPARISONS.has(operator)) {
      return { type: 'boolean', code: grouped('boolean', `order(${x}, ${y}) ${operator} 0`) };
    }
    const bits = BITS[operator];
    if (bits !== undefined) return anything(`${bits}, ${x}, ${y})`);
    const name = operator === '/' && this.dividesIntegers ? 'wholeQuotient' : FUNCTIONS[operator]!;
    return anything(`${name}(${x}, ${y})`);
  }

  /** Null: only the rules for values of any class say what comes out. */
  private onNumbers(operator: BinaryOperator, a: ValuePiece, b: ValuePiece): ValuePiece | null {
    const isDouble = a.type === 'double' || b.type === 'double';
    const compared = isDouble ? `orderDoubles(${a.code}, ${b.code})` : null;
    if (operator === '<=>') {
      return { type: 'int', code: compared ?? `Long.compare(${a.code}, ${b.code})` };
    }
    if (COMPARISONS.has(operator)) {
      const code =
        compared === null ? `${a.code} ${operator} ${b.code}` : `${compared} ${operator} 0`;
      return { type: 'boolean', code: grouped('boolean', code) };
    }
    if (operator === '/' && !isDouble && !this.dividesIntegers) return null;
    if (!['+', '-', '*', '/', '%'].includes(operator)) return null;
    const type = isDouble ? 'double' : a.type === 'long' || b.type === 'long' ? 'long' : 'int';
    return { type, code: grouped(type, `${a.code} ${operator} ${b.code}`) };
  }
}

/** compat: beside integers a score is an integer, too; beside what is not known only running it says. */
function besideScore(a: ValuePiece, b: ValuePiece, operator: BinaryOperator): ValuePiece {
  if (a.type !== 'score' || b.type === 'def' || b.type === 'boolean') return a;
  const asDouble = operator === '/' || operator === '**' || b.type === 'double';
  if (asDouble) return { type: 'double', code: a.code };
  return { type: 'int', code: `wholeScore(${a.code})` };
}
