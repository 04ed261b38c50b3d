// A bounded heap for the best hits of one segment by sort keys. Hot: offered every matching document.

import { NO_MORE_DOCS, type Bitset } from '../../segment/index';
import type { LaneColumn, SegmentSortKey } from './segment-sort-key';

/** The best documents of one segment by sort keys; of equal ones the earlier document. */
export class SortHeap {
  size = 0;
  private readonly lanes: number;
  /** Per lane: 1 ascending, -1 descending. */
  private readonly signs: Int8Array;
  /** Lanes of the entries, one after the other; the last place is for the document being offered. */
  private readonly values: Float64Array;
  private readonly docs: Int32Array;
  private readonly scores: Float64Array;

  constructor(
    private readonly keys: readonly SegmentSortKey[],
    private readonly limit: number,
  ) {
    const signs = keys.flatMap((key) => new Array<number>(key.lanes).fill(key.descending ? -1 : 1));
    this.lanes = signs.length;
    this.signs = Int8Array.from(signs);
    this.values = new Float64Array((limit + 1) * this.lanes);
    this.docs = new Int32Array(limit + 1);
    this.scores = new Float64Array(limit + 1);
  }

  /**
   * Whether a document would not be kept by its only lane, {@link LaneColumn} of the first key; documents
   * are asked about in order.
   */
  refuses(lane: number): boolean {
    if (this.size < this.limit) return false;
    // Later documents with the lane of the worst one lose.
    return this.limit === 0 || this.signs[0]! * lane >= this.signs[0]! * this.values[0]!;
  }

  /** Whether a document takes the place of another. */
  get isFull(): boolean {
    return this.size >= this.limit;
  }

  /** The first lane of the worst document. */
  get worstLane(): number {
    return this.values[0]!;
  }

  offer(doc: number, score: number): void {
    const { limit, lanes, values } = this;
    const target = this.size < limit ? this.size : limit;
    let at = target * lanes;
    for (let i = 0; i < this.keys.length; i++) {
      const key = this.keys[i]!;
      key.load(doc, score, values, at);
      at += key.lanes;
    }
    this.docs[target] = doc;
    this.scores[target] = score;
    if (target < limit) {
      this.siftUp(this.size++);
    } else if (limit > 0 && this.isWorse(0, limit)) {
      this.copy(limit, 0);
      this.siftDown(0);
    }
  }

  /** Offers all of `docs`, in document order, with one score for all. */
  offerAll(docs: Bitset, score: number): void {
    const [key, second] = this.keys;
    const column = second === undefined ? (key?.column ?? null) : null;
    if (column !== null && this.limit > 0) this.offerColumn(docs, score, column);
    else {
      for (let doc = docs.next(0); doc !== NO_MORE_DOCS; doc = docs.next(doc + 1))
        this.offer(doc, score);
    }
  }

  /** The same when one array holds the only lane: what cannot enter is passed over without a call. */
  private offerColumn(docs: Bitset, score: number, column: LaneColumn): void {
    const { values, base, present, absent, missing } = column;
    const sign = this.signs[0]!;
    const { words } = docs;
    const presentWords = present === null ? null : present.words;
    // Later documents with the lane of the worst one lose. NaN, below which nothing is: there is room.
    let worst = this.size < this.limit ? NaN : sign * this.values[0]!;
    for (let i = 0; i < words.length; i++) {
      let word = words[i]!;
      while (word !== 0) {
        const bit = word & -word;
        word ^= bit;
        const doc = (i << 5) + 31 - Math.clz32(bit);
        const value = values[doc]!;
        const isMissing =
          value === absent || (presentWords !== null && (presentWords[i]! & bit) === 0);
        const lane = isMissing ? missing : base + value;
        if (sign * lane >= worst) continue;
        this.offer(doc, score);
        if (this.size === this.limit) worst = sign * this.values[0]!;
      }
    }
  }

  /** Empties the heap, worst document first, until `rest` are left; these are not visited. */
  drain(rest: number, visit: (doc: number, score: number) => void): void {
    while (this.size > rest) {
      const doc = this.docs[0]!;
      const score = this.scores[0]!;
      this.size--;
      if (this.size > 0) {
        this.copy(this.size, 0);
        this.siftDown(0);
      }
      visit(doc, score);
    }
  }

  private isWorse(a: number, b: number): boolean {
    const { lanes, values, signs } = this;
    const x = a * lanes;
    const y = b * lanes;
    for (let i = 0; i < lanes; i++) {
      const left = values[x + i]!;
      const right = values[y + i]!;
      if (left !== right) return left > right === signs[i]! > 0;
    }
    return this.docs[a]! > this.docs[b]!;
  }

  private copy(from: number, to: number): void {
    this.values.copyWithin(to * this.lanes, from * this.lanes, (from + 1) * this.lanes);
    this.docs[to] = this.docs[from]!;
    this.scores[to] = this.scores[from]!;
  }

  private swap(a: number, b: number): void {
    const { lanes, values } = this;
    for (let i = 0; i < lanes; i++) {
      const value = values[a * lanes + i]!;
      values[a * lanes + i] = values[b * lanes + i]!;
      values[b * lanes + i] = value;
    }
    const doc = this.docs[a]!;
    const score = this.scores[a]!;
    this.docs[a] = this.docs[b]!;
    this.scores[a] = this.scores[b]!;
    this.docs[b] = doc;
    this.scores[b] = score;
  }

  private siftUp(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isWorse(at, parent)) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  private siftDown(from: number): void {
    let at = from;
    for (;;) {
      let worst = at;
      const left = 2 * at + 1;
      if (left < this.size && this.isWorse(left, worst)) worst = left;
      if (left + 1 < this.size && this.isWorse(left + 1, worst)) worst = left + 1;
      if (worst === at) return;
      this.swap(at, worst);
      at = worst;
    }
  }
}
