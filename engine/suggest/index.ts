// Suggestions: words, phrases and completions for what somebody types.

export type { PlannedSuggest } from './reduce-suggest';
export type { Collate } from './contract/phrase-spec';
export type { SuggestEntry, SuggestOption, SuggestPartial, SuggestSpec } from './contract/suggest';
export { parseSuggest } from './parse-suggest';
export { reduceSuggest } from './reduce-suggest';
export { runSuggest } from './run-suggest';
export { isSlowSuggest, readsManyKeys } from './slow-suggest';
