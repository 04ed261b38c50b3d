// Tokens of the query_string language (reference server).
//
// Three states: ordinary text, the number after `^`, and the inside of a range. In each, the longest
// token wins. Tokens are read on demand, so that a syntax error before an unreadable character is
// reported first. Every scan moves forward only: time is linear in the text.

import { EngineError } from '../../../errors';

/** Why a text is no query. */
export class QuerySyntaxError extends EngineError {
  constructor(message: string, wireName: 'ParseException' | 'TokenMgrError' = 'ParseException') {
    super(wireName, message);
  }
}

export const TokenKind = {
  EOF: '<EOF>',
  And: '<AND>',
  Or: '<OR>',
  Not: '<NOT>',
  Plus: '"+"',
  Minus: '"-"',
  /** An operator with a blank behind it: a word of its own that analysis usually removes. */
  BareOperator: '<BAREOPER>',
  LeftParen: '"("',
  RightParen: '")"',
  Colon: '":"',
  Star: '"*"',
  Caret: '"^"',
  Quoted: '<QUOTED>',
  Term: '<TERM>',
  FuzzySlop: '<FUZZY_SLOP>',
  PrefixTerm: '<PREFIXTERM>',
  WildTerm: '<WILDTERM>',
  RegexpTerm: '<REGEXPTERM>',
  RangeInStart: '"["',
  RangeExStart: '"{"',
  Number: '<NUMBER>',
  RangeTo: '"TO"',
  RangeInEnd: '"]"',
  RangeExEnd: '"}"',
  RangeQuoted: '<RANGE_QUOTED>',
  RangeWord: '<RANGE_GOOP>',
} as const;
/** Values are the names by which syntax errors call the tokens. */
export type TokenKind = (typeof TokenKind)[keyof typeof TokenKind];

export interface QueryToken {
  readonly kind: TokenKind;
  readonly text: string;
  /** Offset in the query text. */
  readonly start: number;
}

type State = 'default' | 'boost' | 'range';

const NOT_IN_TERMS = new Set('+-!():^[]"{}~*?\\/ \t\n\r\u3000');
const OPERATORS: ReadonlyMap<string, TokenKind> = new Map([
  ['AND', TokenKind.And],
  ['&&', TokenKind.And],
  ['OR', TokenKind.Or],
  ['||', TokenKind.Or],
  ['NOT', TokenKind.Not],
]);
const SINGLE: ReadonlyMap<string, TokenKind> = new Map([
  ['(', TokenKind.LeftParen],
  [')', TokenKind.RightParen],
  [':', TokenKind.Colon],
  ['^', TokenKind.Caret],
  ['[', TokenKind.RangeInStart],
  ['{', TokenKind.RangeExStart],
  ['+', TokenKind.Plus],
  ['-', TokenKind.Minus],
  ['!', TokenKind.Not],
]);

function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\t' || char === '\n' || char === '\r' || char === '\u3000';
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= '0' && char <= '9';
}

export class QueryLexer {
  private pos = 0;
  private state: State = 'default';

  constructor(private readonly text: string) {}

  /** @throws QuerySyntaxError for a character sequence that is no token */
  next(): QueryToken {
    if (this.state !== 'boost') while (isBlank(this.text[this.pos])) this.pos++;
    const start = this.pos;
    if (start >= this.text.length) return { kind: TokenKind.EOF, text: '', start };
    const [kind, end] = this.scan(start);
    this.pos = end;
    this.enterState(kind);
    return { kind, text: this.text.slice(start, end), start };
  }

  private enterState(kind: TokenKind): void {
    if (kind === TokenKind.Caret) this.state = 'boost';
    else if (kind === TokenKind.RangeInStart || kind === TokenKind.RangeExStart) {
      this.state = 'range';
    } else if (
      kind === TokenKind.Number ||
      kind === TokenKind.RangeInEnd ||
      kind === TokenKind.RangeExEnd
    ) {
      this.state = 'default';
    }
  }

  private scan(start: number): readonly [TokenKind, number] {
    if (this.state === 'boost') return this.scanNumber(start);
    return this.state === 'range' ? this.scanRange(start) : this.scanDefault(start);
  }

  private scanDefault(start: number): readonly [TokenKind, number] {
    const char = this.text[start] ?? '';
    if ((char === '+' || char === '-' || char === '!') && isBlank(this.text[start + 1])) {
      return [TokenKind.BareOperator, start + 2];
    }
    const single = SINGLE.get(char);
    if (single !== undefined) return [single, start + 1];
    if (char === '"') return [TokenKind.Quoted, this.quotedEnd(start)];
    if (char === '/') return [TokenKind.RegexpTerm, this.delimitedEnd(start, '/', 0)];
    if (char === '~') return [TokenKind.FuzzySlop, this.slopEnd(start + 1)];
    return this.scanWord(start);
  }

  /** A term, or a term with wildcards. */
  private scanWord(start: number): readonly [TokenKind, number] {
    const termEnd = this.startsTerm(start) ? this.wordEnd(start, false) : start;
    const end = this.wordEnd(start, true, termEnd);
    if (end === start) throw this.error(start, start + 1);
    const text = this.text.slice(start, end);
    if (end === termEnd) return [OPERATORS.get(text) ?? TokenKind.Term, end];
    if (text === '*') return [TokenKind.Star, end];
    const prefix = termEnd > start && end === termEnd + 1 && text.endsWith('*');
    return [prefix ? TokenKind.PrefixTerm : TokenKind.WildTerm, end];
  }

  private startsTerm(at: number): boolean {
    const char = this.text[at] ?? '';
    if (char === '\\') return at + 1 < this.text.length;
    return !NOT_IN_TERMS.has(char);
  }

  /** The end of a run of term characters (with `*` and `?` if `wild`) from `start`. */
  private wordEnd(start: number, wild: boolean, from: number = start): number {
    let at = from;
    for (;;) {
      const char = this.text[at];
      if (char === undefined) return at;
      if (char === '\\') {
        if (at + 1 >= this.text.length) {
          if (at === start) throw this.error(start, this.text.length);
          return at;
        }
        at += 2;
      } else if (
        !NOT_IN_TERMS.has(char) ||
        // Only the first character of a word cannot be a sign.
        ((char === '+' || char === '-') && at > start) ||
        (wild && (char === '*' || char === '?'))
      ) {
        at++;
      } else {
        return at;
      }
    }
  }

  /** What follows `~`: a sign may come first here. */
  private slopEnd(start: number): number {
    const char = this.text[start];
    const signed = char === '+' || char === '-';
    return this.wordEnd(start, false, signed ? start + 1 : start);
  }

  private quotedEnd(start: number): number {
    for (let at = start + 1; at < this.text.length; at++) {
      const char = this.text[at];
      if (char === '\\') at++;
      else if (char === '"') return at + 1;
    }
    throw this.error(start, this.text.length);
  }

  /**
   * The end of a text between delimiters. A delimiter behind a backslash may be part of the text, and is
   * where there is another one to end it.
   */
  private delimitedEnd(start: number, delimiter: string, minimum: number): number {
    let candidate = -1;
    for (let at = start + 1; at < this.text.length; at++) {
      if (this.text[at] !== delimiter) continue;
      if (at - start - 1 < minimum) break;
      candidate = at + 1;
      if (this.text[at - 1] !== '\\') break;
    }
    if (candidate < 0) throw this.error(start, this.text.length);
    return candidate;
  }

  private scanNumber(start: number): readonly [TokenKind, number] {
    const wholeEnd = this.digitsEnd(start);
    if (wholeEnd === start) throw this.error(start, start + 1);
    if (this.text[wholeEnd] === '.') {
      const end = this.digitsEnd(wholeEnd + 1);
      if (end > wholeEnd + 1) return [TokenKind.Number, end];
    }
    return [TokenKind.Number, wholeEnd];
  }

  private digitsEnd(start: number): number {
    let at = start;
    while (isDigit(this.text[at])) at++;
    return at;
  }

  private scanRange(start: number): readonly [TokenKind, number] {
    const char = this.text[start];
    if (char === ']') return [TokenKind.RangeInEnd, start + 1];
    if (char === '}') return [TokenKind.RangeExEnd, start + 1];
    let wordEnd = start;
    while (wordEnd < this.text.length && !' ]}'.includes(this.text[wordEnd] ?? '')) wordEnd++;
    if (char === '"') {
      const quotedEnd = this.rangeQuotedEnd(start);
      if (quotedEnd >= wordEnd) return [TokenKind.RangeQuoted, quotedEnd];
    }
    const isTo = this.text.slice(start, wordEnd) === 'TO';
    return [isTo ? TokenKind.RangeTo : TokenKind.RangeWord, wordEnd];
  }

  /** -1 when no closing quote follows: then the quote is an ordinary character. */
  private rangeQuotedEnd(start: number): number {
    const closing = this.text.indexOf('"', start + 1);
    return closing < 0 || closing === start + 1 ? -1 : this.delimitedEnd(start, '"', 1);
  }

  /** The reference's wording; `end` is how far it had read. */
  private error(start: number, end: number): QuerySyntaxError {
    const more = end < this.text.length;
    const last = this.text[end - 1] ?? '';
    const met = more ? `"${escaped(last)}" (${last.charCodeAt(0)}), ` : '<EOF> ';
    const after = end - start <= 1 ? '' : escaped(this.text.slice(start, end));
    return new QuerySyntaxError(
      `Lexical error at line 1, column ${more ? end : end + 1}.  Encountered: ${met}after : "${after}"`,
      'TokenMgrError',
    );
  }
}

/** Quotes, backslashes and control characters as the reference prints them in error texts. */
export function escaped(text: string): string {
  return text.replace(/[\b\t\n\f\r"'\\]|[^ -~]/g, (char) => {
    const short = ESCAPES.get(char);
    return short ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['"', '\\"'],
  ["'", "\\'"],
  ['\\', '\\\\'],
]);
