// The options of `completion` fields.

import type { SuggestContexts } from './completion-contexts';

/** What a completion field was told. */
export interface CompletionOptions {
  readonly indexAnalyzer: string;
  readonly searchAnalyzer: string;
  readonly payloads: boolean;
  readonly preserveSeparators: boolean;
  readonly preservePositionIncrements: boolean;
  readonly maxInputLength: number;
  readonly contexts: SuggestContexts;
}
