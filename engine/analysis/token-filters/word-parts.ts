// The parts of a term for word_delimiter: runs of letters or digits between delimiters, changes of case
// and changes between letters and digits.

import { illegalArgument } from '../../errors';

const LOWER = 1;
const UPPER = 2;
/** Bit set of a letter of either case. */
export const ALPHA = LOWER | UPPER;
/** Bit of a digit. */
export const DIGIT = 4;
const DELIMITER = 8;

const TYPE_NAMES: ReadonlyMap<string, number> = new Map([
  ['LOWER', LOWER],
  ['UPPER', UPPER],
  ['ALPHA', ALPHA],
  ['DIGIT', DIGIT],
  ['ALPHANUM', ALPHA | DIGIT],
  ['SUBWORD_DELIM', DELIMITER],
]);

/** The type bits of a UTF-16 unit. */
export type CharTypes = (unit: number) => number;

const LATIN_1 = new Uint8Array(256);
for (let unit = 0; unit < LATIN_1.length; unit++) {
  const char = String.fromCharCode(unit);
  LATIN_1[unit] = /\p{Lowercase}/u.test(char)
    ? LOWER
    : /\p{Lu}/u.test(char)
      ? UPPER
      : /\p{Nd}/u.test(char)
        ? DIGIT
        : DELIMITER;
}

function typeByCategory(unit: number): number {
  // Half of a character beyond the basic plane: both, so that nothing splits there.
  if (unit >= 0xd800 && unit <= 0xdfff) return ALPHA | DIGIT;
  const char = String.fromCharCode(unit);
  if (/\p{Lu}/u.test(char)) return UPPER;
  if (/\p{Ll}/u.test(char)) return LOWER;
  if (/[\p{Lt}\p{Lo}\p{Lm}\p{M}]/u.test(char)) return ALPHA;
  return /\p{N}/u.test(char) ? DIGIT : DELIMITER;
}

/**
 * The types of characters, some of them set by the user.
 * @param own names such as `ALPHA` by UTF-16 unit
 * @throws EngineError ElasticsearchIllegalArgumentException for an unknown name
 */
export function charTypes(own: ReadonlyMap<number, string>): CharTypes {
  if (own.size === 0) return (unit) => (unit < 256 ? LATIN_1[unit]! : typeByCategory(unit));
  const types = new Map<number, number>();
  for (const [unit, name] of own) {
    const type = TYPE_NAMES.get(name);
    if (type === undefined) {
      throw illegalArgument(
        `Invalid Mapping Rule : [${String.fromCharCode(unit)} => ${name}]. Illegal type.`,
      );
    }
    types.set(unit, type);
  }
  return (unit) => types.get(unit) ?? typeByCategory(unit);
}

/** What {@link WordParts} needs to know. */
interface WordPartsOptions {
  readonly splitOnCaseChange: boolean;
  readonly splitOnNumerics: boolean;
  /** Whether `'s` at the end of a part is left out. */
  readonly stemPossessive: boolean;
  readonly charTypes: CharTypes;
}

/** Goes from part to part of a term; call {@link next} first. */
export class WordParts {
  start: number;
  end = 0;
  isDone = false;
  readonly #first: number;
  readonly #limit: number;
  readonly #endsPossessive: boolean;
  #skipPossessive = false;

  constructor(
    private readonly term: string,
    private readonly options: WordPartsOptions,
  ) {
    let first = 0;
    let limit = term.length;
    while (first < limit && this.#isDelimiter(first)) first++;
    while (limit > first && this.#isDelimiter(limit - 1)) limit--;
    this.#first = first;
    this.#limit = limit;
    this.start = first;
    this.#endsPossessive = this.#isPossessiveAt(limit);
  }

  /** Moves to the next part; `isDone` when there is none. */
  next(): void {
    const limit = this.#limit;
    this.start = Math.max(this.end, this.start);
    if (this.#skipPossessive) {
      this.start += 2;
      this.#skipPossessive = false;
    }
    while (this.start < limit && this.#isDelimiter(this.start)) this.start++;
    if (this.start >= limit) {
      this.isDone = true;
      return;
    }
    let last = this.#typeAt(this.start);
    for (this.end = this.start + 1; this.end < limit; this.end++) {
      const type = this.#typeAt(this.end);
      if (this.#isBreak(last, type)) break;
      last = type;
    }
    this.#skipPossessive = this.end < limit - 1 && this.#isPossessiveAt(this.end + 2);
  }

  /** Whether the term has this part only, between delimiters. */
  get isSingleWord(): boolean {
    const end = this.#endsPossessive ? this.#limit - 2 : this.#limit;
    return this.start === this.#first && this.end === end;
  }

  /** The type bits of the part, by its first character. */
  get kind(): number {
    const type = this.#typeAt(this.start);
    return type === LOWER || type === UPPER ? ALPHA : type;
  }

  #typeAt(index: number): number {
    return this.options.charTypes(this.term.charCodeAt(index));
  }

  #isDelimiter(index: number): boolean {
    return (this.#typeAt(index) & DELIMITER) !== 0;
  }

  #isBreak(last: number, type: number): boolean {
    if ((last & type) !== 0) return false;
    const wasLetter = (last & ALPHA) !== 0;
    const isLetter = (type & ALPHA) !== 0;
    if (wasLetter && isLetter) {
      // A capital before a small letter begins a word and does not end one.
      return this.options.splitOnCaseChange && (last & UPPER) === 0;
    }
    if (this.options.splitOnNumerics) return true;
    const isDigit = (type & DIGIT) !== 0;
    return !((wasLetter && isDigit) || ((last & DIGIT) !== 0 && isLetter));
  }

  /** Whether `'s` of a word stands before `end`. */
  #isPossessiveAt(end: number): boolean {
    const { term } = this;
    return (
      this.options.stemPossessive &&
      end > 2 &&
      term[end - 2] === "'" &&
      (term[end - 1] === 's' || term[end - 1] === 'S') &&
      (this.#typeAt(end - 3) & ALPHA) !== 0 &&
      (end === this.#limit || this.#isDelimiter(end))
    );
  }
}
