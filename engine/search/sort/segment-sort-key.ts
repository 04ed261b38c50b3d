// A sort key in one segment, as documents are compared by it.

import type { Bitset } from '../../segment/index';
import type { SortValue } from '../plan/search-plan';

export interface SegmentSortKey {
  /** Lanes written by {@link load}: 1 or 2. */
  readonly lanes: number;
  readonly descending: boolean;
  /** Writes the lanes of a document to `into`, from `at` on. */
  load(doc: number, score: number, into: Float64Array, at: number): void;
  /** Writes the lanes that a sort value of another segment would have here. */
  place(value: SortValue, into: Float64Array, at: number): void;
  /** The exact sort value of a document. */
  value(doc: number, score: number): SortValue;
  /** The lane of all documents as one array, if there is one; undefined: only through {@link load}. */
  readonly column?: LaneColumn;
}

/** The only lane of a key, by document. */
export interface LaneColumn {
  /** The lane of document d is `base + values[d]`. */
  readonly values: ArrayLike<number>;
  readonly base: number;
  /** Documents that have a value; null: all but those with `values[d]` = `absent`. */
  readonly present: Bitset | null;
  /** What stands in `values` for no value; NaN: nothing does. */
  readonly absent: number;
  /** The lane of documents without a value. */
  readonly missing: number;
}

/** The lane of a document. */
export function laneOf(
  { values, base, present, absent, missing }: LaneColumn,
  doc: number,
): number {
  const value = values[doc]!;
  return value === absent || present?.has(doc) === false ? missing : base + value;
}
