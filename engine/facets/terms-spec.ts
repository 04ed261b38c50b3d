// What the stages of a terms facet hand on to one another. Plain data.

import type { FieldId, FieldKind } from '../mapping/field';
import type { TermPattern } from './term-pattern';

export type TermsOrder = 'count' | 'reverse_count' | 'term' | 'reverse_term';

/** How terms are kept and printed: text, exact integers, or doubles. */
export type TermType = 'string' | 'long' | 'double';

/** Where terms come from: a field, nowhere (mapped but not indexed), or a text of every document (`_index`). */
export type TermSource =
  | { readonly kind: 'field'; readonly field: FieldId; readonly fieldKind: FieldKind }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'constant'; readonly term: string };

export interface TermsSpec {
  /** The mapped ones of the fields asked for. */
  readonly sources: readonly TermSource[];
  /** Several fields were asked for: each is counted on its own and all terms become text. */
  readonly merged: boolean;
  /** Null: nothing asked for is mapped. */
  readonly termType: TermType | null;
  readonly size: number;
  readonly order: TermsOrder;
  readonly allTerms: boolean;
  /** Of the type of the terms. */
  readonly exclude: readonly (string | bigint | number)[];
  /** For text only. */
  readonly pattern: TermPattern | null;
}

/** Text terms in ascending order with their counts: term i is the UTF-8 bytes text[starts[i] .. starts[i + 1]). */
export interface CountedText {
  readonly type: 'string';
  readonly text: Uint8Array;
  readonly starts: Uint32Array;
  readonly counts: Uint32Array;
}

/** Numeric terms, in no particular order, with their counts. */
export type CountedNumbers =
  | { readonly type: 'long'; readonly terms: BigInt64Array; readonly counts: Uint32Array }
  | { readonly type: 'double'; readonly terms: Float64Array; readonly counts: Uint32Array };

/** Distinct terms with their counts. */
export type CountedTerms = CountedText | CountedNumbers;

/**
 * What a shard contributes. `counted` holds all terms that may be shown; just those that will be where the
 * shard alone decides. Null: nothing is mapped here.
 */
export interface TermsPartial {
  readonly missing: number;
  readonly total: number;
  readonly counted: CountedTerms | null;
}

/** The type under which terms of a field kind are counted. */
export function termTypeOf(kind: FieldKind): TermType {
  switch (kind) {
    case 'string':
    case 'geo':
      return 'string';
    case 'int':
    case 'long':
      return 'long';
    case 'float':
    case 'double':
      return 'double';
  }
}
