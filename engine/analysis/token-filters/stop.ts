// The stop filter: removes words and leaves holes in the positions.

import type { Token } from '../chain/analyzer';
import { streamFilter, termFilter, type TokenFilter } from '../chain/components';
import type { ComponentSettings } from '../chain/component-settings';
import { illegalArgument } from '../../errors';
import { lowerCase } from '../chain/lower-case';
import { ENGLISH_STOP_WORDS, readStopWords } from '../chain/stop-words';

/** Removes the terms in `words`. */
export function stopFilter(name: string, words: ReadonlySet<string>): TokenFilter {
  return termFilter(name, (term) => (words.has(term) ? null : term));
}

/** From settings: `stopwords`, `ignore_case`, `remove_trailing`. */
export function createStopFilter(name: string, settings: ComponentSettings): TokenFilter {
  if (!settings.boolean('enable_position_increments', true)) {
    throw illegalArgument(
      '[enable_position_increments: false] is not supported anymore as of Lucene 4.4 as it can create ' +
        'broken token streams. Please fix your analysis chain or use an older compatibility version (<=4.3) ' +
        'but beware that it might cause unexpected behavior.',
    );
  }
  let words = readStopWords(settings, 'stopwords', ENGLISH_STOP_WORDS);
  // compat: the default list is compared as it is, whatever ignore_case says.
  const ignoreCase = settings.boolean('ignore_case', false) && words !== ENGLISH_STOP_WORDS;
  if (ignoreCase) words = new Set([...words].map(lowerCase));
  const removed = ignoreCase
    ? (term: string): boolean => words.has(lowerCase(term))
    : (term: string): boolean => words.has(term);
  if (settings.boolean('remove_trailing', true)) {
    return termFilter(name, (term) => (removed(term) ? null : term));
  }
  return streamFilter(name, (tokens) => removeButLast(tokens, removed));
}

/** Keeps a stop word at the very end of the text, where a word may still be being typed. */
function removeButLast(tokens: readonly Token[], removed: (term: string) => boolean): Token[] {
  const kept: Token[] = [];
  let skipped = 0;
  for (const [i, token] of tokens.entries()) {
    if (i < tokens.length - 1 && removed(token.term)) {
      skipped += token.positionIncrement;
      continue;
    }
    token.positionIncrement += skipped;
    skipped = 0;
    kept.push(token);
  }
  return kept;
}
