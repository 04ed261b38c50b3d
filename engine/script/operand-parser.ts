// What operators stand between: literals, names, calls, members, lists, maps and closures.

import type { Expression, Statement } from './ast';
import { tokenize, type Token } from './lexer';
import { isOperator, TokenReader } from './token-reader';

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

/** Reads operands. The expressions inside of them are read by the subclass, in expression-parser.ts. */
export abstract class OperandParser {
  /** @param parseBody reads the statements of a closure up to its `}` */
  constructor(
    protected readonly tokens: TokenReader,
    private readonly parseBody: () => readonly Statement[],
  ) {}

  /** An expression, assignments included. */
  abstract parse(): Expression;

  /** An expression without assignments. */
  protected abstract conditional(): Expression;

  /** A parser of the expressions inside of a text, which may have no closures. */
  protected abstract withoutClosures(reader: TokenReader): OperandParser;

  /** The name of a type, its package skipped. */
  protected typeName(): string {
    const { tokens } = this;
    let name = tokens.expectName().text;
    while (tokens.is('.') && tokens.peek(1).kind === 'name') {
      tokens.advance();
      name = tokens.advance().text;
    }
    return name;
  }

  /** An operand with the members, calls and indices that follow it. */
  protected postfix(): Expression {
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
        const inner = this.withoutClosures(reader);
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
