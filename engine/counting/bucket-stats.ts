// Statistics by bucket, in typed arrays. A bucket is a small number that somebody else hands out.

const FIRST_ROOM = 64;

/** Counts, and what the values of buckets add up to; entry i belongs to bucket i. Plain data. */
export interface BucketStats {
  /** Documents or key values. */
  readonly counts: Float64Array;
  /** Values folded in. */
  readonly totalCounts: Float64Array;
  readonly totals: Float64Array;
  /** Infinity and -Infinity where there are no values. */
  readonly mins: Float64Array;
  readonly maxs: Float64Array;
}

/** {@link BucketStats} that grow. */
export class StatsTable implements BucketStats {
  counts = new Float64Array(FIRST_ROOM);
  totalCounts = new Float64Array(FIRST_ROOM);
  totals = new Float64Array(FIRST_ROOM);
  mins = new Float64Array(FIRST_ROOM).fill(Infinity);
  maxs = new Float64Array(FIRST_ROOM).fill(-Infinity);

  /** Makes room for buckets 0 .. size - 1. Arrays that were read before may be replaced. */
  reserve(size: number): void {
    const old = this.counts.length;
    if (size <= old) return;
    const room = Math.max(size, 2 * old);
    this.counts = grown(this.counts, room);
    this.totalCounts = grown(this.totalCounts, room);
    this.totals = grown(this.totals, room);
    this.mins = grown(this.mins, room).fill(Infinity, old);
    this.maxs = grown(this.maxs, room).fill(-Infinity, old);
  }

  /** Folds one value into a bucket for which there is room. */
  fold(bucket: number, value: number): void {
    this.totalCounts[bucket]!++;
    this.totals[bucket]! += value;
    if (value < this.mins[bucket]!) this.mins[bucket] = value;
    if (value > this.maxs[bucket]!) this.maxs[bucket] = value;
  }

  /** Adds a bucket of other statistics to a bucket for which there is room. */
  addBucket(bucket: number, other: BucketStats, from: number): void {
    this.counts[bucket]! += other.counts[from]!;
    this.totalCounts[bucket]! += other.totalCounts[from]!;
    this.totals[bucket]! += other.totals[from]!;
    this.mins[bucket] = Math.min(this.mins[bucket]!, other.mins[from]!);
    this.maxs[bucket] = Math.max(this.maxs[bucket]!, other.maxs[from]!);
  }

  /** A copy of the first `size` buckets. */
  first(size: number): BucketStats {
    this.reserve(size);
    return {
      counts: this.counts.slice(0, size),
      totalCounts: this.totalCounts.slice(0, size),
      totals: this.totals.slice(0, size),
      mins: this.mins.slice(0, size),
      maxs: this.maxs.slice(0, size),
    };
  }

  /** A copy of the given buckets in the given order. */
  select(buckets: Uint32Array): BucketStats {
    return selectStats(this, buckets);
  }
}

/** A copy of the given buckets in the given order. */
export function selectStats(stats: BucketStats, buckets: Uint32Array): BucketStats {
  return {
    counts: picked(stats.counts, buckets),
    totalCounts: picked(stats.totalCounts, buckets),
    totals: picked(stats.totals, buckets),
    mins: picked(stats.mins, buckets),
    maxs: picked(stats.maxs, buckets),
  };
}

/** Memory that statistics hold, in bytes. */
export function statsBytes({ counts }: BucketStats): number {
  return 5 * counts.byteLength;
}

function grown(array: Float64Array, room: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(room);
  larger.set(array);
  return larger;
}

/** A copy of the elements at the given indexes in the given order. */
export function picked(array: Float64Array, at: Uint32Array): Float64Array {
  const values = new Float64Array(at.length);
  for (let i = 0; i < at.length; i++) values[i] = array[at[i]!]!;
  return values;
}
