// The standard tokenizer: words by Unicode Standard Annex #29 over Unicode 6.3 (reference
// server). Hot path: a class per UTF-16 unit and one table-driven automaton.
//
// All rules for words, numbers, Hangul and Katakana describe subsets of the language of the WORD rule, so
// its automaton alone finds the longest match; the type follows from the classes seen on the way.
// Extend and Format characters never change the state of the automaton.

import { ASCII_IDENTITY, type AsciiWords } from '../chain/ascii-words';
import type { Tokenizer, TokenVisitor } from '../chain/components';
import { CHAR, CHAR_CLASSES, UNIT_CLASS, wordClass } from '../chain/character-classes';
import type { ComponentSettings } from '../chain/component-settings';
import { illegalArgument } from '../../errors';

/** Longer tokens are cut after this many UTF-16 units. */
export const DEFAULT_MAX_TOKEN_LENGTH = 255;

// States of the WORD automaton; from FIRST_ACCEPTING on they end a token.
const STOP = 0;
const CONNECTORS_FIRST = 1;
const LETTER_MID = 2;
const NUMBER_MID = 3;
const HEBREW_DOUBLE_QUOTE = 4;
const FIRST_ACCEPTING = 5;
const LETTER = 5;
const HEBREW = 6;
/** A Hebrew letter after a mid letter: it cannot start an abbreviation with quotation marks. */
const HEBREW_JOINED = 7;
/** The Hebrew letter that ends such an abbreviation. */
const HEBREW_ABBREVIATION = 8;
const NUMBER = 9;
const KATAKANA = 10;
const CONNECTORS = 11;
const HEBREW_SINGLE_QUOTE = 12;
const STATES = 13;

type Row = readonly (readonly [charClass: number, next: number])[];

const LETTERS: Row = [
  [CHAR.LETTER, LETTER],
  [CHAR.HANGUL, LETTER],
  [CHAR.HEBREW, HEBREW],
];
const LETTERS_JOINED: Row = [
  [CHAR.LETTER, LETTER],
  [CHAR.HANGUL, LETTER],
  [CHAR.HEBREW, HEBREW_JOINED],
];
const DIGITS: Row = [[CHAR.NUMERIC, NUMBER]];
const KATAKANAS: Row = [[CHAR.KATAKANA, KATAKANA]];
const CONNECT: Row = [[CHAR.EXTEND_NUM_LET, CONNECTORS]];
const LETTER_MIDDLE: Row = [
  [CHAR.MID_LETTER, LETTER_MID],
  [CHAR.MID_NUM_LET, LETTER_MID],
  [CHAR.SINGLE_QUOTE, LETTER_MID],
];
const NUMBER_MIDDLE: Row = [
  [CHAR.MID_NUM, NUMBER_MID],
  [CHAR.MID_NUM_LET, NUMBER_MID],
  [CHAR.SINGLE_QUOTE, NUMBER_MID],
];
const HEBREW_MARKS: Row = [
  [CHAR.MID_LETTER, LETTER_MID],
  [CHAR.MID_NUM_LET, LETTER_MID],
  [CHAR.SINGLE_QUOTE, HEBREW_SINGLE_QUOTE],
  [CHAR.DOUBLE_QUOTE, HEBREW_DOUBLE_QUOTE],
];

const ROWS: readonly (readonly [state: number, row: Row])[] = [
  [
    CONNECTORS_FIRST,
    [...LETTERS, ...DIGITS, ...KATAKANAS, [CHAR.EXTEND_NUM_LET, CONNECTORS_FIRST]],
  ],
  [LETTER_MID, LETTERS_JOINED],
  [NUMBER_MID, DIGITS],
  [HEBREW_DOUBLE_QUOTE, [[CHAR.HEBREW, HEBREW_ABBREVIATION]]],
  [LETTER, [...LETTERS, ...DIGITS, ...CONNECT, ...LETTER_MIDDLE]],
  [HEBREW, [...LETTERS, ...DIGITS, ...CONNECT, ...HEBREW_MARKS]],
  [HEBREW_JOINED, [...LETTERS, ...DIGITS, ...CONNECT, ...LETTER_MIDDLE]],
  [HEBREW_ABBREVIATION, [...LETTERS, ...DIGITS, ...CONNECT]],
  [NUMBER, [...LETTERS, ...DIGITS, ...CONNECT, ...NUMBER_MIDDLE]],
  [KATAKANA, [...KATAKANAS, ...CONNECT]],
  [CONNECTORS, [...LETTERS, ...DIGITS, ...KATAKANAS, ...CONNECT]],
  [HEBREW_SINGLE_QUOTE, [...LETTERS, ...DIGITS, ...CONNECT]],
];

const NEXT = new Uint8Array(STATES * CHAR_CLASSES);
for (const [state, row] of ROWS) {
  for (const [charClass, next] of row) NEXT[state * CHAR_CLASSES + charClass] = next;
  NEXT[state * CHAR_CLASSES + CHAR.EXTEND] = state;
  NEXT[state * CHAR_CLASSES + CHAR.COMPLEX_EXTEND] = state;
}

/** Where a word may start: the state after its first character, STOP elsewhere. */
const START = new Uint8Array(CHAR_CLASSES);
START[CHAR.LETTER] = LETTER;
START[CHAR.HANGUL] = LETTER;
START[CHAR.HEBREW] = HEBREW;
START[CHAR.NUMERIC] = NUMBER;
START[CHAR.KATAKANA] = KATAKANA;
START[CHAR.EXTEND_NUM_LET] = CONNECTORS_FIRST;

/** The automaton over ASCII characters instead of classes, with {@link START} as the row of state 0. */
const ASCII_NEXT = new Uint8Array(STATES << 7);
for (let code = 0; code < 128; code++) {
  const charClass = UNIT_CLASS[code]!;
  ASCII_NEXT[code] = START[charClass]!;
  for (let state = 1; state < STATES; state++) {
    ASCII_NEXT[(state << 7) | code] = NEXT[state * CHAR_CLASSES + charClass]!;
  }
}

const LETTER_BIT = 1 << CHAR.LETTER;
const HANGUL_BIT = 1 << CHAR.HANGUL;
const KATAKANA_BIT = 1 << CHAR.KATAKANA;
const WORD_BITS = LETTER_BIT | (1 << CHAR.HEBREW) | HANGUL_BIT | KATAKANA_BIT;
const EXTEND_BITS = (1 << CHAR.EXTEND) | (1 << CHAR.COMPLEX_EXTEND);
const CONNECTOR_BITS = (1 << CHAR.EXTEND_NUM_LET) | (1 << CHAR.EXTEND);

function typeOf(seenClasses: number): string {
  if ((seenClasses & WORD_BITS) === 0) return '<NUM>';
  const seen = seenClasses & ~EXTEND_BITS;
  if (seen === HANGUL_BIT) return '<HANGUL>';
  return seen === KATAKANA_BIT ? '<KATAKANA>' : '<ALPHANUM>';
}

/** The `standard` tokenizer. */
export class StandardTokenizer implements Tokenizer {
  readonly name = 'standard';
  readonly asciiWords: AsciiWords;
  readonly #maxTokenLength: number;

  /** @throws EngineError ElasticsearchIllegalArgumentException when `maxTokenLength` is below 1. */
  constructor(maxTokenLength = DEFAULT_MAX_TOKEN_LENGTH) {
    if (maxTokenLength < 1) throw illegalArgument('maxTokenLength must be greater than zero');
    this.#maxTokenLength = maxTokenLength;
    this.asciiWords = {
      next: ASCII_NEXT,
      firstAccepting: FIRST_ACCEPTING,
      maxLength: maxTokenLength,
      fold: ASCII_IDENTITY,
    };
  }

  scan(text: string, visit: TokenVisitor): void {
    const length = text.length;
    let start = 0;
    while (start < length) {
      let charClass = UNIT_CLASS[text.charCodeAt(start)]!;
      let width = 1;
      if (charClass === CHAR.HIGH_SURROGATE) {
        const codePoint = text.codePointAt(start)!;
        charClass = wordClass(codePoint);
        if (codePoint > 0xffff) width = 2;
      }
      let state = START[charClass]!;
      if (state === STOP) {
        start =
          charClass === CHAR.OTHER
            ? start + width
            : this.#scanOther(text, start, width, charClass, visit);
        continue;
      }
      const limit = Math.min(length, start + this.#maxTokenLength);
      if (start + width > limit) {
        start += width;
        continue;
      }
      let seen = 1 << charClass;
      let position = start + width;
      let end = state >= FIRST_ACCEPTING ? position : start;
      let seenAtEnd = seen;
      while (position < limit) {
        charClass = UNIT_CLASS[text.charCodeAt(position)]!;
        if (charClass === CHAR.LETTER && state === LETTER) {
          // Runs of letters are nearly everything, and need no table.
          do position++;
          while (position < limit && UNIT_CLASS[text.charCodeAt(position)] === CHAR.LETTER);
          seen |= LETTER_BIT;
          seenAtEnd = seen;
          end = position;
          continue;
        }
        width = 1;
        if (charClass === CHAR.HIGH_SURROGATE) {
          const codePoint = text.codePointAt(position)!;
          charClass = wordClass(codePoint);
          if (codePoint > 0xffff && position + 2 > limit) break;
          if (codePoint > 0xffff) width = 2;
        }
        state = NEXT[state * CHAR_CLASSES + charClass]!;
        if (state === STOP) break;
        seen |= 1 << charClass;
        position += width;
        if (state >= FIRST_ACCEPTING) {
          end = position;
          seenAtEnd = seen;
        }
      }
      if (end === start) {
        // Only connectors such as `__`. Had the automaton stopped, it would stop there from each of them;
        // had it run into the limit, those too far from the end of the run would do so again.
        const runEnd = skipRun(text, start, length, CONNECTOR_BITS);
        const stopped = position < limit || limit === length;
        start = stopped ? runEnd : Math.max(start + 1, runEnd - this.#maxTokenLength + 1);
        continue;
      }
      visit(text.slice(start, end), start, end, 1, typeOf(seenAtEnd));
      start = end;
    }
  }

  /** Ideographs, Hiragana, South-East Asian runs, flags; and what is skipped. Returns where to go on. */
  #scanOther(
    text: string,
    start: number,
    width: number,
    charClass: number,
    visit: TokenVisitor,
  ): number {
    const first = start + width;
    const limit = Math.min(text.length, start + this.#maxTokenLength);
    if (first > limit) return first;
    switch (charClass) {
      case CHAR.HAN:
      case CHAR.HIRAGANA: {
        const end = skipRun(text, first, limit, EXTEND_BITS);
        const type = charClass === CHAR.HAN ? '<IDEOGRAPHIC>' : '<HIRAGANA>';
        visit(text.slice(start, end), start, end, 1, type);
        return end;
      }
      case CHAR.COMPLEX:
      case CHAR.COMPLEX_EXTEND: {
        const end = skipRun(text, first, limit, EXTEND_BITS | (1 << CHAR.COMPLEX));
        visit(text.slice(start, end), start, end, 1, '<SOUTHEAST_ASIAN>');
        return end;
      }
      case CHAR.REGIONAL_INDICATOR: {
        // Two or more are skipped together with the marks on them; one alone is any other character.
        const marksEnd = skipRun(text, first, limit, EXTEND_BITS);
        const second = skipRun(text, marksEnd, limit, 1 << CHAR.REGIONAL_INDICATOR);
        if (second === marksEnd) return first;
        return skipRun(text, second, limit, EXTEND_BITS | (1 << CHAR.REGIONAL_INDICATOR));
      }
      default:
        return first;
    }
  }
}

/** The end of the run of characters from `position` on whose classes are in the bit set `classes`. */
function skipRun(text: string, position: number, limit: number, classes: number): number {
  while (position < limit) {
    const codePoint = text.codePointAt(position)!;
    const width = codePoint > 0xffff ? 2 : 1;
    if (position + width > limit || (classes & (1 << wordClass(codePoint))) === 0) break;
    position += width;
  }
  return position;
}

const STANDARD_TOKENIZER = new StandardTokenizer();

/** From settings: `max_token_length`. */
export function standardTokenizer(settings: ComponentSettings): Tokenizer {
  const maxTokenLength = settings.integer('max_token_length', DEFAULT_MAX_TOKEN_LENGTH);
  return maxTokenLength === DEFAULT_MAX_TOKEN_LENGTH
    ? STANDARD_TOKENIZER
    : new StandardTokenizer(maxTokenLength);
}
