// The term suggester as planned.

import type { FieldId } from '../../metadata/index';
import type { SuggestBase } from './suggest-base';

/** Which words get suggestions. */
export type SuggestMode = 'missing' | 'popular' | 'always';

/** How likeness of words is measured. */
export type DistanceName =
  | 'internal'
  | 'damerau_levenshtein'
  | 'levenstein'
  | 'jarowinkler'
  | 'ngram';

/** How words like others are looked for. */
export interface SpellOptions {
  readonly mode: SuggestMode;
  readonly sort: 'score' | 'frequency';
  readonly accuracy: number;
  readonly distance: DistanceName;
  readonly maxEdits: number;
  readonly maxInspections: number;
  /** A share of the documents below 1, else a number of them. */
  readonly maxTermFreq: number;
  readonly minDocFreq: number;
  readonly prefixLength: number;
  readonly minWordLength: number;
}

/** A word of the text. */
export interface SuggestWord {
  readonly term: string;
  readonly startOffset: number;
  readonly endOffset: number;
}

/** A term suggestion. */
export interface TermSpec extends SuggestBase {
  readonly kind: 'term';
  /** Null: nothing is indexed under the name. */
  readonly field: FieldId | null;
  readonly words: readonly SuggestWord[];
  readonly shardSize: number;
  readonly spelling: SpellOptions;
}
