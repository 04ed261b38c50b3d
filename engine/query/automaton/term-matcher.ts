// Walking a slice of a term dictionary with a test for terms (regexp, wildcard, fuzzy).
//
// A matcher that gives up early says after how many characters: every term with that prefix is refused
// too, so a run of them is passed over without testing, and a long run by a new search in the dictionary.

import type { TermDictionary } from '../../segment/index';
import { afterPrefix } from './term-order';

/** A test for terms. Reused for many terms; holds its working memory. */
export interface TermMatcher {
  /** Whether the term is accepted. */
  accepts(term: string): boolean;
  /**
   * After a refusal: the length (UTF-16 units) of a prefix of the term that no accepted term starts
   * with, or 0 when nothing is known.
   */
  readonly deadLength: number;
  /** What an accepted term's score is multiplied by (1 unless the match is fuzzy). */
  readonly boost: number;
}

/** Terms of a field: an ordinal range, and what it takes to be accepted within it. */
export interface TermSelection {
  /** First ordinal and the one after the last. */
  range(terms: TermDictionary): readonly [from: number, to: number];
  /** Null: every term of the range is selected. */
  readonly matcher: TermMatcher | null;
}

/** Refused neighbours passed one by one before searching for the end of the run pays. */
const RUN_LIMIT = 24;

/** Calls `visit` for every selected term in order; stops early when it returns false. */
export function forEachTerm(
  terms: TermDictionary,
  selection: TermSelection,
  visit: (term: string, ordinal: number) => boolean | void,
): void {
  const [from, to] = selection.range(terms);
  const { matcher } = selection;
  if (from >= to) return;
  if (matcher === null) {
    terms.forEach(from, to, visit);
    return;
  }
  let start = from;
  while (start < to) {
    let dead = '';
    let run = 0;
    let next = to;
    terms.forEach(start, to, (term, ordinal) => {
      if (dead !== '' && term.startsWith(dead)) {
        if (++run <= RUN_LIMIT) return true;
        const bound = afterPrefix(dead);
        next = bound === null ? to : Math.min(to, terms.ceiling(bound));
        return false;
      }
      dead = '';
      if (matcher.accepts(term)) {
        if (visit(term, ordinal) === false) {
          next = to;
          return false;
        }
      } else if (matcher.deadLength > 0) {
        dead = term.slice(0, matcher.deadLength);
        run = 0;
      }
      return true;
    });
    start = next;
  }
}

/** The ordinals of all terms that start with `prefix`. */
export function prefixRange(terms: TermDictionary, prefix: string): readonly [number, number] {
  if (prefix === '') return [0, terms.size];
  const end = afterPrefix(prefix);
  return [terms.ceiling(prefix), end === null ? terms.size : terms.ceiling(end)];
}
