// The term suggester: for each word of the text, words of the field that are like it.

import { compareUtf8 } from '../../segment/index';
import type { SuggestEntry, SuggestOption, Suggester } from '../contract/suggest';
import { similarWords } from './similar-words';
import type { TermSpec } from '../contract/term-spec';

export const termSuggester: Suggester<TermSpec> = {
  *suggest({ field, words, shardSize, spelling }, segments) {
    const entries: SuggestEntry[] = [];
    for (const { term, startOffset, endOffset } of words) {
      const similar =
        field === null ? [] : similarWords({ segments, field }, term, shardSize, spelling);
      entries.push({
        text: term,
        offset: startOffset,
        length: endOffset - startOffset,
        options: similar.map(({ term: text, score, docFreq }) => ({ text, score, freq: docFreq })),
      });
      yield;
    }
    return entries;
  },

  compare: ({ spelling }) => (spelling.sort === 'score' ? byScore : byFrequency),
};

function byScore(a: SuggestOption, b: SuggestOption): number {
  return b.score - a.score || byFrequency(a, b);
}

function byFrequency(a: SuggestOption, b: SuggestOption): number {
  return (b.freq ?? 0) - (a.freq ?? 0) || b.score - a.score || compareUtf8(a.text, b.text);
}
