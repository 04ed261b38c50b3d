// Light and minimal stemmers for German and the Scandinavian languages (Jacques Savoy and others), as the
// reference server applies them.

import { characterFolder } from './fold';
import type { Stemmer } from './stemmer';

const foldGerman = characterFolder('äàáâ:a öòóô:o ïìíî:i üùúû:u');

/** Light stems of German words: endings of nouns, adjectives and comparison. */
export const lightGerman: Stemmer = (term) => {
  term = foldGerman(term);
  if (term.length > 5 && term.endsWith('ern')) term = term.slice(0, -3);
  else if (term.length > 4 && /e[mnrs]$/.test(term)) term = term.slice(0, -2);
  else if (term.length > 3 && term.endsWith('e')) term = term.slice(0, -1);
  else if (term.length > 3 && /[bdfghklmnt]s$/.test(term)) term = term.slice(0, -1);
  if (term.length > 5 && term.endsWith('est')) return term.slice(0, -3);
  if (term.length > 4 && /e[rn]$/.test(term)) return term.slice(0, -2);
  return term.length > 4 && /[bdfghklmnt]st$/.test(term) ? term.slice(0, -2) : term;
};

const foldUmlauts = characterFolder('ä:a ö:o ü:u');

/** Plurals of German words of five letters and more. */
export const minimalGerman: Stemmer = (term) => {
  if (term.length < 5) return term;
  term = foldUmlauts(term);
  if (term.length > 6 && term.endsWith('nen')) return term.slice(0, -3);
  if (term.length > 5 && /(?:en|se|es|er)$/.test(term)) return term.slice(0, -2);
  return /[nser]$/.test(term) ? term.slice(0, -1) : term;
};
