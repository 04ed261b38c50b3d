// From numbers to buckets of numbers: every value belongs to one bucket, which has a key. Buckets get small
// ids as they are first met in a segment. Hot: one look-up per value.

import { NumberIds } from './number-ids';

/** Most cells of a look-up table, unless a segment has more values than that. */
const MIN_TABLE = 1 << 14;
const MAX_TABLE = 1 << 21;
const MIN_CELLS = 256;
const CELL_COST = 8;

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

/** A function from values to keys. */
export interface Rounding {
  /** Stretches of this width mostly have one key. */
  readonly grain: number;
  /** Wider stretches than this mostly have several. */
  readonly coarsest: number;
  round(value: number): number;
  /** Whether all values in from .. to surely have the same key. */
  isUniform(from: number, to: number): boolean;
}

/** Entry of a cell whose values have several keys. */
const MIXED = 0xffffffff;

/**
 * Buckets of any rounding of integers. Values are looked up in cells, stretches of which most lie wholly
 * within one bucket, so that rounding is done once per cell instead of per value.
 */
export class RoundedBuckets implements Bucketing {
  private readonly ids = new NumberIds();
  /** By cell: bucket + 1, 0 when unknown, or {@link MIXED}. */
  private readonly table: Uint32Array | null;
  private readonly low: number;
  private readonly cell: number;

  constructor(
    private readonly rounding: Rounding,
    { min, max, valueCount }: ValueExtent,
  ) {
    const room = tableRoom(valueCount);
    let cell = rounding.grain;
    // Finding out what is in a cell costs as much as rounding several values.
    const worth = Math.max(MIN_CELLS, valueCount / CELL_COST);
    while ((max - min) / cell > worth && cell * 2 <= rounding.coarsest) cell *= 2;
    this.cell = cell;
    this.low = Math.floor(min / cell);
    const cells = Math.floor(max / cell) - this.low + 1;
    this.table = cells <= room ? new Uint32Array(cells) : null;
  }

  get size(): number {
    return this.ids.size;
  }

  assign(values: Float64Array, places: Uint32Array, count: number, buckets: Uint32Array): void {
    const { table, rounding, ids, low, cell } = this;
    for (let i = 0; i < count; i++) {
      const value = values[places[i]!]!;
      if (table === null) {
        buckets[i] = ids.idOfDouble(rounding.round(value));
        continue;
      }
      const at = Math.floor(value / cell) - low;
      let entry = table[at]!;
      if (entry === 0) entry = this.fill(table, at);
      buckets[i] = entry === MIXED ? ids.idOfDouble(rounding.round(value)) : entry - 1;
    }
  }

  keys(): Float64Array {
    return this.ids.doubles();
  }

  private fill(table: Uint32Array, at: number): number {
    const from = (this.low + at) * this.cell;
    const entry = this.rounding.isUniform(from, from + this.cell - 1)
      ? this.ids.idOfDouble(this.rounding.round(from)) + 1
      : MIXED;
    table[at] = entry;
    return entry;
  }
}

/** A double as it becomes a 64-bit integer: NaN is 0, and what is too large is the largest. Never -0. */
export function asLong(value: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.max(-(2 ** 63), Math.min(2 ** 63, Math.trunc(value))) + 0;
}
