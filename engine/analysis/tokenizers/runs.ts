// Tokenizers that keep runs of accepted characters: whitespace, letter, lowercase.

import type { Tokenizer, TokenVisitor } from '../chain/components';
import { isLetter, isWhitespace } from '../chain/character-classes';
import { lowerCase } from '../chain/lower-case';

/** A run is cut when it has reached this many UTF-16 units; not configurable, as in the reference. */
const MAX_RUN_LENGTH = 255;

class RunTokenizer implements Tokenizer {
  constructor(
    readonly name: string,
    private readonly accepts: (codePoint: number) => boolean,
    private readonly normalize: (term: string) => string,
    private readonly maxLength = MAX_RUN_LENGTH,
  ) {}

  scan(text: string, visit: TokenVisitor): void {
    const length = text.length;
    let start = -1;
    for (let position = 0; position < length;) {
      const codePoint = text.codePointAt(position)!;
      const accepted = this.accepts(codePoint);
      const next = codePoint > 0xffff ? position + 2 : position + 1;
      if (accepted && start < 0) start = position;
      if (start >= 0) {
        const end = accepted ? next : position;
        if (!accepted || next === length || end - start >= this.maxLength) {
          visit(this.normalize(text.slice(start, end)), start, end, 1, 'word');
          start = -1;
        }
      }
      position = next;
    }
  }
}

const keep = (term: string): string => term;

/** Everything between white space. */
export const WHITESPACE_TOKENIZER: Tokenizer = new RunTokenizer(
  'whitespace',
  (codePoint) => !isWhitespace(codePoint),
  keep,
);

/** Runs of letters. */
export const LETTER_TOKENIZER: Tokenizer = new RunTokenizer('letter', isLetter, keep);

/** Runs of letters in lower case. */
export const LOWERCASE_TOKENIZER: Tokenizer = new RunTokenizer('lowercase', isLetter, lowerCase);

/**
 * Runs of letters of any length in lower case: what the `pattern` analyzer does by its bare name. It lowers
 * whole words, with a final sigma and an `İ` of two characters.
 */
export const WORD_PATTERN_TOKENIZER: Tokenizer = new RunTokenizer(
  'pattern',
  isLetter,
  (word) => word.toLowerCase(),
  Infinity,
);
