// Small filters of single terms: length, trim, reverse, truncate, standard.

import { ASCII_IDENTITY } from '../chain/ascii-words';
import { illegalArgument } from '../../errors';
import type { ComponentSettings } from '../chain/component-settings';
import { termFilter, type TokenFilter } from '../chain/components';

/** Keeps everything; older chains name it. */
export const STANDARD_FILTER: TokenFilter = termFilter('standard', (term) => term, ASCII_IDENTITY);

/** Keeps terms of `min` to `max` UTF-16 units. */
export function createLengthFilter(name: string, settings: ComponentSettings): TokenFilter {
  const min = settings.integer('min', 0);
  const max = settings.integer('max', 0x7fffffff);
  return termFilter(name, (term) => (term.length >= min && term.length <= max ? term : null));
}

/** Removes characters up to U+0020 at both ends. */
export function createTrimFilter(name: string): TokenFilter {
  return termFilter(name, (term) => {
    let start = 0;
    let end = term.length;
    while (start < end && term.charCodeAt(start) <= 0x20) start++;
    while (end > start && term.charCodeAt(end - 1) <= 0x20) end--;
    return term.slice(start, end);
  });
}

/** Reverses the code points of a term. */
export function createReverseFilter(name: string): TokenFilter {
  return termFilter(name, (term) => [...term].reverse().join(''));
}

/** Cuts terms after `length` UTF-16 units, or one less where that would halve a character. */
export function truncateFilter(name: string, length: number): TokenFilter {
  return termFilter(name, (term) => {
    if (term.length <= length) return term;
    return term.slice(0, (term.codePointAt(length - 1) ?? 0) > 0xffff ? length - 1 : length);
  });
}

/** @throws EngineError ElasticsearchIllegalArgumentException without the option `length`. */
export function createTruncateFilter(name: string, settings: ComponentSettings): TokenFilter {
  const length = settings.integer('length', -1);
  if (length <= 0) throw illegalArgument('length parameter must be provided');
  return truncateFilter(name, length);
}
