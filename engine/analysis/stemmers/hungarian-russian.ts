// Light stemmers for Hungarian and Russian (University of Neuchâtel), as the reference server applies them.

import { characterFolder } from './fold';
import { remembering, type Stemmer } from './stemmer';
import { applyRules, findRule, suffixRules } from './suffixes';

const foldHungarian = characterFolder('á:a ëé:e í:i óõöő:o úũüűû:u');
const VOWEL = /[aeiouy]/;
const isVowelAt = (term: string, place: number): boolean => VOWEL.test(term.at(place) ?? '');

const LONG_CASES = suffixRules(
  '6 kent',
  '5 nak nek val vel ert rol ban ben bol nal nel hoz hez tol',
);
const SHORT_CASES = suffixRules('4 at et ot va ve ra re ba be ul ig');

/** Case endings; some only behind a consonant, or a double one of which they leave one letter. */
function cutCase(term: string): string {
  const { length } = term;
  if (findRule(LONG_CASES, term) !== undefined) return applyRules(LONG_CASES, term);
  if (length > 5 && /[ae]l$/.test(term) && !isVowelAt(term, -3) && term.at(-3) === term.at(-4)) {
    return term.slice(0, -3);
  }
  if (length <= 4) return term;
  if (findRule(SHORT_CASES, term) !== undefined) return applyRules(SHORT_CASES, term);
  if (/[oe]n$/.test(term) && !isVowelAt(term, -3)) return term.slice(0, -2);
  if (/[tn]$/.test(term)) return term.slice(0, -1);
  if (/[ae]$/.test(term) && term.at(-2) === term.at(-3) && !isVowelAt(term, -2)) {
    return term.slice(0, -2);
  }
  return term;
}

/** Possessive endings: how long the term must be at least, and which endings it loses. */
const POSSESSIVES: readonly (readonly [shortest: number, ending: RegExp, length: number])[] = [
  [7, /[^aeiouy](?:atok|otok|etek)$/, 4],
  [7, /it[eo]k$/, 4],
  [6, /[^aeiouy](?:unk|tok|tek)$/, 3],
  [6, /[aeiouy]juk$/, 3],
  [6, /ink$/, 3],
  [5, /[^aeiouy](?:am|em|om|ad|ed|od|uk)$/, 2],
  [5, /[aeiouy](?:nk|ja|je)$/, 2],
  [5, /i[mdk]$/, 2],
  [4, /[^aeiouy][ae]$/, 1],
  [4, /[aeiouy][md]$/, 1],
  [4, /i$/, 1],
];

function cutPossessive(term: string): string {
  for (const [shortest, ending, length] of POSSESSIVES) {
    if (term.length >= shortest && ending.test(term)) return term.slice(0, -length);
  }
  return term;
}

const PLURALS = suffixRules('4 ak ok ek', '3 k');
const LAST_VOWELS = suffixRules('3 a e i o');

/** Light stems of Hungarian words. */
export const lightHungarian: Stemmer = remembering((term) =>
  applyRules(LAST_VOWELS, applyRules(PLURALS, cutPossessive(cutCase(foldHungarian(term))))),
);

const RUSSIAN_CASES = suffixRules(
  '6 иями оями',
  '5 иям иях оях ями оям оьв ами его ему ери ими ого ому ыми оев',
  '4 ая яя ях юю ах ею их ия ию ьв ою ую ям ых ея ам ем ей ём ев ий им ое ой ом ов ые ый ым ми',
  '3 а е и о у й ы я ь',
);
const RUSSIAN_LAST = suffixRules('3 ь и нн:н');

/** Light stems of Russian words: the endings of the cases. */
export const lightRussian: Stemmer = (term) =>
  applyRules(RUSSIAN_LAST, applyRules(RUSSIAN_CASES, term));
