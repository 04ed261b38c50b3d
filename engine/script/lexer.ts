// Source text to tokens: the spelling shared by the accepted languages. New lines matter (they end
// statements) except inside of parentheses and square brackets.

import { Double, Float } from '../json/index';
import { compilationError } from './errors';
import { BigInteger } from './decimal';
import type { ScriptValue } from './values';

type TokenKind = 'name' | 'literal' | 'template' | 'operator' | 'newline' | 'end';

/** A word, literal or operator of a source. */
export interface Token {
  readonly kind: TokenKind;
  /** The name or operator as written; for the rest what an error calls it. */
  readonly text: string;
  readonly at: number;
  /** Of literals. */
  readonly value: ScriptValue;
  /** Of templates: texts and, between them, sources of expressions with where they begin. */
  readonly parts: readonly TemplatePart[];
}

/** A piece of a string with `$`: text as it is, or an expression. */
type TemplatePart = string | { readonly code: string; readonly at: number };

/** Longest first, so that the first one that matches is the right one. */
const OPERATORS = [
  '>>>=',
  '**=',
  '<=>',
  '>>>',
  '<<=',
  '>>=',
  '==~',
  '..<',
  '*.@',
  '?.@',
  '...',
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '++',
  '--',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '&=',
  '|=',
  '^=',
  '**',
  '<<',
  '>>',
  '?.',
  '?:',
  '..',
  '*.',
  '=~',
  '->',
  '.&',
  '.@',
  '+',
  '-',
  '*',
  '/',
  '%',
  '=',
  '<',
  '>',
  '!',
  '~',
  '&',
  '|',
  '^',
  '?',
  ':',
  '.',
  ',',
  ';',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '@',
] as const;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['$', '$'],
]);

const NAME_START = /[\p{L}_$]/u;
const NAME_PART = /[\p{L}\p{Nd}_$]/u;
const LONG_MAX = 2n ** 63n;
const INT_MAX = 2n ** 31n;

/**
 * All tokens of a source, the last one of kind `end`.
 *
 * @throws EngineError GroovyScriptCompilationException
 */
export function tokenize(source: string): readonly Token[] {
  return new Lexer(source).run();
}

class Lexer {
  private readonly tokens: Token[] = [];
  /** Open brackets, innermost last: inside of `(` and `[` new lines do not count. */
  private readonly open: string[] = [];
  private at = 0;

  constructor(private readonly source: string) {}

  run(): readonly Token[] {
    while (this.skipBlanks()) this.next();
    this.add('end', '<EOF>', this.source.length);
    return this.tokens;
  }

  private next(): void {
    const { source, at } = this;
    const c = source.charAt(at);
    if (c === '\n') {
      this.at++;
      const inside = this.open.at(-1);
      if (inside !== '(' && inside !== '[') this.add('newline', '<newline>', at);
    } else if (c === "'" || c === '"') {
      this.string(c);
    } else if (isDigit(c) || (c === '.' && isDigit(source.charAt(at + 1)) && !this.afterValue())) {
      this.number();
    } else if (c === '/' && !this.afterValue()) {
      this.slashy();
    } else if (NAME_START.test(c)) {
      let end = at + 1;
      while (end < source.length && NAME_PART.test(source.charAt(end))) end++;
      this.at = end;
      this.add('name', source.slice(at, end), at);
    } else {
      this.operator();
    }
  }

  private afterValue(): boolean {
    const last = this.tokens.at(-1);
    if (last === undefined) return false;
    return (
      last.kind === 'name' || last.kind === 'literal' || last.text === ')' || last.text === ']'
    );
  }

  private operator(): void {
    const { source, at } = this;
    const text = OPERATORS.find((operator) => source.startsWith(operator, at));
    if (text === undefined) {
      throw this.error(`unexpected char: '${source.charAt(at)}'`, at);
    }
    this.at += text.length;
    if (text === '(' || text === '[' || text === '{') this.open.push(text);
    else if (text === ')' || text === ']' || text === '}') this.open.pop();
    this.add('operator', text, at);
  }

  /** False at the end of the source. */
  private skipBlanks(): boolean {
    const { source } = this;
    while (this.at < source.length) {
      const c = source.charAt(this.at);
      if (c === '/' && source.startsWith('//', this.at)) {
        const end = source.indexOf('\n', this.at);
        this.at = end < 0 ? source.length : end;
      } else if (c === '/' && source.startsWith('/*', this.at)) {
        const end = source.indexOf('*/', this.at + 2);
        if (end < 0) throw this.error("expecting '*/', found '<EOF>'", source.length);
        this.at = end + 2;
      } else if (c === '\\' && /^\\\r?\n/.test(source.slice(this.at, this.at + 3))) {
        this.at = source.indexOf('\n', this.at) + 1;
      } else if (c !== '\n' && /[\s\ufeff]/.test(c)) {
        this.at++;
      } else {
        return true;
      }
    }
    return false;
  }

  private number(): void {
    const { source, at } = this;
    const rest = source.slice(at, at + 400);
    const hex = /^0[xX]([0-9a-fA-F_]+)([lLgGiI]?)/.exec(rest);
    if (hex) {
      this.at += hex[0].length;
      this.literal(this.integer(`0x${hex[1]!.replaceAll('_', '')}`, hex[2]!, at), at, hex[0]);
      return;
    }
    const match =
      /^(\d[\d_]*)?(\.\d[\d_]*)?([eE][+-]?\d+)?([lLgGiIfFdD](?![\p{L}\p{Nd}_$]))?/u.exec(rest)!;
    const [text, whole = '', fraction = '', exponent = '', suffix = ''] = match;
    this.at += text.length;
    const digits = `${whole}${fraction}${exponent}`.replaceAll('_', '');
    const isWhole = fraction === '' && exponent === '';
    const kind = suffix.toLowerCase();
    if (kind === 'f') this.literal(new Float(Math.fround(Number(digits))), at, text);
    // Decimal literals are doubles, also those marked as big decimals (reference server).
    else if (kind === 'd' || !isWhole) this.literal(new Double(Number(digits)), at, text);
    else
      this.literal(
        this.integer(isOctal(digits) ? `0o${digits.slice(1)}` : digits, suffix, at),
        at,
        text,
      );
  }

  private integer(digits: string, suffix: string, at: number): ScriptValue {
    let value: bigint;
    try {
      value = BigInt(digits);
    } catch {
      throw this.error(`invalid number ${digits}`, at);
    }
    // The sign is an operator: the smallest integers are one more than the largest ones.
    const negative = this.tokens.at(-1)?.text === '-';
    switch (suffix.toLowerCase()) {
      case 'l':
        return BigInt.asIntN(64, value);
      case 'g':
        return new BigInteger(value);
      default:
        if (value < INT_MAX || (negative && value === INT_MAX))
          return Number(BigInt.asIntN(32, value));
        if (value < LONG_MAX || (negative && value === LONG_MAX)) return BigInt.asIntN(64, value);
        return new BigInteger(value);
    }
  }

  private string(quote: string): void {
    const { source, at } = this;
    const triple = source.startsWith(quote.repeat(3), at);
    const close = triple ? quote.repeat(3) : quote;
    const parts: TemplatePart[] = [];
    let text = '';
    let i = at + close.length;
    for (;;) {
      if (i >= source.length) throw this.error(`expecting '${close}', found '<EOF>'`, i);
      const c = source.charAt(i);
      if (source.startsWith(close, i)) break;
      if (c === '\n' && !triple) throw this.error(`expecting '${close}', found '\\n'`, i);
      if (c === '\\') {
        const [decoded, end] = this.escape(i);
        text += decoded;
        i = end;
      } else if (c === '$' && quote === '"') {
        const code = this.embedded(i);
        if (code === null) {
          text += c;
          i++;
          continue;
        }
        if (text !== '') parts.push(text);
        text = '';
        parts.push(code.part);
        i = code.end;
      } else {
        text += c;
        i++;
      }
    }
    this.at = i + close.length;
    if (parts.length === 0) {
      this.literal(text, at, text);
      return;
    }
    if (text !== '') parts.push(text);
    this.tokens.push({ kind: 'template', text: 'string', at, value: null, parts });
  }

  /** `/text/`: only the slash is escaped. */
  private slashy(): void {
    const { source, at } = this;
    let text = '';
    let i = at + 1;
    for (; source.charAt(i) !== '/'; i++) {
      if (i >= source.length || source.charAt(i) === '\n')
        throw this.error("unexpected char: '/'", at);
      if (source.startsWith('\\/', i)) i++;
      text += source.charAt(i);
    }
    this.at = i + 1;
    this.literal(text, at, text);
  }

  private escape(at: number): [string, number] {
    const { source } = this;
    const c = source.charAt(at + 1);
    if (c === '\n') return ['', at + 2];
    if (c === 'u') {
      const hex = source.slice(at + 2, at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw this.error('invalid unicode escape', at);
      return [String.fromCharCode(parseInt(hex, 16)), at + 6];
    }
    const decoded = ESCAPES.get(c);
    if (decoded === undefined) throw this.error(`unexpected char: '\\'`, at);
    return [decoded, at + 2];
  }

  /** `${expression}` or `$a.b` at `at`; null for a `$` that is just one. */
  private embedded(at: number): { part: TemplatePart; end: number } | null {
    const { source } = this;
    if (source.charAt(at + 1) === '{') {
      let depth = 1;
      let i = at + 2;
      for (; i < source.length && depth > 0; i++) {
        if (source.charAt(i) === '{') depth++;
        else if (source.charAt(i) === '}') depth--;
      }
      if (depth > 0) throw this.error("expecting '}', found '<EOF>'", source.length);
      return { part: { code: source.slice(at + 2, i - 1), at: at + 2 }, end: i };
    }
    const path = /^[\p{L}_][\p{L}\p{Nd}_]*(\.[\p{L}_][\p{L}\p{Nd}_]*)*/u.exec(source.slice(at + 1));
    if (path === null) return null;
    return { part: { code: path[0], at: at + 1 }, end: at + 1 + path[0].length };
  }

  private literal(value: ScriptValue, at: number, text: string): void {
    this.tokens.push({ kind: 'literal', text, at, value, parts: [] });
  }

  private add(kind: TokenKind, text: string, at: number): void {
    this.tokens.push({ kind, text, at, value: null, parts: [] });
  }

  private error(message: string, at: number): Error {
    return compilationError(message, { source: this.source, at });
  }
}

function isDigit(c: string): boolean {
  return c >= '0' && c <= '9';
}

function isOctal(digits: string): boolean {
  return digits.length > 1 && digits.startsWith('0');
}
