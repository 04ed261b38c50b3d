// The terms of a field in one segment as facets see them: a sorted list of distinct terms, and for every
// document the ordinals of its terms in that list. Text, numbers and levels of paths look alike from here on.

import { compareUtf8, compareDoubles, type TermBytes, type OrdinalArrays } from '../segment/index';

/** A term of any kind: text, an exact integer, or a double. */
export type Term = string | bigint | number;

/** What identifies a term in a map: a map takes -0 for 0. */
export function termKey(term: Term): Term {
  return Object.is(term, -0) ? '-0' : term;
}

/** The order of terms of one type. */
export function compareTerms(a: Term, b: Term): number {
  if (typeof a === 'string') return compareUtf8(a, b as string);
  if (typeof a === 'number') return compareDoubles(a, b as number);
  return a < (b as bigint) ? -1 : a > (b as bigint) ? 1 : 0;
}

/** Distinct terms in ascending order; an ordinal is a position in it. */
export interface TermList {
  readonly type: 'string' | 'long' | 'double';
  readonly size: number;
  termAt(ordinal: number): Term;
  /** The ordinal of `term`, which is of the list's type, or -1. */
  ordinalOf(term: Term): number;
}

/** Text terms, in the order of their UTF-8 bytes. */
export interface TextTerms extends TermList {
  readonly type: 'string';
  termAt(ordinal: number): string;
  /** The term without making a string of it; holds until the list is next asked. */
  bytesAt(ordinal: number): TermBytes;
}

/** Over all documents of the segment, deleted and nested ones included. */
export interface TermFrequencies {
  /** Documents with a term. */
  readonly docCount: number;
  readonly sumDocFreq: number;
  /** By ordinal; not to be modified. */
  docFreqs(): Uint32Array;
}
export interface TermColumn {
  readonly terms: TermList;
  /** Null: not known without counting. */
  readonly frequencies: TermFrequencies | null;
  /** Loaded on demand: counts that frequencies give do without. */
  ordinals(): OrdinalArrays;
}
