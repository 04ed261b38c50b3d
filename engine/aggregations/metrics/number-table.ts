// Counts, sums and extremes of numbers by bucket: what min, max, sum, avg and the two kinds of stats
// show. Hot: every value of every document in scope.

import {
  type DocBuckets,
  endOf,
  foldNumbers,
  foldSlots,
  isFoldable,
  loadWindow,
  NO_NUMBERS,
  type NumberReader,
  startOf,
} from '../../counting/index';
import type { Bitset } from '../../segment/index';
import type {
  AggregationPartial,
  Aggregator,
  Merged,
  MergePart,
  SlottedBuckets,
} from '../contract/aggregation';
import { addByOwner, forOwners, grown, sized } from '../contract/merging';

/** Entry i is about bucket i of the parent. Plain data. */
export interface NumbersByBucket {
  readonly counts: Float64Array;
  readonly sums: Float64Array;
  /** Infinity and -Infinity where there are no values. */
  readonly mins: Float64Array;
  readonly maxs: Float64Array;
  /** Sums of squares; empty where nobody asks for them. */
  readonly squares: Float64Array;
}

const FIRST_ROOM = 16;

/** Adds up the numbers of one segment. */
export class NumberTable implements Aggregator {
  private counts = new Float64Array(FIRST_ROOM);
  private sums = new Float64Array(FIRST_ROOM);
  private mins = new Float64Array(FIRST_ROOM).fill(Infinity);
  private maxs = new Float64Array(FIRST_ROOM).fill(-Infinity);
  private squares: Float64Array<ArrayBuffer>;

  /** @param values null: there are none */
  constructor(
    private readonly values: NumberReader | null,
    private readonly withSquares: boolean,
  ) {
    this.squares = new Float64Array(withSquares ? FIRST_ROOM : 0);
  }

  collect(docs: DocBuckets): void {
    const { values } = this;
    if (values === null) return;
    this.reserve(docs.bucketCount);
    loadWindow(values, docs);
    if (values.offsets === null) this.foldSingle(docs, values);
    else this.foldSeveral(docs, values);
  }

  get bytes(): number {
    return 4 * this.counts.byteLength + this.squares.byteLength;
  }

  collectSet(docs: Bitset): boolean {
    if (this.values === null) return true;
    const sums = foldNumbers(NO_NUMBERS, this.values, docs);
    this.counts[0] = sums.count;
    this.sums[0] = sums.total;
    this.mins[0] = sums.min;
    this.maxs[0] = sums.max;
    if (this.withSquares) this.squares[0] = sums.sumOfSquares;
    return true;
  }

  takesSlots(docs: Bitset, size: number): boolean {
    return !this.withSquares && isFoldable(size, this.values, docs);
  }

  collectSlots(docs: Bitset, { slots, size, used }: SlottedBuckets): void {
    const { values } = this;
    if (values === null) return;
    const stats = foldSlots(slots, size, values, docs);
    this.counts = pickedAfter(stats.totalCounts, used);
    this.sums = pickedAfter(stats.totals, used);
    this.mins = pickedAfter(stats.mins, used);
    this.maxs = pickedAfter(stats.maxs, used);
  }

  partial(owners: number): AggregationPartial<NumbersByBucket> {
    const data = {
      counts: sized(this.counts, owners),
      sums: sized(this.sums, owners),
      mins: sized(this.mins, owners, Infinity),
      maxs: sized(this.maxs, owners, -Infinity),
      squares: this.withSquares ? sized(this.squares, owners) : this.squares,
    };
    return { data, size: 0, subs: [] };
  }

  private foldSingle(
    { size, docs, buckets, from }: DocBuckets,
    { values, present }: NumberReader,
  ): void {
    const { counts, sums, mins, maxs, squares, withSquares } = this;
    for (let i = 0; i < size; i++) {
      const doc = docs[i]!;
      if (present !== null && ((present[from + (doc >>> 5)]! >>> (doc & 31)) & 1) === 0) continue;
      const bucket = buckets[i]!;
      const value = values[doc]!;
      counts[bucket]!++;
      sums[bucket]! += value;
      if (value < mins[bucket]!) mins[bucket] = value;
      if (value > maxs[bucket]!) maxs[bucket] = value;
      if (withSquares) squares[bucket]! += value * value;
    }
  }

  private foldSeveral({ size, docs, buckets, from }: DocBuckets, reader: NumberReader): void {
    const { counts, sums, mins, maxs, squares, withSquares } = this;
    const { values } = reader;
    for (let i = 0; i < size; i++) {
      const doc = (from << 5) + docs[i]!;
      const bucket = buckets[i]!;
      const end = endOf(reader, doc);
      for (let v = startOf(reader, doc); v < end; v++) {
        const value = values[v]!;
        counts[bucket]!++;
        sums[bucket]! += value;
        if (value < mins[bucket]!) mins[bucket] = value;
        if (value > maxs[bucket]!) maxs[bucket] = value;
        if (withSquares) squares[bucket]! += value * value;
      }
    }
  }

  private reserve(size: number): void {
    if (size <= this.counts.length) return;
    this.counts = grown(this.counts, size);
    this.sums = grown(this.sums, size);
    this.mins = grown(this.mins, size, Infinity);
    this.maxs = grown(this.maxs, size, -Infinity);
    if (this.withSquares) this.squares = grown(this.squares, size);
  }
}

/** The elements behind the given places. */
function pickedAfter(array: Float64Array, places: Uint32Array): Float64Array<ArrayBuffer> {
  const values = new Float64Array(places.length);
  for (let i = 0; i < places.length; i++) values[i] = array[places[i]! + 1]!;
  return values;
}

/** Adds up what segments and shards have. */
export function mergeNumbers(
  parts: readonly MergePart<object, NumbersByBucket>[],
  owners: number,
): Merged<NumbersByBucket> {
  const counts = new Float64Array(owners);
  const sums = new Float64Array(owners);
  const mins = new Float64Array(owners).fill(Infinity);
  const maxs = new Float64Array(owners).fill(-Infinity);
  const withSquares = parts.some(({ data }) => data.squares.length > 0);
  const squares = new Float64Array(withSquares ? owners : 0);
  for (const { data, owners: map } of parts) {
    addByOwner(counts, data.counts, map);
    addByOwner(sums, data.sums, map);
    if (withSquares) addByOwner(squares, data.squares, map);
    forOwners(map, data.mins.length, (from, to) => {
      if (data.mins[from]! < mins[to]!) mins[to] = data.mins[from]!;
      if (data.maxs[from]! > maxs[to]!) maxs[to] = data.maxs[from]!;
    });
  }
  return { data: { counts, sums, mins, maxs, squares }, size: 0, maps: [] };
}

/** The numbers of one bucket. */
export interface BucketNumbers {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly squares: number;
}

/** What bucket `owner` has; a negative one is empty. */
export function numbersAt(data: NumbersByBucket, owner: number): BucketNumbers {
  const sum = data.sums[owner] ?? 0;
  let min = data.mins[owner] ?? Infinity;
  let max = data.maxs[owner] ?? -Infinity;
  // Where a script gave NaN, extremes are NaN. Infinities of both signs also have such a sum.
  if (Number.isNaN(sum) && (min > -Infinity || max < Infinity)) min = max = NaN;
  return {
    count: data.counts[owner] ?? 0,
    sum,
    min,
    max,
    squares: data.squares[owner] ?? 0,
  };
}
