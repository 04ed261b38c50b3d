// An analyzer made of character filters, a tokenizer and token filters, in this order.

import type { Analyzer, OffsetVisitor, Shingles, Token } from './analyzer';
import type { AsciiWords } from './ascii-words';
import { fault, type Fault } from './fault';
import type { Volume } from './volume';
import type {
  CharFilter,
  FilteredText,
  TokenFilter,
  Tokenizer,
  TokenStream,
  TokenVisitor,
} from './components';
import { ADDED_BYTES, SizeBudget, TOKEN_BYTES, type TokenBudget } from './token-budget';

/** The parts of a {@link ChainAnalyzer}. */
interface AnalysisChain {
  readonly tokenizer: Tokenizer;
  readonly tokenFilters?: readonly TokenFilter[];
  readonly charFilters?: readonly CharFilter[];
  readonly positionGap?: number;
}

/** An analyzer made of character filters, a tokenizer and token filters. */
export class ChainAnalyzer implements Analyzer {
  readonly positionGap: number;
  readonly asciiWords: AsciiWords | null;
  readonly shingles: Shingles | null;
  readonly fault: Fault | null;
  readonly #tokenizer: Tokenizer;
  readonly #tokenFilters: readonly TokenFilter[];
  readonly #charFilters: readonly CharFilter[];
  /** One function for all token filters, or null when one of them needs the whole stream. */
  readonly #mapTerm: ((term: string) => string | null) | null;
  /** Whether tokens are objects, or more than the text has words. */
  readonly #countsTokens: boolean;
  /** Whether it can make much of a text. */
  readonly #grows: boolean;
  /** Whether there is a component that asks a budget. */
  readonly #asks: boolean;

  constructor(
    readonly name: string,
    chain: AnalysisChain,
  ) {
    this.positionGap = chain.positionGap ?? 0;
    this.#tokenizer = chain.tokenizer;
    this.#tokenFilters = chain.tokenFilters ?? [];
    this.#charFilters = chain.charFilters ?? [];
    this.shingles = this.#tokenFilters.find(({ shingles }) => shingles)?.shingles ?? null;
    this.#mapTerm = composeTermMaps(this.#tokenFilters);
    this.#countsTokens = this.#mapTerm === null || chain.tokenizer.expand !== undefined;
    this.#grows =
      this.#countsTokens ||
      [...this.#charFilters, ...this.#tokenFilters].some(({ expand }) => expand !== undefined);
    this.#asks = this.#grows || this.#tokenFilters.some(({ mapWithin }) => mapWithin !== undefined);
    this.fault =
      worstFault([chain.tokenizer, ...this.#tokenFilters, ...this.#charFilters]) ??
      lengthFault('filter', this.#tokenFilters) ??
      lengthFault('char_filter', this.#charFilters);
    this.asciiWords = this.#isUsable() ? composeAscii(chain) : null;
  }

  #isUsable(): boolean {
    return this.fault === null || this.fault.isHarmless === true;
  }

  #assertUsable(): void {
    if (!this.#isUsable()) throw this.fault!.error;
  }

  sizeOf(text: string, enough: number): number {
    if (!this.#grows) return 0;
    const most = this.largestSize(text.length);
    if (most <= enough) return most;
    try {
      return this.#measured(text, enough);
    } catch (error) {
      // A text that is too long even for the engine, or a component that was stopped.
      if (error instanceof RangeError) return Infinity;
      throw error;
    }
  }

  largestSize(length: number): number {
    if (!this.#grows) return 0;
    let volume: Volume = { tokens: 1, units: length, longest: length };
    let added = 0;
    for (const { expand } of this.#charFilters) {
      const { units } = volume;
      volume = expand?.(volume) ?? volume;
      added += volume.units - units;
    }
    const { units } = volume;
    volume = this.#tokenizer.expand?.(volume) ?? { tokens: units, units, longest: units };
    return added * ADDED_BYTES + this.#filtered(volume);
  }

  /** The same from what the character filters make, and the tokens that the tokenizer finds. */
  #measured(text: string, enough: number): number {
    const original = text;
    const growth = new CountedSize(enough);
    for (const charFilter of this.#charFilters) text = charFilter.applyTo(text, growth.budget).text;
    if (!this.#countsTokens) {
      this.#tokenizer.scan(text, (term) => {
        this.#mapWithin(term, growth.budget);
      });
      return growth.bytes;
    }
    let tokens = 0;
    let units = 0;
    let longest = 0;
    this.#tokenizer.scan(text, ({ length }) => {
      tokens++;
      units += length;
      longest = Math.max(longest, length);
      if (units > enough || tokens * TOKEN_BYTES > enough) throw new RangeError('enough');
    });
    const size = growth.bytes + this.#filtered({ tokens, units, longest });
    if (size <= enough) return size;
    // Filters may make less of these tokens than of the worst; what is not much is soon known.
    const exact = new CountedSize(Math.min(enough, MOST_EXACT_BYTES));
    this.#stream(original, exact.budget);
    return exact.bytes;
  }

  /** The largest size on the way through the token filters. */
  #filtered(volume: Volume): number {
    let largest = this.#sizeOf(volume);
    let added = 0;
    for (const { expand } of this.#tokenFilters) {
      const { units } = volume;
      volume = expand?.(volume) ?? volume;
      added += volume.units - units;
      largest = Math.max(largest, this.#sizeOf(volume));
    }
    return this.#countsTokens ? largest : added * ADDED_BYTES;
  }

  /** Words of the text that are made one after the other take nothing. */
  #sizeOf({ tokens, units }: Volume): number {
    return this.#countsTokens ? tokens * TOKEN_BYTES + units : 0;
  }

  #mapWithin(term: string, budget: TokenBudget): void {
    let mapped: string | null = term;
    for (const { mapTerm, mapWithin } of this.#tokenFilters) {
      if (mapped === null) return;
      mapped = mapWithin === undefined ? mapTerm!(mapped) : mapWithin(mapped, budget);
    }
  }

  analyze(text: string, budget?: TokenBudget): Token[] {
    return this.#stream(text, budget).tokens;
  }

  #stream(text: string, budget?: TokenBudget): TokenStream {
    this.#assertUsable();
    const filtered: FilteredText[] = [];
    for (const charFilter of this.#charFilters) {
      budget?.begin();
      const result = charFilter.applyTo(text, budget);
      filtered.push(result);
      text = result.text;
    }
    const tokens: Token[] = [];
    budget?.begin();
    const add: TokenVisitor = (term, startOffset, endOffset, positionIncrement, type) => {
      budget?.spend(term.length);
      tokens.push({ term, positionIncrement, startOffset, endOffset, type });
    };
    this.#tokenizer.scan(text, add, budget);
    let endOffset = text.length;
    for (let i = filtered.length - 1; i >= 0; i--) {
      const origin = filtered[i]!;
      endOffset = origin.originalOffset(endOffset);
      for (const token of tokens) {
        token.startOffset = origin.originalOffset(token.startOffset);
        token.endOffset = origin.originalOffset(token.endOffset);
      }
    }
    const stream: TokenStream = { tokens, skippedAtEnd: 0, endOffset, budget };
    for (const tokenFilter of this.#tokenFilters) {
      budget?.begin();
      tokenFilter.apply(stream);
    }
    return stream;
  }

  forEachToken(text: string, visit: OffsetVisitor, budget?: TokenBudget): number {
    const mapTerm = this.#mapTerm;
    if (mapTerm === null) {
      const { tokens, skippedAtEnd } = this.#stream(text, budget);
      for (const token of tokens) {
        visit(token.term, token.startOffset, token.endOffset, token.positionIncrement);
      }
      return skippedAtEnd;
    }
    this.#assertUsable();
    const filtered: FilteredText[] = [];
    for (const charFilter of this.#charFilters) {
      const result = charFilter.applyTo(text, budget);
      filtered.unshift(result);
      text = result.text;
    }
    const original = (offset: number): number =>
      filtered.reduce((at, origin) => origin.originalOffset(at), offset);
    let skipped = 0;
    const add: TokenVisitor = (rawTerm, startOffset, endOffset, positionIncrement) => {
      const term = mapTerm(rawTerm);
      if (term === null) {
        skipped += positionIncrement;
        return;
      }
      visit(term, original(startOffset), original(endOffset), positionIncrement + skipped);
      skipped = 0;
    };
    this.#tokenizer.scan(text, add, budget);
    return skipped;
  }

  forEachTerm(
    text: string,
    emit: (term: string, positionIncrement: number) => void,
    budget?: TokenBudget,
  ): number {
    const mapTerm = this.#mapTerm;
    if (mapTerm === null || (budget !== undefined && this.#asks)) {
      const { tokens, skippedAtEnd } = this.#stream(text, budget);
      for (const token of tokens) emit(token.term, token.positionIncrement);
      return skippedAtEnd;
    }
    this.#assertUsable();
    for (const charFilter of this.#charFilters) text = charFilter.applyTo(text, budget).text;
    let skipped = 0;
    const visit: TokenVisitor = (rawTerm, _startOffset, _endOffset, positionIncrement) => {
      const term = mapTerm(rawTerm);
      if (term === null) {
        skipped += positionIncrement;
      } else if (skipped === 0) {
        emit(term, positionIncrement);
      } else {
        emit(term, positionIncrement + skipped);
        skipped = 0;
      }
    };
    this.#tokenizer.scan(text, visit, budget);
    return skipped;
  }
}

/** How much is made to see what filters make of a text of which they could make too much. */
const MOST_EXACT_BYTES = 16 * 1024 * 1024;

/** Counts up to a limit. */
class CountedSize {
  bytes = 0;
  /** Throws a RangeError beyond the limit. */
  readonly budget = new SizeBudget((bytes) => {
    this.bytes += bytes;
    if (this.bytes > this.most) throw new RangeError('enough');
  }, 0);

  constructor(private readonly most: number) {}
}

/** Of the faults of parts one that is not harmless, if there is any. */
function worstFault(parts: readonly { readonly fault?: Fault | undefined }[]): Fault | null {
  const faults = parts.flatMap(({ fault }) => (fault === undefined ? [] : [fault]));
  return faults.find(({ isHarmless }) => isHarmless !== true) ?? faults[0] ?? null;
}

/** A text takes as many times as long as there are filters, however little each of them does. */
const MOST_FILTERS = 256;

/** Older indices may have longer chains. */
function lengthFault(setting: string, { length }: readonly unknown[]): Fault | null {
  if (length <= MOST_FILTERS) return null;
  const reason = `an analyzer can have [${MOST_FILTERS}] of them, not [${length}]`;
  return { ...fault(setting, reason), isHarmless: true };
}

/** The chain as tables, if all of its parts are. */
function composeAscii({ tokenizer, tokenFilters, charFilters }: AnalysisChain): AsciiWords | null {
  const words = tokenizer.asciiWords;
  if (words === undefined || (charFilters ?? []).length > 0) return null;
  let { fold } = words;
  for (const { asciiFold } of tokenFilters ?? []) {
    if (asciiFold === undefined) return null;
    fold = fold.map((code) => asciiFold[code]!);
  }
  return { ...words, fold };
}

function composeTermMaps(
  filters: readonly TokenFilter[],
): ((term: string) => string | null) | null {
  const maps: ((term: string) => string | null)[] = [];
  for (const filter of filters) {
    if (filter.mapTerm === null) return null;
    maps.push(filter.mapTerm);
  }
  const [first, second] = maps;
  if (first === undefined) return (term) => term;
  if (second === undefined) return first;
  return (term) => {
    let mapped: string | null = term;
    for (let i = 0; i < maps.length && mapped !== null; i++) mapped = maps[i]!(mapped);
    return mapped;
  };
}
