// The syntax of regular expressions over terms (reference server). An expression
// matches whole terms; characters are code points.
//
// union   := inter { '|' inter }            repeat  := compl { '?' | '*' | '+' | '{n}' | '{n,}' | '{n,m}' }
// inter   := concat { '&' concat }          compl   := '~' compl | class
// concat  := repeat { repeat }              class   := '[' ['^'] ranges ']' | simple
// simple  := '.' | '#' | '@' | '"text"' | '()' | '(' union ')' | '<n-m>' | ['\'] character

import { numberFormat } from '../../common/index';
import { EngineError } from '../../errors';

/** Optional operators, combined by or. */
export const REGEXP_FLAG = {
  INTERSECTION: 0x01,
  COMPLEMENT: 0x02,
  EMPTY: 0x04,
  ANYSTRING: 0x08,
  AUTOMATON: 0x10,
  INTERVAL: 0x20,
  NONE: 0,
  ALL: 0xffff,
} as const;

/** Longest pattern accepted, in UTF-16 units. */
const MAX_PATTERN_LENGTH = 1000;

/** A parsed expression. */
export type RegexpNode =
  | { readonly kind: 'union'; readonly parts: readonly RegexpNode[] }
  | { readonly kind: 'intersection'; readonly parts: readonly RegexpNode[] }
  | { readonly kind: 'concat'; readonly parts: readonly RegexpNode[] }
  /** `max` null: unbounded. */
  | {
      readonly kind: 'repeat';
      readonly part: RegexpNode;
      readonly min: number;
      readonly max: number | null;
    }
  | { readonly kind: 'complement'; readonly part: RegexpNode }
  /** One character of any of the ranges (inclusive code points). */
  | { readonly kind: 'characters'; readonly ranges: readonly (readonly [number, number])[] }
  /** The empty language. */
  | { readonly kind: 'nothing' }
  /** Decimal numbers from min to max; with `digits` > 0 padded to that width, else with any leading zeros. */
  | {
      readonly kind: 'interval';
      readonly min: number;
      readonly max: number;
      readonly digits: number;
    };

export const MAX_CODE_POINT = 0x10ffff;
const INT_MAX = 0x7fffffff;

const ANY_CHARACTER: RegexpNode = { kind: 'characters', ranges: [[0, MAX_CODE_POINT]] };
const EMPTY_STRING: RegexpNode = { kind: 'concat', parts: [] };

function fail(message: string): EngineError {
  return new EngineError('IllegalArgumentException', message);
}

/**
 * Parses a pattern.
 *
 * @throws EngineError IllegalArgumentException with the reference's texts; patterns over
 *         {@link MAX_PATTERN_LENGTH} are refused as well.
 */
export function parseRegexp(pattern: string, flags: number): RegexpNode {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw fail(
      `The length of regex [${pattern.length}] used in the Regexp Query request has exceeded the allowed maximum of [${MAX_PATTERN_LENGTH}].`,
    );
  }
  if (pattern === '') return EMPTY_STRING;
  const parser = new RegexpParser(pattern, flags);
  const node = parser.parseUnion();
  parser.expectEnd();
  return node;
}

class RegexpParser {
  private pos = 0;

  constructor(
    private readonly pattern: string,
    private readonly flags: number,
  ) {}

  expectEnd(): void {
    if (this.more()) throw fail(`end-of-string expected at position ${this.pos}`);
  }

  parseUnion(): RegexpNode {
    const parts = [this.parseIntersection()];
    while (this.match('|')) parts.push(this.parseIntersection());
    return parts.length === 1 ? parts[0]! : { kind: 'union', parts };
  }

  private parseIntersection(): RegexpNode {
    const parts = [this.parseConcat()];
    while (this.allows(REGEXP_FLAG.INTERSECTION) && this.match('&')) parts.push(this.parseConcat());
    return parts.length === 1 ? parts[0]! : { kind: 'intersection', parts };
  }

  private parseConcat(): RegexpNode {
    const parts = [this.parseRepeat()];
    while (
      this.more() &&
      !this.peek(')|') &&
      !(this.allows(REGEXP_FLAG.INTERSECTION) && this.peek('&'))
    ) {
      parts.push(this.parseRepeat());
    }
    return parts.length === 1 ? parts[0]! : { kind: 'concat', parts };
  }

  private parseRepeat(): RegexpNode {
    let node = this.parseComplement();
    for (;;) {
      if (this.match('?')) node = { kind: 'repeat', part: node, min: 0, max: 1 };
      else if (this.match('*')) node = { kind: 'repeat', part: node, min: 0, max: null };
      else if (this.match('+')) node = { kind: 'repeat', part: node, min: 1, max: null };
      else if (this.match('{')) node = this.parseCounts(node);
      else return node;
    }
  }

  private parseCounts(part: RegexpNode): RegexpNode {
    const min = this.parseInteger();
    if (min === null) throw fail(`integer expected at position ${this.pos}`);
    let max: number | null = min;
    if (this.match(',')) max = this.parseInteger();
    if (!this.match('}')) throw fail(`expected '}' at position ${this.pos}`);
    return { kind: 'repeat', part, min, max };
  }

  private parseInteger(): number | null {
    const start = this.pos;
    while (this.peek('0123456789')) this.pos++;
    if (start === this.pos) return null;
    const text = this.pattern.slice(start, this.pos);
    const value = Number(text);
    if (value > INT_MAX) {
      throw numberFormat(text);
    }
    return value;
  }

  private parseComplement(): RegexpNode {
    let complements = 0;
    while (this.allows(REGEXP_FLAG.COMPLEMENT) && this.match('~')) complements++;
    const part = this.parseCharacterClass();
    return complements % 2 === 0 ? part : { kind: 'complement', part };
  }

  private parseCharacterClass(): RegexpNode {
    if (!this.match('[')) return this.parseSimple();
    const negated = this.match('^');
    const ranges = [this.parseCharacterRange()];
    while (this.more() && !this.peek(']')) ranges.push(this.parseCharacterRange());
    if (!this.match(']')) throw fail(`expected ']' at position ${this.pos}`);
    return { kind: 'characters', ranges: negated ? complementRanges(ranges) : ranges };
  }

  private parseCharacterRange(): readonly [number, number] {
    const from = this.parseCharacter();
    if (!this.match('-')) return [from, from];
    const to = this.parseCharacter();
    if (from > to) throw fail(`invalid range: from (${from}) cannot be > to (${to})`);
    return [from, to];
  }

  private parseSimple(): RegexpNode {
    if (this.match('.')) return ANY_CHARACTER;
    if (this.allows(REGEXP_FLAG.EMPTY) && this.match('#')) return { kind: 'nothing' };
    if (this.allows(REGEXP_FLAG.ANYSTRING) && this.match('@')) {
      return { kind: 'repeat', part: ANY_CHARACTER, min: 0, max: null };
    }
    if (this.match('"')) return literal(this.parseUntil('"'));
    if (this.match('(')) {
      if (this.match(')')) return EMPTY_STRING;
      const node = this.parseUnion();
      if (!this.match(')')) throw fail(`expected ')' at position ${this.pos}`);
      return node;
    }
    if (this.allows(REGEXP_FLAG.AUTOMATON | REGEXP_FLAG.INTERVAL) && this.match('<')) {
      return this.parseInterval();
    }
    const point = this.parseCharacter();
    return { kind: 'characters', ranges: [[point, point]] };
  }

  /** The text up to a closing character, which is consumed. */
  private parseUntil(close: string): string {
    const end = this.pattern.indexOf(close, this.pos);
    if (end < 0) {
      throw fail(`expected '${close}' at position ${this.pattern.length}`);
    }
    const text = this.pattern.slice(this.pos, end);
    this.pos = end + 1;
    return text;
  }

  private parseInterval(): RegexpNode {
    const text = this.parseUntil('>');
    const at = this.pos - 1;
    if (!text.includes('-')) {
      if (!this.allows(REGEXP_FLAG.AUTOMATON))
        throw fail(`interval syntax error at position ${at}`);
      throw fail(`'${text}' not found`);
    }
    if (!this.allows(REGEXP_FLAG.INTERVAL)) throw fail(`illegal identifier at position ${at}`);
    const bounds = /^(\d+)-(\d+)$/.exec(text);
    if (bounds === null) throw fail(`interval syntax error at position ${at}`);
    const [, low, high] = bounds as unknown as [string, string, string];
    const a = Number(low);
    const b = Number(high);
    if (a > INT_MAX || b > INT_MAX) throw fail(`interval syntax error at position ${at}`);
    const digits = low.length === high.length ? low.length : 0;
    return { kind: 'interval', min: Math.min(a, b), max: Math.max(a, b), digits };
  }

  private parseCharacter(): number {
    this.match('\\');
    const point = this.pattern.codePointAt(this.pos);
    if (point === undefined) throw fail('unexpected end-of-string');
    this.pos += point > 0xffff ? 2 : 1;
    return point;
  }

  private allows(flag: number): boolean {
    return (this.flags & flag) !== 0;
  }

  private more(): boolean {
    return this.pos < this.pattern.length;
  }

  /** Whether the next character is one of `characters`. */
  private peek(characters: string): boolean {
    return this.more() && characters.includes(this.pattern[this.pos]!);
  }

  private match(character: string): boolean {
    if (this.pattern[this.pos] !== character) return false;
    this.pos++;
    return true;
  }
}

function literal(text: string): RegexpNode {
  const parts: RegexpNode[] = [];
  for (const character of text) {
    const point = character.codePointAt(0)!;
    parts.push({ kind: 'characters', ranges: [[point, point]] });
  }
  return parts.length === 1 ? parts[0]! : { kind: 'concat', parts };
}

function complementRanges(
  ranges: readonly (readonly [number, number])[],
): readonly (readonly [number, number])[] {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const result: [number, number][] = [];
  let next = 0;
  for (const [from, to] of sorted) {
    if (from > next) result.push([next, from - 1]);
    if (to + 1 > next) next = to + 1;
  }
  if (next <= MAX_CODE_POINT) result.push([next, MAX_CODE_POINT]);
  return result;
}
