// What the mapping and the segments agree on: physical fields, and the stream of values by which a
// parsed document is handed to the code that indexes (or only validates) it.

import type { Analyzer } from '../../analysis/index';
import type { FieldKind, FieldId } from '../../metadata/index';

/** Ids of the metadata fields, the same in every index. */
export const META_FIELD = {
  _uid: 1,
  _type: 2,
  _all: 3,
  _routing: 4,
  _parent: 5,
  _timestamp: 6,
  _ttl: 7,
  _size: 8,
  _boost: 9,
  _analyzer: 10,
  _index: 11,
} as const;

export const FIRST_USER_FIELD_ID = 32;

/** What postings of a string field record. */
export type IndexOptions = 'docs' | 'freqs' | 'positions' | 'offsets';

/** A physical field as the segment builder needs it. Plain data except for the analyzer. */
export interface IndexedField {
  readonly id: FieldId;
  readonly name: string;
  readonly kind: FieldKind;
  /** false: not searchable (`index: no`); nothing is written but doc values where asked for. */
  readonly indexed: boolean;
  /** Strings only: null means the whole value is one term (not_analyzed). */
  readonly analyzer: Analyzer | null;
  readonly indexOptions: IndexOptions;
  /** Strings only: whether one norm byte per document is written. */
  readonly norms: boolean;
  /** Tokens at the position of the one before count for the length in norms as well. */
  readonly countsOverlaps?: true;
  /**
   * Whether values can be counted and sorted by although the field is not searchable; strings get their
   * column from postings.
   */
  readonly docValues: boolean;
  /** Positions skipped between two values of one document (`position_offset_gap`). */
  readonly positionGap: number;
}

/** A text that is completed to, under one of the keys by which it is found. */
export interface CompletionEntry {
  /** The analyzed input, with contexts before it. Has no U+0000. */
  readonly key: string;
  /** What is shown. Has no U+001F. */
  readonly surface: string;
  /** Null: as many documents of the segment as have the key. */
  readonly weight: number | null;
  /** JSON text, or null without one. */
  readonly payload: string | null;
  /** Whether it is the first of its document with this key: only those count for weights by documents. */
  readonly isFirst: boolean;
}

/**
 * Receives the contributions of one document in document order. Implemented by the segment builder
 * (which analyzes and inverts) and by a no-op (when a write is only validated).
 *
 * Nested objects are bracketed: everything between `beginNested` and `endNested` belongs to a hidden
 * document placed before its root. Brackets nest.
 */
export interface FieldSink {
  /** Set where values are only checked. */
  readonly isChecking?: boolean;
  /** A string value; analyzed with `field.analyzer` or kept whole. `boost` multiplies into the norm. */
  text(field: IndexedField, value: string, boost: number): void;
  /** A value of kind int, float or double; or of kind long when it is a safe integer. */
  number(field: IndexedField, value: number): void;
  /** A value of kind long of any size. */
  long(field: IndexedField, value: bigint): void;
  geo(field: IndexedField, latitude: number, longitude: number): void;
  /** An entry of a completion field. */
  completion(field: IndexedField, entry: CompletionEntry): void;
  /** Marks `field` as having a value although no term or number may result (for `exists`). */
  present(field: IndexedField): void;
  /** `path` is the full path of the nested object, e.g. `offers.parts`. */
  beginNested(path: string): void;
  endNested(): void;
}
