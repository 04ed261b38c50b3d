// The query_string language as a syntax tree: clauses with their modifiers, before any field is known.
//
// query  := modifiers clause { conjunction modifiers clause }
// clause := [ (TERM | "*") ":" ] ( term | "(" query ")" [ "^" number ] )
// term   := word [ "~.." ] [ "^" number [ "~.." ] ] | range [ "^" number ] | quoted [ "~.." ] [ "^" number ]

import { escaped, QueryLexer, QuerySyntaxError, TokenKind, type QueryToken } from './lexer';

/** Groups may be nested this deep. */
export const MAX_GROUP_DEPTH = 200;

/** Thrown for groups nested deeper than {@link MAX_GROUP_DEPTH}. */
export class NestingError extends Error {}

export interface Clause {
  readonly conjunction: 'none' | 'and' | 'or';
  readonly modifier: 'none' | 'required' | 'prohibited';
  readonly node: SyntaxNode;
}

/** `field` null: the default field. Texts are unescaped, except wildcard patterns. */
export type SyntaxNode = { readonly boost: number | null } & (
  | { readonly kind: 'group'; readonly clauses: readonly Clause[] }
  | { readonly kind: 'word'; readonly field: string | null; readonly text: string }
  | {
      readonly kind: 'quoted';
      readonly field: string | null;
      readonly text: string;
      /** Null: the default slop. */
      readonly slop: number | null;
    }
  | { readonly kind: 'prefix'; readonly field: string | null; readonly text: string }
  | { readonly kind: 'wildcard'; readonly field: string | null; readonly pattern: string }
  | { readonly kind: 'regexp'; readonly field: string | null; readonly pattern: string }
  | {
      readonly kind: 'fuzzy';
      readonly field: string | null;
      readonly text: string;
      /** What follows `~`, or null for the default. */
      readonly similarity: string | null;
    }
  | {
      readonly kind: 'range';
      readonly field: string | null;
      /** Null: open. */
      readonly from: string | null;
      readonly to: string | null;
      readonly includeFrom: boolean;
      readonly includeTo: boolean;
    }
);

/**
 * Parses a query text.
 *
 * @param onLeaf is handed every node but groups as soon as it is complete: what it throws comes before
 *        the errors of the text behind the node
 * @throws QuerySyntaxError for a malformed text, NestingError for one nested too deeply
 */
export function parseSyntax(
  text: string,
  onLeaf: (leaf: SyntaxNode) => void = () => undefined,
): SyntaxNode {
  return new SyntaxParser(text, onLeaf).parseAll();
}

const STARTS_TERM: readonly TokenKind[] = [
  TokenKind.BareOperator,
  TokenKind.LeftParen,
  TokenKind.Star,
  TokenKind.Quoted,
  TokenKind.Term,
  TokenKind.PrefixTerm,
  TokenKind.WildTerm,
  TokenKind.RegexpTerm,
  TokenKind.RangeInStart,
  TokenKind.RangeExStart,
  TokenKind.Number,
];

class SyntaxParser {
  private readonly lexer: QueryLexer;
  private readonly ahead: QueryToken[] = [];
  private depth = 0;

  constructor(
    text: string,
    private readonly onLeaf: (leaf: SyntaxNode) => void,
  ) {
    this.lexer = new QueryLexer(text);
  }

  parseAll(): SyntaxNode {
    const clauses = this.parseClauses(null);
    this.expect([TokenKind.EOF]);
    return { kind: 'group', clauses, boost: null };
  }

  private peek(distance = 0): QueryToken {
    while (this.ahead.length <= distance) this.ahead.push(this.lexer.next());
    return this.ahead[distance] as QueryToken;
  }

  private take(): QueryToken {
    const token = this.peek();
    this.ahead.shift();
    return token;
  }

  private accept(kinds: readonly TokenKind[]): QueryToken | null {
    return kinds.includes(this.peek().kind) ? this.take() : null;
  }

  private expect(kinds: readonly TokenKind[]): QueryToken {
    const token = this.accept(kinds);
    if (token === null) throw this.unexpected(kinds);
    return token;
  }

  private parseClauses(field: string | null): Clause[] {
    const clauses: Clause[] = [this.parseClause('none', field)];
    for (;;) {
      const { kind } = this.peek();
      if (kind === TokenKind.EOF || kind === TokenKind.RightParen) return clauses;
      const operator = this.accept([TokenKind.And, TokenKind.Or]);
      const conjunction =
        operator === null ? 'none' : operator.kind === TokenKind.And ? 'and' : 'or';
      clauses.push(this.parseClause(conjunction, field));
    }
  }

  private parseClause(conjunction: Clause['conjunction'], field: string | null): Clause {
    const sign = this.accept([TokenKind.Plus, TokenKind.Minus, TokenKind.Not]);
    const modifier =
      sign === null ? 'none' : sign.kind === TokenKind.Plus ? 'required' : 'prohibited';
    return { conjunction, modifier, node: this.parseOperand(field) };
  }

  private parseOperand(outerField: string | null): SyntaxNode {
    const field = this.parseField() ?? outerField;
    if (this.accept([TokenKind.LeftParen]) === null) {
      const leaf = this.parseTerm(field);
      this.onLeaf(leaf);
      return leaf;
    }
    if (++this.depth > MAX_GROUP_DEPTH) throw new NestingError();
    const clauses = this.parseClauses(field);
    this.expect([TokenKind.RightParen]);
    this.depth--;
    return { kind: 'group', clauses, boost: this.parseBoost() };
  }

  /** `name:` or `*:` */
  private parseField(): string | null {
    const { kind, text } = this.peek();
    if (kind !== TokenKind.Term && kind !== TokenKind.Star) return null;
    if (this.peek(1).kind !== TokenKind.Colon) return null;
    this.take();
    this.take();
    return kind === TokenKind.Star ? '*' : unescaped(text);
  }

  private parseBoost(): number | null {
    if (this.accept([TokenKind.Caret]) === null) return null;
    return Math.fround(Number(this.expect([TokenKind.Number]).text));
  }

  private parseTerm(field: string | null): SyntaxNode {
    const token = this.expect(STARTS_TERM);
    const { kind } = token;
    if (kind === TokenKind.Quoted) return this.parseQuoted(field, token);
    return kind === TokenKind.RangeInStart || kind === TokenKind.RangeExStart
      ? this.parseRange(field, token)
      : this.parseWord(field, token);
  }

  private parseWord(field: string | null, token: QueryToken): SyntaxNode {
    let fuzzy = this.accept([TokenKind.FuzzySlop]);
    const boost = this.parseBoost();
    if (boost !== null) fuzzy = this.accept([TokenKind.FuzzySlop]) ?? fuzzy;
    const { kind, text } = token;
    if (kind === TokenKind.Star || kind === TokenKind.WildTerm) {
      return { kind: 'wildcard', field, pattern: text, boost };
    }
    if (kind === TokenKind.PrefixTerm) {
      return { kind: 'prefix', field, text: unescaped(text.slice(0, -1)), boost };
    }
    if (kind === TokenKind.RegexpTerm) {
      return { kind: 'regexp', field, pattern: text.slice(1, -1), boost };
    }
    const word = kind === TokenKind.BareOperator ? text.slice(0, 1) : unescaped(text);
    if (fuzzy === null) return { kind: 'word', field, text: word, boost };
    const similarity = fuzzy.text.length === 1 ? null : fuzzy.text.slice(1);
    return { kind: 'fuzzy', field, text: word, similarity, boost };
  }

  private parseQuoted(field: string | null, token: QueryToken): SyntaxNode {
    const slop = this.accept([TokenKind.FuzzySlop]);
    const boost = this.parseBoost();
    const text = unescaped(token.text.slice(1, -1));
    return { kind: 'quoted', field, text, slop: slop === null ? null : slopOf(slop.text), boost };
  }

  private parseRange(field: string | null, opening: QueryToken): SyntaxNode {
    const from = this.expect([TokenKind.RangeQuoted, TokenKind.RangeWord]);
    this.accept([TokenKind.RangeTo]);
    const to = this.expect([TokenKind.RangeQuoted, TokenKind.RangeWord]);
    const closing = this.expect([TokenKind.RangeInEnd, TokenKind.RangeExEnd]);
    return {
      kind: 'range',
      field,
      from: boundOf(from),
      to: boundOf(to),
      includeFrom: opening.kind === TokenKind.RangeInStart,
      includeTo: closing.kind === TokenKind.RangeInEnd,
      boost: this.parseBoost(),
    };
  }

  private unexpected(expected: readonly TokenKind[]): QuerySyntaxError {
    const { kind, text, start } = this.peek();
    const met = kind === TokenKind.EOF ? kind : ` ${kind} "${escaped(text)} "`;
    const one = expected.length === 1 ? 'Was expecting:' : 'Was expecting one of:';
    const names = expected.map((name) => `    ${name}${name === TokenKind.EOF ? '' : ' ...'}\n`);
    return new QuerySyntaxError(
      `Encountered "${met}" at line 1, column ${start}.\n${one}\n${names.join('')}    `,
    );
  }
}

/** `~2.7` allows a slop of 2; anything that is no number keeps the default. */
function slopOf(text: string): number | null {
  const slop = /^~[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text.slice(1)) : NaN;
  return Number.isNaN(slop) ? null : Math.trunc(slop);
}

/** A bound; the lone star, escaped or quoted even, is open. */
function boundOf(token: QueryToken): string | null {
  const quoted = token.kind === TokenKind.RangeQuoted;
  const text = unescaped(quoted ? token.text.slice(1, -1) : token.text);
  return text === '*' ? null : text;
}

/**
 * Removes escapes: `\x` is x, `\u0041` the character of that number.
 *
 * @throws QuerySyntaxError for an escape that is cut short
 */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  let result = '';
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char !== '\\') {
      result += char;
      continue;
    }
    at++;
    if (at >= text.length) throw new QuerySyntaxError('Term can not end with escape character.');
    if (text.charAt(at) !== 'u') {
      result += text.charAt(at);
      continue;
    }
    result += String.fromCharCode(codeOf(text, at + 1));
    at += 4;
  }
  return result;
}

function codeOf(text: string, start: number): number {
  let code = 0;
  for (let at = start; at < start + 4; at++) {
    if (at >= text.length) throw new QuerySyntaxError('Truncated unicode escape sequence.');
    const digit = '0123456789abcdef'.indexOf(text.charAt(at).toLowerCase());
    if (digit < 0) {
      throw new QuerySyntaxError(
        `Non-hex character in Unicode escape sequence: ${text.charAt(at)}`,
      );
    }
    code = code * 16 + digit;
  }
  return code;
}
