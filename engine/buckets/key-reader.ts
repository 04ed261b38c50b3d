// The buckets of documents, a window at a time: which buckets the keys of each document fall into. Hot:
// visits every key of every document in scope.

import type { NumericColumn, OrdinalColumn } from '../segment/reader';
import type { Bucketing } from './bucketing';
import { NumberIds } from './number-ids';
import { ColumnReader, placesOf, WINDOW_DOCS, type NumberReader } from './number-reader';

/**
 * After loading a window, pair i < n says that document `docs[i]`, counted from the first of the window, has a
 * key in bucket `buckets[i]`. Pairs are in document order.
 */
export interface KeyReader {
  /** Buckets handed out so far. */
  readonly size: number;
  readonly docs: Uint32Array;
  readonly buckets: Uint32Array;
  /** Loads the pairs of the documents words[from .. to) and returns how many there are. */
  load(words: Uint32Array, from: number, to: number): number;
}

/** Keys that are numbers. */
export class NumberKeys implements KeyReader {
  docs = new Uint32Array(0);
  buckets = new Uint32Array(0);
  /** By pair: the place of its key in {@link values}. */
  places = new Uint32Array(0);

  constructor(
    private readonly reader: NumberReader,
    private readonly bucketing: Bucketing,
  ) {}

  get size(): number {
    return this.bucketing.size;
  }

  get values(): Float64Array {
    return this.reader.values;
  }

  load(words: Uint32Array, from: number, to: number): number {
    const { reader } = this;
    reader.load(words, from, to);
    this.reserve(reader.values.length);
    const n = placesOf(reader, words, from, to, this.places, this.docs);
    this.bucketing.assign(reader.values, this.places, n, this.buckets);
    return n;
  }

  private reserve(room: number): void {
    if (room <= this.places.length) return;
    this.places = new Uint32Array(room);
    this.docs = this.reader.offsets === null ? this.places : new Uint32Array(room);
    this.buckets = new Uint32Array(room);
  }
}

/** Keys that are 64-bit integers which doubles cannot hold; each distinct one is a bucket. */
export class LongKeys implements KeyReader {
  docs = new Uint32Array(0);
  buckets = new Uint32Array(0);
  private places = new Uint32Array(0);
  private readonly ids = new NumberIds();
  private readonly reader: ColumnReader;

  constructor(
    private readonly column: NumericColumn,
    private readonly high: Int32Array,
  ) {
    this.reader = new ColumnReader(column);
  }

  get size(): number {
    return this.ids.size;
  }

  load(words: Uint32Array, from: number, to: number): number {
    const { reader, high, ids } = this;
    const low = this.column.values;
    reader.load(words, from, to);
    const room = reader.values.length;
    if (room > this.places.length) {
      this.places = new Uint32Array(room);
      this.docs = new Uint32Array(room);
      this.buckets = new Uint32Array(room);
    }
    const { places, buckets } = this;
    const n = placesOf(reader, words, from, to, places, this.docs);
    const first = reader.firstValue;
    for (let i = 0; i < n; i++) {
      const at = first + places[i]!;
      buckets[i] = ids.idOf(high[at]!, low[at]!);
    }
    return n;
  }

  keys(): BigInt64Array {
    return this.ids.longs();
  }
}

/** Keys that are terms; each one that occurs is a bucket. */
export class OrdinalKeys implements KeyReader {
  size = 0;
  docs = new Uint32Array(WINDOW_DOCS);
  buckets = new Uint32Array(WINDOW_DOCS);
  /** By ordinal: bucket + 1, or 0 when none was handed out. */
  private readonly slots: Uint32Array;

  constructor(private readonly column: OrdinalColumn) {
    this.slots = new Uint32Array(column.terms.size);
  }

  load(words: Uint32Array, from: number, to: number): number {
    const { offsets } = this.column;
    return offsets === null
      ? this.loadSingle(words, from, to)
      : this.loadMulti(offsets, words, from, to);
  }

  /** The ordinals that have a bucket, ascending, and their buckets. */
  inOrder(): { readonly ordinals: Uint32Array; readonly buckets: Uint32Array } {
    const { slots, size } = this;
    const ordinals = new Uint32Array(size);
    const buckets = new Uint32Array(size);
    let n = 0;
    for (let ordinal = 0; n < size; ordinal++) {
      const slot = slots[ordinal]!;
      if (slot === 0) continue;
      ordinals[n] = ordinal;
      buckets[n++] = slot - 1;
    }
    return { ordinals, buckets };
  }

  private loadSingle(words: Uint32Array, from: number, to: number): number {
    const { docs, buckets, slots } = this;
    const { ordinals } = this.column;
    const firstDoc = from << 5;
    let n = 0;
    for (let w = from; w < to; w++) {
      let word = words[w]!;
      while (word !== 0) {
        const bit = word & -word;
        const doc = (w << 5) + 31 - Math.clz32(bit);
        word ^= bit;
        const ordinal = ordinals[doc]!;
        if (ordinal === 0) continue;
        let slot = slots[ordinal - 1]!;
        if (slot === 0) slots[ordinal - 1] = slot = ++this.size;
        docs[n] = doc - firstDoc;
        buckets[n++] = slot - 1;
      }
    }
    return n;
  }

  private loadMulti(offsets: Uint32Array, words: Uint32Array, from: number, to: number): number {
    const { slots } = this;
    const { ordinals, docCount } = this.column;
    const firstDoc = from << 5;
    const room = offsets[Math.min(to * 32, docCount)]! - offsets[firstDoc]!;
    if (room > this.docs.length) {
      this.docs = new Uint32Array(2 * room);
      this.buckets = new Uint32Array(2 * room);
    }
    const { docs, buckets } = this;
    let n = 0;
    for (let w = from; w < to; w++) {
      let word = words[w]!;
      while (word !== 0) {
        const bit = word & -word;
        const doc = (w << 5) + 31 - Math.clz32(bit);
        word ^= bit;
        const end = offsets[doc + 1]!;
        for (let i = offsets[doc]!; i < end; i++) {
          const ordinal = ordinals[i]!;
          let slot = slots[ordinal]!;
          if (slot === 0) slots[ordinal] = slot = ++this.size;
          docs[n] = doc - firstDoc;
          buckets[n++] = slot - 1;
        }
      }
    }
    return n;
  }
}
