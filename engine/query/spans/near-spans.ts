// One span of each of several span queries, near to one another: in their order or in any. What counts as
// near, and which of several ways to put spans together is taken, is as on the reference server.

import { NO_MORE_DOCS } from '../../segment/index';
import { isBefore, type Spans } from './spans';

/** What both orders have in common: the documents that have spans of all parts. */
abstract class NearSpans implements Spans {
  doc = -1;
  start = -1;
  end = -1;
  readonly cost: number;
  private readonly lead: Spans;
  private readonly byCost: readonly Spans[];

  /** @param parts at least two, none moved yet */
  constructor(
    protected readonly parts: readonly Spans[],
    protected readonly slop: number,
  ) {
    this.byCost = [...parts].sort((a, b) => a.cost - b.cost);
    this.lead = this.byCost[0]!;
    this.cost = this.lead.cost;
  }

  nextDoc(): number {
    return (this.doc = this.settle(this.lead.nextDoc()));
  }

  advance(target: number): number {
    return (this.doc = this.settle(this.lead.advance(target)));
  }

  private settle(doc: number): number {
    const { byCost, lead } = this;
    next: while (doc !== NO_MORE_DOCS) {
      for (let i = 1; i < byCost.length; i++) {
        const part = byCost[i]!;
        const at = part.doc < doc ? part.advance(doc) : part.doc;
        if (at === NO_MORE_DOCS) return NO_MORE_DOCS;
        if (at > doc) {
          doc = lead.advance(at);
          continue next;
        }
      }
      if (this.firstSpan()) return doc;
      doc = lead.nextDoc();
    }
    return NO_MORE_DOCS;
  }

  /** The first span of the document, on whose first spans all parts stand; false: there is none. */
  protected abstract firstSpan(): boolean;

  abstract nextSpan(): boolean;
}

/**
 * One behind the other, sharing no positions. Parts are moved on until they stand in order, then from the
 * last to the first as near to the next one as they get.
 */
export class OrderedNearSpans extends NearSpans {
  /** A part has no more spans in the document. */
  private isOver = false;

  protected firstSpan(): boolean {
    this.isOver = false;
    return this.nextSpan();
  }

  nextSpan(): boolean {
    while (!this.isOver && this.stretch()) if (this.shrink()) return true;
    return false;
  }

  private stretch(): boolean {
    const { parts } = this;
    for (let i = 1; i < parts.length; i++) {
      const part = parts[i]!;
      const before = parts[i - 1]!;
      while (part.start < before.end) {
        if (!part.nextSpan()) {
          this.isOver = true;
          return false;
        }
      }
    }
    return true;
  }

  private shrink(): boolean {
    const { parts } = this;
    const last = parts[parts.length - 1]!;
    let { start } = last;
    this.end = last.end;
    let between = 0;
    for (let i = parts.length - 2; i >= 0; i--) {
      const part = parts[i]!;
      let nearestStart = part.start;
      let nearestEnd = part.end;
      for (;;) {
        if (!part.nextSpan()) {
          this.isOver = true;
          break;
        }
        if (part.end > start) break;
        nearestStart = part.start;
        nearestEnd = part.end;
      }
      between += start - nearestEnd;
      start = nearestStart;
    }
    this.start = start;
    return between <= this.slop;
  }
}

/**
 * In any order, also one over the other. The part that stands first is moved on, and whenever no more than
 * `slop` positions lie between all of them that is a span.
 */
export class UnorderedNearSpans extends NearSpans {
  /** The parts by their spans. */
  private readonly heap: Spans[] = [];
  /** The part whose span ends last, as far as was seen when parts moved. */
  private furthest: Spans;
  /** Positions in the spans of all parts, those that they share as often as they do. */
  private covered = 0;

  constructor(parts: readonly Spans[], slop: number) {
    super(parts, slop);
    this.furthest = parts[0]!;
  }

  protected firstSpan(): boolean {
    const { parts, heap } = this;
    this.furthest = parts[0]!;
    this.covered = 0;
    heap.length = 0;
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]!;
      this.covered += part.end - part.start;
      if (part.end > this.furthest.end) this.furthest = part;
      this.rise(part);
    }
    return this.take() || this.nextSpan();
  }

  nextSpan(): boolean {
    const { heap } = this;
    for (;;) {
      const first = heap[0]!;
      const length = first.end - first.start;
      if (!first.nextSpan()) return false;
      this.covered += first.end - first.start - length;
      // compat: a span that ends earlier than the one before it is the furthest still.
      if (first.end > this.furthest.end) this.furthest = first;
      this.sink();
      if (this.take()) return true;
    }
  }

  private take(): boolean {
    this.start = this.heap[0]!.start;
    this.end = this.furthest.end;
    return this.end - this.start - this.covered <= this.slop;
  }

  private rise(part: Spans): void {
    const { heap } = this;
    let at = heap.length;
    heap.push(part);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(part, heap[above]!)) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = part;
  }

  private sink(): void {
    const { heap } = this;
    const moved = heap[0]!;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, moved)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = moved;
  }
}
