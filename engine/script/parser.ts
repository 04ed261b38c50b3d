// Statements: source text to tree. Grammar and examples are in docs/expressions.md.

import { appendAll } from '../common/index';
import type { Expression, ScriptTree, Statement } from './ast';
import { ExpressionParser } from './expression-parser';
import { KEYWORDS } from './operand-parser';
import { tokenize } from './lexer';
import { MAX_SOURCE_LENGTH } from './limits';
import { isOperator, TokenReader } from './token-reader';
import { compilationError } from './errors';

/** Statements of the real language that this one leaves out. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'assert',
  'case',
  'catch',
  'class',
  'default',
  'do',
  'enum',
  'finally',
  'import',
  'interface',
  'package',
  'static',
  'switch',
  'synchronized',
  'throw',
  'trait',
  'try',
  'void',
  'super',
]);

/**
 * Parses a source.
 *
 * @throws EngineError GroovyScriptCompilationException naming what is not understood or not supported
 */
export function parseStatements(source: string): ScriptTree {
  if (source.length > MAX_SOURCE_LENGTH) {
    throw compilationError(`the script is longer than [${MAX_SOURCE_LENGTH}] characters`, {
      source: '',
      at: 0,
    });
  }
  return { source, statements: new StatementParser(source).parse() };
}

class StatementParser {
  private readonly tokens: TokenReader;
  private readonly expressions: ExpressionParser;

  constructor(source: string) {
    this.tokens = new TokenReader(source, tokenize(source));
    this.expressions = new ExpressionParser(this.tokens, () => this.body());
  }

  parse(): readonly Statement[] {
    const statements = this.list();
    if (this.tokens.current.kind !== 'end') {
      const { text } = this.tokens.current;
      throw this.tokens.error(`expecting EOF, found '${text}'`);
    }
    return statements;
  }

  /** Statements up to a `}`, which is taken. */
  private body(): readonly Statement[] {
    const statements = this.list();
    this.tokens.expect('}');
    return statements;
  }

  private list(): Statement[] {
    const { tokens } = this;
    const statements: Statement[] = [];
    for (;;) {
      this.skipSeparators();
      if (tokens.current.kind === 'end' || tokens.is('}')) return statements;
      const group = tokens.nested(() => this.group());
      appendAll(statements, group);
      if (endsWithBlock(group[group.length - 1]!)) continue;
      const { current } = tokens;
      const ends = current.kind === 'end' || current.kind === 'newline' || tokens.is(';');
      if (!ends && !tokens.is('}')) return statements;
    }
  }

  private skipSeparators(): void {
    while (this.tokens.current.kind === 'newline' || this.tokens.is(';')) this.tokens.advance();
  }

  /** One statement, or several variables declared together: `int i = 0, n = 5`. */
  private group(): readonly Statement[] {
    const { tokens } = this;
    const group = [this.statement()];
    const [first] = group;
    while (first?.kind === 'declare' && tokens.accept(',')) {
      tokens.skipNewlines();
      const { text: name, at } = tokens.expectName();
      group.push({ kind: 'declare', type: first.type, name, value: this.initialValue(), at });
    }
    return group;
  }

  /** What follows `=`, or null. */
  private initialValue(): Expression | null {
    const { tokens } = this;
    if (!tokens.accept('=')) return null;
    tokens.skipNewlines();
    return this.expressions.parse();
  }

  private statement(): Statement {
    const { tokens } = this;
    const { current } = tokens;
    if (tokens.accept('{')) return { kind: 'block', body: this.body() };
    if (current.kind === 'name') {
      switch (current.text) {
        case 'if':
          return this.conditional();
        case 'for':
        case 'foreach':
          return this.loop();
        case 'while': {
          tokens.advance();
          const test = this.inParentheses();
          return { kind: 'while', test, body: this.branch() };
        }
        case 'return': {
          tokens.advance();
          return { kind: 'return', value: this.endsHere() ? null : this.expressions.parse() };
        }
        case 'break':
        case 'continue':
          tokens.advance();
          return { kind: current.text, at: current.at };
        default:
          if (LEFT_OUT.has(current.text)) throw tokens.unsupported(`[${current.text}]`);
      }
      const declaration = this.declaration();
      if (declaration !== null) return declaration;
    }
    return { kind: 'expression', expression: this.expressions.parse() };
  }

  private endsHere(): boolean {
    const { current } = this.tokens;
    return (
      current.kind === 'end' ||
      current.kind === 'newline' ||
      this.tokens.is(';') ||
      this.tokens.is('}')
    );
  }

  /** `def x = 1`, `int x`, `List<String> x = []`; null where it is none. */
  private declaration(): Statement | null {
    const { tokens } = this;
    const { position } = tokens;
    if (tokens.isName('final')) tokens.advance();
    const typed = this.declaredType();
    const name = tokens.current;
    if (typed === null || name.kind !== 'name' || KEYWORDS.has(name.text)) {
      if (typed?.type === null) throw tokens.unsupported('a declaration of several variables');
      tokens.rewind(position);
      return null;
    }
    tokens.advance();
    if (tokens.is('(')) throw tokens.unsupported('a method declaration', name.at);
    const value = this.initialValue();
    if (value === null && !this.endsHere() && !tokens.is(',')) {
      tokens.rewind(position);
      return null;
    }
    return { kind: 'declare', type: typed.type, name: name.text, value, at: name.at };
  }

  private declaredType(): { readonly type: string | null } | null {
    const { tokens } = this;
    if (tokens.isName('def') || tokens.isName('var')) {
      tokens.advance();
      // `def` may stand before a type.
      if (tokens.peek(1).kind !== 'name') return { type: null };
    }
    if (tokens.current.kind !== 'name' || KEYWORDS.has(tokens.current.text)) return null;
    let type = tokens.advance().text;
    while (tokens.is('.') && tokens.peek(1).kind === 'name') {
      tokens.advance();
      type = tokens.advance().text;
    }
    if (tokens.is('[') && isOperator(tokens.peek(1), ']'))
      throw tokens.unsupported('an array type');
    if (!tokens.is('<')) return { type };
    for (let depth = 0; ;) {
      const { text, kind } = tokens.advance();
      if (text === '<') depth++;
      else if (text === '>') depth--;
      else if (kind !== 'name' && text !== ',' && text !== '.' && text !== '?') return null;
      if (depth === 0) return { type };
    }
  }

  private conditional(): Statement {
    const { tokens } = this;
    tokens.advance();
    const test = this.inParentheses();
    const then = this.branch();
    const { position } = tokens;
    this.skipSeparators();
    if (!tokens.isName('else')) {
      tokens.rewind(position);
      return { kind: 'if', test, then, otherwise: null };
    }
    tokens.advance();
    return { kind: 'if', test, then, otherwise: this.branch() };
  }

  private inParentheses(): Expression {
    this.tokens.expect('(');
    const expression = this.expressions.parse();
    this.tokens.expect(')');
    return expression;
  }

  /** The block or single statement that a condition or loop governs. */
  private branch(): readonly Statement[] {
    const { tokens } = this;
    tokens.skipNewlines();
    if (tokens.accept('{')) return tokens.nested(() => this.body());
    if (tokens.accept(';')) return [];
    return tokens.nested(() => this.group());
  }

  private loop(): Statement {
    const { tokens } = this;
    const { at } = tokens.advance();
    tokens.expect('(');
    const each = this.loopVariable();
    if (each !== null) {
      const list = this.expressions.parse();
      tokens.expect(')');
      return { kind: 'forIn', name: each, list, body: this.branch(), at };
    }
    const start = tokens.is(';') ? [] : this.group();
    tokens.expect(';');
    const test = tokens.is(';') ? null : this.expressions.parse();
    tokens.expect(';');
    const step: Expression[] = [];
    while (!tokens.is(')')) {
      step.push(this.expressions.parse());
      if (!tokens.accept(',')) break;
    }
    tokens.expect(')');
    return { kind: 'for', start, test, step, body: this.branch() };
  }

  /** `x in`, `def x in`, `String x :`; null: a loop with a counter. */
  private loopVariable(): string | null {
    const { tokens } = this;
    const { position } = tokens;
    let last = '';
    while (tokens.current.kind === 'name' && !tokens.isName('in')) last = tokens.advance().text;
    if (last !== '' && (tokens.isName('in') || tokens.is(':'))) {
      tokens.advance();
      return last;
    }
    tokens.rewind(position);
    return null;
  }
}

function endsWithBlock(statement: Statement): boolean {
  switch (statement.kind) {
    case 'if':
    case 'for':
    case 'forIn':
    case 'while':
    case 'block':
      return true;
    case 'break':
    case 'continue':
    case 'declare':
    case 'expression':
    case 'return':
      return false;
  }
}
