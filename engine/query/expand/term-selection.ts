// Which terms of a dictionary a prefix, wildcard, regexp, fuzzy or string range query means.

import { DfaMatcher } from '../automaton/dfa';
import { FuzzyMatcher } from '../automaton/levenshtein';
import { compileRegexp } from '../automaton/regexp';
import { parseWildcard, WildcardMatcher } from '../automaton/wildcard';
import type { Query } from '../ast/query';
import type { QueryOf } from '../ast/traits';
import { prefixRange, type TermSelection } from '../automaton/term-matcher';

/** More UTF-16 units than a term has that is within the edits of one of the longest, 32,766 bytes. */
const MAX_TERM_UNITS = 2 * 32_768;

/** Queries that stand for a set of terms of one field. */
export type MultiTermQuery = Extract<
  Query,
  { kind: 'prefix' | 'wildcard' | 'regexp' | 'fuzzy' | 'stringRange' }
>;

/**
 * The terms a query selects.
 *
 * @throws EngineError for regular expressions that cannot be compiled (a parser has tried before)
 */
export function selectTerms(query: MultiTermQuery): TermSelection {
  switch (query.kind) {
    case 'prefix':
      return prefixSelection(query.prefix);
    case 'wildcard': {
      const pattern = parseWildcard(query.pattern);
      if (pattern.isLiteral) return exactSelection(pattern.prefix);
      const selection = prefixSelection(pattern.prefix);
      return pattern.isPrefix ? selection : { ...selection, matcher: new WildcardMatcher(pattern) };
    }
    case 'regexp': {
      const dfa = compileRegexp(query.pattern, query.flags);
      return { ...prefixSelection(dfa.commonPrefix()), matcher: new DfaMatcher(dfa) };
    }
    case 'fuzzy':
      return fuzzySelection(query.term, query);
    case 'stringRange':
      return rangeSelection(query);
  }
}

/** The terms like one. */
export function fuzzySelection(
  term: string,
  options: ConstructorParameters<typeof FuzzyMatcher>[1],
): TermSelection {
  if (term.length > MAX_TERM_UNITS) return NO_TERMS;
  if (options.maxEdits === 0 || options.prefixLength >= term.length) return exactSelection(term);
  const matcher = new FuzzyMatcher(term, options);
  return { ...prefixSelection(matcher.prefix), matcher };
}

const NO_TERMS: TermSelection = { range: () => [0, 0], matcher: null };

function prefixSelection(prefix: string): TermSelection {
  return { range: (terms) => prefixRange(terms, prefix), matcher: null };
}

function exactSelection(term: string): TermSelection {
  return {
    range: (terms) => {
      const ordinal = terms.ordinalOf(term);
      return ordinal < 0 ? [0, 0] : [ordinal, ordinal + 1];
    },
    matcher: null,
  };
}

function rangeSelection(query: QueryOf<'stringRange'>): TermSelection {
  const { from, to, includeFrom, includeTo } = query;
  return {
    range: (terms) => {
      let first = from === null ? 0 : terms.ceiling(from);
      if (from !== null && !includeFrom && first < terms.size && terms.termAt(first) === from)
        first++;
      let end = to === null ? terms.size : terms.ceiling(to);
      if (to !== null && includeTo && end < terms.size && terms.termAt(end) === to) end++;
      return [first, end];
    },
    matcher: null,
  };
}
