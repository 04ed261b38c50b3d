// The spans of several span queries, in order; one that several have comes as often as they have it.

import { NO_MORE_DOCS } from '../../segment/index';
import { isBefore, type Spans } from './spans';

/** @see Spans. A heap of the parts by document and span. */
export class UnionSpans implements Spans {
  doc = -1;
  start = -1;
  end = -1;
  readonly cost: number;
  private readonly heap: Spans[];

  /** @param parts at least one, none moved yet */
  constructor(parts: readonly Spans[]) {
    this.heap = [...parts];
    let cost = 0;
    for (const part of parts) cost += part.cost;
    this.cost = cost;
  }

  nextDoc(): number {
    return this.doc === NO_MORE_DOCS ? NO_MORE_DOCS : this.advance(this.doc + 1);
  }

  advance(target: number): number {
    const { heap } = this;
    if (this.doc < 0) {
      for (let i = 0; i < heap.length; i++) heap[i]!.advance(target);
      for (let i = (heap.length >> 1) - 1; i >= 0; i--) this.sink(i);
    } else {
      while (heap[0]!.doc < target) {
        heap[0]!.advance(target);
        this.sink(0);
      }
    }
    this.doc = heap[0]!.doc;
    this.take();
    return this.doc;
  }

  nextSpan(): boolean {
    const top = this.heap[0]!;
    // A document behind the last span: the part waits there.
    if (top.doc !== this.doc) return false;
    if (!top.nextSpan()) top.nextDoc();
    this.sink(0);
    return this.take();
  }

  private take(): boolean {
    const top = this.heap[0]!;
    if (top.doc !== this.doc) return false;
    this.start = top.start;
    this.end = top.end;
    return true;
  }

  private sink(from: number): void {
    const { heap } = this;
    const moved = heap[from]!;
    let at = from;
    for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && precedes(heap[child + 1]!, heap[child]!)) child++;
      if (!precedes(heap[child]!, moved)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = moved;
  }
}

function precedes(a: Spans, b: Spans): boolean {
  return a.doc === b.doc ? isBefore(a, b) : a.doc < b.doc;
}
