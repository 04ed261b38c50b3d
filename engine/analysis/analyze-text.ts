// `_analyze`: shows what a chain makes of a text (reference server).

import { illegalArgument } from '../errors';
import type { JsonOutput } from '../json/index';
import type { Analyzer } from './chain/analyzer';
import { ShownBudget } from './chain/token-budget';
import { ChainAnalyzer } from './chain/chain-analyzer';
import type { AnalysisRegistry } from './registry';
import type { AnalyzeRequest } from '../api/index';

/** UTF-16 units. It is read, and its tokens are made and shown, without a break. */
const MAX_TEXT = 65_536;
const MAX_TOKENS = 10_000;
const MAX_TOKEN_CHARACTERS = 1_000_000;

/** Where an `_analyze` request runs. */
interface AnalyzeScope {
  /** The components of the index, or the built-in ones alone. */
  readonly registry: AnalysisRegistry;
  /** The index analyzer of the field that the request names; null for an unknown one or none. */
  readonly fieldAnalyzer: Analyzer | null;
}

/**
 * The response of `_analyze`: a field's analyzer before a named one before a tokenizer with filters
 * before the default. Filters without a tokenizer are ignored, as in the reference.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException for names that stand for nothing, and for more
 *   text or tokens than are shown
 */
export function analyzeText(request: AnalyzeRequest, scope: AnalyzeScope): JsonOutput {
  if (request.text.length > MAX_TEXT) {
    throw illegalArgument(
      `text of [${request.text.length}] characters is longer than the allowed maximum of [${MAX_TEXT}]`,
    );
  }
  let position = 0;
  const tokens = chooseAnalyzer(request, scope)
    .analyze(request.text, new ShownBudget(MAX_TOKENS, MAX_TOKEN_CHARACTERS))
    .map((token) => {
      position += token.positionIncrement;
      return {
        token: token.term,
        start_offset: token.startOffset,
        end_offset: token.endOffset,
        type: token.type,
        position,
      };
    });
  return { tokens };
}

function chooseAnalyzer(
  request: AnalyzeRequest,
  { registry, fieldAnalyzer }: AnalyzeScope,
): Analyzer {
  if (fieldAnalyzer === null && request.analyzer !== undefined) {
    const analyzer = registry.analyzer(request.analyzer);
    if (analyzer === null) throw illegalArgument(`failed to find analyzer [${request.analyzer}]`);
    return analyzer;
  }
  if (request.tokenizer !== undefined) return requestedChain(request, request.tokenizer, registry);
  return fieldAnalyzer ?? registry.defaultIndex;
}

function requestedChain(
  request: AnalyzeRequest,
  tokenizerName: string,
  registry: AnalysisRegistry,
): Analyzer {
  const isGlobal = request.index === null;
  const require = <Component>(found: Component | null, kind: string, name: string): Component => {
    if (found === null) throw illegalArgument(`failed to find ${kind} under [${name}]`);
    return found;
  };
  return new ChainAnalyzer('_custom', {
    tokenizer: require(registry.tokenizer(tokenizerName), isGlobal
      ? 'global tokenizer'
      : 'tokenizer', tokenizerName),
    tokenFilters: request.tokenFilters.map((name) =>
      require(registry.tokenFilter(name), isGlobal ? 'global token filter' : 'token filter', name),
    ),
    charFilters: request.charFilters.map((name) =>
      require(registry.charFilter(name), isGlobal ? 'global char filter' : 'token char', name),
    ),
  });
}
