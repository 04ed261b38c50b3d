// The analyzers that plans of highlighting name, and what they make of a text.

import {
  type AnalysisSource,
  type Analyzer,
  KEYWORD_ANALYZER,
  type OffsetVisitor,
  registryOf,
  type TokenBudget,
} from '../../analysis/index';
import { checkTurn, tick } from '../../common/index';

/** The index analyzer that a plan names; null: a value is one term. */
export function analyzerOf(source: AnalysisSource, name: string | null): Analyzer {
  if (name === null) return KEYWORD_ANALYZER;
  const registry = registryOf(source);
  return registry.analyzer(name) ?? registry.defaultIndex;
}

/**
 * Calls `visit` for each token; returns how many positions were skipped after the last one. Nothing is made
 * of a text any more that nobody waits for, or that there is no time for.
 */
export function forEachToken(analyzer: Analyzer, text: string, visit: OffsetVisitor): number {
  checkTurn();
  if (analyzer.forEachToken !== undefined) {
    const look: OffsetVisitor = (term, start, end, increment) => {
      tick();
      visit(term, start, end, increment);
    };
    return analyzer.forEachToken(text, look, LOOKS);
  }
  for (const token of analyzer.analyze(text, LOOKS)) {
    visit(token.term, token.startOffset, token.endOffset, token.positionIncrement);
  }
  return 0;
}

/** Limits nothing: components look whether to go on where others count what they make. */
const LOOKS: TokenBudget = {
  begin: checkTurn,
  spend: tick,
  spendText: tick,
  spendSteps: tick,
};
