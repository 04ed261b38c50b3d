// The built-in components, usable by name without settings, and the types that settings can configure.
// Adding a component takes one file and one line in these tables.

import type { Analyzer } from './chain/analyzer';
import {
  createPatternAnalyzer,
  createSnowballAnalyzer,
  createStandardAnalyzer,
  createStandardHtmlStripAnalyzer,
  createStopAnalyzer,
} from './analyzers/basic';
import { LANGUAGE_ANALYZERS } from './analyzers/language';
import { ChainAnalyzer } from './chain/chain-analyzer';
import { createHtmlStripCharFilter } from './char-filters/html-strip';
import { atOnce } from '../common/index';
import { createMappingCharFilter } from './char-filters/mapping';
import { createPatternReplaceCharFilter } from './char-filters/pattern-replace';
import type { ComponentContext } from './chain/component-context';
import { ComponentSettings } from './chain/component-settings';
import type { CharFilter, TokenFilter, Tokenizer } from './chain/components';
import { caumannsStemmer } from './stemmers/caumanns';
import { earlyFrenchStemmer } from './stemmers/french';
import { SNOWBALL_STEMMERS, STEMMERS } from './stemmers/names';
import { olderDutchStemmer } from './stemmers/snowball';
import { createAsciiFoldingFilter } from './token-filters/ascii-folding';
import { createCjkBigramFilter } from './token-filters/cjk-bigram';
import { NORMALIZATION_FILTERS } from './token-filters/normalization';
import { createLowercaseFilter, UPPERCASE_FILTER } from './token-filters/case';
import {
  APOSTROPHE_FILTER,
  CLASSIC_FILTER,
  createElisionFilter,
  elisionFilter,
  FRENCH_ARTICLES,
} from './token-filters/elision';
import { INDIC_NORMALIZATION } from './token-filters/indic';
import {
  createKeywordMarkerFilter,
  createStemmerOverrideFilter,
  KEYWORD_REPEAT_FILTER,
} from './token-filters/keywords';
import { createLimitFilter } from './token-filters/limit';
import { createNGramFilter, edgeNGramFilters } from './token-filters/n-gram';
import { createPatternCaptureFilter, createPatternReplaceFilter } from './token-filters/pattern';
import { createShingleFilter } from './token-filters/shingle';
import {
  createSnowballFilter,
  createStemmerFilter,
  fixedStemFilter,
} from './token-filters/stemmer';
import { createStopFilter } from './token-filters/stop';
import { createSynonymFilter } from './token-filters/synonym';
import {
  createLengthFilter,
  createReverseFilter,
  createTrimFilter,
  createTruncateFilter,
  STANDARD_FILTER,
  truncateFilter,
} from './token-filters/terms';
import { createUniqueFilter } from './token-filters/unique';
import {
  createCommonGramsFilter,
  createDelimitedPayloadFilter,
  createDictionaryDecompounder,
  createKeepFilter,
  createKeepTypesFilter,
} from './token-filters/word-lists';
import { createWordDelimiterFilter } from './token-filters/word-delimiter';
import { createClassicTokenizer } from './tokenizers/classic';
import { KEYWORD_TOKENIZER } from './tokenizers/keyword';
import { createNGramTokenizer, edgeNGramTokenizers } from './tokenizers/n-gram';
import { createPathHierarchyTokenizer } from './tokenizers/path-hierarchy';
import { createPatternTokenizer } from './tokenizers/pattern';
import {
  LETTER_TOKENIZER,
  LOWERCASE_TOKENIZER,
  WHITESPACE_TOKENIZER,
  WORD_PATTERN_TOKENIZER,
} from './tokenizers/runs';
import { standardTokenizer } from './tokenizers/standard';
import { THAI_TOKENIZER } from './tokenizers/thai';
import { createUaxUrlEmailTokenizer } from './tokenizers/uax-url-email';

/** Makes a component of one type under a name of the user's, in steps where its lists may be long. */
export type ComponentFactory<Component> = (
  name: string,
  settings: ComponentSettings,
  context: ComponentContext,
) => Component | ComponentSteps<Component>;

type ComponentSteps<Component> = Generator<void, Component>;

function isSteps<Component extends object>(
  made: Component | ComponentSteps<Component>,
): made is ComponentSteps<Component> {
  return Symbol.iterator in made;
}

/** Finishes what a factory has begun. */
export function* finished<Component extends object>(
  made: Component | ComponentSteps<Component>,
): ComponentSteps<Component> {
  return isSteps(made) ? yield* made : made;
}

type Entries<Component> = readonly (readonly [string, ComponentFactory<Component>])[];

/** A table keyed by names that users type. */
function table<Component>(
  entries: Entries<Component>,
): ReadonlyMap<string, ComponentFactory<Component>> {
  return new Map(entries);
}

export const TOKENIZER_TYPES = table<Tokenizer>([
  ['standard', (_name, settings) => standardTokenizer(settings)],
  ['whitespace', () => WHITESPACE_TOKENIZER],
  ['letter', () => LETTER_TOKENIZER],
  ['lowercase', () => LOWERCASE_TOKENIZER],
  ['keyword', () => KEYWORD_TOKENIZER],
  ['pattern', createPatternTokenizer],
  ['nGram', createNGramTokenizer],
  ['ngram', createNGramTokenizer],
  ['edgeNGram', edgeNGramTokenizers(2)],
  ['edge_ngram', edgeNGramTokenizers(2)],
  ['path_hierarchy', createPathHierarchyTokenizer],
  ['classic', createClassicTokenizer],
  ['uax_url_email', createUaxUrlEmailTokenizer],
  ['thai', () => THAI_TOKENIZER],
]);

/** Tokenizers by bare name; edge grams have another default then. */
const BARE_TOKENIZERS = table<Tokenizer>([
  ...TOKENIZER_TYPES,
  ['edgeNGram', edgeNGramTokenizers(1)],
  ['edge_ngram', edgeNGramTokenizers(1)],
]);

/** Token filter types that can be used by bare name as well. */
const COMMON_TOKEN_FILTERS: Entries<TokenFilter> = [
  ['standard', () => STANDARD_FILTER],
  ['lowercase', createLowercaseFilter],
  ['uppercase', () => UPPERCASE_FILTER],
  ['asciifolding', createAsciiFoldingFilter],
  ['stop', createStopFilter],
  ['length', createLengthFilter],
  ['trim', createTrimFilter],
  ['reverse', createReverseFilter],
  ['truncate', createTruncateFilter],
  ['unique', createUniqueFilter],
  ['limit', createLimitFilter],
  ['nGram', createNGramFilter],
  ['ngram', createNGramFilter],
  ['edgeNGram', edgeNGramFilters(2)],
  ['edge_ngram', edgeNGramFilters(2)],
  ['shingle', createShingleFilter],
  ['word_delimiter', createWordDelimiterFilter],
  ['elision', createElisionFilter],
  ['apostrophe', () => APOSTROPHE_FILTER],
  ['classic', () => CLASSIC_FILTER],
  ['snowball', createSnowballFilter],
  ['stemmer', createStemmerFilter],
  ['porter_stem', fixedStemFilter(STEMMERS.get('porter')!)],
  ['kstem', fixedStemFilter(STEMMERS.get('kstem')!)],
  ['arabic_stem', fixedStemFilter(STEMMERS.get('arabic')!)],
  ['brazilian_stem', fixedStemFilter(STEMMERS.get('brazilian')!)],
  ['dutch_stem', fixedStemFilter(olderDutchStemmer)],
  ['russian_stem', fixedStemFilter(SNOWBALL_STEMMERS.get('Russian')!)],
  ['french_stem', fixedStemFilter(earlyFrenchStemmer)],
  ['german_stem', fixedStemFilter(caumannsStemmer)],
  ['czech_stem', fixedStemFilter(STEMMERS.get('czech')!)],
  ['cjk_bigram', createCjkBigramFilter],
  ['delimited_payload_filter', createDelimitedPayloadFilter],
  ['indic_normalization', () => INDIC_NORMALIZATION],
  ...[...NORMALIZATION_FILTERS].map(([name, filter]) => [name, () => filter] as const),
];

/** Token filters that settings can configure. */
export const TOKEN_FILTER_TYPES = table<TokenFilter>([
  ...COMMON_TOKEN_FILTERS,
  ['synonym', createSynonymFilter],
  ['keyword_marker', createKeywordMarkerFilter],
  ['stemmer_override', createStemmerOverrideFilter],
  ['pattern_replace', createPatternReplaceFilter],
  ['pattern_capture', createPatternCaptureFilter],
  ['keep', createKeepFilter],
  ['keep_types', createKeepTypesFilter],
  ['common_grams', createCommonGramsFilter],
  ['dictionary_decompounder', createDictionaryDecompounder],
]);

/** Token filters by bare name; some have other defaults then. */
const BARE_TOKEN_FILTERS = table<TokenFilter>([
  ...COMMON_TOKEN_FILTERS,
  ['truncate', (name) => truncateFilter(name, 10)],
  ['edgeNGram', edgeNGramFilters(1)],
  ['edge_ngram', edgeNGramFilters(1)],
  ['elision', (name) => elisionFilter(name, FRENCH_ARTICLES)],
  // compat: without words there is nothing to join.
  ['common_grams', () => STANDARD_FILTER],
  ['keyword_repeat', () => KEYWORD_REPEAT_FILTER],
  ['type_as_payload', () => STANDARD_FILTER],
]);

export const CHAR_FILTER_TYPES = table<CharFilter>([
  ['html_strip', createHtmlStripCharFilter],
  ['mapping', createMappingCharFilter],
  ['pattern_replace', createPatternReplaceCharFilter],
]);

const BARE_CHAR_FILTERS = table<CharFilter>([['html_strip', createHtmlStripCharFilter]]);

/** Types of analyzers other than `custom`, which the registry composes itself. */
export const ANALYZER_TYPES = table<Analyzer>([
  ['standard', createStandardAnalyzer],
  ['standard_html_strip', createStandardHtmlStripAnalyzer],
  ['simple', (name) => new ChainAnalyzer(name, { tokenizer: LOWERCASE_TOKENIZER })],
  ['whitespace', (name) => new ChainAnalyzer(name, { tokenizer: WHITESPACE_TOKENIZER })],
  ['keyword', (name) => new ChainAnalyzer(name, { tokenizer: KEYWORD_TOKENIZER })],
  ['stop', createStopAnalyzer],
  ['pattern', createPatternAnalyzer],
  ['snowball', createSnowballAnalyzer],
  ...LANGUAGE_ANALYZERS,
]);

/** Analyzers by bare name; `pattern` finds letters then, where a configured one splits at `\\W+`. */
const BARE_ANALYZERS = table<Analyzer>([
  ...ANALYZER_TYPES,
  ['default', createStandardAnalyzer],
  ['pattern', (name) => new ChainAnalyzer(name, { tokenizer: WORD_PATTERN_TOKENIZER })],
]);

/** Components made from nothing but their name; each is made once. */
function bareComponents<Component extends object>(
  types: ReadonlyMap<string, ComponentFactory<Component>>,
): (name: string) => Component | null {
  const made = new Map<string, Component>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const create = types.get(name);
    if (create === undefined) return null;
    const component = atOnce(finished(create(name, ComponentSettings.EMPTY, BARE_CONTEXT)));
    made.set(name, component);
    return component;
  };
}

/** The tokenizer of that bare name, or null. */
export const builtinTokenizer = bareComponents(BARE_TOKENIZERS);

const BARE_CONTEXT: ComponentContext = { tokenizer: builtinTokenizer };

/** The token filter of that bare name, or null. */
export const builtinTokenFilter = bareComponents(BARE_TOKEN_FILTERS);

/** The character filter of that bare name, or null. */
export const builtinCharFilter = bareComponents(BARE_CHAR_FILTERS);

/** The analyzer of that bare name, or null. */
export const builtinAnalyzer = bareComponents(BARE_ANALYZERS);

/** The whole text as one term. */
export const KEYWORD_ANALYZER: Analyzer = new ChainAnalyzer('keyword', {
  tokenizer: KEYWORD_TOKENIZER,
});

/** Words in lower case; the default of every index. */
export const STANDARD_ANALYZER: Analyzer = createStandardAnalyzer(
  'standard',
  ComponentSettings.EMPTY,
);
