// The stemmers of the Snowball project, from the package `snowball-stemmers`, and Porter's first
// algorithm, which differs from Snowball's version of it, from the package `stemmer`.

import { newStemmer } from 'snowball-stemmers';
import { stemmer as porter } from 'stemmer';
import { remembering, type Stemmer } from './stemmer';

const made = new Map<string, Stemmer>();

/** The Snowball stemmer of an algorithm that the package has, e.g. `english` (Porter 2) or `porter`. */
export function snowballStemmer(algorithm: string): Stemmer {
  let stem = made.get(algorithm);
  if (stem === undefined) {
    const { stem: run } = bound(algorithm);
    stem = remembering(run);
    made.set(algorithm, stem);
  }
  return stem;
}

function bound(algorithm: string): { stem: Stemmer } {
  const stemmer = newStemmer(algorithm);
  return { stem: (term) => stemmer.stem(term) };
}

/** Letters that the reference's Hungarian stemmer takes for others, and where they are out of its way. */
const HUNGARIAN: ReadonlyMap<string, string> = new Map([
  ['õ', 'ő'],
  ['û', 'ű'],
  ['ő', '\ue000'],
  ['ű', '\ue001'],
]);
const HUNGARIAN_BACK = new Map([...HUNGARIAN].map(([letter, stand]) => [stand, letter]));

/** compat: the Hungarian stemmer reads õ and û as vowels where ő and ű are meant, which it does not know. */
export const hungarianStemmer: Stemmer = remembering((term) =>
  snowballStemmer('hungarian')(term.replace(/[õûőű]/g, (letter) => HUNGARIAN.get(letter)!)).replace(
    /[őű\ue000\ue001]/g,
    (letter) => HUNGARIAN_BACK.get(letter)!,
  ),
);

/** Capitals are moved there, where they are neither vowels nor part of a suffix. */
const PRIVATE_USE = 0xe000;

/**
 * Porter's algorithm of 1980; words of one or two letters stay. It knows small letters: capitals are kept
 * and no suffix is seen in them, where the package would lower them.
 */
export const porterStemmer: Stemmer = remembering((term) => {
  const capitals: string[] = [];
  const hidden = term.replace(/\p{Lu}|\p{Lt}/gu, (capital) => {
    let index = capitals.indexOf(capital);
    if (index < 0) index = capitals.push(capital) - 1;
    return String.fromCharCode(PRIVATE_USE + index);
  });
  if (capitals.length === 0) return porter(term);
  return porter(hidden).replace(
    /[\ue000-\uf8ff]/g,
    (unit) => capitals[unit.charCodeAt(0) - PRIVATE_USE] ?? unit,
  );
});

/** Stands for a letter that is to be out of a stemmer's way: neither a vowel nor part of a suffix. */
const APART = '\ue000';

/**
 * compat: the German stemmer takes no s off -nisse, -nissen and -nisses, as it did not in 2013: the s to be
 * kept is out of the way.
 */
export const germanStemmer: Stemmer = remembering((term) => {
  const stem = snowballStemmer('german');
  const apart = term.replace(/ni(?:ss|ß)(?=e[ns]?$)/, `nis${APART}`);
  return apart === term ? stem(term) : stem(apart).replace(APART, 's');
});

/**
 * compat: the Portuguese stemmer takes -ución and -uciones, which are Spanish, for endings, and not -ução and
 * -uções, as it did at first.
 */
export const portugueseStemmer: Stemmer = remembering((term) => {
  const stem = snowballStemmer('portuguese');
  const [ending] = /uci(?:ón|ones)$/.exec(term) ?? [];
  if (ending === undefined) {
    const apart = term.replace(/uç(?=(?:ão|ões)$)/, `u${APART}`);
    return apart === term ? stem(term) : stem(apart).replace(APART, 'ç');
  }
  const upToIt = term.length - ending.length;
  const taken = stem(`${term.slice(0, upToIt)}ução`);
  // Whether the ending is taken off depends on what is before it.
  return taken.length <= upToIt + 1 ? taken : stem(term);
});

/** The first letter of -den, the second of -tten, -seen and -siin, with what may be taken off behind them. */
const FINNISH_LETTER =
  /(?:d(?=en)|(?<=t)t(?=en)|s(?=een|iin))(?=\p{L}{2,3}(?:si|ni|nsa|nsä|mme|nne)?(?:k(?:in|aan|ään|o|ö)|h[aä]n|p[aä])?$)/u;

/**
 * compat: the Finnish stemmer never takes -den, -tten, -siin and -seen for endings as a whole, only their n:
 * a letter of them is out of the way. A stem does not end with two of a consonant.
 */
export const finnishStemmer: Stemmer = remembering((term) => {
  const [letter] = FINNISH_LETTER.exec(term) ?? [];
  const stem = snowballStemmer('finnish');
  if (letter === undefined) return stem(term);
  const stemmed = stem(term.replace(FINNISH_LETTER, APART));
  const isDouble = stemmed.endsWith(letter + APART);
  return isDouble ? stemmed.slice(0, -1) : stemmed.replace(APART, letter);
});

const GERMAN_VOWEL_U_VOWEL = /([aeiouyäöü])u([aeiouyäöü])/g;
const GERMAN_DIGRAPHS = /qu|ae|oe|ue/g;

/** The German stemmer that also reads ae, oe and ue as umlauts (German2). */
export const german2Stemmer: Stemmer = remembering((term) => {
  const umlauts = term
    .replace(GERMAN_VOWEL_U_VOWEL, '$1U$2')
    .replace(GERMAN_DIGRAPHS, (pair) => UMLAUTS.get(pair) ?? pair)
    .replace(/U/g, 'u');
  return germanStemmer(umlauts);
});

const UMLAUTS: ReadonlyMap<string, string> = new Map([
  ['ae', 'ä'],
  ['oe', 'ö'],
  ['ue', 'ü'],
]);

/**
 * The Dutch stemmer of the dutch_stem filter: an older form of Snowball's, which lowers its words, keeps
 * those with other than letters, does not know í, and undoubles more consonants.
 */
export const olderDutchStemmer: Stemmer = remembering((term) => {
  const lower = term.toLowerCase();
  if (/[^\p{L}]/u.test(lower)) return lower;
  const stem = snowballStemmer('dutch')(lower.replaceAll('í', '\ue000')).replaceAll('\ue000', 'í');
  const ending = lower.slice(stem.length);
  return /(?:ff|mm|nn)$/.test(stem) && /^(?!s|ig)./.test(ending) ? stem.slice(0, -1) : stem;
});
