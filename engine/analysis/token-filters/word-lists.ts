// Filters that work with a list of the user's: keep, keep_types, common_grams, dictionary_decompounder;
// and delimited_payload_filter, which cuts off what it would store.

import { illegalArgument } from '../../errors';
import type { Token } from '../chain/analyzer';
import type { ComponentSettings } from '../chain/component-settings';
import { streamFilter, termFilter, type TokenFilter } from '../chain/components';
import type { TokenBudget } from '../chain/token-budget';
import { cut, multiplied, type Volume } from '../chain/volume';
import { fault } from '../chain/fault';
import { lowerCase } from '../chain/lower-case';

/**
 * From settings: `keep_words`, `keep_words_case` (true: in any case).
 * @throws EngineError ElasticsearchIllegalArgumentException without words, or with a path
 */
export function createKeepFilter(name: string, settings: ComponentSettings): TokenFilter {
  const words = settings.list('keep_words');
  if (words === undefined || settings.text('keep_words_path') !== undefined) {
    throw illegalArgument(
      'keep requires either `keep_words` or `keep_words_path` to be configured',
    );
  }
  if (!settings.boolean('keep_words_case', false)) {
    const kept = new Set(words);
    return termFilter(name, (term) => (kept.has(term) ? term : null));
  }
  const kept = new Set(words.map(lowerCase));
  return termFilter(name, (term) => (kept.has(lowerCase(term)) ? term : null));
}

/**
 * From settings: `types`, the token types that stay.
 * @throws EngineError ElasticsearchIllegalArgumentException without types
 */
export function createKeepTypesFilter(name: string, settings: ComponentSettings): TokenFilter {
  const types = settings.list('types');
  if (types === undefined) throw illegalArgument('keep_types requires `types` to be configured');
  const kept = new Set(types);
  return {
    name,
    mapTerm: null,
    apply: (stream) => {
      const result: Token[] = [];
      let skipped = 0;
      for (const token of stream.tokens) {
        skipped += token.positionIncrement;
        if (!kept.has(token.type)) continue;
        result.push({ ...token, positionIncrement: skipped });
        skipped = 0;
      }
      stream.tokens = result;
      stream.skippedAtEnd += skipped;
    },
  };
}

/**
 * From settings: `common_words`, `ignore_case` (false), `query_mode` (false: keep words beside the pairs).
 * @throws EngineError ElasticsearchIllegalArgumentException without words
 */
export function createCommonGramsFilter(name: string, settings: ComponentSettings): TokenFilter {
  settings.refusePath('common_words_path');
  const words = settings.list('common_words');
  if (words === undefined) {
    throw illegalArgument(
      'mising or empty [common_words] or [common_words_path] configuration for common_grams token filter',
    );
  }
  const ignoreCase = settings.boolean('ignore_case', false);
  const key = ignoreCase ? lowerCase : (word: string): string => word;
  const common = new Set(words.map(key));
  const queryMode = settings.boolean('query_mode', false);
  const filter = streamFilter(name, (tokens, budget) => {
    const grams = commonGrams(tokens, (term) => common.has(key(term)), budget);
    return queryMode ? withoutCovered(grams) : grams;
  });
  return { ...filter, expand: multiplied(3, 1) };
}

/** Every pair of which one is common follows its first word, at the same position. */
function commonGrams(
  tokens: readonly Token[],
  isCommon: (term: string) => boolean,
  budget: TokenBudget | undefined,
): Token[] {
  const result: Token[] = [];
  for (const [i, token] of tokens.entries()) {
    result.push(token);
    const next = tokens[i + 1];
    if (next === undefined || !(isCommon(token.term) || isCommon(next.term))) continue;
    budget?.spend(token.term.length + next.term.length + 1);
    result.push({
      term: `${token.term}_${next.term}`,
      positionIncrement: 0,
      startOffset: token.startOffset,
      endOffset: next.endOffset,
      type: 'gram',
    });
  }
  return result;
}

/** Without the words that a pair follows, and the last one when it ends a pair. */
function withoutCovered(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  for (const [i, token] of tokens.entries()) {
    if (tokens[i + 1]?.type === 'gram') continue;
    const endsPair = i === tokens.length - 1 && tokens[i - 1]?.type === 'gram';
    if (endsPair && token.type !== 'gram') continue;
    result.push(token.type === 'gram' ? { ...token, positionIncrement: 1 } : token);
  }
  return result;
}

/**
 * Adds the words of a list that a term is made of. From settings: `word_list`, `min_word_size` (5),
 * `min_subword_size` (2), `max_subword_size` (15), `only_longest_match` (false).
 * @throws EngineError ElasticsearchIllegalArgumentException without words
 */
export function createDictionaryDecompounder(
  name: string,
  settings: ComponentSettings,
): TokenFilter {
  settings.refusePath('word_list_path');
  const list = settings.list('word_list');
  if (list === undefined) {
    throw illegalArgument(
      `word_list must be provided for [${name}], either as a path to a file, or directly`,
    );
  }
  const words = new Set(list);
  const longestWord = list.reduce((longest, { length }) => Math.max(longest, length), 0);
  const minWord = settings.integer('min_word_size', 5);
  const given = settings.integer('min_subword_size', 2);
  // No subword is shorter than a character, nor longer than the longest word of the list.
  const min = Math.max(1, given);
  const max = Math.min(settings.integer('max_subword_size', 15), longestWord);
  const onlyLongest = settings.boolean('only_longest_match', false);
  const negative = fault('min_subword_size', 'minSubwordSize cannot be negative');
  const decompound = streamFilter(name, (tokens, budget) => {
    const result: Token[] = [];
    const add = (token: Token, start: number, size: number): void => {
      budget?.spend(size);
      result.push(subword(token, start, size));
    };
    for (const token of tokens) {
      result.push(token);
      const { term } = token;
      if (term.length < minWord) continue;
      for (let start = 0; start <= term.length - min; start++) {
        let longest = 0;
        for (let size = min; size <= max && start + size <= term.length; size++) {
          if (!words.has(term.slice(start, start + size))) continue;
          longest = size;
          if (!onlyLongest) add(token, start, size);
        }
        if (onlyLongest && longest > 0) add(token, start, longest);
      }
    }
    return result;
  });
  const depth = onlyLongest ? 1 : longestPrefixChain(list);
  const filter = { ...decompound, expand: depth > USUAL_DEPTH ? subwords(depth, max) : cut };
  return given < 0 ? { ...filter, fault: { ...negative, isHarmless: true } } : filter;
}

/** Words of languages begin with few others; what more begin with makes more of a term than its parts. */
const USUAL_DEPTH = 8;

/** The most words of a list that begin one with the other. */
function longestPrefixChain(list: readonly string[]): number {
  const chain: string[] = [];
  let longest = 0;
  for (const word of [...new Set(list)].sort()) {
    while (chain.length > 0 && !word.startsWith(chain.at(-1)!)) chain.pop();
    chain.push(word);
    longest = Math.max(longest, chain.length);
  }
  return longest;
}

/** So many words of a list at each character, besides the terms. */
function subwords(depth: number, longestWord: number): (volume: Volume) => Volume {
  return ({ tokens, units, longest }) => ({
    tokens: tokens + units * depth,
    units: units * (1 + depth * longestWord),
    longest,
  });
}

function subword(token: Token, start: number, size: number): Token {
  return { ...token, term: token.term.slice(start, start + size), positionIncrement: 0 };
}

/** From settings: `delimiter` (`|`), behind whose last occurrence a term ends. Payloads are not stored. */
export function createDelimitedPayloadFilter(
  name: string,
  settings: ComponentSettings,
): TokenFilter {
  const delimiter = (settings.text('delimiter') ?? '|').slice(0, 1);
  return termFilter(name, (term) => {
    const at = term.indexOf(delimiter);
    return at < 0 ? term : term.slice(0, at);
  });
}
