// How much an analysis may make: grams and shingles of a long text are many times as long as the text, and
// would take the memory of the process. Components ask before they make something.

import { illegalArgument } from '../../errors';

/** What a component asks before it makes more than it got. */
export interface TokenBudget {
  /** The next component begins. */
  begin(): void;
  /** Counts a token of so many UTF-16 units before it is made. @throws when it is too much */
  spend(length: number): void;
  /** Counts UTF-16 units by which a text or a term becomes longer, before it does. @throws likewise */
  spendText(length: number): void;
}

/** Limits for the tokens that each component of a chain makes, where they are shown (`_analyze`). */
export class ShownBudget implements TokenBudget {
  private tokens = 0;
  private characters = 0;

  /**
   * @param maxTokens of one component
   * @param maxCharacters in all tokens of one component, and by which a character filter makes a text longer
   */
  constructor(
    private readonly maxTokens: number,
    private readonly maxCharacters: number,
  ) {}

  begin(): void {
    this.tokens = 0;
    this.characters = 0;
  }

  /** @throws EngineError ElasticsearchIllegalArgumentException */
  spend(length: number): void {
    if (++this.tokens > this.maxTokens) throw exceeded('number of tokens', this.maxTokens);
    this.spendText(length);
  }

  /** @throws EngineError ElasticsearchIllegalArgumentException */
  spendText(length: number): void {
    this.characters += length;
    if (this.characters > this.maxCharacters)
      throw exceeded('number of characters', this.maxCharacters);
  }
}

/** What a token takes besides its text, in bytes. */
export const TOKEN_BYTES = 64;

/**
 * What each unit takes by which a text becomes longer: it is put together from small pieces, and its place
 * in the original is remembered.
 */
export const ADDED_BYTES = 16;

/** Counts about how many bytes all components take together. */
export class SizeBudget implements TokenBudget {
  /** @param take counts so many bytes more, and throws when they are too many */
  constructor(private readonly take: (bytes: number) => void) {}

  begin(): void {
    // Components count together.
  }

  spend(length: number): void {
    this.take(TOKEN_BYTES + length);
  }

  spendText(length: number): void {
    this.take(length * ADDED_BYTES);
  }
}

function exceeded(what: string, limit: number): Error {
  return illegalArgument(
    `The ${what} produced by calling _analyze has exceeded the allowed maximum of [${limit}].`,
  );
}
