// What facets with a fixed number of buckets share: statistics by bucket, added up over segments and shards.

import { statsBytes, StatsTable, type BucketStats } from '../../counting/index';
import type { Bitset, SegmentReader } from '../../segment/index';
import type { ReusableCollector } from '../contract/facet';

/** Counts the buckets of one segment; null: none of its documents can count. */
type CountSegment = (segment: SegmentReader, docs: Bitset) => BucketStats | null;

/** Adds up the statistics of segments. */
export class StatsCollector implements ReusableCollector<BucketStats> {
  private readonly parts: BucketStats[] = [];
  private readonly nothing: BucketStats;

  /** @param buckets how many there are */
  constructor(
    readonly countKey: object,
    private readonly buckets: number,
    private readonly countSegment: CountSegment,
  ) {
    this.nothing = new StatsTable().first(buckets);
  }

  count(segment: SegmentReader, docs: Bitset | null): BucketStats {
    return (docs === null ? null : this.countSegment(segment, docs)) ?? this.nothing;
  }

  bytesOf(counts: BucketStats): number {
    return statsBytes(counts);
  }

  add(_segment: SegmentReader, counts: BucketStats): void {
    this.parts.push(counts);
  }

  collect(segment: SegmentReader, docs: Bitset | null): void {
    this.add(segment, this.count(segment, docs));
  }

  partial(): BucketStats {
    return sumStats(this.buckets, this.parts);
  }
}

/** The sums of statistics with the same buckets, added in their order. */
export function sumStats(buckets: number, parts: readonly BucketStats[]): BucketStats {
  const sums = new StatsTable();
  sums.reserve(buckets);
  for (const part of parts) for (let b = 0; b < buckets; b++) sums.addBucket(b, part, b);
  return sums.first(buckets);
}
