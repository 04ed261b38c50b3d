// The class of a character for text segmentation: Word_Break properties of Unicode 6.3, refined by the
// scripts and line-break classes that the standard tokenizer tells apart.
//
// The data is generated (scripts/dev/generate-word-break.mjs) and fixed: a newer Unicode version would cut
// text differently from the terms that are already indexed.

import data from '../data/word-break.json';

/** Classes are disjoint. `HIGH_SURROGATE` only occurs per UTF-16 unit and means: look at the code point. */
export const CHAR = {
  OTHER: 0,
  LETTER: 1,
  HANGUL: 2,
  HEBREW: 3,
  NUMERIC: 4,
  KATAKANA: 5,
  EXTEND_NUM_LET: 6,
  MID_LETTER: 7,
  MID_NUM: 8,
  MID_NUM_LET: 9,
  SINGLE_QUOTE: 10,
  DOUBLE_QUOTE: 11,
  HAN: 12,
  HIRAGANA: 13,
  /** South-East Asian letters that carry no word boundaries (Line_Break=Complex_Context). */
  COMPLEX: 14,
  REGIONAL_INDICATOR: 15,
  /** Extend and Format. */
  EXTEND: 16,
  /** Extend and Complex_Context at once: Thai vowel signs and the like. */
  COMPLEX_EXTEND: 17,
  HIGH_SURROGATE: 18,
} as const;

/** Number of values in {@link CHAR}. */
export const CHAR_CLASSES = 19;

const CLASS_BY_NAME: Readonly<Record<keyof typeof data.classes, number>> = {
  hangul: CHAR.HANGUL,
  letter: CHAR.LETTER,
  complexExtend: CHAR.COMPLEX_EXTEND,
  extend: CHAR.EXTEND,
  hebrew: CHAR.HEBREW,
  katakana: CHAR.KATAKANA,
  extendNumLet: CHAR.EXTEND_NUM_LET,
  midLetter: CHAR.MID_LETTER,
  midNum: CHAR.MID_NUM,
  midNumLet: CHAR.MID_NUM_LET,
  singleQuote: CHAR.SINGLE_QUOTE,
  doubleQuote: CHAR.DOUBLE_QUOTE,
  regionalIndicator: CHAR.REGIONAL_INDICATOR,
  numeric: CHAR.NUMERIC,
  complex: CHAR.COMPLEX,
  han: CHAR.HAN,
  hiragana: CHAR.HIRAGANA,
};

const BMP = 0x10000;

/** A set of values per code point: a flat table below U+10000, sorted ranges above. */
interface CodePointTable {
  readonly bmp: Uint8Array;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly values: readonly number[];
}

function buildTable(sets: readonly (readonly [string, number])[]): CodePointTable {
  const bmp = new Uint8Array(BMP);
  const astral: { start: number; end: number; value: number }[] = [];
  for (const [ranges, value] of sets) {
    for (const range of ranges.split(' ')) {
      const [from = '', to = from] = range.split('-');
      const start = parseInt(from, 16);
      const end = parseInt(to, 16);
      if (start < BMP) bmp.fill(value, start, Math.min(end + 1, BMP));
      else astral.push({ start, end, value });
    }
  }
  astral.sort((a, b) => a.start - b.start);
  return {
    bmp,
    starts: astral.map((range) => range.start),
    ends: astral.map((range) => range.end),
    values: astral.map((range) => range.value),
  };
}

function lookUp(table: CodePointTable, codePoint: number): number {
  if (codePoint < BMP) return table.bmp[codePoint]!;
  let low = 0;
  let high = table.starts.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (codePoint < table.starts[middle]!) high = middle - 1;
    else if (codePoint > table.ends[middle]!) low = middle + 1;
    else return table.values[middle]!;
  }
  return 0;
}

const classNames = Object.keys(CLASS_BY_NAME) as (keyof typeof CLASS_BY_NAME)[];
const WORD_CLASSES = buildTable(
  classNames.map((name) => [data.classes[name], CLASS_BY_NAME[name]] as const),
);
WORD_CLASSES.bmp.fill(CHAR.HIGH_SURROGATE, 0xd800, 0xdc00);
const LETTERS = buildTable([[data.letters, 1]]);

/** The class of each UTF-16 unit; use {@link wordClass} with the code point for `HIGH_SURROGATE`. */
export const UNIT_CLASS: Uint8Array = WORD_CLASSES.bmp;

/** The class of a code point; a lone surrogate is `OTHER`. */
export function wordClass(codePoint: number): number {
  const found = lookUp(WORD_CLASSES, codePoint);
  return found === CHAR.HIGH_SURROGATE ? CHAR.OTHER : found;
}

/** Whether a code point is a letter (General_Category L). */
export function isLetter(codePoint: number): boolean {
  return lookUp(LETTERS, codePoint) === 1;
}

/** Whether a code point separates words as `Character.isWhitespace` has it: no-break spaces do not. */
export function isWhitespace(codePoint: number): boolean {
  if (codePoint <= 0x20)
    return codePoint === 0x20 || (codePoint >= 9 && codePoint <= 13) || codePoint >= 0x1c;
  if (codePoint < 0x1680) return false;
  return (
    (codePoint >= 0x2000 && codePoint <= 0x200a && codePoint !== 0x2007) ||
    codePoint === 0x3000 ||
    codePoint === 0x2028 ||
    codePoint === 0x2029 ||
    codePoint === 0x205f ||
    codePoint === 0x1680 ||
    codePoint === 0x180e
  );
}
