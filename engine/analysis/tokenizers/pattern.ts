// The pattern tokenizer: splits at matches of a regular expression, or takes a group of each match.

import type { Tokenizer } from '../chain/components';
import { fault } from '../chain/fault';
import { compilePattern, type TextPattern } from '../regex/pattern';
import type { ComponentSettings } from '../chain/component-settings';

/**
 * @param group -1: the text between matches; 0: the matches; n: the n-th group of each match. Empty tokens
 *   are dropped.
 */
export function patternTokenizer(name: string, pattern: TextPattern, group: number): Tokenizer {
  const reason = `invalid group specified: pattern only has: ${pattern.groupCount} capturing groups`;
  const wrong = group > pattern.groupCount ? fault('group', reason) : undefined;
  return {
    name,
    fault: wrong && { ...wrong, isHarmless: true },
    scan(text, visit, budget) {
      const matcher = pattern.matcher(text, budget);
      let previous = 0;
      const emit = (start: number, end: number): void => {
        if (end > start) visit(text.slice(start, end), start, end, 1, 'word');
      };
      while (matcher.find()) {
        if (group >= 0) {
          emit(matcher.start(group), matcher.end(group));
        } else {
          emit(previous, matcher.start(0));
          previous = matcher.end(0);
        }
      }
      if (group < 0) emit(previous, text.length);
    },
  };
}

/** From settings: `pattern` (`\\W+`), `flags`, `group` (-1). */
export function createPatternTokenizer(name: string, settings: ComponentSettings): Tokenizer {
  const pattern = compilePattern(
    settings.text('pattern') ?? '\\W+',
    settings.text('flags') ?? null,
  );
  return patternTokenizer(name, pattern, settings.integer('group', -1));
}
