// What histogram and date_histogram share: counting by the buckets of a key field, with or without values.
// Where the buckets of a segment are at hand as a column, they are counted like terms.

import {
  bucketColumn,
  type BucketColumn,
  countBuckets,
  foldBuckets,
  foldKeys,
  type Bucketing,
  type ValueExtent,
  keyedBytes,
  keyOrder,
  mergeKeyed,
  type KeyedPart,
  picked,
  type BucketStats,
  foldSlots,
  isFoldable,
  usedSlots,
  NumberKeys,
  type NumberReader,
  type ScoresOf,
  NumberSource,
  type NumberOrigin,
  countSlots,
} from '../../counting/index';
import { EntryList, memberLead, type RenderedList } from '../../json/index';
import type { Bitset, SegmentReader } from '../../segment/index';
import { canonicalText } from '../../query/index';
import type { FacetCollector, ReusableCollector } from '../contract/facet';
import { forgetful } from '../contract/number-source';

/** What is folded into buckets: nothing, each key itself, or other numbers of the document. */
export type FoldedValues = { readonly kind: 'none' } | { readonly kind: 'keys' } | NumberOrigin;

/** What a segment or a shard contributes to a keyed facet. */
export type KeyedPartial = KeyedPart;

const NOTHING: KeyedPartial = { keys: new Float64Array(0), counts: new Float64Array(0) };

/**
 * Counts the keys of documents by bucket.
 *
 * @param width what the buckets depend on besides the keys; plain data
 * @param scoresOf for scripts that ask for scores
 * @param bucketing makes the buckets for a segment's keys
 */
export function keyedCollector(
  key: NumberOrigin,
  values: FoldedValues,
  width: object | number,
  scoresOf: ScoresOf,
  bucketing: (extent: ValueExtent) => Bucketing,
): FacetCollector {
  const collector = new KeyedCollector({ key, values, width }, scoresOf, bucketing);
  return key.kind === 'script' || values.kind === 'script' ? forgetful(collector) : collector;
}

/** What the counts depend on. */
interface CountKey {
  readonly key: NumberOrigin;
  readonly values: FoldedValues;
  readonly width: object | number;
}

class KeyedCollector implements ReusableCollector<KeyedPartial> {
  private readonly parts: KeyedPartial[] = [];

  private readonly keys: NumberSource;
  private readonly folded: NumberSource | null;
  private readonly bucketName: string;

  constructor(
    readonly countKey: CountKey,
    scoresOf: ScoresOf,
    private readonly bucketing: (extent: ValueExtent) => Bucketing,
  ) {
    const { key, values, width } = countKey;
    this.keys = new NumberSource(key, scoresOf);
    this.folded = sourceOf(values, scoresOf);
    this.bucketName = canonicalText([width]);
  }

  count(segment: SegmentReader, docs: Bitset | null): KeyedPartial {
    const reader = docs === null ? null : this.keys.open(segment);
    if (reader === null || docs === null) return NOTHING;
    return this.countColumn(segment, reader, docs) ?? this.countKeys(segment, reader, docs);
  }

  /** Counts by the column of buckets; null: there is none, or it does not help. */
  private countColumn(
    segment: SegmentReader,
    keys: NumberReader,
    docs: Bitset,
  ): KeyedPartial | null {
    const { key, values } = this.countKey;
    if (key.kind === 'script' || key.field === null) return null;
    const column = bucketColumn(segment, key.field, this.bucketName, docs, this.bucketing);
    if (column === null) return null;
    if (values.kind === 'none') return countSlots(column, docs);
    const folded = values.kind === 'keys' ? keys : (this.folded?.open(segment) ?? null);
    return foldColumn(column, folded, docs);
  }

  private countKeys(segment: SegmentReader, reader: NumberReader, docs: Bitset): KeyedPartial {
    const bucketing = this.bucketing(this.keys.extent(segment));
    const keys = new NumberKeys(reader, bucketing);
    const { values } = this.countKey;
    if (values.kind === 'none') {
      const counts = countBuckets(keys, docs);
      const order = bucketing.inOrder();
      return order === null
        ? { keys: bucketing.keys(), counts }
        : { keys: picked(bucketing.keys(), order), counts: picked(counts, order) };
    }
    const stats =
      values.kind === 'keys'
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

/**
 * Folds one number of each document into its one bucket; null: that cannot be, or there are few documents.
 */
function foldColumn(
  { offsets, slots, keys }: BucketColumn,
  values: NumberReader | null,
  docs: Bitset,
): KeyedPartial | null {
  const size = keys.length + 1;
  if (offsets !== null || !isFoldable(size, values, docs)) return null;
  const stats = foldSlots(slots, size, values, docs);
  const used = usedSlots(stats.counts, 1, size);
  const buckets = used.map((slot) => slot - 1);
  return { keys: picked(keys, buckets), stats: stats.select(used) };
}

/** The numbers that are folded in besides the keys; null: there are no others. */
export function sourceOf(values: FoldedValues, scoresOf: ScoresOf): NumberSource | null {
  return values.kind === 'field' || values.kind === 'script'
    ? new NumberSource(values, scoresOf)
    : null;
}

/** How entries are ordered; equal ones by key. */
export type KeyedOrder = 'key' | 'count' | 'total';

/** The buckets of all shards, and their positions in the order in which they are shown. */
interface OrderedBuckets {
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
