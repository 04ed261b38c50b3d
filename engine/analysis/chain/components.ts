// What analysis chains are made of: a character filter changes the text, a tokenizer cuts it, token
// filters change the tokens. Components hold no state between calls.

import type { Shingles, Token } from './analyzer';
import type { AsciiWords } from './ascii-words';
import type { TokenBudget } from './token-budget';
import type { Fault } from './fault';
import type { Expanding } from './volume';

/** Receives the tokens of a text in order. Offsets are UTF-16 units in the tokenizer's input. */
export type TokenVisitor = (
  term: string,
  startOffset: number,
  endOffset: number,
  positionIncrement: number,
  type: string,
) => void;

/** Cuts a text into tokens. */
export interface Tokenizer extends Expanding {
  readonly name: string;
  /**
   * Calls `visit` for each token. Visiting instead of returning spares indexing the token objects.
   * @param budget is asked by what takes long for some texts; `visit` counts the tokens
   */
  scan(text: string, visit: TokenVisitor, budget?: TokenBudget): void;
  /** Set when its settings do not work: every text fails. */
  readonly fault?: Fault | undefined;
  /** The words of ASCII text by table, unchanged; missing where there is no such table. */
  readonly asciiWords?: AsciiWords;
}

/** The tokens of a text on their way through the filters. */
export interface TokenStream {
  tokens: Token[];
  /** Positions skipped after the last token, where tokens at the end were removed. */
  skippedAtEnd: number;
  /** The offset in the original text at which it ends. */
  readonly endOffset: number;
  /** What filters that make many tokens of one have to ask. */
  readonly budget?: TokenBudget | undefined;
}

/** Changes, drops or adds tokens. */
export interface TokenFilter extends Expanding {
  readonly name: string;
  /** Changes the stream; its tokens and their array may be reused. */
  apply(stream: TokenStream): void;
  /**
   * Set when the filter looks at one term at a time and keeps everything else: the new term, or null when
   * the token is removed and leaves a hole. Chains of such filters run without token objects.
   */
  readonly mapTerm: ((term: string) => string | null) | null;
  /** The same as {@link mapTerm}, of filters that can take long or make a term longer: asks before. */
  readonly mapWithin?: (term: string, budget: TokenBudget) => string | null;
  /** Set for filters that join words. */
  readonly shingles?: Shingles;
  /** Set when its settings do not work: with `isHarmless` it lets terms pass, else every text fails. */
  readonly fault?: Fault | undefined;
  /** What each ASCII character becomes; set only when that is all the filter does to ASCII terms. */
  readonly asciiFold?: Uint8Array;
}

/** A text after a character filter, and the way back to offsets in the text before it. */
export interface FilteredText {
  readonly text: string;
  /** The offset in the original text that an offset in `text` stands for. */
  originalOffset(offset: number): number;
}

/** Changes a text before it is cut into tokens. */
export interface CharFilter extends Expanding {
  readonly name: string;
  /** @param budget is asked before a piece of the text is replaced by a longer one; missing: anything goes */
  applyTo(text: string, budget?: TokenBudget): FilteredText;
  /** Set when its settings do not work. */
  readonly fault?: Fault | undefined;
}

/** A token filter from a function of single terms; null removes the token and leaves a hole. */
export function termFilter(
  name: string,
  mapTerm: (term: string) => string | null,
  asciiFold?: Uint8Array,
): TokenFilter {
  const apply = (stream: TokenStream) => applyTermMap(stream, mapTerm);
  return { name, mapTerm, apply, ...(asciiFold === undefined ? {} : { asciiFold }) };
}

/**
 * A filter of single terms that can take long or make them longer.
 * @param map is given a budget to ask, if there is one
 */
export function growingFilter(
  name: string,
  map: (term: string, budget: TokenBudget | undefined) => string,
): TokenFilter {
  return {
    name,
    mapTerm: (term) => map(term, undefined),
    mapWithin: map,
    apply: (stream) => applyTermMap(stream, (term) => map(term, stream.budget)),
  };
}

/** A token filter whose settings do not work on any term. */
export function faultyFilter(name: string, fault: Fault): TokenFilter {
  const filter = termFilter(name, () => {
    throw fault.error;
  });
  return { ...filter, fault };
}

/** A token filter from a stemmer, which leaves alone the tokens that a keyword filter has marked. */
export function stemFilter(name: string, stem: (term: string) => string): TokenFilter {
  return {
    name,
    mapTerm: stem,
    apply: ({ tokens }) => {
      for (const token of tokens) if (token.keyword !== true) token.term = stem(token.term);
    },
  };
}

/** A token filter that works on all tokens at once and leaves no holes at the end. */
export function streamFilter(
  name: string,
  apply: (tokens: Token[], budget?: TokenBudget) => Token[],
): TokenFilter {
  return {
    name,
    mapTerm: null,
    apply: (stream) => {
      stream.tokens = apply(stream.tokens, stream.budget);
    },
  };
}

function applyTermMap(stream: TokenStream, mapTerm: (term: string) => string | null): void {
  const { tokens } = stream;
  let kept = 0;
  let skipped = 0;
  for (const token of tokens) {
    const term = mapTerm(token.term);
    if (term === null) {
      skipped += token.positionIncrement;
      continue;
    }
    token.term = term;
    token.positionIncrement += skipped;
    skipped = 0;
    tokens[kept++] = token;
  }
  tokens.length = kept;
  stream.skippedAtEnd += skipped;
}
