// The French stemmer of the french_stem filter: an early draft of Snowball's French algorithm, as the
// reference server applies it. It differs from that of the snowball filter in its regions and in many of its
// rules.
//
// Vowels that count as consonants are written in capitals meanwhile, and stay so.

import { remembering, type Stemmer } from './stemmer';

const VOWELS = 'aeiouyâàëéêèïîôüùû';
const isVowel = (char: string | undefined): boolean => char !== undefined && VOWELS.includes(char);

/** The parts of a word in which rules look for suffixes; null where a word is too short for one. */
type Region = 'whole' | 'rv' | 'r1' | 'r2';

/** A word on its way through the rules. */
class Word {
  /** Whether a rule of the first kind changed it. */
  modified = false;
  #regions: Readonly<Record<Region, string | null>>;

  constructor(public text: string) {
    this.#regions = regionsOf(text);
  }

  endsWith(suffix: string, region: Region): boolean {
    return this.#regions[region]?.endsWith(suffix) ?? false;
  }

  /** The length of a region, 0 where there is none. */
  lengthOf(region: Region): number {
    return this.#regions[region]?.length ?? 0;
  }

  has(region: Region): boolean {
    return this.#regions[region] !== null;
  }

  /** Puts `replacement` in the place of the last `length` letters. */
  replace(length: number, replacement = ''): void {
    this.text = this.text.slice(0, this.text.length - length) + replacement;
    this.#regions = regionsOf(this.text);
  }
}

function regionsOf(text: string): Readonly<Record<Region, string | null>> {
  const r1 = behindSyllable(text);
  return {
    whole: text,
    rv: behindFirstVowel(text),
    r1,
    r2: r1 === null ? null : behindSyllable(r1),
  };
}

function behindSyllable(text: string): string | null {
  let at = 0;
  while (at < text.length && !isVowel(text[at])) at++;
  while (at < text.length && isVowel(text[at])) at++;
  return at + 1 < text.length ? text.slice(at + 1) : null;
}

function behindFirstVowel(text: string): string | null {
  if (text.length <= 3) return null;
  if (isVowel(text[0]) && isVowel(text[1])) return text.slice(3);
  let at = 1;
  while (at < text.length && !isVowel(text[at])) at++;
  if (at === text.length) at = 0;
  return at + 1 < text.length ? text.slice(at + 1) : null;
}

const list = (suffixes: string): readonly string[] => suffixes.split(' ');

/** Replaces the first of `suffixes` that the region ends in; whether there was one. */
function replace(word: Word, region: Region, suffixes: string, replacement = ''): boolean {
  const suffix = list(suffixes).find((each) => word.endsWith(each, region));
  if (suffix === undefined) return false;
  word.modified = true;
  word.replace(suffix.length, replacement);
  return true;
}

/** How {@link removeWith} treats what stands before a suffix. */
interface Before {
  /** Removed together with the suffix. */
  readonly prefix: string;
  /** Whether the suffix is removed without the prefix, too. */
  readonly alone?: boolean;
  /** Where `prefix` and suffix become `replacement` when they are not in the region as a whole. */
  readonly elsewhere?: readonly [region: Region, replacement: string];
}

function removeWith(word: Word, region: Region, suffixes: string, before: Before): void {
  const { prefix, alone = false, elsewhere } = before;
  if (!word.has(region)) return;
  for (const suffix of list(suffixes)) {
    const both = prefix + suffix;
    if (word.endsWith(both, region)) word.replace(both.length);
    else if (elsewhere !== undefined && word.endsWith(both, elsewhere[0])) {
      word.replace(both.length, elsewhere[1]);
    } else if (alone && word.endsWith(suffix, region)) word.replace(suffix.length);
    else continue;
    word.modified = true;
    return;
  }
}

/** Removes a suffix of the region when before it stands a vowel, or none, within `within`. */
function removeAfter(
  word: Word,
  region: Region,
  suffixes: string,
  vowel: boolean,
  within: Region,
): boolean {
  if (!word.has(region) || !word.has(within)) return false;
  for (const suffix of list(suffixes)) {
    if (!word.endsWith(suffix, region) || suffix.length >= word.lengthOf(within)) continue;
    if (isVowel(word.text[word.text.length - suffix.length - 1]) !== vowel) continue;
    word.modified = true;
    word.replace(suffix.length);
    return true;
  }
  return false;
}

/** Suffixes of nouns, adjectives and adverbs; whether those of verbs are looked for all the same. */
function removeNounSuffixes(word: Word): boolean {
  replace(word, 'r2', 'ances iqUes ismes ables istes ance iqUe isme able iste');
  replace(word, 'r2', 'logies logie', 'log');
  replace(word, 'r2', 'usions utions usion ution', 'u');
  replace(word, 'r2', 'ences ence', 'ent');
  removeWith(word, 'r2', 'atrices ateurs ations atrice ateur ation', {
    prefix: 'ic',
    alone: true,
    elsewhere: ['whole', 'iqU'],
  });
  removeWith(word, 'r2', 'ements ement', { prefix: 'eus', elsewhere: ['whole', 'eux'] });
  for (const prefix of ['ativ', 'iv', 'abl', 'iqU']) {
    removeWith(word, 'r2', 'ements ement', { prefix });
  }
  removeAfter(word, 'r1', 'issements issement', false, 'whole');
  replace(word, 'rv', 'ements ement');
  removeWith(word, 'r2', 'ités ité', { prefix: 'abil', elsewhere: ['whole', 'abl'] });
  removeWith(word, 'r2', 'ités ité', { prefix: 'ic', elsewhere: ['whole', 'iqU'] });
  removeWith(word, 'r2', 'ités ité', { prefix: 'iv', alone: true });
  removeWith(word, 'r2', 'ifs ives if ive', { prefix: 'icat', elsewhere: ['whole', 'iqU'] });
  removeWith(word, 'r2', 'ifs ives if ive', {
    prefix: 'at',
    alone: true,
    elsewhere: ['r2', 'iqU'],
  });
  replace(word, 'whole', 'eaux', 'eau');
  replace(word, 'r1', 'aux', 'al');
  removeWith(word, 'r2', 'euses euse', { prefix: '', alone: true, elsewhere: ['r1', 'eux'] });
  replace(word, 'r2', 'eux');
  let adverb = replace(word, 'rv', 'amment', 'ant');
  adverb = replace(word, 'rv', 'emment', 'ent') || adverb;
  return removeAfter(word, 'rv', 'ments ment', true, 'rv') || adverb;
}

function removeVerbSuffixesInI(word: Word): boolean {
  return removeAfter(
    word,
    'rv',
    'îmes îtes iraIent irait irais irai iras ira irent iriez irez irions irons iront issaIent issais ' +
      'issantes issante issants issant issait issais issions issons issiez issez issent isses isse ir is ' +
      'ît it ies ie i',
    false,
    'rv',
  );
}

function removeOtherVerbSuffixes(word: Word): void {
  replace(
    word,
    'rv',
    'eraIent erais erait erai eras erions eriez erons eront erez èrent era ées iez ée és er ez é',
  );
  removeWith(
    word,
    'rv',
    'assions assiez assent asses asse aIent antes aIent Aient ante âmes âtes ants ant ait aît ais Ait Aît ' +
      'Ais ât as ai Ai a',
    { prefix: 'e', alone: true },
  );
  replace(word, 'r2', 'ions');
}

/** What is left of words that lost no suffix. */
function removeResidue(word: Word): void {
  if (/[^aiouès]s$/.test(word.text)) word.replace(1);
  for (const letter of ['s', 't']) {
    if (!word.endsWith('ion', 'r2') || !word.endsWith(`${letter}ion`, 'rv')) continue;
    word.replace(3);
    break;
  }
  replace(word, 'rv', 'Ière ière Ier ier', 'i');
  replace(word, 'rv', 'e');
  if (word.endsWith('ë', 'rv') && word.endsWith('guë', 'whole')) word.replace(1);
}

/** Capitals for vowels that count as consonants. */
function markConsonants(text: string): string {
  const letters = [...text];
  for (let i = 0; i < letters.length; i++) {
    const before = letters[i - 1];
    const behind = letters[i + 1];
    const between = isVowel(before) && isVowel(behind);
    const first = i === 0;
    switch (letters[i]) {
      case 'u':
        if ((!first && before === 'q') || between) letters[i] = 'U';
        break;
      case 'i':
        if (between) letters[i] = 'I';
        break;
      case 'y':
        if (isVowel(before) || isVowel(behind)) letters[i] = 'Y';
        break;
      case undefined:
      default:
    }
  }
  return letters.join('');
}

/** Takes the accent off an é or è that stands before the last consonants. */
function removeAccent(text: string): string {
  return text.replace(/[éè](?=[^aeiouyâàëéêèïîôüùû]+$)/, 'e');
}

/** Stems of French words; words with other than letters, or with capitals within, are kept. */
export const earlyFrenchStemmer: Stemmer = remembering((term) => {
  if (/[^\p{L}]|.\p{Lu}/su.test(term)) return term;
  const word = new Word(markConsonants(term.toLowerCase()));
  let suffixed = removeNounSuffixes(word);
  if ((!word.modified || suffixed) && word.has('rv')) {
    suffixed = removeVerbSuffixesInI(word);
    if (!suffixed) removeOtherVerbSuffixes(word);
  }
  if (!word.modified && !suffixed) removeResidue(word);
  else if (word.text.endsWith('Y')) word.replace(1, 'i');
  else if (word.text.endsWith('ç')) word.replace(1, 'c');
  const text = /(?:enn|onn|ett|ell|eill)$/.test(word.text) ? word.text.slice(0, -1) : word.text;
  return removeAccent(text);
});
