// Stop word lists by name, and the option that chooses one.
//
// The lists (scripts/dev/generate-stop-words.mjs) are those of the reference server, and fixed: words of a
// newer list would be missed in what is already indexed.

import data from '../data/stop-words.json';
import type { ComponentSettings } from './component-settings';

/** Languages with a list of their own. */
export type StopWordLanguage = keyof typeof data;

/** The stop words of Lucene's English analyzers. */
export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there ' +
    'these they this to was will with'
  ).split(' '),
);

/** The list of the cjk analyzer: English words that Chinese, Japanese and Korean texts are sprinkled with. */
export const CJK_STOP_WORDS: ReadonlySet<string> = new Set(
  [...ENGLISH_STOP_WORDS, 's', 't', 'www'].filter((word) => word !== 'an'),
);

const lists = new Map<string, ReadonlySet<string>>([['english', ENGLISH_STOP_WORDS]]);

/** The list of a language. */
export function stopWordsOf(language: StopWordLanguage | 'english'): ReadonlySet<string> {
  return namedList(language)!;
}

function namedList(language: string): ReadonlySet<string> | undefined {
  let list = lists.get(language);
  if (list === undefined && Object.hasOwn(data, language)) {
    list = new Set(data[language as StopWordLanguage].split(' '));
    lists.set(language, list);
  }
  return list;
}

/**
 * The words of an option that holds a list or a comma-separated text of words and of list names such as
 * `_english_`; `fallback` when the option is not set. `_none_` alone is the empty list. An unknown name
 * stands for itself.
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
    const language = entry.startsWith('_') ? /^_([a-z]+)_$/.exec(entry)?.[1] : undefined;
    const named = language === undefined ? undefined : namedList(language);
    if (named === undefined) words.add(entry);
    else for (const word of named) words.add(word);
  }
  return words;
}
