// Documents of a segment with the buckets that they are in, a window at a time: what one level of
// aggregations hands on to the next. Hot: every document in scope passes here once per level.

import { EngineError } from '../errors';
import type { Bitset } from '../segment/index';
import { WINDOW_DOCS, Windows } from './windows';

/**
 * One window: the documents of words[from .. to). Entry i < size says that document `docs[i]`, counted
 * from the first of the window (from * 32), is in bucket `buckets[i]`. Entries are in document order; a
 * document may be in several buckets. Holds until whoever made it goes on.
 */
export interface DocBuckets {
  /** Words of the set of all documents that have an entry. */
  readonly words: Uint32Array;
  readonly from: number;
  readonly to: number;
  readonly size: number;
  readonly docs: Uint32Array;
  readonly buckets: Uint32Array;
  /** Every bucket is below this. */
  readonly bucketCount: number;
}

const ALL_ZERO = new Uint32Array(WINDOW_DOCS);

/** Entries from which a window is handed on in parts, where documents are in many buckets. */
const FULL = 16 * WINDOW_DOCS;
/** Entries that the documents of one part have at most. */
const MOST_ENTRIES = 1 << 23;

/** A window that takes longer to be collected is too large. Milliseconds. */
export const SLOW_MS = 5;

/** A set of documents, all of them in bucket 0, window by window. */
export class SetWindows implements DocBuckets {
  size = 0;
  readonly words: Uint32Array;
  readonly docs = new Uint32Array(WINDOW_DOCS);
  readonly buckets = ALL_ZERO;
  readonly bucketCount = 1;
  private readonly windows: Windows;

  constructor(docs: Bitset) {
    this.words = docs.words;
    this.windows = new Windows(docs.words);
    this.windows.resize(1);
  }

  get from(): number {
    return this.windows.from;
  }

  get to(): number {
    return this.windows.to;
  }

  /**
   * Hands the window on, and makes the next one smaller if that takes long, which depends on how many buckets
   * documents are in.
   *
   * @returns milliseconds that it took
   */
  handOn(collect: (docs: DocBuckets) => void): number {
    const began = performance.now();
    collect(this);
    const ms = performance.now() - began;
    const { windows } = this;
    windows.resize(ms > SLOW_MS ? windows.width >> 1 : windows.width << 3);
    return ms;
  }

  /** Goes on to the next window that has documents; false: there is none. */
  next(): boolean {
    if (!this.windows.next()) return false;
    const { words, docs } = this;
    const { from, to } = this.windows;
    let n = 0;
    for (let w = from; w < to; w++) {
      const last = ((w - from) << 5) + 31;
      let word = words[w]!;
      while (word !== 0) {
        const bit = word & -word;
        word ^= bit;
        docs[n++] = last - Math.clz32(bit);
      }
    }
    this.size = n;
    return true;
  }
}

/**
 * A window that is being filled: entries are added in document order. Where documents are in many buckets it
 * is handed on in parts, each with all entries of its documents.
 */
export class WindowWriter implements DocBuckets {
  from = 0;
  to = 0;
  size = 0;
  docs = new Uint32Array(WINDOW_DOCS);
  buckets = new Uint32Array(WINDOW_DOCS);
  bucketCount = 0;
  /** Words of the set of documents; those of the window are marked once somebody asks for them. */
  private readonly bits: Uint32Array;
  private isMarked = true;

  /** @param docCount documents of the segment */
  constructor(docCount: number) {
    this.bits = new Uint32Array((docCount + 31) >>> 5);
  }

  /** Words of all documents of the segment. */
  get wordCount(): number {
    return this.bits.length;
  }

  get words(): Uint32Array {
    if (!this.isMarked) this.mark();
    return this.bits;
  }

  /** Begins the window words[from .. to). */
  begin(from: number, to: number): void {
    this.from = from;
    this.to = to;
    this.size = 0;
  }

  /**
   * Makes room for so many entries in all. Arrays that were read before may be replaced.
   *
   * @throws EngineError CircuitBreakingException when there are too many
   */
  reserve(entries: number): void {
    if (entries <= this.docs.length) return;
    if (entries > MOST_ENTRIES) {
      throw new EngineError(
        'CircuitBreakingException',
        `[REQUEST] Data too large, documents are in more than [${MOST_ENTRIES}] buckets at a time`,
      );
    }
    const room = Math.min(MOST_ENTRIES, Math.max(entries, 2 * this.docs.length));
    const docs = new Uint32Array(room);
    docs.set(this.docs.subarray(0, this.size));
    const buckets = new Uint32Array(room);
    buckets.set(this.buckets.subarray(0, this.size));
    this.docs = docs;
    this.buckets = buckets;
  }

  /** Whether what there is should be handed on before an entry of `doc` is added. */
  isFullBefore(doc: number): boolean {
    return this.size >= FULL && this.docs[this.size - 1] !== doc;
  }

  /** Begins another part of the window. */
  goOn(): void {
    this.size = 0;
  }

  /** Adds an entry; there must be room. */
  add(doc: number, bucket: number): void {
    this.docs[this.size] = doc;
    this.buckets[this.size++] = bucket;
  }

  /** Ends the window. @param bucketCount more than its largest bucket */
  end(bucketCount: number): void {
    this.bucketCount = bucketCount;
    this.isMarked = false;
  }

  private mark(): void {
    const { bits, from, to, docs, size } = this;
    this.isMarked = true;
    bits.fill(0, from, to);
    for (let i = 0; i < size; i++) bits[from + (docs[i]! >>> 5)]! |= 1 << (docs[i]! & 31);
  }
}
