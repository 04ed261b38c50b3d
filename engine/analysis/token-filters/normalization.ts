// Filters that unify spellings: Arabic, Persian, Sorani, Hindi, German, Scandinavian, and the widths of
// Chinese, Japanese and Korean characters.

import { termFilter, type TokenFilter } from '../chain/components';
import { characterFolder } from '../stemmers/fold';

/** Alef with marks, dotless yeh, teh marbuta; vowel marks and tatweel go. */
const arabic = characterFolder(
  'آأإ:ا ى:ي ة:ه \u0640\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652:',
);
const persian = characterFolder('\u06cc\u06d2:\u064a \u06a9:\u0643 \u06c0\u06c1:\u0647 \u0654:');
const sorani = characterFolder(
  '\u064a\u0649:\u06cc \u0643:\u06a9 \u0629:\u06d5 \u0692:\u0695 ' +
    '\u0640\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652:',
);
const hindi = characterFolder(
  '\u0901:\u0902 \u0929:\u0928 \u0931:\u0930 \u0934:\u0933 \u0958:\u0915 \u0959:\u0916 \u095a:\u0917 ' +
    '\u095b:\u091c \u095c:\u0921 \u095d:\u0922 \u095e:\u092b \u095f:\u092f \u0945\u0946\u0948:\u0947 ' +
    '\u0949\u094a\u094c:\u094b \u090d\u090e\u0910:\u090f \u0911\u0912\u0914:\u0913 \u0972\u0906:\u0905 ' +
    '\u0908:\u0907 \u090a:\u0909 \u0960:\u090b \u0961:\u090c \u0940:\u093f \u0942:\u0941 \u0944:\u0943 ' +
    '\u0963:\u0962 \u093c\u200c\u200d\u094d:',
);
const scandinavianLetters = characterFolder('ä:æ Ä:Æ ö:ø Ö:Ø');

function normalizeSorani(term: string): string {
  const unified = term
    .replace(/\u0647\u200c|\u0647$/g, '\u06d5')
    .replace(/^\u0631/, '\u0695')
    .replace(/\p{Cf}/gu, '');
  return sorani(unified).replace(/\u06be/g, '\u0647');
}

/** Umlauts lose their dots, also where they are written with an e; ß becomes ss. */
function normalizeGerman(term: string): string {
  let result = '';
  /** Whether an e now belongs to an umlaut, or a u cannot begin one. */
  let state: 'plain' | 'vowel' | 'umlaut' = 'plain';
  for (const char of term) {
    if (char === 'e' && state === 'umlaut') {
      state = 'vowel';
      continue;
    }
    result += GERMAN.get(char) ?? char;
    if (char === 'a' || char === 'o') state = 'umlaut';
    else if (char === 'u') state = state === 'plain' ? 'umlaut' : 'vowel';
    else state = 'eiqyäöü'.includes(char) ? 'vowel' : 'plain';
  }
  return result;
}

const GERMAN: ReadonlyMap<string, string> = new Map([
  ['ä', 'a'],
  ['ö', 'o'],
  ['ü', 'u'],
  ['ß', 'ss'],
]);

/** å, æ and ø for their spellings with two letters. */
function normalizeScandinavian(term: string): string {
  return scandinavianLetters(term).replace(/[aA][aAeEoO]|[oO][eEoO]/g, (pair) => {
    const first = pair[0]!;
    const second = pair[1]!.toLowerCase();
    const letter = first.toLowerCase() === 'o' ? 'ø' : second === 'e' ? 'æ' : 'å';
    return first === first.toLowerCase() ? letter : letter.toUpperCase();
  });
}

const foldLetters = characterFolder('åäæ:a ÅÄÆ:A öø:o ÖØ:O');

/** The first of two letters that stand for å, æ or ø; single ones without their marks. */
function foldScandinavian(term: string): string {
  return foldLetters(term.replace(/([aA])[aAeEoO]|([oO])[eEoO]/g, '$1$2'));
}

const NFKC_WIDTH = /[\uff01-\uff5e\uff65-\uff9f]/;

/** Fullwidth ASCII to ASCII, halfwidth Katakana to Katakana with its sound marks. */
function normalizeWidth(term: string): string {
  if (!NFKC_WIDTH.test(term)) return term;
  return term.replace(/[\uff01-\uff5e]|[\uff65-\uff9f]+/g, (part) =>
    part
      .normalize('NFKC')
      .replace(/\u3099/g, '\u309b')
      .replace(/\u309a/g, '\u309c'),
  );
}

/** Filters by the name under which chains use them. */
export const NORMALIZATION_FILTERS: ReadonlyMap<string, TokenFilter> = new Map(
  (
    [
      ['arabic_normalization', arabic],
      ['persian_normalization', persian],
      ['sorani_normalization', normalizeSorani],
      ['hindi_normalization', (term: string) => hindi(term.replace(/\u0928\u094d/g, '\u0902'))],
      ['german_normalization', normalizeGerman],
      ['scandinavian_normalization', normalizeScandinavian],
      ['scandinavian_folding', foldScandinavian],
      ['cjk_width', normalizeWidth],
    ] as const
  ).map(([name, map]) => [name, termFilter(name, map)]),
);

/** A normalization that the tables have. */
export function normalization(name: string): TokenFilter {
  return NORMALIZATION_FILTERS.get(name)!;
}
