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
  /** buckets[i] becomes the bucket of values[valueIndexes[i]], for i < count. */
  assign(
    values: Float64Array,
    valueIndexes: Uint32Array,
    count: number,
    buckets: Uint32Array,
  ): void;
  /** The keys of all buckets. */
  keys(): Float64Array;
  /** All buckets by ascending key; null: that takes sorting. */
  inOrder(): Uint32Array | null;
}

/** Buckets by quotient, where each quotient has a key of its own that ascends with it. */
class QuotientTable {
  size = 0;
  /** By quotient: bucket + 1, or 0 when none was handed out. */
  readonly entries: Uint32Array;
  private keyList = new Float64Array(64);

  constructor(span: number) {
    this.entries = new Uint32Array(span + 1);
  }

  /** The entry of a bucket for a quotient that has none. */
  add(quotient: number, key: number): number {
    if (this.size === this.keyList.length) {
      const grown = new Float64Array(4 * this.size);
      grown.set(this.keyList);
      this.keyList = grown;
    }
    this.keyList[this.size] = key;
    return (this.entries[quotient] = ++this.size);
  }

  keys(): Float64Array {
    return this.keyList.slice(0, this.size);
  }

  inOrder(): Uint32Array {
    const { entries, size } = this;
    const buckets = new Uint32Array(size);
    for (let at = 0, n = 0; n < size; at++) {
      const entry = entries[at]!;
      if (entry !== 0) buckets[n++] = entry - 1;
    }
    return buckets;
  }
}

/**
 * Buckets of equal width, `trunc(value / interval)`: rounding is towards zero, so that bucket 0 is twice as
 * wide (reference server). Keys are the quotients, as 64-bit integers go.
 */
export class IntervalBuckets implements Bucketing {
  private readonly ids = new NumberIds();
  /** Null: quotients are looked up one by one. */
  private readonly table: QuotientTable | null;
  private readonly low: number;

  constructor(
    private readonly interval: number,
    { min, max, valueCount }: ValueExtent,
  ) {
    this.low = Math.trunc(min / interval);
    const span = Math.trunc(max / interval) - this.low;
    // Beyond that different quotients have the same key.
    const isLong = Math.abs(this.low) < 2 ** 62 && Math.abs(this.low + span) < 2 ** 62;
    this.table = isLong && span < tableRoom(valueCount) ? new QuotientTable(span) : null;
  }

  get size(): number {
    return (this.table ?? this.ids).size;
  }

  assign(
    values: Float64Array,
    valueIndexes: Uint32Array,
    count: number,
    buckets: Uint32Array,
  ): void {
    const { interval, table, low, ids } = this;
    if (table === null) {
      for (let i = 0; i < count; i++) {
        buckets[i] = ids.idOfDouble(asLong(Math.trunc(values[valueIndexes[i]!]! / interval)));
      }
      return;
    }
    const { entries } = table;
    for (let i = 0; i < count; i++) {
      const quotient = Math.trunc(values[valueIndexes[i]!]! / interval);
      let entry = entries[quotient - low]!;
      if (entry === 0) entry = table.add(quotient - low, asLong(quotient));
      buckets[i] = entry - 1;
    }
  }

  keys(): Float64Array {
    return this.table?.keys() ?? this.ids.doubles();
  }

  inOrder(): Uint32Array | null {
    return this.table?.inOrder() ?? null;
  }
}

/** Every distinct double, told by its bits, is a bucket. */
export class DistinctBuckets implements Bucketing {
  private readonly ids = new NumberIds();

  /** The key of one bucket. */
  keyAt(bucket: number): number {
    return this.ids.doubleAt(bucket);
  }

  get size(): number {
    return this.ids.size;
  }

  assign(
    values: Float64Array,
    valueIndexes: Uint32Array,
    count: number,
    buckets: Uint32Array,
  ): void {
    const { ids } = this;
    for (let i = 0; i < count; i++) buckets[i] = ids.idOfDouble(values[valueIndexes[i]!]!);
  }

  keys(): Float64Array {
    return this.ids.doubles();
  }

  inOrder(): null {
    return null;
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
  /** There is one shift, and each quotient has a key of its own, which ascends with it. */
  readonly isDistinct: boolean;
  /**
   * The shift that holds for all values from .. to, such that none outside with another shift comes to the
   * same quotient but another key. NaN: there is none.
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
  /** For roundings whose quotients have distinct keys; null: the others. */
  private readonly distinct: QuotientTable | null;
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
    // Fractions are cut off first, as rounding does.
    this.low = Math.floor((Math.trunc(min) + minShift) / grain);
    const span = Math.floor((Math.trunc(max) + maxShift) / grain) - this.low;
    // One shift for all values needs no stretches.
    this.stretch = minShift === maxShift ? Infinity : STRETCH;
    this.firstStretch = Math.floor(Math.trunc(min) / this.stretch);
    const stretches = Math.floor(Math.trunc(max) / this.stretch) - this.firstStretch + 1;
    const isSmall = span < tableRoom(valueCount) && stretches <= MAX_STRETCHES;
    this.distinct = isSmall && rounding.isDistinct ? new QuotientTable(span) : null;
    this.table = isSmall && this.distinct === null ? new Uint32Array(span + 1) : null;
    this.shifts = new Float64Array(isSmall ? stretches : 0).fill(
      minShift === maxShift ? minShift : UNKNOWN,
    );
  }

  get size(): number {
    return (this.distinct ?? this.ids).size;
  }

  assign(
    values: Float64Array,
    valueIndexes: Uint32Array,
    count: number,
    buckets: Uint32Array,
  ): void {
    if (this.distinct !== null) {
      this.assignDistinct(this.distinct, values, valueIndexes, count, buckets);
      return;
    }
    const { table, rounding, ids, low, shifts, stretch, firstStretch } = this;
    const { grain } = rounding;
    for (let i = 0; i < count; i++) {
      const value = values[valueIndexes[i]!]!;
      if (table === null) {
        buckets[i] = ids.idOfDouble(rounding.round(value));
        continue;
      }
      const at = Math.floor(Math.trunc(value) / stretch) - firstStretch;
      let shift = shifts[at]!;
      if (shift === UNKNOWN) shift = this.learn(at);
      if (Number.isNaN(shift)) {
        buckets[i] = ids.idOfDouble(rounding.round(value));
        continue;
      }
      const quotient = Math.floor((Math.trunc(value) + shift) / grain) - low;
      let entry = table[quotient]!;
      if (entry === 0) {
        entry = ids.idOfDouble(rounding.round(value)) + 1;
        table[quotient] = entry;
      }
      buckets[i] = entry - 1;
    }
  }

  keys(): Float64Array {
    return this.distinct?.keys() ?? this.ids.doubles();
  }

  inOrder(): Uint32Array | null {
    return this.distinct?.inOrder() ?? null;
  }

  private assignDistinct(
    table: QuotientTable,
    values: Float64Array,
    valueIndexes: Uint32Array,
    count: number,
    buckets: Uint32Array,
  ): void {
    const { rounding, low } = this;
    const { grain, minShift } = rounding;
    const { entries } = table;
    for (let i = 0; i < count; i++) {
      const value = values[valueIndexes[i]!]!;
      const quotient = Math.floor((Math.trunc(value) + minShift) / grain) - low;
      let entry = entries[quotient]!;
      if (entry === 0) entry = table.add(quotient, rounding.round(value));
      buckets[i] = entry - 1;
    }
  }

  private learn(at: number): number {
    const from = (this.firstStretch + at) * this.stretch;
    const shift = this.rounding.shiftWithin(from, from + this.stretch - 1);
    this.shifts[at] = shift;
    return shift;
  }
}

/** A double as it becomes a 64-bit integer: NaN is 0, and what is too large is the largest. Never -0. */
function asLong(value: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.max(-(2 ** 63), Math.min(2 ** 63, Math.trunc(value))) + 0;
}
