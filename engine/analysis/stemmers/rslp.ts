// RSLP stemmers (Removedor de Sufixos da Língua Portuguesa; V. Moreira Orengo and C. Huyck, 2001) for
// Portuguese, and Galician with its own rules, as the reference server applies them. The rules are in
// data/rslp.json.

import data from '../data/rslp.json';
import { characterFolder } from './fold';
import { remembering, type Stemmer } from './stemmer';

/** A step as the data has it. */
interface StepData {
  /** Shorter words stay, in UTF-16 units. */
  readonly shortest?: number;
  /** Whether exceptions are whole words; else any word that ends in one is an exception. */
  readonly wholeWords?: boolean;
  /** Endings of which a word must have one, separated by blanks. */
  readonly endings?: string;
  /** `suffix:stay:replacement:exception,exception...` separated by blanks. */
  readonly rules: string;
}

interface Rule {
  readonly suffix: string;
  /** What must remain before the suffix, in UTF-16 units. */
  readonly stay: number;
  readonly replacement: string;
  readonly exceptions: readonly string[];
}

/** The stemmer that applies the first rule of a step that fits. */
function step({ shortest = 0, wholeWords = false, endings, rules: lines }: StepData): Stemmer {
  const required = endings?.split(' ');
  const rules = lines.split(' ').map((line): Rule => {
    const [suffix = '', stay = '0', replacement = '', exceptions = ''] = line.split(':');
    return {
      suffix,
      stay: Number(stay),
      replacement,
      exceptions: exceptions === '' ? [] : exceptions.split(','),
    };
  });
  const excepted = (word: string, exceptions: readonly string[]): boolean =>
    wholeWords
      ? exceptions.includes(word)
      : exceptions.some((exception) => word.endsWith(exception));
  return (word) => {
    if (word.length < shortest) return word;
    if (required !== undefined && !required.some((ending) => word.endsWith(ending))) return word;
    for (const { suffix, stay, replacement, exceptions } of rules) {
      if (word.length - suffix.length < stay || !word.endsWith(suffix)) continue;
      if (excepted(word, exceptions)) continue;
      return word.slice(0, word.length - suffix.length) + replacement;
    }
    return word;
  };
}

/** Applies `steps` up to the first that changes the length of a word. */
function firstThatShortens(word: string, steps: readonly Stemmer[]): string {
  const { length } = word;
  for (const apply of steps) {
    word = apply(word);
    if (word.length !== length) break;
  }
  return word;
}

/** The stemmer that `create` makes, made when it is first used. */
function lazily(create: () => Stemmer): Stemmer {
  let stem: Stemmer | undefined;
  return (term) => (stem ??= remembering(create()))(term);
}

/** The singular of Portuguese words. */
export const minimalPortuguese: Stemmer = lazily(() => step(data.portuguese.plural));

/** The singular of Galician words. */
export const minimalGalician: Stemmer = lazily(() => step(data.galician.plural));

const foldPortuguese = characterFolder('àáâãäå:a ç:c èéêë:e ìíîï:i ñ:n òóôõö:o ùúûü:u ýÿ:y');

/** Stems of Portuguese words. */
export const rslpStemmer: Stemmer = lazily(() => {
  const { plural, adverb, feminine, augmentative, noun, verb, vowel } = data.portuguese;
  const inflections = [plural, adverb, feminine, augmentative].map(step);
  const endings = [noun, verb, vowel].map(step);
  return (term) => {
    const word = inflections.reduce((stem, apply) => apply(stem), term);
    return foldPortuguese(firstThatShortens(word, endings));
  };
});

const foldGalician = characterFolder('á:a éê:e í:i ó:o ú:u');

/** Stems of Galician words. */
export const galicianStemmer: Stemmer = lazily(() => {
  const { plural, unification, adverb, augmentative, noun, verb, vowel } = data.galician;
  const inflections = [plural, unification, adverb].map(step);
  const augmented = step(augmentative);
  const endings = [noun, verb].map(step);
  const withoutVowel = step(vowel);
  return (term) => {
    let word = inflections.reduce((stem, apply) => apply(stem), term);
    for (let length = -1; length !== word.length;) {
      length = word.length;
      word = augmented(word);
    }
    return foldGalician(withoutVowel(firstThatShortens(word, endings)));
  };
});
