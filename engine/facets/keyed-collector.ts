// What histogram and date_histogram share: counting by the buckets of a key field, with or without values.

import { countBuckets, foldBuckets, foldKeys } from '../buckets/bucket-counter';
import type { Bucketing, ValueExtent } from '../buckets/bucketing';
import {
  keyedBytes,
  keyOrder,
  mergeKeyed,
  type KeyedCounts,
  type KeyedStats,
} from '../buckets/keyed-counts';
import { NumberKeys } from '../buckets/key-reader';
import { ColumnReader, type NumberReader } from '../buckets/number-reader';
import type { FieldId } from '../mapping/field';
import type { Bitset } from '../segment/bitset';
import type { SegmentReader } from '../segment/reader';
import type { ReusableCollector } from './facet';

/** What is folded into buckets: nothing, each key itself, or the values of a field (null: it has none). */
export type FoldedValues =
  | { readonly kind: 'none' }
  | { readonly kind: 'keys' }
  | { readonly kind: 'field'; readonly field: FieldId | null };

/** What a segment or a shard contributes to a keyed facet. */
export type KeyedPartial = KeyedCounts | KeyedStats;

const NOTHING: KeyedPartial = { keys: new Float64Array(0), counts: new Float64Array(0) };

/** Counts the keys of documents by bucket. */
export class KeyedCollector implements ReusableCollector<KeyedPartial> {
  private readonly parts: KeyedPartial[] = [];

  /**
   * @param key null: no document has a key
   * @param bucketing makes the buckets for a segment's values
   */
  constructor(
    readonly countKey: object,
    private readonly key: FieldId | null,
    private readonly values: FoldedValues,
    private readonly bucketing: (extent: ValueExtent) => Bucketing,
  ) {}

  count(segment: SegmentReader, docs: Bitset | null): KeyedPartial {
    const column = this.key === null ? null : segment.numeric(this.key);
    if (column === null || docs === null) return NOTHING;
    const bucketing = this.bucketing(column);
    const keys = new NumberKeys(new ColumnReader(column), bucketing);
    if (this.values.kind === 'none') {
      const counts = countBuckets(keys, docs);
      return { keys: bucketing.keys(), counts };
    }
    const stats =
      this.values.kind === 'keys'
        ? foldKeys(keys, docs)
        : foldBuckets(keys, openNumbers(this.values.field, segment), docs);
    return { keys: bucketing.keys(), stats: stats.first(bucketing.size) };
  }

  bytesOf(counts: KeyedPartial): number {
    return keyedBytes(counts);
  }

  add(_segment: SegmentReader, counts: KeyedPartial): void {
    this.parts.push(counts);
  }

  collect(segment: SegmentReader, docs: Bitset | null): void {
    this.add(segment, this.count(segment, docs));
  }

  partial(): KeyedPartial {
    return this.parts.length === 1 ? this.parts[0]! : mergeKeyed(this.parts);
  }
}

/** The numbers of a field in a segment; null: there are none. */
export function openNumbers(field: FieldId | null, segment: SegmentReader): NumberReader | null {
  const column = field === null ? null : segment.numeric(field);
  return column === null ? null : new ColumnReader(column);
}

/** How entries are ordered; equal ones by key. */
export type KeyedOrder = 'key' | 'count' | 'total';

/** The buckets of all shards, and their positions in the order in which they are shown. */
export function orderedBuckets(
  partials: readonly KeyedPartial[],
  order: KeyedOrder,
): readonly [KeyedStats, readonly number[]] {
  const merged = mergeKeyed(partials);
  const { counts, totals } = merged.stats;
  // Sorting is stable, so that keys decide between equals.
  const positions = keyOrder(merged.keys);
  if (order === 'count') positions.sort((a, b) => counts[a]! - counts[b]!);
  else if (order === 'total') positions.sort((a, b) => totals[a]! - totals[b]! || 0);
  return [merged, positions];
}
