// Numeric columns as searches read them.

import { Bitset } from '../contract/bitset';
import { f64At, u32At } from '../format/byte-input';
import { offsetsOf, paddedBytes, unsignedView, type ColumnDocs } from './columns';
import { LAYOUT } from '../format/format';
import { NUMBER_ENCODING, numberArray } from './number-writer';
import { docsBetween, markOrder } from '../sets/prefix-sets';
import type { NumericColumn } from '../contract/reader';
import { compareDoubles, doubleKeys, sortedOrder, type SortKeys } from './number-order';
import type { FieldKind } from '../../metadata/index';

const HEADER = 32;
const BYTES_OF: readonly number[] = [1, 2, 4, 4, 4, 8, 4];
const MIN_LONG = -(2n ** 63n);
const MAX_LONG = 2n ** 63n - 1n;
const TWO_32 = 2 ** 32;

/** Where a column gets its permutations: from disk, or from the cache if they were computed before. */
interface OrderSource {
  /** The bytes of the stored order, or null when there is none. */
  stored(): Uint8Array | null;
  /** What was kept under `name`, or else what `compute` gives, which is then kept. */
  keep(name: string, compute: () => Uint32Array): Uint32Array;
}

export class StoredNumbers implements NumericColumn {
  readonly docCount: number;
  readonly valueCount: number;
  readonly offsets: Uint32Array | null;
  readonly present: Bitset | null;
  readonly values: NumericColumn['values'];
  readonly base: number;
  readonly high: Int32Array | null;
  readonly min: number;
  readonly max: number;
  /** Memory that the column holds, in bytes. */
  readonly byteLength: number;

  /**
   * @param bytes the column part
   * @param entries documents that have an entry
   */
  constructor(
    readonly kind: FieldKind,
    bytes: Uint8Array,
    entries: ColumnDocs,
    docCount: number,
    private readonly orders: OrderSource,
  ) {
    const encoding = bytes[0]!;
    const layout = bytes[1]!;
    const countWidth = bytes[2]!;
    this.docCount = docCount;
    this.valueCount = u32At(bytes, 4);
    this.base = f64At(bytes, 8);
    this.min = f64At(bytes, 16);
    this.max = f64At(bytes, 24);
    const slots = layout === LAYOUT.dense ? docCount : this.valueCount;
    let at = HEADER;
    let high: Int32Array | null = null;
    if (encoding === NUMBER_ENCODING.words) {
      high = new Int32Array(bytes.buffer, bytes.byteOffset + at, slots);
      at += paddedBytes(4, slots);
    }
    const values = viewOf(bytes, at, encoding, slots);
    at += paddedBytes(BYTES_OF[encoding]!, slots);
    if (layout === LAYOUT.multi) {
      const counts = unsignedView(bytes, at, countWidth, entries.count);
      this.offsets = offsetsOf(entries.members(), counts, docCount);
      this.present = null;
    } else {
      this.offsets = null;
      this.present = entries.count === docCount ? null : entries.docs;
    }
    if (layout === LAYOUT.compact) {
      const members = entries.members();
      const spread = numberArray(
        encoding === NUMBER_ENCODING.words ? NUMBER_ENCODING.u32 : encoding,
        docCount,
      );
      for (let i = 0; i < members.length; i++) spread[members[i]!] = values[i]!;
      this.values = spread;
      if (high !== null) {
        this.high = new Int32Array(docCount);
        for (let i = 0; i < members.length; i++) this.high[members[i]!] = high[i]!;
      } else this.high = null;
    } else {
      this.values = values;
      this.high = high;
    }
    this.byteLength =
      this.values.byteLength + (this.high?.byteLength ?? 0) + (this.offsets?.byteLength ?? 0);
  }

  valueAt(index: number): number {
    if (this.high !== null) return this.high[index]! * TWO_32 + this.values[index]!;
    // Adding 0 would turn -0 into 0.
    return this.base === 0 ? this.values[index]! : this.base + this.values[index]!;
  }

  longAt(index: number): bigint {
    if (this.high === null) return BigInt(this.base + this.values[index]!);
    return (BigInt(this.high[index]!) << 32n) | BigInt(this.values[index]!);
  }

  rangeOf(from: number | bigint, to: number | bigint): readonly [number, number] {
    const order = this.order();
    if (this.high !== null) {
      const low = exactBound(from, true);
      const high = exactBound(to, false);
      if (low === null || high === null) return [0, 0];
      const start = this.firstLong(order, low, false);
      return [start, Math.max(start, this.firstLong(order, high, true))];
    }
    const start = this.firstDouble(order, this.doubleBound(from), false);
    return [start, Math.max(start, this.firstDouble(order, this.doubleBound(to), true))];
  }

  sortedDocs(): Uint32Array {
    const { offsets } = this;
    if (offsets === null) return this.order();
    return this.orders.keep('sortedDocs', () => {
      const owner = new Uint32Array(this.valueCount);
      for (let doc = 0; doc < this.docCount; doc++) owner.fill(doc, offsets[doc], offsets[doc + 1]);
      return this.order().map((value) => owner[value]!);
    });
  }

  docsBetween(first: number, end: number): Bitset {
    const { docCount } = this;
    const docs = this.sortedDocs();
    if (this.offsets === null) {
      const marks = () => this.orders.keep('marks', () => markOrder(docs, docCount));
      return docsBetween({ docs, docCount, marks }, first, end);
    }
    const found = new Bitset(docCount);
    for (let i = first; i < end; i++) found.add(docs[i]!);
    return found;
  }

  /** Value indexes in ascending order of the values. */
  private order(): Uint32Array {
    return this.orders.keep('order', () => {
      const bytes = this.orders.stored();
      return bytes === null ? this.computeOrder() : this.decodeOrder(bytes);
    });
  }

  private decodeOrder(bytes: Uint8Array): Uint32Array {
    const width = bytes[0]!;
    if (width === 0) return this.indexes();
    const order = new Uint32Array(u32At(bytes, 4));
    let at = 8;
    for (let i = 0; i < order.length; i++) {
      let entry = 0;
      for (let shift = 0; shift < width * 8; shift += 8) entry |= bytes[at++]! << shift;
      order[i] = entry;
    }
    return order;
  }

  private computeOrder(): Uint32Array {
    const indexes = this.indexes();
    const order = sortedOrder(this.orderKeys(indexes));
    if (this.present !== null)
      for (let i = 0; i < order.length; i++) order[i] = indexes[order[i]!]!;
    return order;
  }

  /** What the values at `indexes` are ordered by. */
  private orderKeys(indexes: Uint32Array): SortKeys {
    const { values, high } = this;
    const n = indexes.length;
    if (values instanceof Float32Array || values instanceof Float64Array) {
      const doubles = new Float64Array(n);
      for (let i = 0; i < n; i++) doubles[i] = values[indexes[i]!]!;
      return doubleKeys(doubles);
    }
    // Signed integers become unsigned ones of the same order. The base is the same for all of them.
    const sign = values instanceof Int32Array ? 0x80000000 : 0;
    const low = new Uint32Array(n);
    for (let i = 0; i < n; i++) low[i] = values[indexes[i]!]! ^ sign;
    if (high === null) return { low, high };
    const top = new Uint32Array(n);
    for (let i = 0; i < n; i++) top[i] = high[indexes[i]!]! ^ 0x80000000;
    return { low, high: top };
  }

  /** The indexes that hold a value, ascending. */
  private indexes(): Uint32Array {
    const indexes = new Uint32Array(this.valueCount);
    const { present } = this;
    if (present === null) {
      for (let i = 0; i < indexes.length; i++) indexes[i] = i;
      return indexes;
    }
    let n = 0;
    for (let doc = present.next(0); n < indexes.length; doc = present.next(doc + 1))
      indexes[n++] = doc;
    return indexes;
  }

  private doubleBound(bound: number | bigint): number {
    const double = Number(bound);
    // Integers know no negative zero.
    return this.kind === 'long' || this.kind === 'int' ? double + 0 : double;
  }

  /** The first place whose value is >= bound (> bound with `above`). */
  private firstDouble(order: Uint32Array, bound: number, above: boolean): number {
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const compared = compareDoubles(this.valueAt(order[middle]!), bound);
      if (compared < 0 || (above && compared === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private firstLong(order: Uint32Array, bound: bigint, above: boolean): number {
    const boundHigh = Number(bound >> 32n);
    const boundLow = Number(bound & 0xffffffffn);
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const index = order[middle]!;
      const compared = this.high![index]! - boundHigh || this.values[index]! - boundLow;
      if (compared < 0 || (above && compared === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A bound as a 64-bit integer; null when nothing can lie within it. */
function exactBound(bound: number | bigint, lower: boolean): bigint | null {
  let exact: bigint;
  if (typeof bound === 'bigint') exact = bound;
  else if (Number.isNaN(bound)) return null;
  else if (bound === Infinity) exact = MAX_LONG + (lower ? 1n : 0n);
  else if (bound === -Infinity) exact = MIN_LONG - (lower ? 0n : 1n);
  else exact = BigInt(lower ? Math.ceil(bound) : Math.floor(bound));
  if (lower) return exact > MAX_LONG ? null : exact < MIN_LONG ? MIN_LONG : exact;
  return exact < MIN_LONG ? null : exact > MAX_LONG ? MAX_LONG : exact;
}

function viewOf(
  bytes: Uint8Array,
  at: number,
  encoding: number,
  length: number,
): NumericColumn['values'] {
  const offset = bytes.byteOffset + at;
  switch (encoding) {
    case NUMBER_ENCODING.i32:
      return new Int32Array(bytes.buffer, offset, length);
    case NUMBER_ENCODING.f32:
      return new Float32Array(bytes.buffer, offset, length);
    case NUMBER_ENCODING.f64:
      return new Float64Array(bytes.buffer, offset, length);
    case NUMBER_ENCODING.u8:
    case NUMBER_ENCODING.u16:
      return unsignedView(bytes, at, BYTES_OF[encoding]!, length);
    default:
      return new Uint32Array(bytes.buffer, offset, length);
  }
}
