// The terms of a field in one segment as facets see them: a sorted list of distinct terms, and for every
// document the ordinals of its terms in that list. Text, numbers and levels of paths look alike from here on.

import {
  type OrdinalArrays,
  type SegmentReader,
  type TermBytes,
  type TermDictionary,
  compareDoubles,
  compareUtf8,
} from '../segment/index';
import { numberTermColumn } from './number-terms';
import type { FieldId, FieldKind } from '../metadata/index';

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

/** The terms of a field in a segment; null when no document has one. Not for points. */
export function termColumn(
  segment: SegmentReader,
  field: FieldId,
  kind: FieldKind,
): TermColumn | null {
  return kind === 'string' ? textColumn(segment, field) : numberTermColumn(segment, field, kind);
}

function textColumn(segment: SegmentReader, field: FieldId): TermColumn | null {
  const searched = segment.terms(field);
  if (searched !== null) {
    return {
      terms: new DictionaryTerms(searched),
      frequencies: searched,
      ordinals: () => segment.ordinals(field)!,
    };
  }
  const column = segment.ordinals(field);
  if (column === null) return null;
  return {
    terms: new DictionaryTerms(column.terms),
    frequencies: null,
    ordinals: () => column,
  };
}

class DictionaryTerms implements TextTerms {
  readonly type = 'string';

  constructor(private readonly dictionary: TermDictionary) {}

  get size(): number {
    return this.dictionary.size;
  }

  termAt(ordinal: number): string {
    return this.dictionary.termAt(ordinal);
  }

  bytesAt(ordinal: number): TermBytes {
    return this.dictionary.bytesAt(ordinal);
  }

  ordinalOf(term: Term): number {
    return this.dictionary.ordinalOf(term as string);
  }
}
