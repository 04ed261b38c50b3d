// The stemmer for Brazilian Portuguese of the reference server. Suffixes are looked for in regions of the
// word as it was in the beginning.

import { characterFolder } from './fold';
import { remembering, type Stemmer } from './stemmer';

const fold = characterFolder('áâã:a éê:e í:i óôõ:o úü:u ç:c ñ:n');

/** Noun suffixes by falling length; all must lie in R2, but `amente` in R1. */
const NOUNS: readonly (readonly [string, string])[] = (
  'uciones:u imentos amentos adores adoras logias:logias encias:ente amente idades ' +
  'acoes imento amento adora ismos istas logia:log ucion:u encia:ente mente idade ' +
  'acao ezas icos icas ismo avel ivel ista osos osas ador ivas ivos iras:ir ' +
  'eza ico ica oso osa iva ivo ira:ir'
)
  .split(' ')
  .map((entry) => {
    const [suffix = '', replacement = ''] = entry.split(':');
    return [suffix, replacement] as const;
  });

const VERBS: readonly string[] = (
  'issemos essemos assemos ariamos eriamos iriamos ' +
  'iremos eremos aremos avamos iramos eramos aramos asseis esseis isseis arieis erieis irieis ' +
  'irmos iamos armos ermos areis ereis ireis asses esses isses astes assem essem issem ardes erdes irdes ' +
  'ariam eriam iriam arias erias irias estes istes aveis ' +
  'aria eria iria asse esse isse aste este iste arei erei irei aram eram iram avam arem erem irem ando endo ' +
  'indo arao erao irao adas idas aras eras iras avas ares eres ires ados idos amos emos imos ieis ' +
  'ada ida ara era ira iam ado ido ias ais eis ear ' +
  'ia ei am em ar er ir as es is eu iu ou'
).split(' ');

/** Stems of words of 3 to 29 letters, without accents. */
export const brazilianStemmer: Stemmer = remembering((term) => {
  let word = fold(term.toLowerCase());
  if (word.length >= 2) word = word.replace(/^["'\-,;.?!]/, '');
  if (word.length >= 2) word = word.replace(/[-,;.?!'"]$/, '');
  if (word.length < 3 || word.length > 29) return term;
  return /^\p{L}+$/u.test(word) ? stem(word) : word;
});

function stem(word: string): string {
  const r1 = regionAfterVowel(word);
  const r2 = r1 === null ? null : regionAfterVowel(r1);
  const rv = verbRegion(word);
  let stemmed = removeNoun(word, r1 ?? '', r2 ?? '', rv ?? '');
  if (rv === null) return stemmed ?? word;
  stemmed ??= removeVerb(word, rv);
  let result = stemmed ?? word;
  if (stemmed !== null) {
    if (rv.endsWith('ci') && result.endsWith('i')) result = result.slice(0, -1);
  } else {
    const ending = ['os', 'a', 'i', 'o'].find((suffix) => rv.endsWith(suffix));
    if (ending !== undefined) result = result.slice(0, -ending.length);
  }
  if (!rv.endsWith('e') || !result.endsWith('e')) return result;
  result = result.slice(0, -1);
  if (rv.endsWith('gue') && result.endsWith('u')) return result.slice(0, -1);
  return rv.endsWith('cie') && result.endsWith('i') ? result.slice(0, -1) : result;
}

function removeNoun(word: string, r1: string, r2: string, rv: string): string | null {
  for (const [suffix, replacement] of NOUNS) {
    if (!word.endsWith(suffix)) continue;
    const isVerbal = suffix.startsWith('ira');
    const region = isVerbal ? rv : suffix === 'amente' ? r1 : r2;
    if (!region.endsWith(suffix)) continue;
    const before = word.slice(0, -suffix.length);
    if (isVerbal && !before.endsWith('e')) continue;
    return before + replacement;
  }
  return null;
}

function removeVerb(word: string, rv: string): string | null {
  const suffix = VERBS.find((candidate) => rv.endsWith(candidate));
  if (suffix === undefined) return null;
  // compat: the reference finds -ira and then removes nothing.
  return suffix === 'ira' ? word : word.slice(0, -suffix.length);
}

const isVowel = (char: string | undefined): boolean =>
  char === 'a' || char === 'e' || char === 'i' || char === 'o' || char === 'u';

/** What stands behind the first consonant behind a vowel; the last letter is not looked at. */
function regionAfterVowel(word: string): string | null {
  const last = word.length - 1;
  let i = 0;
  while (i < last && !isVowel(word[i])) i++;
  while (i < last && isVowel(word[i])) i++;
  return i < last ? word.slice(i + 1) : null;
}

function verbRegion(word: string): string | null {
  const last = word.length - 1;
  const behind = (wanted: boolean): string | null => {
    for (let i = 2; i < last; i++) if (isVowel(word[i]) === wanted) return word.slice(i + 1);
    return null;
  };
  const region =
    last > 0 && !isVowel(word[1])
      ? behind(true)
      : last > 1 && isVowel(word[0]) && isVowel(word[1])
        ? behind(false)
        : null;
  return region ?? (last > 2 ? word.slice(3) : null);
}
