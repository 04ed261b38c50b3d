// The chinese analyzer of the reference server: single ideographs, and words of two letters and more
// without English stop words. Removed words leave no holes.

import type { Analyzer } from '../chain/analyzer';
import { ChainAnalyzer } from '../chain/chain-analyzer';
import { type Tokenizer, streamFilter } from '../chain/components';
import { lowerCase } from '../chain/lower-case';
import { ENGLISH_STOP_WORDS } from '../chain/stop-words';

/** Longer words are cut after this many letters and digits. */
const MAX_WORD_LENGTH = 255;

const CHINESE_TOKENIZER: Tokenizer = {
  name: 'chinese',
  scan(text, visit) {
    const words = new RegExp(`[\\p{Nd}\\p{Ll}\\p{Lu}]{1,${MAX_WORD_LENGTH}}|\\p{Lo}`, 'gu');
    for (const { 0: word, index } of text.matchAll(words)) {
      visit(lowerCase(word), index, index + word.length, 1, 'word');
    }
  },
};

const CHINESE_FILTER = streamFilter('chinese', (tokens) =>
  tokens.filter(({ term }) => {
    if (term !== 'an' && ENGLISH_STOP_WORDS.has(term)) return false;
    return /^\p{Lo}/u.test(term) || (term.length > 1 && /^[\p{Ll}\p{Lu}]/u.test(term));
  }),
);

/** Takes no settings. */
export function createChineseAnalyzer(name: string): Analyzer {
  return new ChainAnalyzer(name, { tokenizer: CHINESE_TOKENIZER, tokenFilters: [CHINESE_FILTER] });
}
