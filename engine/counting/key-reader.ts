// The buckets of documents, a window at a time: which buckets the keys of each document fall into. Hot:
// visits every key of every document in scope.

import type { NumericColumn, OrdinalArrays } from '../segment/index';
import type { Bucketing } from './bucketing';
import { NumberIds } from './number-ids';
import type { NumberReader } from './number-reader';
import { ColumnKeys, PlacedKeys } from './bucket-window';

/** Keys that stand in one array for all documents of a segment, laid out as in {@link OrdinalArrays}. */
export interface KeyColumn extends OrdinalArrays {
  /** Every key is below this. */
  readonly size: number;
  /** A document may have the same key several times, one after the other. */
  readonly mayRepeat: boolean;
}

/** Keys that are numbers. */
export class NumberKeys extends PlacedKeys {
  /** @param layout reads the numbers */
  constructor(
    protected readonly layout: NumberReader,
    private readonly bucketing: Bucketing,
  ) {
    super();
  }

  get size(): number {
    return this.bucketing.size;
  }

  override get mayRepeat(): boolean {
    return this.layout.offsets !== null;
  }

  /** The keys, by their indexes. */
  get values(): Float64Array {
    return this.layout.values;
  }

  protected open(words: Uint32Array, from: number, to: number): number {
    this.layout.load(words, from, to);
    return this.layout.values.length;
  }

  protected assign(n: number): number {
    this.bucketing.assign(this.layout.values, this.valueIndexes, n, this.buckets);
    return n;
  }
}

/** Keys that are 64-bit integers which doubles cannot hold; each distinct one is a bucket. */
export class LongKeys extends ColumnKeys {
  private readonly ids = new NumberIds();

  constructor(
    private readonly column: NumericColumn,
    private readonly high: Int32Array,
  ) {
    super(column.offsets, column.docCount, column.present?.words ?? null);
  }

  get size(): number {
    return this.ids.size;
  }

  /** The integers, by bucket. */
  keys(): BigInt64Array {
    return this.ids.longs();
  }

  protected assign(n: number): number {
    const { valueIndexes, buckets, high, ids, first } = this;
    const low = this.column.values;
    for (let i = 0; i < n; i++) {
      const at = first + valueIndexes[i]!;
      buckets[i] = ids.idOf(high[at]!, low[at]!);
    }
    return n;
  }
}

/** Keys that are terms; each one that occurs is a bucket. */
export class OrdinalKeys extends ColumnKeys {
  size = 0;
  /** By ordinal: bucket + 1, or 0 when none was handed out. */
  private readonly slots: Uint32Array;
  private ordinals = new Uint32Array(64);

  /**
   * @param termCount how many terms there are
   * @param repeats a document may have the same term several times
   */
  constructor(
    private readonly column: OrdinalArrays,
    docCount: number,
    termCount: number,
    private readonly repeats = false,
  ) {
    super(column.offsets, docCount);
    this.slots = new Uint32Array(termCount);
  }

  override get mayRepeat(): boolean {
    return this.repeats;
  }

  /** The bucket of a term, which gets one when it has none. */
  bucketOf(ordinal: number): number {
    const slot = this.slots[ordinal]!;
    return (slot === 0 ? this.handOut(ordinal) : slot) - 1;
  }

  /** The term that a bucket is of. */
  ordinalOf(bucket: number): number {
    return this.ordinals[bucket]!;
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

  protected assign(n: number): number {
    const { offsets, ordinals } = this.column;
    return offsets === null ? this.assignSingle(ordinals, n) : this.assignSeveral(ordinals, n);
  }

  /** With one term each, 0 stands for none. */
  private assignSingle(ordinals: OrdinalArrays['ordinals'], n: number): number {
    const { valueIndexes, docs, buckets, slots, first } = this;
    let pairs = 0;
    for (let i = 0; i < n; i++) {
      const valueIndex = valueIndexes[i]!;
      const ordinal = ordinals[first + valueIndex]!;
      if (ordinal === 0) continue;
      let slot = slots[ordinal - 1]!;
      if (slot === 0) slot = this.handOut(ordinal - 1);
      docs[pairs] = valueIndex;
      buckets[pairs++] = slot - 1;
    }
    return pairs;
  }

  private assignSeveral(ordinals: OrdinalArrays['ordinals'], n: number): number {
    const { valueIndexes, buckets, slots, first } = this;
    for (let i = 0; i < n; i++) {
      const ordinal = ordinals[first + valueIndexes[i]!]!;
      let slot = slots[ordinal]!;
      if (slot === 0) slot = this.handOut(ordinal);
      buckets[i] = slot - 1;
    }
    return n;
  }

  /** @returns bucket + 1 */
  private handOut(ordinal: number): number {
    const bucket = this.size++;
    if (bucket === this.ordinals.length) {
      const ordinals = new Uint32Array(2 * bucket);
      ordinals.set(this.ordinals);
      this.ordinals = ordinals;
    }
    this.ordinals[bucket] = ordinal;
    return (this.slots[ordinal] = bucket + 1);
  }
}
