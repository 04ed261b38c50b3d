// Ranges that do not overlap as buckets, one between each two neighbouring bounds, so that a value is in one
// bucket and a range is one bucket.

import type { Bucketing } from './bucketing';
import type { NumberRange } from './range-counter';

/** The buckets of ranges none of which overlap; infinite bounds are bounds like others. */
export class RangeBuckets {
  /** @param bounds of all ranges that can hold a value, ascending and distinct */
  private constructor(private readonly bounds: readonly number[]) {}

  /** Null: some ranges overlap. */
  static of(ranges: readonly NumberRange[]): RangeBuckets | null {
    const filled = ranges.filter(canHold).sort((a, b) => a.from - b.from || 0);
    const bounds: number[] = [];
    for (const { from, to } of filled) {
      const last = bounds.at(-1);
      if (last !== undefined && from < last) return null;
      if (from !== last) bounds.push(from);
      bounds.push(to);
    }
    return new RangeBuckets(bounds);
  }

  /** The bucket that is a range; null: no value can be in it. */
  bucketOf(range: NumberRange): number | null {
    return canHold(range) ? this.bounds.indexOf(range.from) + 1 : null;
  }

  /** Puts values into the buckets; keys are the numbers of the buckets. */
  bucketing(): Bucketing {
    return new BoundBuckets(this.bounds);
  }
}

function canHold({ from, to }: NumberRange): boolean {
  return from < to;
}

/** Bucket b has the values from bound b - 1 on, up to bound b. Bucket 0 also has what is not a number. */
class BoundBuckets implements Bucketing {
  constructor(private readonly bounds: readonly number[]) {}

  get size(): number {
    return this.bounds.length + 1;
  }

  assign(
    values: Float64Array,
    valueIndexes: Uint32Array,
    count: number,
    buckets: Uint32Array,
  ): void {
    const { bounds } = this;
    for (let i = 0; i < count; i++) {
      const value = values[valueIndexes[i]!]!;
      let bucket = 0;
      while (bucket < bounds.length && value >= bounds[bucket]!) bucket++;
      buckets[i] = bucket;
    }
  }

  keys(): Float64Array {
    return Float64Array.from({ length: this.size }, (_, bucket) => bucket);
  }

  inOrder(): Uint32Array {
    return Uint32Array.from({ length: this.size }, (_, bucket) => bucket);
  }
}
