// How much an analysis may make where nobody waits for an index: grams and shingles of a long text are many
// times as long as the text, and would take the memory of the process.

import { illegalArgument } from '../../errors';

/** Limits for the tokens that each component of a chain makes. */
export class TokenBudget {
  private tokens = 0;
  private characters = 0;

  /**
   * @param maxTokens of one component
   * @param maxCharacters in all tokens of one component, and in a text that a character filter makes
   */
  constructor(
    private readonly maxTokens: number,
    private readonly maxCharacters: number,
  ) {}

  /** The next component begins. */
  begin(): void {
    this.tokens = 0;
    this.characters = 0;
  }

  /** Counts a token before it is made. @throws EngineError ElasticsearchIllegalArgumentException */
  spend(length: number): void {
    if (++this.tokens > this.maxTokens) throw exceeded('number of tokens', this.maxTokens);
    this.spendText(length);
  }

  /** Counts characters. @throws EngineError ElasticsearchIllegalArgumentException */
  spendText(length: number): void {
    this.characters += length;
    if (this.characters > this.maxCharacters)
      throw exceeded('number of characters', this.maxCharacters);
  }
}

function exceeded(what: string, limit: number): Error {
  return illegalArgument(
    `The ${what} produced by calling _analyze has exceeded the allowed maximum of [${limit}].`,
  );
}
