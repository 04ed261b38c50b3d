// The options of a term suggestion.

import { illegalArgument } from '../../errors';
import type { JsonObject } from '../../json/index';
import {
  CommonOptions,
  internalError,
  isValue,
  mappedField,
  termsField,
  tokensOf,
  type SuggestScope,
} from '../contract/suggest-scope';
import { defaultSpelling, readSpelling } from './spell-options';
import type { TermSpec } from '../contract/term-spec';

/**
 * @returns what the suggestion is with its text, which may stand behind it
 * @throws EngineError
 */
export function parseTerm(
  body: JsonObject,
  scope: SuggestScope,
): (name: string, text: () => string) => TermSpec {
  const common = new CommonOptions();
  const spelling = defaultSpelling();
  for (const [name, value] of body) {
    if (!isValue(value)) throw illegalArgument(`suggester[term]  doesn't support field [${name}]`);
    if (!common.read(name, value, scope) && !readSpelling(spelling, name, value)) {
      throw illegalArgument(`suggester[term] doesn't support [${name}]`);
    }
  }
  return (name, textOf) => {
    const fieldName = common.requireField();
    const text = textOf();
    const mapped = mappedField(scope, fieldName);
    const field = mapped?.field ?? null;
    if (field !== null && field.kind !== 'string' && common.analyzer === null) {
      throw internalError(
        'IllegalArgumentException',
        'NumericTokenStream does not support CharTermAttribute.',
      );
    }
    const analyzer =
      common.analyzer ??
      (mapped === null ? scope.mapping.defaultSearchAnalyzer : mapped.searchAnalyzer);
    const words = tokensOf(scope, analyzer, text).map(({ term, startOffset, endOffset }) => ({
      term,
      startOffset,
      endOffset,
    }));
    const { size, optionsPerShard } = common;
    scope.meter.add('suggestOptions', words.length * Math.max(size, optionsPerShard));
    return {
      kind: 'term',
      name,
      text,
      field: termsField(mapped, fieldName),
      words,
      size,
      shardSize: optionsPerShard,
      spelling,
    };
  };
}
