// The constants of the segment format (docs/format-segments.md, "Segments"). Their values are on disk: never
// change one, only add.

import type { FieldId, FieldKind } from '../../metadata/index';

export const FORMAT_VERSION = 1;
export const MAGIC = 'FCDS';
export const HEADER_BYTES = 64;
export const BLOCK_SHIFT = 16;
export const BLOCK_BYTES = 1 << BLOCK_SHIFT;
export const BLOCK_MASK = BLOCK_BYTES - 1;

/** Documents a segment can hold at most, nested ones included. */
export const MAX_DOCS = 1 << 30;
/** Terms with more UTF-8 bytes are not indexed; the write path refuses them before. */
export const MAX_TERM_BYTES = 32_766;
/** Terms in one block of the term dictionary. */
export const TERMS_PER_BLOCK = 64;
export const TERMS_PER_BLOCK_SHIFT = 6;
/** Terms in at most so many documents keep their postings in the term dictionary. */
export const MAX_INLINE_DOCS = 4;
/** Documents in one bit-packed block of postings. */
export const POSTINGS_BLOCK = 128;
/** Documents in one chunk of a deletion bitmap. */
export const DELETION_CHUNK_DOCS = 32_768;

export const PART = {
  sequences: 1,
  roots: 2,
  nested: 3,
  presence: 16,
  columnDocs: 17,
  terms: 18,
  termIndex: 19,
  postings: 20,
  positions: 21,
  norms: 22,
  ordinals: 23,
  numbers: 24,
  numericOrder: 25,
  points: 26,
  completion: 31,
} as const;

export type PartKind = (typeof PART)[keyof typeof PART];

export const FLAG = {
  indexed: 1,
  freqs: 2,
  positions: 4,
  norms: 8,
  docValues: 16,
} as const;

export const LAYOUT = {
  /** One value per document of the segment. */
  dense: 0,
  /** One value per document that has an entry. */
  compact: 1,
  /** A count per document that has an entry, and all values. */
  multi: 2,
} as const;

export type Layout = (typeof LAYOUT)[keyof typeof LAYOUT];

const KIND_CODES: readonly FieldKind[] = ['string', 'int', 'long', 'float', 'double', 'geo'];

/** The code under which segments store a kind of fields. */
export function codeOfKind(kind: FieldKind): number {
  return KIND_CODES.indexOf(kind) + 1;
}

/** The kind behind a code; undefined for one of a later version. */
export function kindOfCode(code: number): FieldKind | undefined {
  return KIND_CODES[code - 1];
}

/** What the directory says of a field. */
export interface FieldEntry {
  readonly id: FieldId;
  readonly name: string;
  readonly kind: FieldKind;
  readonly flags: number;
  /** Documents with at least one term (strings only, like the other counts). */
  readonly docCount: number;
  readonly termCount: number;
  readonly sumDocFreq: number;
  /** -1 when frequencies are not recorded. */
  readonly sumTotalTermFreq: number;
}

/** Where a part lies in the stream. */
export interface PartEntry {
  /** 0: the segment itself. */
  readonly field: FieldId;
  readonly kind: number;
  readonly sub: number;
  readonly offset: number;
  readonly length: number;
}

/** The narrowest width in bytes (1, 2 or 4) for unsigned integers up to `max`. */
export function widthFor(max: number): 1 | 2 | 4 {
  return max <= 0xff ? 1 : max <= 0xffff ? 2 : 4;
}

/** The least multiple of `to` that is not below n. */
export function alignUp(n: number, to: number): number {
  return Math.ceil(n / to) * to;
}
