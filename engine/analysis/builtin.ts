// The built-in components, usable by name without settings, and the types that settings can configure.
// Adding a component takes one file and one line in these tables.

import type { Analyzer } from './analyzer';
import { ChainAnalyzer } from './chain-analyzer';
import { createMappingCharFilter } from './char-filters/mapping';
import { ComponentSettings } from './component-settings';
import type { CharFilter, TokenFilter, Tokenizer } from './components';
import { compilePattern } from './pattern';
import { ENGLISH_STOP_WORDS, readStopWords } from './stop-words';
import { createLowercaseFilter, LOWERCASE_FILTER, UPPERCASE_FILTER } from './token-filters/case';
import { createLimitFilter } from './token-filters/limit';
import { createEdgeNGramFilter, createNGramFilter } from './token-filters/n-gram';
import { createStopFilter, stopFilter } from './token-filters/stop';
import {
  createLengthFilter,
  createReverseFilter,
  createTrimFilter,
  createTruncateFilter,
  STANDARD_FILTER,
  truncateFilter,
} from './token-filters/terms';
import { createUniqueFilter } from './token-filters/unique';
import { KEYWORD_TOKENIZER } from './tokenizers/keyword';
import { patternTokenizer } from './tokenizers/pattern';
import {
  LETTER_TOKENIZER,
  LOWERCASE_TOKENIZER,
  WHITESPACE_TOKENIZER,
  WORD_PATTERN_TOKENIZER,
} from './tokenizers/runs';
import { DEFAULT_MAX_TOKEN_LENGTH, StandardTokenizer } from './tokenizers/standard';

const STANDARD_TOKENIZER = new StandardTokenizer();
const NO_WORDS: ReadonlySet<string> = new Set();

/** Makes a component of one type under a name of the user's. */
export type ComponentFactory<Component> = (name: string, settings: ComponentSettings) => Component;

/** A table keyed by names that users type. */
function table<Component>(
  entries: readonly (readonly [string, ComponentFactory<Component>])[],
): ReadonlyMap<string, ComponentFactory<Component>> {
  return new Map(entries);
}

export const TOKENIZER_TYPES = table<Tokenizer>([
  ['standard', (_name, settings) => standardTokenizer(settings)],
  ['whitespace', () => WHITESPACE_TOKENIZER],
  ['letter', () => LETTER_TOKENIZER],
  ['lowercase', () => LOWERCASE_TOKENIZER],
  ['keyword', () => KEYWORD_TOKENIZER],
  ['pattern', (name, settings) => configuredPatternTokenizer(name, settings)],
]);

export const TOKEN_FILTER_TYPES = table<TokenFilter>([
  ['standard', () => STANDARD_FILTER],
  ['lowercase', createLowercaseFilter],
  ['uppercase', () => UPPERCASE_FILTER],
  ['stop', createStopFilter],
  ['length', createLengthFilter],
  ['trim', createTrimFilter],
  ['reverse', createReverseFilter],
  ['truncate', createTruncateFilter],
  ['unique', createUniqueFilter],
  ['limit', createLimitFilter],
  ['nGram', createNGramFilter],
  ['ngram', createNGramFilter],
  ['edgeNGram', createEdgeNGramFilter],
  ['edge_ngram', createEdgeNGramFilter],
]);

export const CHAR_FILTER_TYPES = table<CharFilter>([['mapping', createMappingCharFilter]]);

/** Types of analyzers other than `custom`, which the registry composes itself. */
export const ANALYZER_TYPES = table<Analyzer>([
  ['standard', createStandardAnalyzer],
  ['simple', (name) => new ChainAnalyzer(name, { tokenizer: LOWERCASE_TOKENIZER })],
  ['whitespace', (name) => new ChainAnalyzer(name, { tokenizer: WHITESPACE_TOKENIZER })],
  ['keyword', (name) => new ChainAnalyzer(name, { tokenizer: KEYWORD_TOKENIZER })],
  ['stop', createStopAnalyzer],
  ['pattern', createPatternAnalyzer],
]);

/** Token filters by bare name; `truncate` and the edge grams have other defaults then. */
const BARE_TOKEN_FILTERS = table<TokenFilter>([
  ...TOKEN_FILTER_TYPES,
  ['truncate', (name) => truncateFilter(name, 10)],
  ['edgeNGram', (name, settings) => createEdgeNGramFilter(name, settings, 1)],
  ['edge_ngram', (name, settings) => createEdgeNGramFilter(name, settings, 1)],
]);

/** The tokenizer of that bare name, or null. */
export function builtinTokenizer(name: string): Tokenizer | null {
  return TOKENIZER_TYPES.get(name)?.(name, ComponentSettings.EMPTY) ?? null;
}

/** The token filter of that bare name, or null. */
export function builtinTokenFilter(name: string): TokenFilter | null {
  return BARE_TOKEN_FILTERS.get(name)?.(name, ComponentSettings.EMPTY) ?? null;
}

/** Analyzers by bare name; `pattern` finds letters then, where a configured one splits at `\\W+`. */
const BARE_ANALYZERS = table<Analyzer>([
  ...ANALYZER_TYPES,
  ['default', createStandardAnalyzer],
  ['pattern', (name) => new ChainAnalyzer(name, { tokenizer: WORD_PATTERN_TOKENIZER })],
]);

const BUILTIN_ANALYZERS: ReadonlyMap<string, Analyzer> = new Map(
  [...BARE_ANALYZERS].map(([name, create]) => [name, create(name, ComponentSettings.EMPTY)]),
);

/** The analyzer of that bare name, or null. */
export function builtinAnalyzer(name: string): Analyzer | null {
  return BUILTIN_ANALYZERS.get(name) ?? null;
}

/** The whole text as one term. */
export const KEYWORD_ANALYZER: Analyzer = new ChainAnalyzer('keyword', {
  tokenizer: KEYWORD_TOKENIZER,
});

/** Words in lower case; the default of every index. */
export const STANDARD_ANALYZER: Analyzer = createStandardAnalyzer(
  'standard',
  ComponentSettings.EMPTY,
);

function standardTokenizer(settings: ComponentSettings): Tokenizer {
  const maxTokenLength = settings.integer('max_token_length', DEFAULT_MAX_TOKEN_LENGTH);
  return maxTokenLength === DEFAULT_MAX_TOKEN_LENGTH
    ? STANDARD_TOKENIZER
    : new StandardTokenizer(maxTokenLength);
}

function createStandardAnalyzer(name: string, settings: ComponentSettings): Analyzer {
  const words = readStopWords(settings, 'stopwords', NO_WORDS);
  return new ChainAnalyzer(name, {
    tokenizer: standardTokenizer(settings),
    tokenFilters: [LOWERCASE_FILTER, ...optionalStop(words)],
  });
}

function createStopAnalyzer(name: string, settings: ComponentSettings): Analyzer {
  const words = readStopWords(settings, 'stopwords', ENGLISH_STOP_WORDS);
  return new ChainAnalyzer(name, {
    tokenizer: LOWERCASE_TOKENIZER,
    tokenFilters: optionalStop(words),
  });
}

/** From settings: `pattern` (the separator), `flags`, `lowercase`, `stopwords`. */
function createPatternAnalyzer(name: string, settings: ComponentSettings): Analyzer {
  const words = readStopWords(settings, 'stopwords', NO_WORDS);
  const pattern = compilePattern(
    settings.text('pattern') ?? '\\W+',
    settings.text('flags') ?? null,
  );
  const lowercase = settings.boolean('lowercase', true);
  return new ChainAnalyzer(name, {
    tokenizer: patternTokenizer('pattern', pattern, -1),
    tokenFilters: [...(lowercase ? [LOWERCASE_FILTER] : []), ...optionalStop(words)],
  });
}

function configuredPatternTokenizer(name: string, settings: ComponentSettings): Tokenizer {
  const pattern = compilePattern(
    settings.text('pattern') ?? '\\W+',
    settings.text('flags') ?? null,
  );
  return patternTokenizer(name, pattern, settings.integer('group', -1));
}

function optionalStop(words: ReadonlySet<string>): readonly TokenFilter[] {
  return words.size === 0 ? [] : [stopFilter('stop', words)];
}
