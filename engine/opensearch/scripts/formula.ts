// Scripts of the language `expression` as Painless: formulas of doubles, which were checked when the request
// was read (engine/script/expression-language.ts).

import { JsonNumber, type JsonValue } from '../../json/index';
import {
  type BinaryOperator,
  type Expression,
  isNumber,
  type ScriptField,
  toDouble,
} from '../../script/index';
import { valueField, within } from '../layout/names';
import { ARC_DISTANCE } from './distance';
import { grouped, notTranslated, type ScriptParts } from './pieces';
import type { GivenNames } from './expressions';
import type { ScriptPlace } from './fields';

/** Functions that are called otherwise in Painless. */
const FUNCTIONS: Readonly<Record<string, (args: readonly string[]) => string>> = {
  ln: ([x]) => `Math.log(${x!})`,
  logn: ([base, x]) => `ofDouble(Math.log(${x!}) / Math.log(${base!}))`,
  asinh: ([x]) => `asinh(${x!})`,
  acosh: ([x]) => `acosh(${x!})`,
  atanh: ([x]) => `atanh(${x!})`,
  haversin: (args) => `ofDouble(arc(${args.join(', ')}) / 1000)`,
};

const PLAIN: ReadonlySet<BinaryOperator> = new Set(['+', '-', '*', '/', '%']);
const COMPARED: ReadonlySet<BinaryOperator> = new Set(['==', '!=', '<', '<=', '>', '>=']);
const BITS: { readonly [operator in BinaryOperator]?: string } = {
  '&': 'andBits',
  '|': 'orBits',
  '^': 'xorBits',
  '<<': 'shiftedLeft',
  '>>': 'shiftedRight',
  '>>>': 'unsignedRight',
};

/** What a formula needs besides the library. */
export const FORMULA_DECLARATIONS: ReadonlyMap<string, string> = new Map([['arc', ARC_DISTANCE]]);

/** Translates one formula. */
export class FormulaTranslator {
  constructor(
    private readonly fields: readonly ScriptField[],
    private readonly params: ReadonlyMap<string, JsonValue>,
    private readonly given: GivenNames,
    private readonly parts: ScriptParts,
    private readonly place: ScriptPlace,
  ) {}

  /** Code of a double. */
  value(node: Expression): string {
    switch (node.kind) {
      case 'literal':
        if (node.value === null || !isNumber(node.value)) break;
        return this.parts.double(toDouble(node.value)).code;
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
      case 'logical':
        return asDouble(`${this.truth(node.left)} ${node.operator} ${this.truth(node.right)}`);
      case 'conditional': {
        if (node.then === null) break;
        const [then, otherwise] = [this.value(node.then), this.value(node.otherwise)];
        return grouped('double', `${this.truth(node.test)} ? ${then} : ${otherwise}`);
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
        break;
    }
    throw notTranslated(`[${node.kind}]`);
  }

  private truth(node: Expression): string {
    return grouped('boolean', `${this.value(node)} != 0`);
  }

  private variable(name: string): string {
    const given = this.given.get(name);
    if (given !== undefined)
      return given.type === 'def' ? `dbl(${given.code})` : grouped('double', given.code);
    const param = this.params.get(name);
    if (param instanceof JsonNumber) return this.parts.double(param.value).code;
    // The score where there is none.
    return '0.0';
  }

  private member({ object }: Extract<Expression, { kind: 'property' }>): string {
    const name =
      object.kind === 'index' && object.index.kind === 'literal' ? object.index.value : null;
    const field = this.fields.find((each) => each.name === name);
    if (field === undefined) throw notTranslated('a field that is not mapped');
    const own = this.parts.param(within(this.place.path, valueField(field.field)));
    const isWhole = field.kind === 'int' || field.kind === 'long';
    return isWhole ? `ofDouble(longAt(doc, ${own}))` : `doubleAt(doc, ${own})`;
  }

  private call({ name, args: nodes }: Extract<Expression, { kind: 'call' }>): string {
    const args = nodes.map((arg) => this.value(arg));
    const special = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name]! : null;
    return special === null ? `Math.${name}(${args.join(', ')})` : special(args);
  }

  private unary({ operator, operand }: Extract<Expression, { kind: 'unary' }>): string {
    const value = this.value(operand);
    switch (operator) {
      case '-':
        return grouped('double', `-${value}`);
      case '+':
        return value;
      case '!':
        return asDouble(`${value} == 0`);
      case '~':
        return `inverted(${value})`;
    }
  }

  private binary({ operator, left, right }: Extract<Expression, { kind: 'binary' }>): string {
    const [a, b] = [this.value(left), this.value(right)];
    if (PLAIN.has(operator)) return grouped('double', `${a} ${operator} ${b}`);
    if (COMPARED.has(operator)) return asDouble(`${a} ${operator} ${b}`);
    return `${BITS[operator]!}(${a}, ${b})`;
  }
}

function asDouble(condition: string): string {
  return grouped('double', `${condition} ? 1.0 : 0.0`);
}
