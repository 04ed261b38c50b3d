// Suggestions: words, phrases and completions for what somebody types.

export type { PlannedSuggest } from './reduce-suggest';
export type { SuggestPartial, SuggestSpec } from './contract/suggest';
export { parseSuggest } from './parse-suggest';
export { reduceSuggest } from './reduce-suggest';
export { runSuggest } from './run-suggest';
