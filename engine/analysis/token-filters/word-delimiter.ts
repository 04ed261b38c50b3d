// word_delimiter: splits terms at delimiters and changes of case or kind, and puts parts together again.
// The order of what stands at one place, and positions, are those of the reference server.

import { illegalArgument } from '../../errors';
import type { Token } from '../chain/analyzer';
import type { ComponentSettings } from '../chain/component-settings';
import { streamFilter, type TokenFilter } from '../chain/components';
import type { TokenBudget } from '../chain/token-budget';
import { cut } from '../chain/volume';
import { ALPHA, charTypes, DIGIT, WordParts, type CharTypes } from './word-parts';

interface WordDelimiterOptions {
  readonly wordParts: boolean;
  readonly numberParts: boolean;
  readonly catenateWords: boolean;
  readonly catenateNumbers: boolean;
  readonly catenateAll: boolean;
  readonly preserveOriginal: boolean;
  readonly splitOnCaseChange: boolean;
  readonly splitOnNumerics: boolean;
  readonly stemPossessive: boolean;
  readonly protectedWords: ReadonlySet<string>;
  readonly charTypes: CharTypes;
}

/**
 * From settings: what is split (`split_on_case_change`, `split_on_numerics`, `stem_english_possessive`,
 * `type_table`, `protected_words`), which parts are kept (`generate_word_parts`,
 * `generate_number_parts`, `preserve_original`) and which are joined (`catenate_words`,
 * `catenate_numbers`, `catenate_all`).
 * @throws EngineError for a rule of `type_table` that cannot be read
 */
export function createWordDelimiterFilter(name: string, settings: ComponentSettings): TokenFilter {
  settings.refusePath('protected_words_path');
  settings.refusePath('type_table_path');
  const options: WordDelimiterOptions = {
    wordParts: settings.boolean('generate_word_parts', true),
    numberParts: settings.boolean('generate_number_parts', true),
    catenateWords: settings.boolean('catenate_words', false),
    catenateNumbers: settings.boolean('catenate_numbers', false),
    catenateAll: settings.boolean('catenate_all', false),
    preserveOriginal: settings.boolean('preserve_original', false),
    splitOnCaseChange: settings.boolean('split_on_case_change', true),
    splitOnNumerics: settings.boolean('split_on_numerics', true),
    stemPossessive: settings.boolean('stem_english_possessive', true),
    protectedWords: new Set(settings.list('protected_words')),
    charTypes: readTypeTable(settings.list('type_table')),
  };
  const filter = streamFilter(name, (tokens, budget) =>
    new WordDelimiter(options, budget).run(tokens),
  );
  return { ...filter, expand: cut };
}

/** Rules such as `$ => DIGIT`, `\u002C => ALPHA`. */
function readTypeTable(rules: readonly string[] | undefined): CharTypes {
  if (rules === undefined) return charTypes(new Map());
  const types = new Map<number, string>();
  for (const rule of rules) {
    const match = /^(.*)\s*=>\s*(.*)\s*$/.exec(rule);
    const from = unescape(match?.[1]?.trim() ?? '');
    if (match === null) throw illegalArgument(`Invalid Mapping Rule : [${rule}]`);
    if (from.length !== 1) {
      throw illegalArgument(
        `Invalid Mapping Rule : [${rule}]. Only a single character is allowed.`,
      );
    }
    types.set(from.charCodeAt(0), match[2]!.trim());
  }
  return charTypes(types);
}

function unescape(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|[^])/g, (_match, escape: string) => {
    if (escape.length > 1) return String.fromCharCode(parseInt(escape.slice(1), 16));
    return CONTROLS.get(escape) ?? escape;
  });
}

const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
]);

/** Parts on their way to a joined token. */
interface Joined {
  term: string;
  parts: number;
  start: number;
  end: number;
  kind: number;
}

const nothing = (): Joined => ({ term: '', parts: 0, start: 0, end: 0, kind: 0 });

/** One run of the filter over the tokens of a text. */
class WordDelimiter {
  readonly #result: Token[] = [];
  /** Position increments not yet given to a token. */
  #increment = 0;
  #isFirst = true;
  /** Whether the current token has given a part, and whether its original still claims the position. */
  #hasPart = false;
  #behindOriginal = false;
  #lastJoined = 0;
  #joined = nothing();
  #joinedAll = nothing();
  #buffer: Token[] = [];

  constructor(
    private readonly options: WordDelimiterOptions,
    private readonly budget: TokenBudget | undefined,
  ) {}

  run(tokens: readonly Token[]): Token[] {
    for (const token of tokens) this.#split(token);
    return this.#result;
  }

  #emit(token: Token): void {
    this.#isFirst = false;
    this.budget?.spend(token.term.length);
    this.#result.push(token);
  }

  #split(token: Token): void {
    const { options } = this;
    const { term } = token;
    this.#increment += token.positionIncrement;
    const parts = new WordParts(term, options);
    parts.next();
    if (
      (parts.start === 0 && parts.end === term.length) ||
      (options.protectedWords.size > 0 && options.protectedWords.has(term))
    ) {
      this.#emit({ ...token, positionIncrement: this.#takeIncrement() });
      return;
    }
    if (parts.isDone && !options.preserveOriginal) {
      // compat: a term of nothing but delimiters leaves no hole, but for the first and for larger gaps.
      if (token.positionIncrement === 1 && !this.#isFirst) this.#increment--;
      return;
    }
    this.#hasPart = false;
    this.#behindOriginal = options.preserveOriginal;
    this.#lastJoined = 0;
    if (options.preserveOriginal) {
      this.#emit({ ...token, positionIncrement: this.#takeIncrement() });
    }
    for (; !parts.isDone; parts.next()) {
      if (parts.isSingleWord) {
        this.#emit(this.#part(token, parts, true));
        continue;
      }
      const kind = parts.kind;
      if (this.#joined.parts > 0 && (this.#joined.kind & kind) === 0) {
        this.#flushJoined(token);
        this.#hasPart = false;
      }
      if (
        (options.catenateWords && (kind & ALPHA) !== 0) ||
        (options.catenateNumbers && (kind & DIGIT) !== 0)
      ) {
        if (this.#joined.parts === 0) this.#joined.kind = kind;
        append(this.#joined, term, parts, token.startOffset);
      }
      if (options.catenateAll) append(this.#joinedAll, term, parts, token.startOffset);
      if (this.#keepsPart(kind)) this.#buffer.push(this.#part(token, parts, false));
    }
    this.#finish(token);
  }

  /** Joins what is left and gives out the parts in the order of the text. */
  #finish(token: Token): void {
    if (this.#joined.parts > 0) this.#flushJoined(token);
    if (this.#joinedAll.parts > this.#lastJoined) {
      this.#buffer.push(this.#joinedToken(token, this.#joinedAll));
    }
    this.#joinedAll = nothing();
    this.#buffer.sort(
      (a, b) => a.startOffset - b.startOffset || b.positionIncrement - a.positionIncrement,
    );
    for (const part of this.#buffer) {
      // Without word or number parts a joined token can be the very first.
      if (this.#isFirst && part.positionIncrement === 0) part.positionIncrement = 1;
      this.#emit(part);
    }
    this.#buffer = [];
  }

  #keepsPart(kind: number): boolean {
    const { wordParts, numberParts } = this.options;
    return (wordParts && (kind & ALPHA) !== 0) || (numberParts && (kind & DIGIT) !== 0);
  }

  #flushJoined(token: Token): void {
    const joined = this.#joined;
    this.#joined = nothing();
    this.#lastJoined = joined.parts;
    if (joined.parts === 1 && this.#keepsPart(joined.kind)) return;
    this.#buffer.push(this.#joinedToken(token, joined));
  }

  #joinedToken(token: Token, { term, start, end }: Joined): Token {
    const positionIncrement = this.#position(true);
    this.#increment = 0;
    const plain = isPlain(token);
    return {
      ...token,
      term,
      positionIncrement,
      startOffset: plain ? start : token.startOffset,
      endOffset: plain ? end : token.endOffset,
    };
  }

  #part(token: Token, parts: WordParts, isSingle: boolean): Token {
    let startOffset = token.startOffset + parts.start;
    let endOffset = token.startOffset + parts.end;
    if (!isPlain(token)) {
      // Earlier filters changed the length: places within the term say nothing about the text.
      if (!isSingle || startOffset > token.endOffset) startOffset = token.startOffset;
      endOffset = token.endOffset;
    }
    return {
      ...token,
      term: token.term.slice(parts.start, parts.end),
      positionIncrement: this.#position(false),
      startOffset,
      endOffset,
    };
  }

  #position(isJoined: boolean): number {
    const increment = this.#increment;
    if (this.#hasPart) {
      this.#increment = 0;
      return isJoined ? 0 : Math.max(1, increment);
    }
    this.#hasPart = true;
    if (this.#behindOriginal) {
      this.#behindOriginal = false;
      return 0;
    }
    this.#increment = 0;
    return Math.max(1, increment);
  }

  #takeIncrement(): number {
    const increment = this.#increment;
    this.#increment = 0;
    return increment;
  }
}

/** Whether a token's term is as long as the text it stands for. */
function isPlain(token: Token): boolean {
  return token.endOffset - token.startOffset === token.term.length;
}

function append(joined: Joined, term: string, parts: WordParts, offset: number): void {
  if (joined.parts === 0) joined.start = offset + parts.start;
  joined.term += term.slice(parts.start, parts.end);
  joined.end = offset + parts.end;
  joined.parts++;
}
