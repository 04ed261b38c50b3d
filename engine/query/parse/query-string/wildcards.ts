// Analysis of the literal parts of wildcard terms (`analyze_wildcard`).

import type { Analyzer, TokenBudget } from '../../../analysis/index';

/** The tokens of a prefix, each to be searched as a prefix. */
export function analyzedPrefixes(text: string, analyzer: Analyzer, budget: TokenBudget): string[] {
  return analyzer.analyze(text, budget).map((token) => token.term);
}

/** A pattern whose parts between wildcards are replaced by their first token, if they have one. */
export function analyzedPattern(pattern: string, analyzer: Analyzer, budget: TokenBudget): string {
  return pattern.replace(/[^*?]+/g, (part) => analyzer.analyze(part, budget)[0]?.term ?? part);
}
