// Stop word lists by name, and the option that chooses one.

import type { ComponentSettings } from './component-settings';

export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there ' +
    'these they this to was will with'
  ).split(' '),
);

/** Lists that settings may name as `_english_`. An unknown name stands for itself. */
const STOP_WORD_LISTS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['_english_', ENGLISH_STOP_WORDS],
]);

/**
 * The words of an option that holds a list or a comma-separated text of words and list names;
 * `fallback` when the option is not set. `_none_` alone is the empty list.
 */
export function readStopWords(
  settings: ComponentSettings,
  option: string,
  fallback: ReadonlySet<string>,
): ReadonlySet<string> {
  settings.refusePath(`${option}_path`);
  const text = settings.text(option);
  if (text === '_none_') return new Set();
  // compat: blanks around the commas of a text belong to the words.
  const entries = text === undefined ? settings.list(option) : text.split(',');
  if (entries === undefined) return fallback;
  const words = new Set<string>();
  for (const entry of entries) {
    const named = STOP_WORD_LISTS.get(entry);
    if (named === undefined) words.add(entry);
    else for (const word of named) words.add(word);
  }
  return words;
}
