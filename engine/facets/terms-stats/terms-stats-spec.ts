// What the stages of a terms_stats facet hand on to one another. Plain data.

import type { BucketStats, KeyList, NumberOrigin } from '../../counting/index';
import type { FieldId } from '../../metadata/index';

/** What terms are ordered by; equal ones by count, then by term. */
export type StatsOrderKey = 'count' | 'term' | 'total' | 'min' | 'max' | 'mean';

/** An order, or its mirror image. */
export interface StatsOrder {
  readonly by: StatsOrderKey;
  readonly reverse: boolean;
}

/** Where terms come from. `field` null: the field indexes nothing. */
export type StatsKey =
  | { readonly kind: 'string' | 'geo'; readonly field: FieldId | null }
  | { readonly kind: 'long' | 'double'; readonly field: FieldId | null }
  /** A text that every document has (`_index`). */
  | { readonly kind: 'constant'; readonly term: string };

export interface TermsStatsSpec {
  readonly key: StatsKey;
  /** The key field, if its terms cannot be read: the run fails. */
  readonly unreadable: string | null;
  readonly value: NumberOrigin;
  /** 0: all of them. */
  readonly size: number;
  readonly order: StatsOrder;
}

/** What a shard contributes; statistics i belong to term i. */
export interface TermsStatsPartial {
  /** Documents without a term; always 0 for text and doubles (reference server). */
  readonly missing: number;
  /** Texts ascend. */
  readonly terms: KeyList;
  readonly stats: BucketStats;
}
