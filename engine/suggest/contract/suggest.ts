// What a suggestion is on its way: planned for one index (SuggestSpec: plain data, sendable to a worker),
// answered per shard (SuggestEntry), and put together.

import { compareUtf8, type SegmentReader } from '../../segment/index';
import type { CompletionSpec } from './completion-spec';
import type { PhraseSpec } from './phrase-spec';
import type { TermSpec } from './term-spec';

/** A suggestion as planned for one index. */
export type SuggestSpec = TermSpec | PhraseSpec | CompletionSpec;

/** Something suggested for a piece of the text. */
export interface SuggestOption {
  readonly text: string;
  /** A 32-bit float. */
  readonly score: number;
  /** Documents with the term. */
  readonly freq?: number;
  readonly highlighted?: string;
  readonly collateMatch?: boolean;
  /** JSON text. */
  readonly payload?: string;
}

/** Options by descending score, equal ones by their texts. */
export function byScore(a: SuggestOption, b: SuggestOption): number {
  return b.score - a.score || compareUtf8(a.text, b.text);
}

/** A piece of the text with what is suggested for it. */
export interface SuggestEntry {
  readonly text: string;
  /** UTF-16 units. */
  readonly offset: number;
  readonly length: number;
  readonly options: readonly SuggestOption[];
  /** Options that are not better than this are dropped. */
  readonly cutoff?: number;
}

/** The entries of each suggestion of a search on one shard; null: the shard has no documents. */
export type SuggestPartial = readonly (readonly SuggestEntry[])[] | null;

/** A kind of suggester as it runs on a shard; a step is a slice of work. */
export interface Suggester<Spec extends SuggestSpec> {
  suggest(
    spec: Spec,
    segments: readonly SegmentReader[],
  ): Generator<void, readonly SuggestEntry[], void>;
  /** The order of options, best first. */
  compare(spec: Spec): (a: SuggestOption, b: SuggestOption) => number;
}
