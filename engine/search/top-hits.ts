// Bounded heaps for the best hits. Hot: offered every matching document.

import { NO_MORE_DOCS, type Bitset } from '../segment/bitset';
import type { SegmentSortKey } from './sort-key';

const INITIAL_CAPACITY = 256;

/**
 * The best documents of a shard by score. Documents are offered segment by segment in document order, so
 * of equal scores the earlier one is kept.
 */
export class ScoreHeap {
  size = 0;
  private scores: Float64Array;
  private segments: Int32Array;
  private docs: Int32Array;

  constructor(private readonly limit: number) {
    const capacity = Math.min(limit, INITIAL_CAPACITY);
    this.scores = new Float64Array(capacity);
    this.segments = new Int32Array(capacity);
    this.docs = new Int32Array(capacity);
  }

  get isFull(): boolean {
    return this.size >= this.limit;
  }

  /** A document enters a full heap only above this score. */
  get threshold(): number {
    return this.size < this.limit ? -Infinity : this.limit === 0 ? Infinity : this.scores[0]!;
  }

  offer(score: number, segment: number, doc: number): void {
    if (this.size < this.limit) {
      if (this.size === this.scores.length) this.grow();
      this.put(this.size, score, segment, doc);
      this.siftUp(this.size++);
    } else if (this.limit > 0 && score > this.scores[0]!) {
      this.put(0, score, segment, doc);
      this.siftDown(0);
    }
  }

  /** Calls `visit` for every kept document, in no order. */
  forEach(visit: (score: number, segment: number, doc: number) => void): void {
    for (let i = 0; i < this.size; i++) visit(this.scores[i]!, this.segments[i]!, this.docs[i]!);
  }

  private put(at: number, score: number, segment: number, doc: number): void {
    this.scores[at] = score;
    this.segments[at] = segment;
    this.docs[at] = doc;
  }

  /** Whether entry a is the worse hit: lower score, or equal and later. */
  private isWorse(a: number, b: number): boolean {
    const difference = this.scores[a]! - this.scores[b]!;
    if (difference !== 0) return difference < 0;
    const segments = this.segments[a]! - this.segments[b]!;
    return segments !== 0 ? segments > 0 : this.docs[a]! > this.docs[b]!;
  }

  private swap(a: number, b: number): void {
    const score = this.scores[a]!;
    const segment = this.segments[a]!;
    const doc = this.docs[a]!;
    this.put(a, this.scores[b]!, this.segments[b]!, this.docs[b]!);
    this.put(b, score, segment, doc);
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

  private grow(): void {
    const capacity = Math.min(this.limit, this.scores.length * 2);
    const scores = new Float64Array(capacity);
    const segments = new Int32Array(capacity);
    const docs = new Int32Array(capacity);
    scores.set(this.scores);
    segments.set(this.segments);
    docs.set(this.docs);
    this.scores = scores;
    this.segments = segments;
    this.docs = docs;
  }
}

/** The best documents of one segment by sort keys. Documents are offered in document order. */
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

  /** Offers all of `docs`, unscored. */
  offerAll(docs: Bitset, score: number): void {
    for (let doc = docs.next(0); doc !== NO_MORE_DOCS; doc = docs.next(doc + 1))
      this.offer(doc, score);
  }

  /** Calls `visit` for every kept document, in no order. */
  forEach(visit: (doc: number, score: number) => void): void {
    for (let i = 0; i < this.size; i++) visit(this.docs[i]!, this.scores[i]!);
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
