// The stemmers by the names that settings give them.

import { brazilianStemmer } from './brazilian';
import {
  arabicStemmer,
  bulgarianStemmer,
  czechStemmer,
  hindiStemmer,
  latvianStemmer,
  soraniStemmer,
} from './eastern';
import { minimalEnglish } from './english';
import { lightGerman, minimalGerman } from './germanic';
import { greekStemmer } from './greek';
import { lightHungarian, lightRussian } from './hungarian-russian';
import { indonesianStemmer } from './indonesian';
import { krovetzStemmer } from './krovetz';
import { kraaijPohlmannStemmer } from './kraaij-pohlmann';
import { lovinsStemmer } from './lovins';
import {
  lightFinnish,
  lightNorwegian,
  lightNynorsk,
  lightSwedish,
  minimalNorwegian,
  minimalNynorsk,
} from './nordic';
import { lightFrench, lightItalian, lightPortuguese, lightSpanish, minimalFrench } from './romance';
import { galicianStemmer, minimalGalician, minimalPortuguese, rslpStemmer } from './rslp';
import {
  finnishStemmer,
  german2Stemmer,
  germanStemmer,
  hungarianStemmer,
  porterStemmer,
  portugueseStemmer,
  snowballStemmer,
} from './snowball';
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
      'French',
      'Irish',
      'Italian',
      'Norwegian',
      'Porter',
      'Romanian',
      'Russian',
      'Spanish',
      'Swedish',
      'Turkish',
    ] as const
  ).map((name): [string, Stemmer] => [name, (term) => snowballStemmer(name.toLowerCase())(term)]),
  ['Finnish', finnishStemmer],
  ['German', germanStemmer],
  ['German2', german2Stemmer],
  ['Hungarian', hungarianStemmer],
  ['Kp', kraaijPohlmannStemmer],
  ['Lovins', lovinsStemmer],
  ['Portuguese', portugueseStemmer],
]);

const snowball = (algorithm: string): Stemmer => SNOWBALL_STEMMERS.get(algorithm)!;

/** What the stemmer filter knows, by `language` in lower case. */
export const STEMMERS: ReadonlyMap<string, Stemmer> = new Map<string, Stemmer>([
  ['arabic', arabicStemmer],
  ['armenian', snowball('Armenian')],
  ['basque', snowball('Basque')],
  ['brazilian', brazilianStemmer],
  ['bulgarian', bulgarianStemmer],
  ['catalan', snowball('Catalan')],
  ['czech', czechStemmer],
  ['danish', snowball('Danish')],
  ['dutch', snowball('Dutch')],
  ['english', porterStemmer],
  ['porter', porterStemmer],
  ['porter2', snowball('English')],
  ['dutch_kp', kraaijPohlmannStemmer],
  ['dutchkp', kraaijPohlmannStemmer],
  ['kp', kraaijPohlmannStemmer],
  ['kstem', krovetzStemmer],
  ['light_english', krovetzStemmer],
  ['lightenglish', krovetzStemmer],
  ['minimal_english', minimalEnglish],
  ['minimalenglish', minimalEnglish],
  ['finnish', snowball('Finnish')],
  ['french', snowball('French')],
  ['light_french', lightFrench],
  ['lightfrench', lightFrench],
  ['minimal_french', minimalFrench],
  ['minimalfrench', minimalFrench],
  ['galician', galicianStemmer],
  ['minimal_galician', minimalGalician],
  ['german', snowball('German')],
  ['german2', snowball('German2')],
  ['light_german', lightGerman],
  ['lightgerman', lightGerman],
  ['minimal_german', minimalGerman],
  ['minimalgerman', minimalGerman],
  ['light_finnish', lightFinnish],
  ['lightfinnish', lightFinnish],
  ['light_finish', lightFinnish],
  ['lightfinish', lightFinnish],
  ['light_hungarian', lightHungarian],
  ['lighthungarian', lightHungarian],
  ['light_norwegian', lightNorwegian],
  ['lightnorwegian', lightNorwegian],
  ['minimal_norwegian', minimalNorwegian],
  ['light_nynorsk', lightNynorsk],
  ['lightnynorsk', lightNynorsk],
  ['minimal_nynorsk', minimalNynorsk],
  ['minimalnynorsk', minimalNynorsk],
  ['light_russian', lightRussian],
  ['lightrussian', lightRussian],
  ['light_swedish', lightSwedish],
  ['lightswedish', lightSwedish],
  ['greek', greekStemmer],
  ['hindi', hindiStemmer],
  ['hungarian', snowball('Hungarian')],
  ['indonesian', indonesianStemmer],
  ['irish', snowball('Irish')],
  ['italian', snowball('Italian')],
  ['light_italian', lightItalian],
  ['lightitalian', lightItalian],
  ['latvian', latvianStemmer],
  ['lovins', lovinsStemmer],
  ['norwegian', snowball('Norwegian')],
  ['portuguese', snowball('Portuguese')],
  ['light_portuguese', lightPortuguese],
  ['lightportuguese', lightPortuguese],
  ['minimal_portuguese', minimalPortuguese],
  ['minimalportuguese', minimalPortuguese],
  ['portuguese_rslp', rslpStemmer],
  ['romanian', snowball('Romanian')],
  ['russian', snowball('Russian')],
  ['sorani', soraniStemmer],
  ['spanish', snowball('Spanish')],
  ['light_spanish', lightSpanish],
  ['lightspanish', lightSpanish],
  ['swedish', snowball('Swedish')],
  ['turkish', snowball('Turkish')],
]);
