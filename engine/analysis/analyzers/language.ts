// The analyzers of languages. All read `stopwords` and `stem_exclusion` (words that are not stemmed).

import type { Analyzer } from '../analyzer';
import { ChainAnalyzer } from '../chain-analyzer';
import { ComponentSettings } from '../component-settings';
import { stemFilter, termFilter, type CharFilter, type TokenFilter } from '../components';
import { readStopWords, stopWordsOf, type StopWordLanguage } from '../stop-words';
import { possessiveEnglish } from '../stemmers/english';
import { SNOWBALL_STEMMERS, STEMMERS } from '../stemmers/names';
import type { Stemmer } from '../stemmers/stemmer';
import { LOWERCASE_FILTER, lowercaseFilterOf } from '../token-filters/case';
import { APOSTROPHE_FILTER, elisionFilter } from '../token-filters/elision';
import { keywordFilter, stemmerOverrideFilter } from '../token-filters/keywords';
import { stopFilter } from '../token-filters/stop';
import { standardTokenizer } from '../tokenizers/standard';
import { optionalStop } from './basic';

/** How the analyzer of a language is put together; the parts stand in the order of the chain. */
interface LanguageChain {
  readonly stopWords: ReadonlySet<string>;
  readonly charFilters?: readonly CharFilter[];
  /** Before stop words are removed. */
  readonly prepare: readonly TokenFilter[];
  /** After that, before the words of `stem_exclusion` are marked. */
  readonly normalize?: readonly TokenFilter[];
  /** The stemmer and what belongs to it. */
  readonly stem?: readonly TokenFilter[];
}

function create(
  chain: () => LanguageChain,
): (name: string, settings: ComponentSettings) => Analyzer {
  return (name, settings) => {
    const { stopWords, charFilters = [], prepare, normalize = [], stem = [] } = chain();
    const excluded = readStopWords(settings, 'stem_exclusion', new Set());
    return new ChainAnalyzer(name, {
      charFilters,
      tokenizer: standardTokenizer(ComponentSettings.EMPTY),
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
    stopFilter('hyphenations', words('h n t')),
    elisionFilter('elision', words('d m b')),
    lowercaseFilterOf('irish'),
  ],
  stem: stemBy(SNOWBALL_STEMMERS.get('Irish')!),
}));

const turkish = create(() => ({
  stopWords: stopWordsOf('turkish'),
  prepare: [APOSTROPHE_FILTER, lowercaseFilterOf('turkish')],
  stem: stemBy(SNOWBALL_STEMMERS.get('Turkish')!),
}));

/** The analyzers of languages by name. */
export const LANGUAGE_ANALYZERS: readonly (readonly [
  string,
  (name: string, settings: ComponentSettings) => Analyzer,
])[] = [
  ['armenian', snowballLanguage('armenian')],
  ['basque', snowballLanguage('basque')],
  ['catalan', catalan],
  ['danish', snowballLanguage('danish')],
  ['dutch', dutch],
  ['english', english],
  ['finnish', snowballLanguage('finnish')],
  ['hungarian', snowballLanguage('hungarian')],
  ['irish', irish],
  ['norwegian', snowballLanguage('norwegian')],
  ['romanian', snowballLanguage('romanian')],
  ['russian', snowballLanguage('russian')],
  ['swedish', snowballLanguage('swedish')],
  ['turkish', turkish],
];
