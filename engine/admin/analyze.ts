// Analyzing text with the analyzers of an index, or with those that every index has.

import type { AdministrationHost } from './state-changes';
import { analyzeText, buildAnalysis, KEYWORD_ANALYZER } from '../analysis/index';
import type { AnalyzeRequest } from '../api/index';
import { illegalArgument } from '../errors';
import type { JsonOutput } from '../json/index';
import { singleIndex } from '../metadata/index';

/** The analyzers that every index has. */
const NODE_ANALYSIS = buildAnalysis(new Map());

/** The tokens of a text. @throws EngineError when there is no such index, or the field is not of text */
export function analyze(
  { cluster, indicesService }: AdministrationHost,
  request: AnalyzeRequest,
): JsonOutput {
  if (request.index === null) {
    if (request.field !== undefined) {
      throw illegalArgument(
        `No index provided, and trying to analyze based on the field [${request.field}], which requires the index parameter`,
      );
    }
    return analyzeText(request, { registry: NODE_ANALYSIS, fieldAnalyzer: null });
  }
  const { index: metadata } = singleIndex(cluster.state(), request.index, 'read');
  const indexService = indicesService.requireIndex(metadata);
  const match =
    request.field === undefined ? null : indexService.mapping(metadata).find(request.field, []);
  const field = match?.mapped.field ?? null;
  if (field !== null && field.kind !== 'string') {
    throw illegalArgument(
      `Can't process field [${request.field}], Analysis requests are not supported on numeric fields`,
    );
  }
  const fieldAnalyzer = field === null ? null : (field.analyzer ?? KEYWORD_ANALYZER);
  return analyzeText(request, { registry: indexService.analysis(metadata), fieldAnalyzer });
}
