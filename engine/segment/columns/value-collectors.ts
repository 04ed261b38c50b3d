// Collect numbers and points by document, for the builder and the merger alike. Documents come in
// ascending order.

import type { PointValues } from './geo-column';
import { GrowableF64, GrowableI64, GrowableU32, type MemoryUse } from '../memory/growable';
import type { NumberValues } from './number-writer';
import { compareDoubles } from './number-order';
import type { FieldKind } from '../../metadata/index';

/** Numbers of one field: within a document sorted and distinct. */
export class NumberCollector {
  private readonly docs: GrowableU32;
  private readonly counts: GrowableU32;
  private doubles: GrowableF64;
  /** In use as soon as one integer is not exact as a double. */
  private longs: GrowableI64 | null = null;
  private doc = -1;
  private first = 0;

  constructor(
    private readonly kind: FieldKind,
    private readonly use: MemoryUse,
  ) {
    this.docs = new GrowableU32(use);
    this.counts = new GrowableU32(use);
    this.doubles = new GrowableF64(use);
  }

  /** A value that a double holds exactly. */
  add(doc: number, value: number): void {
    if (doc !== this.doc) this.startDocument(doc);
    let stored = value;
    if (this.kind === 'float') stored = Math.fround(value);
    else if (this.kind !== 'double') stored = value + 0;
    if (this.longs === null) this.doubles.push(stored);
    else this.longs.push(BigInt(stored));
  }

  /** A 64-bit integer. */
  addLong(doc: number, value: bigint): void {
    const double = Number(value);
    if (Number.isSafeInteger(double)) {
      this.add(doc, double);
      return;
    }
    if (doc !== this.doc) this.startDocument(doc);
    this.longs ??= this.widen();
    this.longs.push(value);
  }

  finish(): NumberValues {
    this.finishDocument();
    const values = this.longs === null ? this.doubles.view() : this.longs.view();
    return { docs: this.docs.view(), counts: this.counts.view(), values };
  }

  /** Gives the memory up, that of {@link finish} included. */
  release(): void {
    this.docs.release();
    this.counts.release();
    this.doubles.release();
    this.longs?.release();
  }

  private startDocument(doc: number): void {
    this.finishDocument();
    this.doc = doc;
    this.first = this.longs === null ? this.doubles.length : this.longs.length;
  }

  private finishDocument(): void {
    if (this.doc === -1) return;
    if (this.longs === null) {
      this.doubles.length = sortDistinct(
        this.doubles.items,
        this.first,
        this.doubles.length,
        compareDoubles,
      );
    } else {
      this.longs.length = sortDistinct(
        this.longs.items,
        this.first,
        this.longs.length,
        compareLongs,
      );
    }
    this.docs.push(this.doc);
    this.counts.push((this.longs === null ? this.doubles.length : this.longs.length) - this.first);
    this.doc = -1;
  }

  private widen(): GrowableI64 {
    const longs = new GrowableI64(this.use);
    const { doubles } = this;
    for (let i = 0; i < doubles.length; i++) longs.push(BigInt(doubles.items[i]!));
    doubles.release();
    this.doubles = new GrowableF64(this.use);
    return longs;
  }
}

/** Points of one field in the order given. */
export class PointCollector {
  private readonly docs: GrowableU32;
  private readonly counts: GrowableU32;
  private readonly latitudes: GrowableF64;
  private readonly longitudes: GrowableF64;
  private doc = -1;

  constructor(use: MemoryUse) {
    this.docs = new GrowableU32(use);
    this.counts = new GrowableU32(use);
    this.latitudes = new GrowableF64(use);
    this.longitudes = new GrowableF64(use);
  }

  add(doc: number, latitude: number, longitude: number): void {
    if (doc !== this.doc) {
      this.doc = doc;
      this.docs.push(doc);
      this.counts.push(0);
    }
    this.counts.items[this.counts.length - 1]!++;
    this.latitudes.push(latitude);
    this.longitudes.push(longitude);
  }

  finish(): PointValues {
    return {
      docs: this.docs.view(),
      counts: this.counts.view(),
      latitudes: this.latitudes.view(),
      longitudes: this.longitudes.view(),
    };
  }

  /** Gives the memory up, that of {@link finish} included. */
  release(): void {
    this.docs.release();
    this.counts.release();
    this.latitudes.release();
    this.longitudes.release();
  }
}

/** Sorts items [from, to) in place without duplicates; returns the new end. */
function sortDistinct<T extends number | bigint>(
  items: {
    [index: number]: T;
    subarray(from: number, to: number): { sort(c: (a: T, b: T) => number): unknown };
  },
  from: number,
  to: number,
  compare: (a: T, b: T) => number,
): number {
  if (to - from <= 1) return to;
  items.subarray(from, to).sort(compare);
  let end = from + 1;
  for (let i = from + 1; i < to; i++) {
    if (compare(items[end - 1]!, items[i]!) !== 0) items[end++] = items[i]!;
  }
  return end;
}

function compareLongs(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
