// What the stages of a terms facet hand on to one another. Plain data.

import type { TermPattern, CountedNumbers } from '../../counting/index';
import type { ScriptPlan } from '../../script/index';
import type { FieldId, FieldKind } from '../../metadata/index';

export type TermsOrder = 'count' | 'reverse_count' | 'term' | 'reverse_term';

/** How terms are kept and printed: text, exact integers, or doubles. */
export type TermType = 'string' | 'long' | 'double';

/** An indexed field. */
export interface FieldSource {
  readonly kind: 'field';
  readonly field: FieldId;
  readonly fieldKind: FieldKind;
}

/**
 * Where terms come from: a field, nowhere (mapped but not indexed), or a text of every document (`_index`).
 */
export type TermSource =
  | FieldSource
  | { readonly kind: 'nothing' }
  | { readonly kind: 'constant'; readonly term: string };

/** Only the levels of path-like terms below `parent`, at most `depth` of them. */
export interface Hierarchy {
  readonly separator: string;
  /** Null: from the first level on. Does not end in the separator. */
  readonly parent: string | null;
  readonly depth: number;
}

/** Text to be found in terms. */
export interface TermSearch {
  readonly prefix: string | null;
  readonly contains: string | null;
  readonly ignoreCase: boolean;
  readonly ignoreAccents: boolean;
}

export interface TermsSpec {
  /** Of the facet, for errors. */
  readonly name: string;
  /** The mapped ones of the fields asked for. */
  readonly sources: readonly TermSource[];
  /** Several fields were asked for: each is counted on its own and all terms become text. */
  readonly merged: boolean;
  /** Null: nothing asked for is mapped. */
  readonly termType: TermType | null;
  /** Entries passed over before the first one shown. */
  readonly from: number;
  readonly size: number;
  readonly order: TermsOrder;
  readonly allTerms: boolean;
  /** Of the type of the terms. */
  readonly exclude: readonly (string | bigint | number)[];
  /** For text only. */
  readonly pattern: TermPattern | null;
  /** For text only. */
  readonly search: TermSearch | null;
  /** Least count of an entry. */
  readonly minCount: number;
  /** Adds an entry for the documents without a term. */
  readonly showMissing: boolean;
  /** Adds the number of entries there are. */
  readonly cardinality: boolean;
  /** For text of a single field only. */
  readonly hierarchy: Hierarchy | null;
  /** One of the fields, whose terms cannot be read: the run fails. */
  readonly unreadable: string | null;
  /** Makes terms of the sources' terms, or of documents where there is no source. */
  readonly script: TermsScript | null;
}

/** A script with what it takes for the time, epoch milliseconds. */
export interface TermsScript {
  readonly plan: ScriptPlan;
  readonly now: number;
}

/**
 * Text terms in ascending order with their counts: term i is the UTF-8 bytes text[starts[i] .. starts[i +
 * 1]).
 */
export interface CountedText {
  readonly type: 'string';
  readonly text: Uint8Array;
  readonly starts: Uint32Array;
  readonly counts: Uint32Array;
}

/** Distinct terms with their counts. */
export type CountedTerms = CountedText | CountedNumbers;

/**
 * Terms that may be shown, and how many entries there are in all; null: as many as terms that may be shown.
 */
export interface Candidates {
  readonly counted: CountedTerms;
  readonly entries: number | null;
}

/** What a shard contributes. Candidates null: nothing is mapped here. */
export interface TermsPartial {
  readonly missing: number;
  readonly total: number;
  readonly candidates: Candidates | null;
}

/** The least count of a term that may be shown. */
export function leastCount({ minCount, allTerms }: TermsSpec): number {
  return Math.max(minCount, allTerms ? 0 : 1);
}

/** How many of the first terms decide what is shown. */
export function entriesNeeded({ from, size }: TermsSpec): number {
  return from + size;
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

/** compat: an excluded number is not counted; with `all_terms` it is there all the same, as one of them. */
export function showsExcluded({ fieldKind }: FieldSource): boolean {
  return termTypeOf(fieldKind) !== 'string';
}
