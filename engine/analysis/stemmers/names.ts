// The stemmers by the names that settings give them.

import { minimalEnglish } from './english';
import { german2Stemmer, porterStemmer, snowballStemmer } from './snowball';
import type { Stemmer } from './stemmer';

/** Snowball's stemmers under the names of its classes, as the snowball filter and analyzer know them. */
export const SNOWBALL_STEMMERS: ReadonlyMap<string, Stemmer> = new Map<string, Stemmer>([
  ...(
    [
      'Armenian',
      'Basque',
      'Catalan',
      'Danish',
      'Dutch',
      'English',
      'Finnish',
      'French',
      'German',
      'Hungarian',
      'Irish',
      'Italian',
      'Norwegian',
      'Porter',
      'Portuguese',
      'Romanian',
      'Russian',
      'Spanish',
      'Swedish',
      'Turkish',
    ] as const
  ).map((name): [string, Stemmer] => [name, (term) => snowballStemmer(name.toLowerCase())(term)]),
  ['German2', german2Stemmer],
]);

/** Stemmers that need a dictionary or an algorithm that no package has; settings that name them are refused. */
export const UNSUPPORTED_STEMMERS: ReadonlySet<string> = new Set([
  'galician',
  'kp',
  'kstem',
  'light_english',
  'lightenglish',
  'lovins',
  'minimal_galician',
  'portuguese_rslp',
]);

const snowball = (algorithm: string): Stemmer => SNOWBALL_STEMMERS.get(algorithm)!;

/** What the stemmer filter knows, by `language` in lower case. */
export const STEMMERS: ReadonlyMap<string, Stemmer> = new Map<string, Stemmer>([
  ['armenian', snowball('Armenian')],
  ['basque', snowball('Basque')],
  ['catalan', snowball('Catalan')],
  ['danish', snowball('Danish')],
  ['dutch', snowball('Dutch')],
  ['english', porterStemmer],
  ['porter', porterStemmer],
  ['porter2', snowball('English')],
  ['minimal_english', minimalEnglish],
  ['minimalenglish', minimalEnglish],
  ['finnish', snowball('Finnish')],
  ['french', snowball('French')],
  ['german', snowball('German')],
  ['german2', snowball('German2')],
  ['hungarian', snowball('Hungarian')],
  ['irish', snowball('Irish')],
  ['italian', snowball('Italian')],
  ['norwegian', snowball('Norwegian')],
  ['portuguese', snowball('Portuguese')],
  ['romanian', snowball('Romanian')],
  ['russian', snowball('Russian')],
  ['spanish', snowball('Spanish')],
  ['swedish', snowball('Swedish')],
  ['turkish', snowball('Turkish')],
]);
