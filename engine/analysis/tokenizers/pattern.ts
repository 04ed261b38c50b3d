// The pattern tokenizer: splits at matches of a regular expression, or takes a group of each match.

import type { RE2JS } from 're2js';
import type { Tokenizer } from '../components';

/**
 * @param group -1: the text between matches; 0: the matches; n: the n-th group of each match. Empty tokens
 *   are dropped.
 */
export function patternTokenizer(name: string, pattern: RE2JS, group: number): Tokenizer {
  return {
    name,
    scan(text, visit) {
      const matcher = pattern.matcher(text);
      let previous = 0;
      const emit = (start: number, end: number): void => {
        if (end > start) visit(text.slice(start, end), start, end, 1, 'word');
      };
      while (matcher.find()) {
        if (group >= 0) {
          emit(matcher.start(group), matcher.end(group));
        } else {
          emit(previous, matcher.start());
          previous = matcher.end();
        }
      }
      if (group < 0) emit(previous, text.length);
    },
  };
}
