// Expressions, by precedence climbing. Statements are in parser.ts, which closures call back.

import type { BinaryOperator, Expression, Statement } from './ast';
import { tokenize, type Token } from './lexer';
import { isOperator, TokenReader } from './token-reader';
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

/** Names that are not names of variables. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  'as',
  'assert',
  'break',
  'case',
  'catch',
  'class',
  'continue',
  'def',
  'default',
  'do',
  'else',
  'enum',
  'extends',
  'finally',
  'for',
  'foreach',
  'if',
  'implements',
  'import',
  'in',
  'instanceof',
  'interface',
  'new',
  'package',
  'return',
  'static',
  'super',
  'switch',
  'this',
  'throw',
  'throws',
  'trait',
  'try',
  'void',
  'while',
]);

export class ExpressionParser {
  /** @param parseBody reads the statements of a closure up to its `}` */
  constructor(
    protected readonly tokens: TokenReader,
    private readonly parseBody: () => readonly Statement[],
  ) {}

  /** An expression, assignments included. */
  parse(): Expression {
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

  private conditional(): Expression {
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

  private typeName(): string {
    const { tokens } = this;
    let name = tokens.expectName().text;
    while (tokens.is('.') && tokens.peek(1).kind === 'name') {
      tokens.advance();
      name = tokens.advance().text;
    }
    return name;
  }

  private postfix(): Expression {
    let result = this.primary();
    const { tokens } = this;
    for (let depth = 0; ; depth++) {
      if (depth > 1000) throw tokens.error('expression is too long');
      // A chain of calls may go on in the next line.
      if (tokens.current.kind === 'newline') {
        const next = tokens.afterNewlines();
        if (!isOperator(next, '.') && !isOperator(next, '?.') && !isOperator(next, '*.'))
          return result;
        tokens.skipNewlines();
      }
      const { at } = tokens.current;
      if (tokens.is('.') || tokens.is('?.') || tokens.is('*.')) {
        result = this.member(result);
      } else if (tokens.accept('[')) {
        const index = this.parse();
        if (tokens.is(',')) throw tokens.unsupported('a list of indices');
        tokens.expect(']');
        result = { kind: 'index', object: result, index, at };
      } else if (tokens.is('++') || tokens.is('--')) {
        const by = tokens.advance().text === '++' ? 1 : -1;
        return { kind: 'step', target: result, by, prefix: false, at };
      } else if (tokens.is('.&') || tokens.is('.@') || tokens.is('?.@') || tokens.is('*.@')) {
        throw tokens.unsupported(`operator [${tokens.current.text}]`);
      } else {
        return result;
      }
    }
  }

  private member(object: Expression): Expression {
    const { tokens } = this;
    const operator = tokens.advance();
    tokens.skipNewlines();
    const token = tokens.advance();
    const isText = token.kind === 'literal' && typeof token.value === 'string';
    if (token.kind !== 'name' && !isText) {
      throw tokens.error(`unexpected token: ${token.text}`, token.at);
    }
    const name = isText ? token.value : token.text;
    const safe = operator.text === '?.';
    const spread = operator.text === '*.';
    const args = this.callArguments();
    const { at } = token;
    return args === null
      ? { kind: 'property', object, name, safe, spread, at }
      : { kind: 'call', object, name, args, safe, spread, at };
  }

  /** `(a, b) { closure }`; null where there is neither. */
  private callArguments(): Expression[] | null {
    const { tokens } = this;
    if (tokens.is('{')) return [this.closure()];
    if (!tokens.is('(')) return null;
    tokens.advance();
    const args: Expression[] = [];
    while (!tokens.is(')')) {
      args.push(tokens.is('{') ? this.closure() : this.parse());
      if (tokens.is(':')) throw tokens.unsupported('a named argument');
      if (!tokens.accept(',')) break;
    }
    tokens.expect(')');
    if (tokens.is('{')) args.push(this.closure());
    return args;
  }

  private primary(): Expression {
    const { tokens } = this;
    const token = tokens.current;
    switch (token.kind) {
      case 'literal':
        tokens.advance();
        return { kind: 'literal', value: token.value, at: token.at };
      case 'template':
        tokens.advance();
        return this.template(token);
      case 'name':
        return this.named(token);
      case 'end':
      case 'newline':
      case 'operator':
        break;
    }
    if (tokens.is('(')) {
      tokens.advance();
      const inner = this.parse();
      tokens.expect(')');
      return inner;
    }
    if (tokens.is('[')) return tokens.nested(() => this.listOrMap());
    if (tokens.is('{')) throw tokens.unsupported('a closure outside of a method call');
    throw tokens.unexpected();
  }

  private named({ text, at }: Token): Expression {
    const { tokens } = this;
    tokens.advance();
    switch (text) {
      case 'true':
      case 'false':
        return { kind: 'literal', value: text === 'true', at };
      case 'null':
      case 'nil':
        return { kind: 'literal', value: null, at };
      case 'empty':
        break;
      case 'new': {
        const type = this.typeName();
        return { kind: 'new', type, args: this.callArguments() ?? [], at };
      }
      default:
        if (KEYWORDS.has(text)) throw tokens.unsupported(`[${text}]`, at);
    }
    if (tokens.is('(')) {
      const args = this.callArguments() ?? [];
      return { kind: 'call', object: null, name: text, args, safe: false, spread: false, at };
    }
    return { kind: 'name', name: text, at };
  }

  private template({ parts, at }: Token): Expression {
    const { source } = this.tokens;
    return {
      kind: 'template',
      at,
      parts: parts.map((part) => {
        if (typeof part === 'string') return part;
        // Places inside of the string are those of the whole source.
        const padded = source.slice(0, part.at).replace(/[^\n]/g, ' ') + part.code;
        const reader = new TokenReader(source, tokenize(padded));
        reader.skipNewlines();
        const inner = new ExpressionParser(reader, () => {
          throw reader.unsupported('a closure in a string');
        });
        return this.tokens.nested(() => {
          const expression = inner.parse();
          reader.skipNewlines();
          if (reader.current.kind !== 'end') throw reader.unexpected();
          return expression;
        });
      }),
    };
  }

  private listOrMap(): Expression {
    const { tokens } = this;
    const { at } = tokens.expect('[');
    if (tokens.accept(':')) {
      tokens.expect(']');
      return { kind: 'map', entries: [], at };
    }
    const items: Expression[] = [];
    const entries: (readonly [Expression, Expression])[] = [];
    while (!tokens.is(']')) {
      const key = this.entryKey();
      if (key === null) items.push(this.parse());
      else entries.push([key, this.parse()]);
      if (!tokens.accept(',')) break;
    }
    tokens.expect(']');
    if (entries.length === 0) return { kind: 'list', items, at };
    if (items.length > 0) throw tokens.error('a list with named elements', at);
    return { kind: 'map', entries, at };
  }

  /** The key of a map entry with its colon; null: a list element. */
  private entryKey(): Expression | null {
    const { tokens } = this;
    const { current } = tokens;
    if (isOperator(tokens.peek(1), ':')) {
      const isKey = current.kind === 'name' || current.kind === 'literal';
      if (!isKey) return null;
      tokens.advance();
      tokens.advance();
      const value = current.kind === 'name' ? current.text : current.value;
      return { kind: 'literal', value, at: current.at };
    }
    if (!tokens.is('(')) return null;
    const { position } = tokens;
    const key = this.conditional();
    if (tokens.accept(':')) return key;
    tokens.rewind(position);
    return null;
  }

  /** `{ a, b -> … }` */
  private closure(): Expression {
    const { tokens } = this;
    const { at } = tokens.expect('{');
    const params = this.closureParameters();
    const body = tokens.nested(() => this.parseBody());
    return { kind: 'closure', params, body, at };
  }

  private closureParameters(): readonly string[] {
    const { tokens } = this;
    const { position } = tokens;
    const params: string[] = [];
    tokens.skipNewlines();
    while (
      (tokens.current.kind === 'name' && !KEYWORDS.has(tokens.current.text)) ||
      tokens.isName('def')
    ) {
      const first = tokens.advance();
      params.push(tokens.current.kind === 'name' ? tokens.advance().text : first.text);
      if (!tokens.accept(',')) break;
    }
    if (tokens.accept('->')) return params;
    tokens.rewind(position);
    return ['it'];
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
