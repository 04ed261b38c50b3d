// The stemmer for Indonesian (Fadillah Z. Tala): particles, possessives, then prefixes and suffixes that
// go together.

import { remembering, type Stemmer } from './stemmer';

/** A prefix, what takes its place, and which suffixes may not follow it. */
interface PrefixRule {
  readonly pattern: RegExp;
  readonly replacement: string;
  readonly family: string;
}

const rule = (pattern: RegExp, family: string, replacement = ''): PrefixRule => ({
  pattern,
  replacement,
  family,
});

const FIRST_ORDER: readonly PrefixRule[] = [
  rule(/^meng/, 'meng'),
  rule(/^meny(?=[aeiou])/, 'meng', 's'),
  rule(/^me[nm]/, 'meng'),
  rule(/^me/, 'meng'),
  rule(/^peng/, 'peng'),
  rule(/^peny(?=[aeiou])/, 'peng', 's'),
  rule(/^peny/, 'peng'),
  rule(/^pen(?=[aeiou])/, 'peng', 't'),
  rule(/^pe[nm]/, 'peng'),
  rule(/^di/, 'di'),
  rule(/^ter/, 'ter'),
  rule(/^ke/, 'ke'),
];

const SECOND_ORDER: readonly PrefixRule[] = [
  rule(/^ber/, 'ber'),
  rule(/^bel(?=ajar$)/, 'ber'),
  rule(/^be(?=[^aeiou]er)/, 'ber'),
  rule(/^per/, ''),
  rule(/^pel(?=ajar$)/, ''),
  rule(/^pe/, 'pe'),
];

const SUFFIXES: readonly (readonly [RegExp, ReadonlySet<string>])[] = [
  [/kan$/, new Set(['ke', 'peng', 'pe'])],
  [/an$/, new Set(['di', 'meng', 'ter'])],
  [/(?<!s)i$/, new Set(['ber', 'ke', 'peng'])],
];

/** A word that is being stemmed: it must keep more than two syllables to lose another affix. */
class Word {
  syllables: number;
  readonly #removed = new Set<string>();

  constructor(public text: string) {
    this.syllables = (text.match(/[aeiou]/g) ?? []).length;
  }

  /** Removes what `pattern` finds; false when it does not occur or too few syllables are left. */
  remove(pattern: RegExp, replacement = ''): boolean {
    if (this.syllables <= 2 || !pattern.test(this.text)) return false;
    this.text = this.text.replace(pattern, replacement);
    this.syllables--;
    return true;
  }

  removePrefix(rules: readonly PrefixRule[]): boolean {
    for (const { pattern, replacement, family } of rules) {
      if (!this.remove(pattern, replacement)) continue;
      this.#removed.add(family);
      return true;
    }
    return false;
  }

  removeSuffix(): boolean {
    for (const [pattern, excluded] of SUFFIXES) {
      if ([...this.#removed].some((family) => excluded.has(family))) continue;
      if (this.remove(pattern)) return true;
    }
    return false;
  }
}

/** Particles, possessives, prefixes and suffixes. */
export const indonesianStemmer: Stemmer = remembering((term) => {
  const word = inflected(term);
  if (word.removePrefix(FIRST_ORDER)) {
    if (word.removeSuffix()) word.removePrefix(SECOND_ORDER);
  } else {
    word.removePrefix(SECOND_ORDER);
    word.removeSuffix();
  }
  return word.text;
});

function inflected(term: string): Word {
  const word = new Word(term);
  word.remove(/(?:kah|lah|pun)$/);
  word.remove(/(?:ku|mu|nya)$/);
  return word;
}
