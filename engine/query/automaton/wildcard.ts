// Wildcard patterns: `*` any characters, `?` one character, `\` takes the next character literally.

import type { TermMatcher } from './term-matcher';

const ANY_STRING = -1;
const ANY_CHARACTER = -2;

/** A parsed pattern. */
interface WildcardPattern {
  /** Code points, or negative numbers for the two wildcards. Runs of `*` are one. */
  readonly tokens: readonly number[];
  /** What every match starts with. */
  readonly prefix: string;
  /** Whether the pattern is {@link prefix} and one `*`. */
  readonly isPrefix: boolean;
  /** Whether the pattern has no wildcard: only {@link prefix} matches. */
  readonly isLiteral: boolean;
}

/** Parses a pattern; every text is one. A trailing backslash stands for itself. */
export function parseWildcard(pattern: string): WildcardPattern {
  const tokens: number[] = [];
  let prefix = '';
  for (let i = 0; i < pattern.length;) {
    let point = pattern.codePointAt(i)!;
    i += point > 0xffff ? 2 : 1;
    let token = point;
    if (point === 0x2a) token = ANY_STRING;
    else if (point === 0x3f) token = ANY_CHARACTER;
    else if (point === 0x5c && i < pattern.length) {
      point = pattern.codePointAt(i)!;
      i += point > 0xffff ? 2 : 1;
      token = point;
    }
    if (token === ANY_STRING && tokens.at(-1) === ANY_STRING) continue;
    if (token >= 0 && tokens.every((each) => each >= 0)) prefix += String.fromCodePoint(token);
    tokens.push(token);
  }
  const wild = tokens.filter((token) => token < 0).length;
  return {
    tokens,
    prefix,
    isPrefix: wild === 1 && tokens.at(-1) === ANY_STRING,
    isLiteral: wild === 0,
  };
}

/**
 * Tests terms against a pattern. Needs no automaton, so no pattern is too complex: on a mismatch only the
 * last `*` is extended, which takes at most pattern length times term length steps.
 */
export class WildcardMatcher implements TermMatcher {
  readonly deadLength = 0;
  readonly boost = 1;

  constructor(private readonly pattern: WildcardPattern) {}

  accepts(term: string): boolean {
    const { tokens } = this.pattern;
    let token = 0;
    let at = 0;
    let star = -1;
    let mark = 0;
    while (at < term.length) {
      const expected = token < tokens.length ? tokens[token]! : undefined;
      if (expected === ANY_STRING) {
        star = token++;
        mark = at;
        continue;
      }
      const point = term.codePointAt(at)!;
      if (expected === ANY_CHARACTER || expected === point) {
        token++;
        at += point > 0xffff ? 2 : 1;
      } else if (star >= 0) {
        token = star + 1;
        mark += term.codePointAt(mark)! > 0xffff ? 2 : 1;
        at = mark;
      } else {
        return false;
      }
    }
    while (tokens[token] === ANY_STRING) token++;
    return token === tokens.length;
  }
}
