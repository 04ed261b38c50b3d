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
import type { Bitset } from '../segment/bitset';
import type { SegmentReader } from '../segment/reader';
import type { FacetCollector, ReusableCollector } from './facet';
import { forgetful, NumberSource, type NumberOrigin } from './number-source';

/** What is folded into buckets: nothing, each key itself, or other numbers of the document. */
export type FoldedValues = { readonly kind: 'none' } | { readonly kind: 'keys' } | NumberOrigin;

/** What a segment or a shard contributes to a keyed facet. */
export type KeyedPartial = KeyedCounts | KeyedStats;

const NOTHING: KeyedPartial = { keys: new Float64Array(0), counts: new Float64Array(0) };

/**
 * Counts the keys of documents by bucket.
 *
 * @param countKey what the counts depend on
 * @param bucketing makes the buckets for a segment's keys
 */
export function keyedCollector(
  countKey: object,
  key: NumberOrigin,
  values: FoldedValues,
  bucketing: (extent: ValueExtent) => Bucketing,
): FacetCollector {
  const collector = new KeyedCollector(countKey, key, values, bucketing);
  return key.kind === 'script' || values.kind === 'script' ? forgetful(collector) : collector;
}

class KeyedCollector implements ReusableCollector<KeyedPartial> {
  private readonly parts: KeyedPartial[] = [];

  private readonly keys: NumberSource;
  private readonly folded: NumberSource | null;

  constructor(
    readonly countKey: object,
    key: NumberOrigin,
    private readonly values: FoldedValues,
    private readonly bucketing: (extent: ValueExtent) => Bucketing,
  ) {
    this.keys = new NumberSource(key);
    this.folded = sourceOf(values);
  }

  count(segment: SegmentReader, docs: Bitset | null): KeyedPartial {
    const reader = docs === null ? null : this.keys.open(segment);
    if (reader === null || docs === null) return NOTHING;
    const bucketing = this.bucketing(this.keys.extent(segment));
    const keys = new NumberKeys(reader, bucketing);
    if (this.values.kind === 'none') {
      const counts = countBuckets(keys, docs);
      return { keys: bucketing.keys(), counts };
    }
    const stats =
      this.values.kind === 'keys'
        ? foldKeys(keys, docs)
        : foldBuckets(keys, this.folded?.open(segment) ?? null, docs);
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

/** The numbers that are folded in besides the keys; null: there are no others. */
export function sourceOf(values: FoldedValues): NumberSource | null {
  return values.kind === 'field' || values.kind === 'script' ? new NumberSource(values) : null;
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
