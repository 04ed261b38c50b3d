// Analyzers that know no language: standard, standard_html_strip, stop, pattern, snowball.

import type { Analyzer } from '../chain/analyzer';
import { ChainAnalyzer } from '../chain/chain-analyzer';
import { ComponentSettings } from '../chain/component-settings';
import { termFilter, type TokenFilter } from '../chain/components';
import { compilePattern } from '../regex/pattern';
import {
  ENGLISH_STOP_WORDS,
  readStopWords,
  stopWordsOf,
  type StopWordLanguage,
} from '../chain/stop-words';
import { possessiveEnglish } from '../stemmers/english';
import { LOWERCASE_FILTER } from '../token-filters/case';
import { snowballByName } from '../token-filters/stemmer';
import { stopFilter } from '../token-filters/stop';
import { patternTokenizer } from '../tokenizers/pattern';
import { LOWERCASE_TOKENIZER } from '../tokenizers/runs';
import { standardTokenizer } from '../tokenizers/standard';

const NO_WORDS: ReadonlySet<string> = new Set();

/** A stop filter when there is anything to stop. */
export function optionalStop(words: ReadonlySet<string>): readonly TokenFilter[] {
  return words.size === 0 ? [] : [stopFilter('stop', words)];
}

/** From settings: `stopwords` (none), `max_token_length`. */
export function createStandardAnalyzer(name: string, settings: ComponentSettings): Analyzer {
  const words = readStopWords(settings, 'stopwords', NO_WORDS);
  return new ChainAnalyzer(name, {
    tokenizer: standardTokenizer(settings),
    tokenFilters: [LOWERCASE_FILTER, ...optionalStop(words)],
  });
}

/**
 * From settings: `stopwords` (none).
 * compat: in spite of its name it leaves markup in the text, as it does in the reference.
 */
export function createStandardHtmlStripAnalyzer(
  name: string,
  settings: ComponentSettings,
): Analyzer {
  const words = readStopWords(settings, 'stopwords', NO_WORDS);
  return new ChainAnalyzer(name, {
    tokenizer: standardTokenizer(ComponentSettings.EMPTY),
    tokenFilters: [LOWERCASE_FILTER, ...optionalStop(words)],
  });
}

/** From settings: `stopwords` (English). */
export function createStopAnalyzer(name: string, settings: ComponentSettings): Analyzer {
  const words = readStopWords(settings, 'stopwords', ENGLISH_STOP_WORDS);
  return new ChainAnalyzer(name, {
    tokenizer: LOWERCASE_TOKENIZER,
    tokenFilters: optionalStop(words),
  });
}

/** From settings: `pattern` (the separator), `flags`, `lowercase`, `stopwords`. */
export function createPatternAnalyzer(name: string, settings: ComponentSettings): Analyzer {
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

/** The lists that the snowball analyzer uses without `stopwords`, by its language. */
const SNOWBALL_STOP_WORDS: ReadonlyMap<string, StopWordLanguage | 'english'> = new Map([
  ['English', 'english'],
  ['Dutch', 'dutch'],
  ['German', 'german'],
  ['German2', 'german'],
  ['French', 'french'],
]);

/** Languages of the snowball analyzer that take `'s` off first. */
const ENGLISH_ALGORITHMS: ReadonlySet<string> = new Set(['English', 'Porter', 'Lovins']);

/** From settings: `language` (English), `stopwords` (those of the language). */
export function createSnowballAnalyzer(name: string, settings: ComponentSettings): Analyzer {
  const language = settings.text('language') ?? settings.text('name') ?? 'English';
  const listed = SNOWBALL_STOP_WORDS.get(language);
  const fallback = listed === undefined ? NO_WORDS : stopWordsOf(listed);
  return new ChainAnalyzer(name, {
    tokenizer: standardTokenizer(ComponentSettings.EMPTY),
    tokenFilters: [
      ...(ENGLISH_ALGORITHMS.has(language) ? [termFilter('possessive', possessiveEnglish)] : []),
      LOWERCASE_FILTER,
      ...optionalStop(readStopWords(settings, 'stopwords', fallback)),
      snowballByName('snowball', language),
    ],
  });
}
