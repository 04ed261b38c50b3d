// The words that the Krovetz stemmer knows (data/krovetz-lexicon.json), decoded when they are first needed.

import data from '../data/krovetz-lexicon.json';

/** What the stemmer asks about words in lower case. */
export interface KrovetzLexicon {
  /**
   * The stem of a known word: mostly the word itself, for a few another one (`italian`: `italy`).
   * Undefined when the word is not known.
   */
  root(word: string): string | undefined;
  /** Whether `ed` and `ing` were put to another word than this one: `aided` is of `aid`, not of `aide`. */
  isException(word: string): boolean;
}

let lexicon: KrovetzLexicon | null = null;

/** The lexicon; about 3 MB of memory from the first call on. */
export function krovetzLexicon(): KrovetzLexicon {
  lexicon ??= decode();
  return lexicon;
}

function decode(): KrovetzLexicon {
  const roots = new Map<string, string>();
  let previous = '';
  // Each word is the length, base 36, of what it shares with the one before, and the letters that follow.
  for (const entry of data.words.split(' ')) {
    previous = previous.slice(0, parseInt(entry[0]!, 36)) + entry.slice(1);
    roots.set(previous, previous);
  }
  for (const entry of data.roots.split(' ')) {
    const [word = '', root = ''] = entry.split(':');
    roots.set(word, root);
  }
  const exceptions = new Set(data.exceptions.split(' '));
  return { root: (word) => roots.get(word), isException: (word) => exceptions.has(word) };
}
