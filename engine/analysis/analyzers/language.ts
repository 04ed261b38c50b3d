// The analyzers of languages. All read `stopwords`, and all but greek `stem_exclusion` (words that are not
// stemmed).

import type { Analyzer } from '../chain/analyzer';
import { ChainAnalyzer } from '../chain/chain-analyzer';
import { ComponentSettings } from '../chain/component-settings';
import {
  stemFilter,
  termFilter,
  type CharFilter,
  type TokenFilter,
  type Tokenizer,
} from '../chain/components';
import {
  CJK_STOP_WORDS,
  readStopWords,
  stopWordsOf,
  type StopWordLanguage,
} from '../chain/stop-words';
import { possessiveEnglish } from '../stemmers/english';
import { SNOWBALL_STEMMERS, STEMMERS } from '../stemmers/names';
import type { Stemmer } from '../stemmers/stemmer';
import { LOWERCASE_FILTER, lowercaseFilterOf } from '../token-filters/case';
import { APOSTROPHE_FILTER, elisionFilter, FRENCH_ARTICLES } from '../token-filters/elision';
import { createCjkBigramFilter } from '../token-filters/cjk-bigram';
import { INDIC_NORMALIZATION } from '../token-filters/indic';
import { normalization } from '../token-filters/normalization';
import { keywordFilter, stemmerOverrideFilter } from '../token-filters/keywords';
import { stopFilter } from '../token-filters/stop';
import { standardTokenizer } from '../tokenizers/standard';
import { THAI_TOKENIZER } from '../tokenizers/thai';
import { optionalStop } from './basic';
import { createChineseAnalyzer } from './chinese';

/** How the analyzer of a language is put together; the parts stand in the order of the chain. */
interface LanguageChain {
  readonly stopWords: ReadonlySet<string>;
  readonly charFilters?: readonly CharFilter[];
  /** Standard unless given. */
  readonly tokenizer?: Tokenizer;
  /** Before stop words are removed. */
  readonly prepare: readonly TokenFilter[];
  /** After that, before the words of `stem_exclusion` are marked. */
  readonly normalize?: readonly TokenFilter[];
  /** The stemmer and what belongs to it. */
  readonly stem?: readonly TokenFilter[];
  /** Whether `stem_exclusion` is read; true unless given. */
  readonly exclusions?: boolean;
}

function create(
  chain: () => LanguageChain,
): (name: string, settings: ComponentSettings) => Analyzer {
  return (name, settings) => {
    const {
      stopWords,
      tokenizer = standardTokenizer(ComponentSettings.EMPTY),
      charFilters = [],
      prepare,
      normalize = [],
      stem = [],
      exclusions = true,
    } = chain();
    const excluded = exclusions
      ? readStopWords(settings, 'stem_exclusion', new Set())
      : new Set<string>();
    return new ChainAnalyzer(name, {
      charFilters,
      tokenizer,
      tokenFilters: [
        ...prepare,
        ...optionalStop(readStopWords(settings, 'stopwords', stopWords)),
        ...normalize,
        ...(excluded.size > 0 && stem.length > 0 ? [keywordFilter('keyword', excluded)] : []),
        ...stem,
      ],
    });
  };
}

const stemBy = (stem: Stemmer): readonly TokenFilter[] => [stemFilter('stem', stem)];
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Lower case, stop words, Snowball: most European languages. */
function snowballLanguage(
  language: StopWordLanguage,
): (name: string, settings: ComponentSettings) => Analyzer {
  const algorithm = language.slice(0, 1).toUpperCase() + language.slice(1);
  return create(() => ({
    stopWords: stopWordsOf(language),
    prepare: [LOWERCASE_FILTER],
    stem: stemBy(SNOWBALL_STEMMERS.get(algorithm)!),
  }));
}

const english = create(() => ({
  stopWords: stopWordsOf('english'),
  prepare: [termFilter('possessive', possessiveEnglish), LOWERCASE_FILTER],
  stem: stemBy(STEMMERS.get('porter')!),
}));

const catalan = create(() => ({
  stopWords: stopWordsOf('catalan'),
  prepare: [elisionFilter('elision', words('d l m n s t')), LOWERCASE_FILTER],
  stem: stemBy(SNOWBALL_STEMMERS.get('Catalan')!),
}));

/** Words whose plural the Dutch stemmer gets wrong. */
const DUTCH_STEMS: ReadonlyMap<string, string> = new Map([
  ['fiets', 'fiets'],
  ['bromfiets', 'bromfiets'],
  ['ei', 'eier'],
  ['kind', 'kinder'],
]);

const dutch = create(() => ({
  stopWords: stopWordsOf('dutch'),
  prepare: [LOWERCASE_FILTER],
  stem: [
    stemmerOverrideFilter('override', DUTCH_STEMS),
    ...stemBy(SNOWBALL_STEMMERS.get('Dutch')!),
  ],
}));

const irish = create(() => ({
  stopWords: stopWordsOf('irish'),
  prepare: [
    stopFilter('hyphenations', words('h n t H N T')),
    elisionFilter('elision', words('d m b')),
    lowercaseFilterOf('irish'),
  ],
  stem: stemBy(SNOWBALL_STEMMERS.get('Irish')!),
}));

const thai = create(() => ({
  stopWords: stopWordsOf('thai'),
  tokenizer: THAI_TOKENIZER,
  prepare: [LOWERCASE_FILTER],
}));

const turkish = create(() => ({
  stopWords: stopWordsOf('turkish'),
  prepare: [APOSTROPHE_FILTER, lowercaseFilterOf('turkish')],
  stem: stemBy(SNOWBALL_STEMMERS.get('Turkish')!),
}));

/** The articles that Italian elides. */
const ITALIAN_ARTICLES = words(
  'c l all dall dell nell sull coll pell gl agl dagl degl negl sugl un m t s v d',
);

/** Lower case, stop words, a stemmer of the table, and a normalization before it. */
function stemmedLanguage(
  language: StopWordLanguage,
  stemmer: string,
  ...normalizations: readonly string[]
): (name: string, settings: ComponentSettings) => Analyzer {
  return create(() => ({
    stopWords: stopWordsOf(language),
    prepare: [LOWERCASE_FILTER],
    stem: [...normalizations.map(normalization), ...stemBy(STEMMERS.get(stemmer)!)],
  }));
}

const arabic = create(() => ({
  stopWords: stopWordsOf('arabic'),
  prepare: [LOWERCASE_FILTER],
  normalize: [normalization('arabic_normalization')],
  stem: stemBy(STEMMERS.get('arabic')!),
}));

const greek = create(() => ({
  stopWords: stopWordsOf('greek'),
  prepare: [lowercaseFilterOf('greek')],
  stem: stemBy(STEMMERS.get('greek')!),
  exclusions: false,
}));

const hindi = create(() => ({
  stopWords: stopWordsOf('hindi'),
  prepare: [LOWERCASE_FILTER, INDIC_NORMALIZATION, normalization('hindi_normalization')],
  stem: stemBy(STEMMERS.get('hindi')!),
}));

const french = create(() => ({
  stopWords: stopWordsOf('french'),
  prepare: [elisionFilter('elision', FRENCH_ARTICLES), LOWERCASE_FILTER],
  stem: stemBy(STEMMERS.get('light_french')!),
}));

const italian = create(() => ({
  stopWords: stopWordsOf('italian'),
  prepare: [elisionFilter('elision', ITALIAN_ARTICLES), LOWERCASE_FILTER],
  stem: stemBy(STEMMERS.get('light_italian')!),
}));

const sorani = create(() => ({
  stopWords: stopWordsOf('sorani'),
  prepare: [normalization('sorani_normalization'), LOWERCASE_FILTER],
  stem: stemBy(STEMMERS.get('sorani')!),
}));

/** A zero-width non-joiner separates words as a blank does. */
const PERSIAN_CHAR_FILTER: CharFilter = {
  name: 'persian',
  applyTo: (text) => ({
    text: text.replaceAll('\u200c', ' '),
    originalOffset: (offset) => offset,
  }),
};

const persian = create(() => ({
  stopWords: stopWordsOf('persian'),
  charFilters: [PERSIAN_CHAR_FILTER],
  prepare: [
    LOWERCASE_FILTER,
    normalization('arabic_normalization'),
    normalization('persian_normalization'),
  ],
}));

const cjk = create(() => ({
  stopWords: CJK_STOP_WORDS,
  prepare: [
    normalization('cjk_width'),
    LOWERCASE_FILTER,
    createCjkBigramFilter('cjk_bigram', ComponentSettings.EMPTY),
  ],
}));

/** The analyzers of languages by name. */
export const LANGUAGE_ANALYZERS: readonly (readonly [
  string,
  (name: string, settings: ComponentSettings) => Analyzer,
])[] = [
  ['arabic', arabic],
  ['armenian', snowballLanguage('armenian')],
  ['basque', snowballLanguage('basque')],
  ['brazilian', stemmedLanguage('brazilian', 'brazilian')],
  ['bulgarian', stemmedLanguage('bulgarian', 'bulgarian')],
  ['catalan', catalan],
  ['chinese', createChineseAnalyzer],
  ['cjk', cjk],
  ['czech', stemmedLanguage('czech', 'czech')],
  ['danish', snowballLanguage('danish')],
  ['dutch', dutch],
  ['english', english],
  ['finnish', snowballLanguage('finnish')],
  ['french', french],
  ['galician', stemmedLanguage('galician', 'galician')],
  ['german', stemmedLanguage('german', 'light_german', 'german_normalization')],
  ['greek', greek],
  ['hindi', hindi],
  ['hungarian', snowballLanguage('hungarian')],
  ['indonesian', stemmedLanguage('indonesian', 'indonesian')],
  ['irish', irish],
  ['italian', italian],
  ['latvian', stemmedLanguage('latvian', 'latvian')],
  ['norwegian', snowballLanguage('norwegian')],
  ['persian', persian],
  ['portuguese', stemmedLanguage('portuguese', 'light_portuguese')],
  ['romanian', snowballLanguage('romanian')],
  ['russian', snowballLanguage('russian')],
  ['sorani', sorani],
  ['spanish', stemmedLanguage('spanish', 'light_spanish')],
  ['swedish', snowballLanguage('swedish')],
  ['thai', thai],
  ['turkish', turkish],
];
