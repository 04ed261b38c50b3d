// Shared by the analysis tests: tokens in one line, and registries from JSON-like settings.

import type { Analyzer } from '../../../../engine/analysis/chain/analyzer';
import { buildAnalysis, type AnalysisRegistry } from '../../../../engine/analysis/registry';
import { EngineError } from '../../../../engine/errors';
import { flattenIndexSettings } from '../../../../engine/metadata/settings';
import { parseJsonObject } from '../../../../engine/json/parse';

/** `term@position` for every token; the first position is 1. */
export function terms(analyzer: Analyzer | null, text: string): string {
  if (analyzer === null) throw new Error('no such analyzer');
  let position = 0;
  return analyzer
    .analyze(text)
    .map((token) => `${token.term}@${(position += token.positionIncrement)}`)
    .join(' ');
}

/** `term@position` as {@link Analyzer.forEachTerm} gives them. */
export function fastTerms(analyzer: Analyzer, text: string): string {
  let position = 0;
  const found: string[] = [];
  analyzer.forEachTerm(text, (term, increment) => {
    position += increment;
    found.push(`${term}@${position}`);
  });
  return found.join(' ');
}

/** The registry of an index created with `{"analysis": analysis}`. */
export function registryOf(analysis: object): AnalysisRegistry {
  return buildAnalysis(flattenIndexSettings(parseJsonObject(JSON.stringify({ analysis }))));
}

/** The wire text of what `action` throws. */
export function errorOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof EngineError) return error.toWireString();
    throw error;
  }
  throw new Error('nothing was thrown');
}
