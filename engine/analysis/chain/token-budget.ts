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
  /** Counts threads of a regular expression that are followed by one character. @throws likewise */
  spendSteps(count: number): void;
}

/** A step takes up to a hundred nanoseconds. */
const MOST_STEPS = 4_000_000;

/** Limits for the tokens that each component of a chain makes, where they are shown (`_analyze`). */
export class ShownBudget implements TokenBudget {
  private tokens = 0;
  private characters = 0;
  private steps = 0;

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

  /** Those of all components together. @throws EngineError ElasticsearchIllegalArgumentException */
  spendSteps(count: number): void {
    this.steps += count;
    if (this.steps > MOST_STEPS) throw exceeded('number of steps of patterns', MOST_STEPS);
  }
}

/** What a token takes besides its text, in bytes. */
export const TOKEN_BYTES = 64;

/**
 * What each unit takes by which a text becomes longer: it is put together from small pieces, and its place
 * in the original is remembered.
 */
export const ADDED_BYTES = 32;

/** What counts for each step of a regular expression, which takes time instead of memory. */
export const STEP_BYTES = 8;

/** Counts about how many bytes all components take together. */
export class SizeBudget implements TokenBudget {
  /**
   * @param take counts so many bytes more, and throws when they are too many
   * @param stepBytes what a step counts; 0 where nobody waits for it
   */
  constructor(
    private readonly take: (bytes: number) => void,
    private readonly stepBytes = STEP_BYTES,
  ) {}

  begin(): void {
    // Components count together.
  }

  spend(length: number): void {
    this.take(TOKEN_BYTES + length);
  }

  spendText(length: number): void {
    this.take(length * ADDED_BYTES);
  }

  spendSteps(count: number): void {
    if (this.stepBytes > 0) this.take(count * this.stepBytes);
  }
}

function exceeded(what: string, limit: number): Error {
  return illegalArgument(
    `The ${what} produced by calling _analyze has exceeded the allowed maximum of [${limit}].`,
  );
}
