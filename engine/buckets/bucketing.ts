// From numbers to buckets of numbers: every value belongs to one bucket, which has a key. Buckets get small
// ids as they are first met in a segment. Hot: one look-up per value.

import { NumberIds } from './number-ids';

/** Most cells of a look-up table, unless a segment has more values than that. */
const MIN_TABLE = 1 << 14;
const MAX_TABLE = 1 << 21;

/** Cells of a table that is worth it for so many values. */
function tableRoom(valueCount: number): number {
  return Math.min(MAX_TABLE, Math.max(MIN_TABLE, valueCount));
}

/** What a bucketing needs to know of the values that will come. */
export interface ValueExtent {
  readonly min: number;
  readonly max: number;
  readonly valueCount: number;
}

/** Hands out buckets for the values of one segment. */
export interface Bucketing {
  /** Buckets handed out so far. */
  readonly size: number;
  /** buckets[i] becomes the bucket of values[places[i]], for i < count. */
  assign(values: Float64Array, places: Uint32Array, count: number, buckets: Uint32Array): void;
  /** The keys of all buckets. */
  keys(): Float64Array;
}

/**
 * Buckets of equal width, `trunc(value / interval)`: rounding is towards zero, so that bucket 0 is twice as
 * wide (reference server). Keys are the quotients, as 64-bit integers go.
 */
export class IntervalBuckets implements Bucketing {
  private readonly ids = new NumberIds();
  /** By quotient: bucket + 1, or 0 when none was handed out. */
  private readonly table: Uint32Array | null;
  private readonly low: number;

  constructor(
    private readonly interval: number,
    { min, max, valueCount }: ValueExtent,
  ) {
    this.low = Math.trunc(min / interval);
    const span = Math.trunc(max / interval) - this.low;
    this.table = span < tableRoom(valueCount) ? new Uint32Array(span + 1) : null;
  }

  get size(): number {
    return this.ids.size;
  }

  assign(values: Float64Array, places: Uint32Array, count: number, buckets: Uint32Array): void {
    const { interval, table, low, ids } = this;
    for (let i = 0; i < count; i++) {
      const quotient = Math.trunc(values[places[i]!]! / interval);
      if (table === null) {
        buckets[i] = ids.idOfDouble(asLong(quotient));
        continue;
      }
      let entry = table[quotient - low]!;
      if (entry === 0) {
        entry = ids.idOfDouble(asLong(quotient)) + 1;
        table[quotient - low] = entry;
      }
      buckets[i] = entry - 1;
    }
  }

  keys(): Float64Array {
    return this.ids.doubles();
  }
}

/** Every distinct double, told by its bits, is a bucket. */
export class DistinctBuckets implements Bucketing {
  private readonly ids = new NumberIds();

  get size(): number {
    return this.ids.size;
  }

  assign(values: Float64Array, places: Uint32Array, count: number, buckets: Uint32Array): void {
    const { ids } = this;
    for (let i = 0; i < count; i++) buckets[i] = ids.idOfDouble(values[places[i]!]!);
  }

  keys(): Float64Array {
    return this.ids.doubles();
  }
}

/**
 * A function from integers to keys, of this shape: where the shift is known, the key depends on
 * `floor((value + shift) / grain)` only.
 */
export interface Rounding {
  readonly grain: number;
  /** What shifts lie between. */
  readonly minShift: number;
  readonly maxShift: number;
  /**
   * The shift that holds for all values from .. to, such that none outside with another shift comes to the same
   * quotient but another key. NaN: there is none.
   */
  shiftWithin(from: number, to: number): number;
  round(value: number): number;
}

/** Width of the stretches that have a shift, about three days of milliseconds. */
const STRETCH = 2 ** 28;
/** Most stretches of a segment: some 8,000 years. */
const MAX_STRETCHES = 1 << 20;
/** Not asked for yet. */
const UNKNOWN = Infinity;

/** Buckets of a rounding. Keys are looked up by shifted quotient, so that each is worked out once. */
export class RoundedBuckets implements Bucketing {
  private readonly ids = new NumberIds();
  /** By quotient: bucket + 1, or 0 when none was handed out. Null: every value is rounded. */
  private readonly table: Uint32Array | null;
  private readonly low: number;
  /** By stretch: its shift, NaN where it has none, or {@link UNKNOWN}. */
  private readonly shifts: Float64Array;
  private readonly stretch: number;
  private readonly firstStretch: number;

  constructor(
    private readonly rounding: Rounding,
    { min, max, valueCount }: ValueExtent,
  ) {
    const { grain, minShift, maxShift } = rounding;
    this.low = Math.floor((min + minShift) / grain);
    const span = Math.floor((max + maxShift) / grain) - this.low;
    // One shift for all values needs no stretches.
    this.stretch = minShift === maxShift ? Infinity : STRETCH;
    this.firstStretch = Math.floor(min / this.stretch);
    const stretches = Math.floor(max / this.stretch) - this.firstStretch + 1;
    const isSmall = span < tableRoom(valueCount) && stretches <= MAX_STRETCHES;
    this.table = isSmall ? new Uint32Array(span + 1) : null;
    this.shifts = new Float64Array(isSmall ? stretches : 0).fill(
      minShift === maxShift ? minShift : UNKNOWN,
    );
  }

  get size(): number {
    return this.ids.size;
  }

  assign(values: Float64Array, places: Uint32Array, count: number, buckets: Uint32Array): void {
    const { table, rounding, ids, low, shifts, stretch, firstStretch } = this;
    const { grain } = rounding;
    for (let i = 0; i < count; i++) {
      const value = values[places[i]!]!;
      if (table === null) {
        buckets[i] = ids.idOfDouble(rounding.round(value));
        continue;
      }
      const at = Math.floor(value / stretch) - firstStretch;
      let shift = shifts[at]!;
      if (shift === UNKNOWN) shift = this.learn(at);
      if (Number.isNaN(shift)) {
        buckets[i] = ids.idOfDouble(rounding.round(value));
        continue;
      }
      const quotient = Math.floor((value + shift) / grain) - low;
      let entry = table[quotient]!;
      if (entry === 0) {
        entry = ids.idOfDouble(rounding.round(value)) + 1;
        table[quotient] = entry;
      }
      buckets[i] = entry - 1;
    }
  }

  keys(): Float64Array {
    return this.ids.doubles();
  }

  private learn(at: number): number {
    const from = (this.firstStretch + at) * this.stretch;
    const shift = this.rounding.shiftWithin(from, from + this.stretch - 1);
    this.shifts[at] = shift;
    return shift;
  }
}

/** A double as it becomes a 64-bit integer: NaN is 0, and what is too large is the largest. Never -0. */
export function asLong(value: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.max(-(2 ** 63), Math.min(2 ** 63, Math.trunc(value))) + 0;
}
