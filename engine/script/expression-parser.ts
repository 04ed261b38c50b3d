// Expressions, by precedence climbing. Statements are in parser.ts, which closures call back.

import type { BinaryOperator, Expression } from './ast';
import type { Token } from './lexer';
import { KEYWORDS, OperandParser } from './operand-parser';
import { isOperator, type TokenReader } from './token-reader';
import { isTypeName } from './types';

/** Binary operators by binding strength, weakest first. */
const LEVELS: readonly ReadonlySet<string>[] = [
  new Set(['||']),
  new Set(['&&']),
  new Set(['|']),
  new Set(['^']),
  new Set(['&']),
  new Set(['==', '!=', '<=>', '=~', '==~']),
  new Set(['<', '<=', '>', '>=', 'in', 'as', 'instanceof']),
  new Set(['<<', '>>', '>>>', '..', '..<']),
  new Set(['+', '-']),
  new Set(['*', '/', '%']),
];

const ASSIGNMENTS: ReadonlySet<string> = new Set([
  '=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '**=',
  '<<=',
  '>>=',
  '>>>=',
  '&=',
  '|=',
  '^=',
]);

/** Reads operators and what binds them; operands are read by the superclass. */
export class ExpressionParser extends OperandParser {
  override parse(): Expression {
    return this.tokens.nested(() => this.assignment());
  }

  private assignment(): Expression {
    const left = this.conditional();
    const { current } = this.tokens;
    if (current.kind !== 'operator' || !ASSIGNMENTS.has(current.text)) return left;
    if (left.kind !== 'name' && left.kind !== 'property' && left.kind !== 'index') {
      throw this.tokens.error('the left-hand side of an assignment must be a variable', current.at);
    }
    this.tokens.advance();
    this.tokens.skipNewlines();
    const operator = current.text === '=' ? null : (current.text.slice(0, -1) as BinaryOperator);
    return { kind: 'assign', target: left, operator, value: this.parse(), at: current.at };
  }

  protected override withoutClosures(reader: TokenReader): OperandParser {
    return new ExpressionParser(reader, () => {
      throw reader.unsupported('a closure in a string');
    });
  }

  protected override conditional(): Expression {
    const test = this.binary(0);
    const { tokens } = this;
    const next = tokens.afterNewlines();
    const isBroken = tokens.current.kind === 'newline';
    if (isBroken && !isOperator(next, '?') && !isOperator(next, '?:')) return test;
    const { position } = tokens;
    tokens.skipNewlines();
    const { at } = tokens.current;
    if (tokens.accept('?:')) {
      tokens.skipNewlines();
      const otherwise = tokens.nested(() => this.conditional());
      return { kind: 'conditional', test, then: null, otherwise, at };
    }
    if (!tokens.accept('?')) {
      tokens.rewind(position);
      return test;
    }
    tokens.skipNewlines();
    const then = this.parse();
    tokens.skipNewlines();
    tokens.expect(':');
    tokens.skipNewlines();
    const otherwise = tokens.nested(() => this.assignment());
    return { kind: 'conditional', test, then, otherwise, at };
  }

  private binary(level: number): Expression {
    const operators = LEVELS[level];
    if (operators === undefined) return this.unary();
    let left = this.binary(level + 1);
    for (let depth = 0; ; depth++) {
      const token = this.tokens.current;
      if (!isBinary(token) || !operators.has(token.text)) return left;
      if (depth > 1000) throw this.tokens.error('expression is too long');
      this.tokens.advance();
      this.tokens.skipNewlines();
      left = this.combine(left, token, level);
    }
  }

  private combine(left: Expression, { text, at }: Token, level: number): Expression {
    if (text === 'as') return { kind: 'cast', type: this.typeName(), operand: left, at };
    if (text === 'instanceof') {
      return { kind: 'instanceof', operand: left, type: this.typeName(), at };
    }
    const right = this.binary(level + 1);
    if (text === '..' || text === '..<') {
      return { kind: 'range', from: left, to: right, exclusive: text === '..<', at };
    }
    if (text === '&&' || text === '||') return { kind: 'logical', operator: text, left, right, at };
    return { kind: 'binary', operator: text as BinaryOperator, left, right, at };
  }

  private unary(): Expression {
    const { tokens } = this;
    const { text, at } = tokens.current;
    if (tokens.current.kind === 'operator') {
      if (text === '-' || text === '+') {
        tokens.advance();
        const operand = tokens.nested(() => this.unary());
        return { kind: 'unary', operator: text, operand, at };
      }
      if (text === '++' || text === '--') {
        tokens.advance();
        const target = tokens.nested(() => this.unary());
        return { kind: 'step', target, by: text === '++' ? 1 : -1, prefix: true, at };
      }
    }
    return this.power();
  }

  private power(): Expression {
    const { tokens } = this;
    let left = this.prefixed();
    while (tokens.is('**')) {
      const { at } = tokens.advance();
      tokens.skipNewlines();
      const right = isSign(tokens.current) ? this.unary() : this.prefixed();
      left = { kind: 'binary', operator: '**', left, right, at };
    }
    return left;
  }

  private prefixed(): Expression {
    const { tokens } = this;
    const { text, at } = tokens.current;
    if (tokens.is('!') || tokens.is('~')) {
      tokens.advance();
      const operand = tokens.nested(() =>
        isSign(tokens.current) ? this.unary() : this.prefixed(),
      );
      return { kind: 'unary', operator: text as '!' | '~', operand, at };
    }
    if (tokens.is('(') && this.isCast()) {
      tokens.advance();
      const type = this.typeName();
      tokens.expect(')');
      const operand = tokens.nested(() =>
        isSign(tokens.current) ? this.unary() : this.prefixed(),
      );
      return { kind: 'cast', type, operand, at };
    }
    return this.postfix();
  }

  /** `(int) x`: a type in parentheses, and behind it something to convert. */
  private isCast(): boolean {
    const { tokens } = this;
    let i = 1;
    if (tokens.peek(i).kind !== 'name') return false;
    while (isOperator(tokens.peek(i + 1), '.') && tokens.peek(i + 2).kind === 'name') i += 2;
    if (!isTypeName(tokens.peek(i).text) || !isOperator(tokens.peek(i + 1), ')')) return false;
    const next = tokens.peek(i + 2);
    if (next.kind === 'name') return !KEYWORDS.has(next.text) || next.text === 'new';
    if (next.kind === 'literal' || next.kind === 'template') return true;
    return isOperator(next, '(') || isOperator(next, '[') || isSign(next);
  }
}

function isBinary(token: Token): boolean {
  if (token.kind === 'operator') return true;
  return (
    token.kind === 'name' &&
    (token.text === 'in' || token.text === 'as' || token.text === 'instanceof')
  );
}

function isSign(token: Token): boolean {
  return isOperator(token, '-') || isOperator(token, '+');
}
