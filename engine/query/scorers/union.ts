// Documents of any of several scorers, and which of them stand on the current one. A plain loop for a few
// scorers, a heap for many; what is made of the scores is up to the scorer above (sum-scorer.ts,
// max-scorer.ts). Hot: no allocation per document.

import { NO_MORE_DOCS } from '../../segment/index';
import type { Scorer } from '../scoring/weight';

/** The merged documents of several scorers. */
export interface Union {
  doc: number;
  /** Sum of the costs. */
  readonly cost: number;
  nextDoc(): number;
  advance(target: number): number;
  /** After {@link gather}: the scorers on the current document are current[0 .. count-1]. */
  readonly current: Scorer[];
  /** Finds the scorers that stand on the current document and returns their number. */
  gather(): number;
}

/** Up to this many scorers a loop over all beats a heap. */
const SMALL = 6;

/** The documents of any of the scorers, in order. */
export function unionOf(scorers: readonly Scorer[]): Union {
  return scorers.length <= SMALL ? new SmallUnion(scorers) : new HeapUnion(scorers);
}

function totalCost(scorers: readonly Scorer[]): number {
  let cost = 0;
  for (const scorer of scorers) cost += scorer.cost;
  return cost;
}

class SmallUnion implements Union {
  doc = -1;
  readonly cost: number;
  readonly current: Scorer[];

  constructor(private readonly scorers: readonly Scorer[]) {
    this.cost = totalCost(scorers);
    this.current = [...scorers];
  }

  nextDoc(): number {
    const { scorers, doc } = this;
    let least = NO_MORE_DOCS;
    for (let i = 0; i < scorers.length; i++) {
      const scorer = scorers[i]!;
      let at = scorer.doc;
      if (at === doc) at = scorer.nextDoc();
      if (at < least) least = at;
    }
    return (this.doc = least);
  }

  advance(target: number): number {
    const { scorers } = this;
    let least = NO_MORE_DOCS;
    for (let i = 0; i < scorers.length; i++) {
      const scorer = scorers[i]!;
      let at = scorer.doc;
      if (at < target) at = scorer.advance(target);
      if (at < least) least = at;
    }
    return (this.doc = least);
  }

  gather(): number {
    const { scorers, current, doc } = this;
    let count = 0;
    for (let i = 0; i < scorers.length; i++) {
      const scorer = scorers[i]!;
      if (scorer.doc === doc) current[count++] = scorer;
    }
    return count;
  }
}

/** A binary heap of scorers by document. */
class HeapUnion implements Union {
  doc = -1;
  readonly cost: number;
  readonly current: Scorer[];
  private readonly heap: Scorer[];
  private readonly stack: Int32Array;

  constructor(scorers: readonly Scorer[]) {
    this.cost = totalCost(scorers);
    this.current = [...scorers];
    this.heap = [...scorers];
    this.stack = new Int32Array(scorers.length + 1);
  }

  nextDoc(): number {
    const { heap, doc } = this;
    if (doc === -1) {
      // None has moved yet: place all, then order them once.
      for (let i = 0; i < heap.length; i++) heap[i]!.nextDoc();
      for (let i = (heap.length >>> 1) - 1; i >= 0; i--) this.sink(i);
      return (this.doc = heap[0]!.doc);
    }
    let top = heap[0]!;
    while (top.doc === doc && doc !== NO_MORE_DOCS) {
      top.nextDoc();
      this.sink(0);
      top = heap[0]!;
    }
    return (this.doc = top.doc);
  }

  advance(target: number): number {
    const { heap } = this;
    if (this.doc === -1) {
      for (let i = 0; i < heap.length; i++) if (heap[i]!.doc < target) heap[i]!.advance(target);
      for (let i = (heap.length >>> 1) - 1; i >= 0; i--) this.sink(i);
      return (this.doc = heap[0]!.doc);
    }
    let top = heap[0]!;
    while (top.doc < target) {
      top.advance(target);
      this.sink(0);
      top = heap[0]!;
    }
    return (this.doc = top.doc);
  }

  gather(): number {
    const { heap, stack, current, doc } = this;
    let count = 0;
    let depth = 0;
    stack[depth++] = 0;
    // Scorers on the least document form a subtree that contains the top.
    while (depth > 0) {
      const i = stack[--depth]!;
      const scorer = heap[i]!;
      if (scorer.doc !== doc) continue;
      current[count++] = scorer;
      const left = 2 * i + 1;
      if (left < heap.length) stack[depth++] = left;
      if (left + 1 < heap.length) stack[depth++] = left + 1;
    }
    return count;
  }

  private sink(start: number): void {
    const { heap } = this;
    const count = heap.length;
    const scorer = heap[start]!;
    const { doc } = scorer;
    let i = start;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= count) break;
      if (child + 1 < count && heap[child + 1]!.doc < heap[child]!.doc) child++;
      if (heap[child]!.doc >= doc) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = scorer;
  }
}
