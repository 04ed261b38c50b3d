// The buckets of the values of a field, by document: counting then is counting small numbers in an array,
// whatever it takes to find the bucket of a value (a division, a month in a time zone).
//
// A column is kept per segment from its second use on, in the cache and within its budget.

import {
  Bitset,
  narrowed,
  type UnsignedArray,
  widthFor,
  type NumericColumn,
  type SegmentReader,
} from '../segment/index';
import { picked } from './bucket-stats';
import { usedSlots } from './fold-slots';
import type { Bucketing } from './bucketing';
import { NumberKeys } from './key-reader';
import { keyOrder, type KeyedCounts } from './keyed-counts';
import { countOrdinals } from './ordinal-counts';
import { ColumnReader } from './number-reader';
import { Windows } from './windows';
import type { FieldId } from '../metadata/index';

/** The buckets of one field's values in one segment. Immutable. */
export interface BucketColumn {
  /** By bucket, ascending. */
  readonly keys: Float64Array;
  /**
   * As in {@link OrdinalColumn}: null where documents have at most one value, and `slots[d]` is the bucket +
   * 1, or 0 for a document without; otherwise `slots` are the buckets of the values.
   */
  readonly offsets: Uint32Array | null;
  readonly slots: UnsignedArray;
  /** Documents with a value. */
  readonly docCount: number;
  readonly valueCount: number;
  /** How many values of all documents each bucket has. */
  readonly counts: Uint32Array;
}

/** More buckets than that are worth a column only where each has this many values. */
const MANY_BUCKETS = 4096;
const VALUES_PER_BUCKET = 4;
/** A column is made for a request that counts one in so many documents at least. */
const SCOPE_SHARE = 16;

/** What is kept; null: a column is not worth it. */
interface Kept {
  readonly column: BucketColumn | null;
}

/**
 * The buckets of a field's values, or null: there are none at hand, work them out.
 *
 * @param name what tells this bucketing from others of the same field
 * @param docs what is counted; null: it is not known yet
 */
export function bucketColumn(
  segment: SegmentReader,
  field: FieldId,
  name: string,
  docs: Bitset | null,
  bucketing: (column: NumericColumn) => Bucketing,
): BucketColumn | null {
  const { cache } = segment;
  const key = `buckets/${field}/${name}`;
  const known = cache.get<Kept>(key, 'column');
  if (known !== undefined) return known.column;
  const isSmall = docs !== null && docs.cardinality() * SCOPE_SHARE < docs.size;
  if (!cache.askedBefore(key) || isSmall) return null;
  const numbers = segment.numeric(field);
  const column = numbers === null ? null : makeBucketColumn(numbers, bucketing(numbers));
  const bytes = column === null ? 0 : bytesOf(column);
  cache.put(key, 'column', { column } satisfies Kept, key.length + bytes);
  return column;
}

function bytesOf({ keys, slots, counts }: BucketColumn): number {
  return keys.byteLength + slots.byteLength + counts.byteLength;
}

/** Null: there are too many buckets for it. */
function makeBucketColumn(column: NumericColumn, bucketing: Bucketing): BucketColumn | null {
  const { offsets, docCount, valueCount } = column;
  const reader = new ColumnReader(column);
  const pairs = new NumberKeys(reader, bucketing);
  const { words } = Bitset.full(docCount);
  /** By index: bucket + 1, or 0. */
  const found = new Uint32Array(offsets === null ? docCount : valueCount);
  const windows = new Windows(words);
  while (windows.next()) {
    const n = pairs.load(words, windows.from, windows.to);
    const { valueIndexes, buckets } = pairs;
    for (let i = 0; i < n; i++) found[reader.firstValue + valueIndexes[i]!] = buckets[i]! + 1;
  }
  const { size } = bucketing;
  if (size > MANY_BUCKETS && size * VALUES_PER_BUCKET > valueCount) return null;
  const unordered = bucketing.keys();
  const order = bucketing.inOrder() ?? keyOrder(unordered);
  const first = offsets === null ? 1 : 0;
  /** By bucket + 1, as found: its slot. */
  const slotOf = new Uint32Array(size + 1);
  for (let i = 0; i < size; i++) slotOf[order[i]! + 1] = i + first;
  const counts = new Uint32Array(size);
  for (let i = 0; i < found.length; i++) {
    if (found[i] === 0) continue;
    const slot = slotOf[found[i]!]!;
    found[i] = slot;
    counts[slot - first]!++;
  }
  return {
    keys: picked(unordered, order),
    offsets,
    slots: narrowed(found, widthFor(size)),
    docCount: docsWithValue(column),
    valueCount,
    counts,
  };
}

function docsWithValue({ offsets, present, docCount }: NumericColumn): number {
  if (offsets === null) return present === null ? docCount : present.count();
  let docs = 0;
  for (let doc = 0; doc < docCount; doc++) if (offsets[doc + 1] !== offsets[doc]) docs++;
  return docs;
}

/** Counts of the values of documents by the buckets of a column; those without any are left out. */
export function countSlots(column: BucketColumn, docs: Bitset): KeyedCounts {
  const { used, counts } = countUsed(column, docs);
  return { keys: picked(column.keys, used), counts };
}

/** The same, by the buckets that have values, ascending. */
export function countUsed(
  column: BucketColumn,
  docs: Bitset,
): { readonly used: Uint32Array; readonly counts: Float64Array } {
  const { offsets, slots, docCount, counts: all } = column;
  const { length } = all;
  const counted = countOrdinals(
    {
      frequencies: { docCount, sumDocFreq: column.valueCount, docFreqs: () => all },
      ordinals: () => ({ offsets, ordinals: slots }),
    },
    length,
    docs,
  );
  const counts = new Float64Array(counted.counts);
  if (counted.ordinals !== null) return { used: counted.ordinals, counts };
  const used = usedSlots(counts, 0, length);
  return { used, counts: picked(counts, used) };
}
