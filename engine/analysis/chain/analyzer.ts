// The token stream contract that tokenizers, filters, the segment builder and query parsing share.

import type { AsciiWords } from './ascii-words';
import type { TokenBudget } from './token-budget';
import type { Fault } from './fault';

/**
 * One token. `position` increments count from the previous token (1 = next word, 0 = same place, more
 * where tokens were removed). Offsets are UTF-16 units in the original text.
 */
export interface Token {
  term: string;
  positionIncrement: number;
  startOffset: number;
  endOffset: number;
  /** `word`, `<ALPHANUM>`, `<NUM>`, `SYNONYM`, ... as the reference prints them. */
  type: string;
  /** Set by the keyword filters: stemmers leave the term alone. */
  keyword?: boolean;
}

/** Receives a token: its term, where it stands in the original text, and its position. */
export type OffsetVisitor = (
  term: string,
  startOffset: number,
  endOffset: number,
  positionIncrement: number,
) => void;

/** What a shingle filter makes of words. */
export interface Shingles {
  readonly min: number;
  readonly max: number;
  /** Whether it keeps the words themselves. */
  readonly unigrams: boolean;
}

/** An analysis chain with a name. Analyzers hold no state between calls and may be shared. */
export interface Analyzer {
  /** The name under which settings and mappings refer to it. */
  readonly name: string;
  /** Position gap between values of a multi-valued field, from the analyzer's own settings (default 0). */
  readonly positionGap: number;
  /** Set when settings of it do not work. Unless that is harmless, every text fails with its error. */
  readonly fault?: Fault | null;
  /** What its shingle filter makes; null or missing without one. */
  readonly shingles?: Shingles | null;
  /** The same analysis as tables, for ASCII text; null or missing where there is no such short cut. */
  readonly asciiWords?: AsciiWords | null;
  /**
   * About how many bytes the tokens of `text` take while it is indexed; missing when never more than a few
   * times as many as the text. More than `enough` need not be counted.
   */
  sizeOf?(text: string, enough: number): number;
  /** The most that {@link sizeOf} gives for texts of `length` UTF-16 units. */
  largestSize?(length: number): number;
  /** All tokens of `text`, in order. @param budget what may be made; missing: anything */
  analyze(text: string, budget?: TokenBudget): Token[];
  /**
   * The same tokens one by one, without holding all of them where the chain allows that. Missing: they are
   * made at once.
   *
   * @param budget what may be made; missing: anything
   * @returns how many positions were skipped after the last token
   */
  forEachToken?(text: string, visit: OffsetVisitor, budget?: TokenBudget): number;
  /**
   * The terms of `text` without offsets and types, as the segment builder needs them: calls `emit` for
   * every token. Must give the same terms and increments as {@link analyze}; may be much faster.
   *
   * @param budget what may be made; missing: anything
   * @returns how many positions were skipped after the last token (trailing stop words), if any: another
   *   value of the same field continues behind them, and `token_count` counts them
   */
  forEachTerm(
    text: string,
    emit: (term: string, positionIncrement: number) => void,
    budget?: TokenBudget,
  ): number | undefined;
}
