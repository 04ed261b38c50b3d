// The analyzers of an index on the thread that highlights, which has no mapping: built from the settings once
// and kept.

import {
  type Analyzer,
  type AnalysisRegistry,
  buildAnalysis,
  KEYWORD_ANALYZER,
  type OffsetVisitor,
} from '../../analysis/index';

/** Indices whose analyzers a thread keeps. */
const MAX_KEPT = 64;

const kept = new Map<string, AnalysisRegistry>();

/** Settings with a key that is different where they are. */
interface Source {
  readonly key: string;
  readonly settings: ReadonlyMap<string, string | readonly string[]>;
}

/** The index analyzer that a plan names; null: a value is one term. */
export function analyzerOf({ key, settings }: Source, name: string | null): Analyzer {
  if (name === null) return KEYWORD_ANALYZER;
  let registry = kept.get(key);
  if (registry === undefined) {
    registry = buildAnalysis(settings);
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
    kept.set(key, registry);
  }
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
