// The phrase suggester as planned.

import type { AnalysisSource } from '../../analysis/index';
import type { FieldId } from '../../metadata/index';
import type { SuggestBase } from './suggest-base';
import type { SpellOptions } from './term-spec';

/** How likely a word is after those before it. */
export type LanguageModel =
  | { readonly kind: 'stupidBackoff'; readonly discount: number }
  | { readonly kind: 'laplace'; readonly alpha: number }
  | {
      readonly kind: 'linear';
      readonly trigram: number;
      readonly bigram: number;
      readonly unigram: number;
    };

/** Where candidates for a word come from. */
export interface CandidateSource {
  readonly field: FieldId | null;
  /** Candidates of each word. */
  readonly size: number;
  readonly spelling: SpellOptions;
  /** Names of analyzers that words, and candidates, go through; null: none. */
  readonly preFilter: string | null;
  readonly postFilter: string | null;
}

/** A word of the phrase. */
export interface PhraseWord {
  readonly term: string;
  /** It stands for the word before. */
  readonly isSynonym: boolean;
}

/** A query that says of each correction whether any document of the shard matches it. Plain data. */
export interface Collate {
  /** Renders, with the correction as `suggestion`, to the query or filter. */
  readonly template: string;
  readonly isFilter: boolean;
  /** Further parameters of the template: the JSON text of an object. */
  readonly params: string;
  /** Corrections that match nothing are marked; else they are left out. */
  readonly prune: boolean;
}

/** A phrase suggestion. */
export interface PhraseSpec extends SuggestBase {
  readonly kind: 'phrase';
  readonly field: FieldId | null;
  readonly words: readonly PhraseWord[];
  /** All tokens are shingles, where words are needed. */
  readonly lacksUnigrams: boolean;
  readonly shardSize: number;
  readonly sources: readonly CandidateSource[];
  /** Where the analyzers of `sources` are defined; null: they name none. */
  readonly analysis: AnalysisSource | null;
  readonly model: LanguageModel;
  readonly separator: string;
  readonly realWordLikelihood: number;
  readonly confidence: number;
  readonly maxErrors: number;
  readonly gramSize: number;
  readonly tokenLimit: number;
  readonly highlight: { readonly pre: string; readonly post: string | null } | null;
  readonly collate: Collate | null;
}
