// The kinds of suggesters by the names that requests use.

import type { JsonObject } from '../json/index';
import { parseCompletion } from './completion/parse-completion';
import { completionSuggester } from './completion/completion-suggester';
import type { SuggestSpec, Suggester } from './contract/suggest';
import type { SuggestScope } from './contract/suggest-scope';
import { parsePhrase } from './phrase/parse-phrase';
import { phraseSuggester } from './phrase/phrase-suggester';
import { parseTerm } from './words/parse-term';
import { termSuggester } from './words/term-suggester';

/** Reads the options of a suggestion; its text may stand behind them. */
export type SuggestParser = (
  body: JsonObject,
  scope: SuggestScope,
) => (name: string, text: () => string) => SuggestSpec;

export const SUGGEST_PARSERS: ReadonlyMap<string, SuggestParser> = new Map<string, SuggestParser>([
  ['term', parseTerm],
  ['phrase', parsePhrase],
  ['completion', parseCompletion],
]);

const SUGGESTERS: {
  readonly [Kind in SuggestSpec['kind']]: Suggester<Extract<SuggestSpec, { kind: Kind }>>;
} = {
  term: termSuggester,
  phrase: phraseSuggester,
  completion: completionSuggester,
};

/** What runs a suggestion. */
export function suggesterOf({ kind }: SuggestSpec): Suggester<SuggestSpec> {
  return SUGGESTERS[kind];
}
