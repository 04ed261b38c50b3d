// The analyzers that plans of highlighting name, and what they make of a text.

import {
  type AnalysisSource,
  type Analyzer,
  KEYWORD_ANALYZER,
  type OffsetVisitor,
  registryOf,
} from '../../analysis/index';

/** The index analyzer that a plan names; null: a value is one term. */
export function analyzerOf(source: AnalysisSource, name: string | null): Analyzer {
  if (name === null) return KEYWORD_ANALYZER;
  const registry = registryOf(source);
  return registry.analyzer(name) ?? registry.defaultIndex;
}

/** Calls `visit` for each token; returns how many positions were skipped after the last one. */
export function forEachToken(analyzer: Analyzer, text: string, visit: OffsetVisitor): number {
  if (analyzer.forEachToken !== undefined) return analyzer.forEachToken(text, visit);
  for (const token of analyzer.analyze(text)) {
    visit(token.term, token.startOffset, token.endOffset, token.positionIncrement);
  }
  return 0;
}
