// The German stemmer of the german_stem filter (J. Caumanns, "A Fast and Simple Stemming Algorithm for German
// Words", 1999) as the reference server applies it.

import { remembering, type Stemmer } from './stemmer';

/** Groups of letters that count as one, and what stands for them; longer ones first. */
const GROUPS: readonly (readonly [letters: string, mark: string])[] = [
  ['sch', '$'],
  ['ch', '§'],
  ['ei', '%'],
  ['ie', '&'],
  ['ig', '#'],
  ['st', '!'],
];
const LETTERS: ReadonlyMap<string, string> = new Map(
  GROUPS.map(([letters, mark]) => [mark, letters]),
);
/** Stands for the second of two equal letters. */
const REPEATED = '*';
const UMLAUTS: ReadonlyMap<string, string> = new Map([
  ['ä', 'a'],
  ['ö', 'o'],
  ['ü', 'u'],
]);

interface Marked {
  readonly word: string;
  /** How many letters the marks hide, as the reference counts them. */
  readonly hidden: number;
}

/** Puts marks for groups and repeated letters, and takes umlauts for their vowels. */
function mark(term: string): Marked {
  let word = '';
  let hidden = 0;
  for (let i = 0; i < term.length; i++) {
    const letter = term[i]!;
    if (letter === word.at(-1)) {
      word += REPEATED;
      continue;
    }
    const group = GROUPS.find(([letters]) => term.startsWith(letters, i));
    if (group !== undefined) {
      word += group[1];
      i += group[0].length - 1;
      // compat: a sch resets the count of what was hidden before it.
      hidden = group[0] === 'sch' ? 2 : hidden + 1;
    } else if (letter === 'ß') {
      word += `s${REPEATED}`;
      hidden++;
    } else word += UMLAUTS.get(letter) ?? letter;
  }
  return { word, hidden };
}

/** Takes endings off as long as there are any. */
function strip(word: string, hidden: number): string {
  while (word.length > 3) {
    const length = word.length + hidden;
    if ((length > 5 && word.endsWith('nd')) || (length > 4 && /e[mr]$/.test(word))) {
      word = word.slice(0, -2);
    } else if (/[esnt]$/.test(word)) word = word.slice(0, -1);
    else break;
  }
  return word;
}

function unmark(word: string): string {
  let result = '';
  for (const char of word) {
    if (char === REPEATED) result += result.at(-1) ?? char;
    else result += LETTERS.get(char) ?? char;
  }
  return result;
}

/** Stems of German words; words with other than letters are only put in lower case. */
export const caumannsStemmer: Stemmer = remembering((term) => {
  const lower = term.toLowerCase();
  if (/[^\p{L}]/u.test(lower)) return lower;
  const { word, hidden } = mark(lower);
  let stem = strip(word, hidden);
  if (stem.length > 5 && stem.endsWith(`erin${REPEATED}`)) {
    stem = strip(stem.slice(0, -1), hidden);
  }
  if (stem.endsWith('z')) stem = `${stem.slice(0, -1)}x`;
  stem = unmark(stem);
  const prefix = stem.length > 4 ? stem.indexOf('gege') : -1;
  return prefix < 0 ? stem : stem.slice(0, prefix) + stem.slice(prefix + 2);
});
