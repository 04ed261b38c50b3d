// Tokens as the parsers walk them, and the errors that name the place where reading stopped.

import type { EngineError } from '../errors';
import { compilationError, unsupported } from './errors';
import type { Token } from './lexer';
import { MAX_NESTING } from './limits';

/** A position in the tokens of a source. */
export class TokenReader {
  private index = 0;
  private depth = 0;

  constructor(
    readonly source: string,
    private readonly tokens: readonly Token[],
  ) {}

  get current(): Token {
    return this.tokens[this.index]!;
  }

  /** The place in the list of tokens, for {@link rewind}. */
  get position(): number {
    return this.index;
  }

  rewind(position: number): void {
    this.index = position;
  }

  peek(offset: number): Token {
    return this.tokens[Math.min(this.index + offset, this.tokens.length - 1)]!;
  }

  advance(): Token {
    const token = this.current;
    if (token.kind !== 'end') this.index++;
    return token;
  }

  is(operator: string): boolean {
    return isOperator(this.current, operator);
  }

  isName(name: string): boolean {
    return this.current.kind === 'name' && this.current.text === name;
  }

  /** Takes an operator if it is next. */
  accept(operator: string): boolean {
    if (!this.is(operator)) return false;
    this.index++;
    return true;
  }

  expect(operator: string): Token {
    if (!this.is(operator)) throw this.error(`expecting '${operator}', found '${this.shown()}'`);
    return this.advance();
  }

  expectName(): Token {
    if (this.current.kind !== 'name') throw this.error(`unexpected token: ${this.shown()}`);
    return this.advance();
  }

  skipNewlines(): void {
    while (this.current.kind === 'newline') this.index++;
  }

  /** The first token from here on that is no new line. */
  afterNewlines(): Token {
    let offset = 0;
    while (this.peek(offset).kind === 'newline') offset++;
    return this.peek(offset);
  }

  /** Runs `parse` one level deeper. @throws EngineError when that is too deep */
  nested<T>(parse: () => T): T {
    if (++this.depth > MAX_NESTING) throw this.error(`nesting deeper than [${MAX_NESTING}]`);
    const result = parse();
    this.depth--;
    return result;
  }

  error(message: string, at: number = this.current.at): EngineError {
    return compilationError(message, { source: this.source, at });
  }

  unexpected(): EngineError {
    return this.error(`unexpected token: ${this.shown()}`);
  }

  unsupported(construct: string, at: number = this.current.at): EngineError {
    return unsupported(construct, { source: this.source, at });
  }

  private shown(): string {
    return this.current.kind === 'end' ? '' : this.current.text;
  }
}

/** Whether a token is this operator. */
export function isOperator(token: Token, operator: string): boolean {
  return token.kind === 'operator' && token.text === operator;
}
