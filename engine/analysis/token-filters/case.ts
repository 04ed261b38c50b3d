// lowercase and uppercase.

import { illegalArgument } from '../../errors';
import { ASCII_LOWER } from '../chain/ascii-words';
import type { ComponentSettings } from '../chain/component-settings';
import { faultyFilter, termFilter, type TokenFilter } from '../chain/components';
import { lowerCase, upperCase } from '../chain/lower-case';

export const LOWERCASE_FILTER: TokenFilter = termFilter('lowercase', lowerCase, ASCII_LOWER);
export const UPPERCASE_FILTER: TokenFilter = termFilter('uppercase', upperCase);

/** Lower case by the rules of `language`, which is greek, irish or turkish when given. */
export function createLowercaseFilter(name: string, settings: ComponentSettings): TokenFilter {
  const language = settings.text('language');
  if (language === undefined) return termFilter(name, lowerCase, ASCII_LOWER);
  const rules = LANGUAGES.get(language.toLowerCase());
  if (rules !== undefined) return termFilter(name, rules);
  const error = illegalArgument(`language [${language}] not support for lower case`);
  return faultyFilter(name, { setting: 'language', error });
}

/** Lower case by the rules of a language that has its own. */
export function lowercaseFilterOf(language: 'greek' | 'irish' | 'turkish'): TokenFilter {
  return termFilter('lowercase', LANGUAGES.get(language)!);
}

const LANGUAGES: ReadonlyMap<string, (term: string) => string> = new Map([
  ['greek', greek],
  ['irish', irish],
  ['turkish', turkish],
]);

/** Also drops the accents and dialytika, and unifies the two forms of sigma. */
function greek(term: string): string {
  return lowerCase(term)
    .replace(/[άὰ]/g, 'α')
    .replace(/έ/g, 'ε')
    .replace(/ή/g, 'η')
    .replace(/[ίϊΐ]/g, 'ι')
    .replace(/[ύϋΰ]/g, 'υ')
    .replace(/ό/g, 'ο')
    .replace(/ώ/g, 'ω')
    .replace(/ς/g, 'σ');
}

/** A prefixed n or t before an upper-case vowel is set off by a hyphen: nAthair becomes n-athair. */
function irish(term: string): string {
  const split = /^[nt][AEIOUÁÉÍÓÚ]/.test(term) ? `${term[0]}-${term.slice(1)}` : term;
  return lowerCase(split);
}

/** The dotless i: I becomes ı and İ becomes i. */
function turkish(term: string): string {
  return lowerCase(term.replace(/I\u0307/g, 'i').replace(/I/g, '\u0131'));
}
