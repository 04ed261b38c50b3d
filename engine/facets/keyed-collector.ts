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
import { picked, type BucketStats } from '../buckets/bucket-stats';
import { NumberKeys } from '../buckets/key-reader';
import { EntryList, memberLead, type RenderedList } from '../json/entry-list';
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
      const order = bucketing.inOrder();
      return order === null
        ? { keys: bucketing.keys(), counts }
        : { keys: picked(bucketing.keys(), order), counts: picked(counts, order) };
    }
    const stats =
      this.values.kind === 'keys'
        ? foldKeys(keys, docs)
        : foldBuckets(keys, this.folded?.open(segment) ?? null, docs);
    const order = bucketing.inOrder();
    return order === null
      ? { keys: bucketing.keys(), stats: stats.first(bucketing.size) }
      : { keys: picked(bucketing.keys(), order), stats: stats.select(order) };
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
    return mergeKeyed(this.parts);
  }
}

/** The numbers that are folded in besides the keys; null: there are no others. */
export function sourceOf(values: FoldedValues): NumberSource | null {
  return values.kind === 'field' || values.kind === 'script' ? new NumberSource(values) : null;
}

/** How entries are ordered; equal ones by key. */
export type KeyedOrder = 'key' | 'count' | 'total';

/** The buckets of all shards, and their positions in the order in which they are shown. */
export interface OrderedBuckets {
  readonly keys: Float64Array;
  readonly counts: Float64Array;
  /** Null: nothing was folded in. */
  readonly stats: BucketStats | null;
  readonly positions: Uint32Array;
}

/**
 * Adds up the shards' buckets and orders them.
 *
 * compat: without statistics there are no totals to order by, so that keys do.
 */
export function orderedBuckets(
  partials: readonly KeyedPartial[],
  order: KeyedOrder,
): OrderedBuckets {
  const merged = mergeKeyed(partials);
  const stats = 'stats' in merged ? merged.stats : null;
  const counts = 'stats' in merged ? merged.stats.counts : merged.counts;
  const positions = keyOrder(merged.keys);
  // Sorting is stable, so that keys decide between equals.
  if (order === 'count') positions.sort((a, b) => counts[a]! - counts[b]!);
  else if (order === 'total' && stats !== null) {
    const { totals } = stats;
    positions.sort((a, b) => totals[a]! - totals[b]! || 0);
  }
  return { keys: merged.keys, counts, stats, positions };
}

/** How a facet renders its entries. */
export interface KeyedLayout {
  /** What comes before the key of an entry. */
  readonly keyLead: Uint8Array;
  /** Prints a key. */
  readonly writeKey: (list: EntryList, key: number) => void;
  /** The mean where there are no values. */
  readonly emptyMean: number;
}

/** The entries of a keyed facet; with the members of statistics where there are any. */
export function renderBuckets(
  { keys, counts, stats, positions }: OrderedBuckets,
  { keyLead, writeKey, emptyMean }: KeyedLayout,
): RenderedList {
  const list = new EntryList();
  for (let p = 0; p < positions.length; p++) {
    const i = positions[p]!;
    list.open(keyLead);
    writeKey(list, keys[i]!);
    list.member(COUNT);
    list.integer(counts[i]!);
    if (stats !== null) writeStats(list, stats, i, emptyMean);
    list.close();
  }
  return list.rendered();
}

const COUNT = memberLead(',"count":');
const MIN = memberLead(',"min":');
const MAX = memberLead(',"max":');
const TOTAL = memberLead(',"total":');
const TOTAL_COUNT = memberLead(',"total_count":');
const MEAN = memberLead(',"mean":');

function writeStats(list: EntryList, stats: BucketStats, i: number, emptyMean: number): void {
  const total = stats.totals[i]!;
  const totalCount = stats.totalCounts[i]!;
  list.member(MIN);
  list.double(stats.mins[i]!);
  list.member(MAX);
  list.double(stats.maxs[i]!);
  list.member(TOTAL);
  list.double(total);
  list.member(TOTAL_COUNT);
  list.integer(totalCount);
  list.member(MEAN);
  list.double(totalCount === 0 ? emptyMean : total / totalCount);
}
