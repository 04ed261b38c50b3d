// The thai tokenizer: words of Thai, which writes no blanks between them, by the dictionary of the platform
// (Intl.Segmenter); other text by the rules of the reference server's platform.
//
// compat: the reference's dictionary is another, so that compounds are cut in other places.

import type { Tokenizer } from '../chain/components';

/** Vowels, tones and format characters belong to the character before them. */
const MARKS = '(?:(?!\\u00ad)[\\p{Mn}\\p{Me}\\p{Cf}])*';
const THAI_LETTERS = '\\u0e47-\\u0e4e\\u0e01-\\u0e2e\\u0e30-\\u0e3a\\u0e40-\\u0e45';
const IDEOGRAPHS = '\\u3005\\u4e00-\\u9fa5\\uf900-\\ufa2d';
const KATAKANA = '\\u30a1-\\u30fa';
const HIRAGANA = '\\u3041-\\u3094';
const KANA_MARKS = '\\u3099-\\u309c\\u30fb';
/** Not letters of other words. */
const NO_LETTER = `[${KANA_MARKS}${IDEOGRAPHS}${KATAKANA}${HIRAGANA}]|[${THAI_LETTERS}]`;
const LETTERS = `(?:(?!${NO_LETTER})[\\p{L}\\p{Mc}]${MARKS})+`;
const DIGITS = `(?:\\p{N}${MARKS})+`;
/** Letters with single dashes, apostrophes and the like between them. */
const WORD = `${LETTERS}(?:[\\p{Pd}\\u00ad\\u2027"'.]${MARKS}${LETTERS})*`;
const NUMBER = `${DIGITS}(?:["',\\u066b.]${MARKS}${DIGITS})*`;
const DANDA = `[\\u0964\\u0965]${MARKS}`;
const NUMBERS_AND_WORDS = `(?:${NUMBER}${WORD})*(?:${DANDA}|${NUMBER}[\\u00a2%\\u066a\\u2030\\u2031&]?)?`;

/**
 * Longer runs of Thai are cut, because the time that segmenting takes grows with the square of their length.
 */
const LONGEST_RUN = 1000;

/** What stands together; only what begins with a letter or a digit is a token. */
const SEGMENTS = new RegExp(
  [
    `((?:[${THAI_LETTERS}]${MARKS}){1,${LONGEST_RUN}})`,
    '\\u0e2f\\u0e25\\u0e2f',
    `(?=\\p{N}|(?!${NO_LETTER})[\\p{L}\\p{Mc}])(?:${WORD})?${NUMBERS_AND_WORDS}`,
    `(?!\\u00a2)[\\p{Sc}#.]${MARKS}${NUMBERS_AND_WORDS}`,
    `(?:[${KATAKANA}]${MARKS})(?:[${KANA_MARKS}${KATAKANA}]${MARKS})*`,
    `(?:[${HIRAGANA}]${MARKS})(?:[${KANA_MARKS}${HIRAGANA}]${MARKS})*`,
    `(?:[${IDEOGRAPHS}]${MARKS})+`,
  ].join('|'),
  'gu',
);

const TOKEN_START = /^[\p{L}\p{Nd}]/u;

let segmenter: Intl.Segmenter | null = null;

export const THAI_TOKENIZER: Tokenizer = {
  name: 'thai',
  scan(text, visit) {
    for (const { 0: segment, 1: thai, index } of text.matchAll(SEGMENTS)) {
      if (thai === undefined) {
        if (TOKEN_START.test(segment)) visit(segment, index, index + segment.length, 1, 'word');
        continue;
      }
      segmenter ??= new Intl.Segmenter('th', { granularity: 'word' });
      for (const { segment: word, index: at } of segmenter.segment(thai)) {
        const start = index + at;
        if (TOKEN_START.test(word)) visit(word, start, start + word.length, 1, 'word');
      }
    }
  },
};
