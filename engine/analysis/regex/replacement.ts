// The replacement text of pattern_replace: `$1`, `${name}` and `\` before a plain character.

import { EngineError } from '../../errors';
import type { PatternMatcher } from './pattern-matcher';

type Part = string | number;

/** A replacement that has been read; expands once per match. */
export class Replacement {
  readonly #parts: Part[] = [];

  /**
   * @param groupCount number of groups of the pattern: `$12` is group 1 and a 2 when there is no group 12
   * @throws EngineError IllegalArgumentException for a `$` or `\` without what must follow,
   *   IndexOutOfBoundsException for a group that the pattern does not have
   */
  constructor(text: string, groupCount: number) {
    let literal = '';
    for (let i = 0; i < text.length;) {
      const char = text[i++]!;
      if (char === '\\') {
        if (i === text.length) throw illegal('character to be escaped is missing');
        literal += text[i++]!;
        continue;
      }
      if (char !== '$') {
        literal += char;
        continue;
      }
      if (i === text.length) throw illegal('Illegal group reference: group index is missing');
      if (!isDigit(text[i])) throw illegal('Illegal group reference');
      let group = Number(text[i++]);
      if (group > groupCount) {
        throw new EngineError('IndexOutOfBoundsException', `No group ${group}`);
      }
      while (isDigit(text[i]) && group * 10 + Number(text[i]) <= groupCount) {
        group = group * 10 + Number(text[i++]);
      }
      if (literal !== '') this.#parts.push(literal);
      literal = '';
      this.#parts.push(group);
    }
    if (literal !== '') this.#parts.push(literal);
  }

  /** Whether a text can become longer: by literal text, or by a match that is put in twice. */
  get grows(): boolean {
    return this.#parts.length > 1 || typeof this.#parts[0] === 'string';
  }

  /** What tokens can become, were there a match before every character and at the end. */
  expandVolume<V extends { tokens: number; units: number; longest: number }>(volume: V): V {
    let literal = 0;
    let groups = 0;
    for (const part of this.#parts) {
      if (typeof part === 'string') literal += part.length;
      else groups++;
    }
    // What is not matched stays; groups are parts of matches, which do not overlap.
    const factor = Math.max(1, groups) + literal;
    const { tokens, units, longest } = volume;
    return {
      ...volume,
      units: units * factor + tokens * literal,
      longest: longest * factor + literal,
    };
  }

  /**
   * The replacement for the current match of `matcher` in `text`; groups without a match are empty.
   * @param budget is asked before a replacement is made that is longer than the match
   */
  expand(matcher: PatternMatcher, text: string, budget?: GrowthBudget): string {
    if (budget !== undefined) this.#spend(matcher, budget);
    // Joined: of a sum of many pieces each takes many times its length.
    const pieces: string[] = [];
    for (const part of this.#parts) {
      if (typeof part === 'string') {
        pieces.push(part);
      } else {
        const start = matcher.start(part);
        if (start >= 0) pieces.push(text.slice(start, matcher.end(part)));
      }
    }
    return pieces.length === 1 ? pieces[0]! : pieces.join('');
  }

  #spend(matcher: PatternMatcher, budget: GrowthBudget): void {
    let length = 0;
    for (const part of this.#parts) {
      if (typeof part === 'string') length += part.length;
      else if (matcher.start(part) >= 0) length += matcher.end(part) - matcher.start(part);
    }
    // Parts take time even where groups are empty.
    const added = Math.max(length, this.#parts.length) - (matcher.end(0) - matcher.start(0));
    if (added > 0) budget.spendText(added);
  }
}

/** What is asked before something becomes longer. */
interface GrowthBudget {
  /** Counts so many UTF-16 units more. @throws when they are too many */
  spendText(length: number): void;
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= '0' && char <= '9';
}

function illegal(reason: string): EngineError {
  return new EngineError('IllegalArgumentException', reason);
}

/** What is wrong with a replacement, if anything; such a one must not be expanded. */
export function replacementError(text: string, groupCount: number): EngineError | null {
  try {
    new Replacement(text, groupCount);
    return null;
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}
