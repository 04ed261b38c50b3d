// What the columns of all kinds share: arrays of a stored width, counts per document, and the way from the
// layouts on disk to arrays by document number.

import type { Bitset } from '../contract/bitset';
import { alignUp, LAYOUT, widthFor, type Layout } from '../format/format';
import type { PartBuffer } from '../format/part-buffer';

/** Values by document on their way into a column; documents ascend and have at least one value each. */
export interface DocValues {
  /** Documents with a value. */
  readonly docs: Uint32Array;
  /** Number of values per entry of `docs`. */
  readonly counts: Uint32Array;
}

/** Entries of every other document at least make a column with one slot per document worth it. */
export function layoutFor(docs: Uint32Array, valueCount: number, docCount: number): Layout {
  if (valueCount > docs.length) return LAYOUT.multi;
  return docs.length * 2 >= docCount ? LAYOUT.dense : LAYOUT.compact;
}

export type UnsignedArray = Uint8Array | Uint16Array | Uint32Array;

/** Unsigned integers of `width` bytes (1, 2, 4) as an array of that width. */
export function narrowed(values: Uint32Array | Float64Array, width: number): UnsignedArray {
  // Constructors convert at once; `from` would walk an iterator.
  if (width === 1) return new Uint8Array(values);
  return width === 2 ? new Uint16Array(values) : new Uint32Array(values);
}

/** A zeroed array of unsigned integers of `width` bytes. */
export function unsignedArray(width: number, length: number): UnsignedArray {
  if (width === 1) return new Uint8Array(length);
  return width === 2 ? new Uint16Array(length) : new Uint32Array(length);
}

/** A view of `length` unsigned integers of `width` bytes at a byte offset that is a multiple of 8. */
export function unsignedView(
  bytes: Uint8Array,
  at: number,
  width: number,
  length: number,
): UnsignedArray {
  const offset = bytes.byteOffset + at;
  if (width === 1) return new Uint8Array(bytes.buffer, offset, length);
  return width === 2
    ? new Uint16Array(bytes.buffer, offset, length)
    : new Uint32Array(bytes.buffer, offset, length);
}

/** Appends an array, padded to a multiple of 8. */
export function writeArray(out: PartBuffer, values: ArrayBufferView): void {
  out.array(values);
  out.align(8);
}

/** The width for these counts. */
export function countWidth(counts: Uint32Array): 1 | 2 | 4 {
  let max = 0;
  for (let i = 0; i < counts.length; i++) if (counts[i]! > max) max = counts[i]!;
  return widthFor(max);
}

/** Bytes that an array of `length` items takes on disk. */
export function paddedBytes(width: number, length: number): number {
  return alignUp(width * length, 8);
}

/** Offsets by document (docCount + 1 of them) from counts per member of `docs`; null counts are all 1. */
export function offsetsOf(
  docs: Uint32Array,
  counts: UnsignedArray | null,
  docCount: number,
): Uint32Array {
  const offsets = new Uint32Array(docCount + 1);
  for (let i = 0; i < docs.length; i++) offsets[docs[i]! + 1] = counts === null ? 1 : counts[i]!;
  for (let doc = 0; doc < docCount; doc++) offsets[doc + 1]! += offsets[doc]!;
  return offsets;
}

/** Documents that have an entry in a column. */
export interface ColumnDocs {
  readonly docs: Bitset;
  readonly count: number;
  members(): Uint32Array;
}
