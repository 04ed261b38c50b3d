// The best hits of buckets in one segment, by score or by sort keys. Hot: offered every document of every
// bucket.

import type { BucketHitsCollector, BucketHitsData, SlottedBuckets } from '../../aggregations/index';
import { type DocBuckets, type DocScores, isFoldable, type ScoresOf } from '../../counting/index';
import { bindFilter } from '../../query/index';
import type { Bitset, SegmentReader } from '../../segment/index';
import type { ShardHit } from '../plan/search-plan';
import { SortHeap } from '../sort/sort-heap';
import { openSortKey } from '../sort/sort-key';
import { laneOf, type LaneColumn, type SegmentSortKey } from '../sort/segment-sort-key';
import { placeOf } from './nested-place';
import { BY_SCORE, type TopHitsSpec } from '../plan/top-hits-spec';

/** What a collector may know of the shard. */
interface CollectedShard {
  readonly segments: readonly SegmentReader[];
  readonly position: number;
}

/** What a hit takes, and a heap besides its arrays. Roughly, in bytes. */
const HIT_BYTES = 200;
const HEAP_BYTES = 400;

/** Documents of larger segments are handed on by windows, so that others get a turn. */
const MOST_AT_ONCE = 1 << 18;

/** Keeps a heap for each bucket. */
export class TopHitsCollector implements BucketHitsCollector {
  private readonly keys: readonly SegmentSortKey[];
  private heaps: (SortHeap | undefined)[] = [];
  private totals = new Uint32Array(16);
  private maxScores = new Float64Array(16).fill(NaN);
  /** By bucket: the lane of the worst hit, negative where the highest are the best; NaN: there is room. */
  private worst = new Float64Array(16).fill(NaN);
  private readonly scores: DocScores | null;
  private readonly index: number;
  /** Bytes of heaps. */
  private held = 0;
  /** What documents are ordered by, where it is one column. */
  private readonly lanes: LaneColumn | null;

  constructor(
    private readonly spec: TopHitsSpec,
    private readonly shard: CollectedShard,
    scoresOf: ScoresOf,
    private readonly segment: SegmentReader,
    private readonly hold: (bytes: number) => void,
  ) {
    const { sort, trackScores } = spec.search;
    this.index = shard.segments.indexOf(segment);
    let docBase = 0;
    for (let i = 0; i < this.index; i++) docBase += shard.segments[i]!.docCount;
    this.keys = (sort ?? [BY_SCORE]).map((key) => {
      const filter = key.nestedFilter;
      const docs =
        filter === null ? undefined : bindFilter(filter, shard.segments).matches(segment);
      return openSortKey(key, segment, docBase, docs);
    });
    this.lanes = this.keys.length === 1 ? (this.keys[0]!.column ?? null) : null;
    const scored = sort === null || trackScores || sort.some(({ kind }) => kind === 'score');
    this.scores = scored ? scoresOf(segment) : null;
  }

  collect(window: DocBuckets): void {
    this.reserve(window.bucketCount);
    const { scores, heaps, lanes } = this;
    if (lanes !== null && scores === null) {
      this.collectByColumn(window, lanes);
      return;
    }
    const { from, size, docs, buckets } = window;
    const { totals, maxScores } = this;
    let scored = -1;
    let score = NaN;
    for (let i = 0; i < size; i++) {
      const doc = (from << 5) + docs[i]!;
      const bucket = buckets[i]!;
      if (scores !== null && doc !== scored) {
        score = scores(doc);
        scored = doc;
      }
      totals[bucket]!++;
      if (!(maxScores[bucket]! >= score)) maxScores[bucket] = score;
      const heap = (heaps[bucket] ??= this.newHeap());
      if (lanes === null || !heap.refuses(laneOf(lanes, doc))) heap.offer(doc, score);
    }
  }

  /** Without scores, by one array: what no heap takes is passed over without a call. */
  private collectByColumn({ from, size, docs, buckets }: DocBuckets, column: LaneColumn): void {
    const { heaps, totals, worst } = this;
    const { values, base, present, absent, missing } = column;
    const presentWords = present === null ? null : present.words;
    const sign = this.keys[0]!.descending ? -1 : 1;
    const first = from << 5;
    for (let i = 0; i < size; i++) {
      const doc = first + docs[i]!;
      const bucket = buckets[i]!;
      totals[bucket]!++;
      const value = values[doc]!;
      const isMissing =
        value === absent ||
        (presentWords !== null && (presentWords[doc >>> 5]! & (1 << (doc & 31))) === 0);
      const lane = isMissing ? missing : base + value;
      // Later documents with the lane of the worst one lose. NaN, below which nothing is: there is room.
      if (sign * lane >= worst[bucket]!) continue;
      const heap = (heaps[bucket] ??= this.newHeap());
      if (!heap.refuses(lane)) heap.offer(doc, NaN);
      if (heap.isFull) worst[bucket] = sign * heap.worstLane;
    }
  }

  takesSlots(docs: Bitset, size: number): boolean {
    if (this.lanes === null || this.scores !== null) return false;
    return this.segment.docCount <= MOST_AT_ONCE && isFoldable(size, null, docs);
  }

  /** As {@link collectByColumn}, with the bucket of each document read from a column, too. */
  collectSlots({ words }: Bitset, { slots, size, used }: SlottedBuckets): void {
    this.reserve(size);
    this.heaps = new Array<SortHeap | undefined>(size);
    const { heaps, totals, worst } = this;
    const { values, base, present, absent, missing } = this.lanes!;
    const presentWords = present === null ? null : present.words;
    const sign = this.keys[0]!.descending ? -1 : 1;
    for (let w = 0; w < words.length; w++) {
      const last = (w << 5) + 31;
      let word = words[w]!;
      while (word !== 0) {
        const bit = word & -word;
        word ^= bit;
        const doc = last - Math.clz32(bit);
        const slot = slots[doc]!;
        totals[slot]!++;
        const value = values[doc]!;
        const isMissing =
          value === absent || (presentWords !== null && (presentWords[w]! & bit) === 0);
        const lane = isMissing ? missing : base + value;
        if (sign * lane >= worst[slot]! || slot === 0) continue;
        const heap = (heaps[slot] ??= this.newHeap());
        if (!heap.refuses(lane)) heap.offer(doc, NaN);
        if (heap.isFull) worst[slot] = sign * heap.worstLane;
      }
    }
    // From slots to buckets: bucket b is in slot 1 + used[b], which is not before it.
    for (let b = 0; b < used.length; b++) {
      heaps[b] = heaps[1 + used[b]!];
      totals[b] = totals[1 + used[b]!]!;
    }
    heaps.length = used.length;
  }

  data(owners: number): BucketHitsData {
    const { sort, trackScores } = this.spec.search;
    const shows = sort === null || trackScores;
    this.reserve(owners);
    const hits = Array.from({ length: owners }, (_, bucket) => {
      const own: ShardHit[] = [];
      this.heaps[bucket]?.drain(0, (doc, score) =>
        own.push(this.hit(doc, shows ? score : NaN, score)),
      );
      return own.reverse();
    });
    const count = hits.reduce((sum, own) => sum + own.length, 0);
    this.hold(HIT_BYTES * count - this.held);
    return {
      totals: Float64Array.from(this.totals.subarray(0, owners)),
      maxScores: shows ? this.maxScores.slice(0, owners) : new Float64Array(owners).fill(NaN),
      hits,
    };
  }

  private newHeap(): SortHeap {
    const { from, size } = this.spec;
    const limit = Math.min(from + size, this.segment.docCount);
    const lanes = this.keys.reduce((sum, key) => sum + key.lanes, 0);
    // There may be many new ones in one window.
    const bytes = HEAP_BYTES + (limit + 1) * (8 * lanes + 12);
    this.held += bytes;
    this.hold(bytes);
    return new SortHeap(this.keys, limit);
  }

  private hit(doc: number, score: number, sortedBy: number): ShardHit {
    const { segment, spec } = this;
    const { sort, nestedPaths } = spec.search;
    const hit: ShardHit = {
      shard: this.shard.position,
      segment: this.index,
      doc,
      sequence: segment.sequenceOf(doc),
      score,
      sort: sort === null ? [] : this.keys.map((key) => key.value(doc, sortedBy)),
    };
    return nestedPaths.length === 0 ? hit : { ...hit, nested: placeOf(segment, doc, nestedPaths) };
  }

  private reserve(size: number): void {
    if (size <= this.totals.length) return;
    const room = Math.max(size, 2 * this.totals.length);
    const totals = new Uint32Array(room);
    totals.set(this.totals);
    const worst = new Float64Array(room).fill(NaN);
    worst.set(this.worst);
    const maxScores = new Float64Array(room).fill(NaN);
    maxScores.set(this.maxScores);
    this.totals = totals;
    this.worst = worst;
    this.maxScores = maxScores;
  }
}
