// Filters that decide what stemmers do: keyword_marker, keyword_repeat, stemmer_override.

import { EngineError, illegalArgument } from '../../errors';
import type { Token } from '../chain/analyzer';
import type { ComponentSettings } from '../chain/component-settings';
import { streamFilter, type TokenFilter } from '../chain/components';
import { multiplied } from '../chain/volume';
import { lowerCase } from '../chain/lower-case';

/** Keeps the terms in `words` from stemmers. */
export function keywordFilter(name: string, words: ReadonlySet<string>): TokenFilter {
  return streamFilter(name, (tokens) => {
    for (const token of tokens) if (words.has(token.term)) token.keyword = true;
    return tokens;
  });
}

/**
 * From settings: `keywords`, `ignore_case`.
 * @throws EngineError ElasticsearchIllegalArgumentException without keywords
 */
export function createKeywordMarkerFilter(name: string, settings: ComponentSettings): TokenFilter {
  settings.refusePath('keywords_path');
  const keywords = settings.list('keywords');
  if (keywords === undefined) {
    throw illegalArgument(
      'keyword filter requires either `keywords` or `keywords_path` to be configured',
    );
  }
  if (!settings.boolean('ignore_case', false)) return keywordFilter(name, new Set(keywords));
  const words = new Set(keywords.map(lowerCase));
  return streamFilter(name, (tokens) => {
    for (const token of tokens) if (words.has(lowerCase(token.term))) token.keyword = true;
    return tokens;
  });
}

/** Every term twice at its position: once kept from stemmers, once not. */
const REPEAT = streamFilter('keyword_repeat', (tokens, budget) => {
  const result: Token[] = [];
  for (const token of tokens) {
    budget?.spend(token.term.length);
    result.push({ ...token, keyword: true }, { ...token, positionIncrement: 0, keyword: false });
  }
  return result;
});

export const KEYWORD_REPEAT_FILTER: TokenFilter = { ...REPEAT, expand: multiplied(2) };

/**
 * From settings: `rules` such as `running => run`, which replace terms and keep them from stemmers.
 * @throws EngineError ElasticsearchIllegalArgumentException without rules, RuntimeException for a rule
 *   that cannot be read
 */
export function* createStemmerOverrideFilter(
  name: string,
  settings: ComponentSettings,
): Generator<void, TokenFilter> {
  settings.refusePath('rules_path');
  const rules = settings.list('rules');
  if (rules === undefined) {
    throw illegalArgument(
      'stemmer override filter requires either `rules` or `rules_path` to be configured',
    );
  }
  const stems = new Map<string, string>();
  for (const rule of rules) {
    const arrow = rule.indexOf('=>');
    if (arrow < 0 || rule.includes('=>', arrow + 2)) {
      throw new EngineError('RuntimeException', `Invalid Keyword override Rule:${rule}`);
    }
    const from = rule.slice(0, arrow).trim();
    if (!stems.has(from)) stems.set(from, rule.slice(arrow + 2).trim());
    yield;
  }
  return stemmerOverrideFilter(name, stems);
}

/** Replaces the terms in `stems` and keeps the results from stemmers. */
export function stemmerOverrideFilter(
  name: string,
  stems: ReadonlyMap<string, string>,
): TokenFilter {
  return streamFilter(name, (tokens) => {
    for (const token of tokens) {
      const stem = token.keyword === true ? undefined : stems.get(token.term);
      if (stem === undefined) continue;
      token.term = stem;
      token.keyword = true;
    }
    return tokens;
  });
}
