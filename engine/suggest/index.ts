// Suggestions: words, phrases and completions for what somebody types.

export type { PlannedSuggest } from './reduce-suggest';
export type { SuggestOption, SuggestPartial, SuggestSpec } from './contract/suggest';
export type { Collation, PhraseSpec } from './contract/phrase-spec';
export { parseSuggest } from './parse-suggest';
export { modeOf } from './words/spell-options';
export { reduceSuggest } from './reduce-suggest';
export { runSuggest } from './run-suggest';
