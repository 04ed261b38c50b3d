// The best of many positions, by any order.

/** Compares two of the things that are ordered; positive where the first one is the greater or better. */
export type Compare = (a: number, b: number) => number;

/**
 * Keeps the best positions; `quality` is positive where the first of two is better. They become a heap when
 * the limit is reached: without choosing there is nothing but to sort.
 */
export class PositionHeap {
  private readonly heap: number[] = [];

  constructor(
    private readonly limit: number,
    private readonly quality: Compare,
  ) {}

  get isFull(): boolean {
    return this.heap.length >= this.limit;
  }

  /** The worst position kept; the heap must be full, and not of size 0. */
  get last(): number {
    return this.heap[0]!;
  }

  /** Whether an offer would be taken. */
  wants(position: number): boolean {
    const { heap } = this;
    if (heap.length < this.limit) return true;
    return heap.length > 0 && this.quality(position, heap[0]!) > 0;
  }

  offer(position: number): void {
    if (!this.wants(position)) return;
    const { heap } = this;
    if (heap.length < this.limit) {
      heap.push(position);
      if (heap.length < this.limit) return;
      for (let at = (heap.length >> 1) - 1; at >= 0; at--) this.siftDown(at);
    } else {
      heap[0] = position;
      this.siftDown(0);
    }
  }

  /** All positions kept, in no particular order. */
  get kept(): readonly number[] {
    return this.heap;
  }

  /** All positions kept, best first. */
  drain(): number[] {
    return this.heap.sort((a, b) => this.quality(b, a));
  }

  private siftDown(from: number): void {
    const { heap } = this;
    let at = from;
    for (;;) {
      let worst = at;
      const left = 2 * at + 1;
      if (left < heap.length && this.quality(heap[left]!, heap[worst]!) < 0) worst = left;
      if (left + 1 < heap.length && this.quality(heap[left + 1]!, heap[worst]!) < 0)
        worst = left + 1;
      if (worst === at) return;
      const other = heap[worst]!;
      heap[worst] = heap[at]!;
      heap[at] = other;
      at = worst;
    }
  }
}
