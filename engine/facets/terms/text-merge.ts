// Adding up text terms over segments, shards and fields: a merge of sorted streams by their bytes, without a
// string for any of them. Sorted streams are read front to back, which with large dictionaries is several
// times faster than looking terms up in a hash table. Hot.

import type { TextTerms } from '../../counting/index';
import { compareBytes } from '../../segment/index';
import type { SegmentTerms } from './segment-terms';
import type { CountedText } from './terms-spec';

const FIRST_BYTES = 1024;
const FIRST_TERMS = 64;

/** Counted terms in ascending order, one at a time. */
abstract class TermStream {
  /** The current term is the bytes text[from .. to). */
  text: Uint8Array = new Uint8Array(0);
  from = 0;
  to = 0;
  count = 0;
  /** The first eight bytes, filled up with zeros: most comparisons need no more. */
  high = 0;
  low = 0;

  /** Goes on to the next term; false at the end. */
  abstract next(): boolean;

  protected setPrefix(): void {
    const { text, from, to } = this;
    this.high = wordAt(text, from, to);
    this.low = wordAt(text, from + 4, to);
  }
}

/** Four bytes as a signed integer that orders as they do. */
function wordAt(text: Uint8Array, from: number, to: number): number {
  let word = 0;
  if (from + 4 <= to) {
    word = (text[from]! << 24) | (text[from + 1]! << 16) | (text[from + 2]! << 8) | text[from + 3]!;
  } else {
    for (let i = from; i < from + 4; i++) word = (word << 8) | (i < to ? text[i]! : 0);
  }
  return word ^ 0x80000000;
}

/** The terms that a segment counted, as far as they may be shown. */
class SegmentStream extends TermStream {
  private at = -1;

  /** Terms whose count is 0 are skipped unless `includeZero`. */
  constructor(
    private readonly terms: TextTerms,
    private readonly source: SegmentTerms,
    private readonly includeZero: boolean,
  ) {
    super();
  }

  next(): boolean {
    const { counts, ordinals, filter } = this.source;
    for (;;) {
      if (++this.at >= counts.length) return false;
      if (counts[this.at] === 0 && !this.includeZero) continue;
      const ordinal = ordinals === null ? this.at : ordinals[this.at]!;
      if (filter !== null && !filter.accepts(ordinal)) continue;
      const { term, termLength } = this.terms.bytesAt(ordinal);
      this.text = term;
      this.to = termLength;
      this.count = counts[this.at]!;
      this.setPrefix();
      return true;
    }
  }
}

class ListStream extends TermStream {
  private at = -1;

  constructor(private readonly list: CountedText) {
    super();
    this.text = list.text;
  }

  next(): boolean {
    const { starts, counts } = this.list;
    if (++this.at >= counts.length) return false;
    this.from = starts[this.at]!;
    this.to = starts[this.at + 1]!;
    this.count = counts[this.at]!;
    this.setPrefix();
    return true;
  }
}

/** The terms of a segment that may be shown; `includeZero`: also those that nothing in scope has. */
export function streamOfSegment(source: SegmentTerms, includeZero: boolean): TermStream {
  return new SegmentStream(source.terms as TextTerms, source, includeZero);
}

/** The terms of a list, ascending. */
export function streamOfList(list: CountedText): TermStream {
  return new ListStream(list);
}

/** The terms of all streams, counts of equal ones added up. Uses up the streams. */
export function mergeStreams(streams: readonly TermStream[]): CountedText {
  const heap = new StreamHeap(streams);
  const out = new ListWriter();
  for (let stream = heap.first; stream !== null; stream = heap.first) {
    out.add(stream);
    heap.advance();
  }
  return out.list();
}

function compareStreams(a: TermStream, b: TermStream): number {
  if (a.high !== b.high) return a.high < b.high ? -1 : 1;
  if (a.low !== b.low) return a.low < b.low ? -1 : 1;
  return compareBytes(a.text, a.from, a.to, b.text, b.from, b.to);
}

/** Streams by their current terms, the least one first. */
class StreamHeap {
  private readonly heap: TermStream[];

  constructor(streams: readonly TermStream[]) {
    this.heap = streams.filter((stream) => stream.next());
    for (let i = this.heap.length >> 1; i >= 0; i--) this.siftDown(i);
  }

  get first(): TermStream | null {
    return this.heap[0] ?? null;
  }

  /** Moves the first stream on. */
  advance(): void {
    const { heap } = this;
    if (!heap[0]!.next()) {
      const last = heap.pop()!;
      if (heap.length === 0) return;
      heap[0] = last;
    }
    this.siftDown(0);
  }

  private siftDown(from: number): void {
    const { heap } = this;
    const n = heap.length;
    if (from >= n) return;
    const moved = heap[from]!;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= n) break;
      if (child + 1 < n && compareStreams(heap[child + 1]!, heap[child]!) < 0) child++;
      if (compareStreams(moved, heap[child]!) <= 0) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = moved;
  }
}

/** Writes a list; equal terms come one after the other. */
class ListWriter {
  private text = new Uint8Array(FIRST_BYTES);
  private starts = new Uint32Array(FIRST_TERMS);
  private counts = new Uint32Array(FIRST_TERMS);
  private size = 0;
  private high = 0;
  private low = 0;

  add(stream: TermStream): void {
    const { size, starts } = this;
    const { text, from, to, count } = stream;
    const end = starts[size]!;
    const isSame =
      size > 0 &&
      this.high === stream.high &&
      this.low === stream.low &&
      compareBytes(this.text, starts[size - 1]!, end, text, from, to) === 0;
    if (isSame) {
      this.counts[size - 1]! += count;
      return;
    }
    const next = end + to - from;
    if (next > this.text.length) this.growText(end, next);
    if (size + 2 > starts.length) this.growTerms();
    const { text: out } = this;
    for (let i = from, j = end; i < to; i++) out[j++] = text[i]!;
    this.starts[size + 1] = next;
    this.counts[size] = count;
    this.size = size + 1;
    this.high = stream.high;
    this.low = stream.low;
  }

  list(): CountedText {
    const { size, starts } = this;
    return {
      type: 'string',
      text: this.text.subarray(0, starts[size]),
      starts: starts.subarray(0, size + 1),
      counts: this.counts.subarray(0, size),
    };
  }

  private growText(used: number, needed: number): void {
    const grown = new Uint8Array(Math.max(needed, this.text.length * 2));
    grown.set(this.text.subarray(0, used));
    this.text = grown;
  }

  private growTerms(): void {
    const length = this.starts.length * 2;
    const starts = new Uint32Array(length);
    starts.set(this.starts);
    this.starts = starts;
    const counts = new Uint32Array(length);
    counts.set(this.counts);
    this.counts = counts;
  }
}
