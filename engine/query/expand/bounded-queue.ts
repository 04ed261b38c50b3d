// The best of many by a queue of bounded length, with the reference's choice among equal ones.

/**
 * A binary heap with the worst item on top. Of equal items it keeps, and gives back, those that Lucene's
 * `PriorityQueue` does: which these are depends on where they stand in the heap.
 */
export class BoundedQueue<T> {
  /** From 1 on. */
  private readonly heap: T[] = [];
  private size = 0;

  /** @param most items kept */
  constructor(
    private readonly most: number,
    private readonly scoreOf: (item: T) => number,
  ) {}

  /** Takes an item; beyond `most` only one that is better than the worst, which goes. */
  offer(item: T): void {
    if (this.size < this.most) {
      this.heap[++this.size] = item;
      this.rise(this.size);
    } else if (this.size > 0 && this.isWorse(this.heap[1]!, item)) {
      this.heap[1] = item;
      this.sink();
    }
  }

  /** Empties the queue, the worst item first. */
  drain(): T[] {
    const items: T[] = [];
    while (this.size > 0) {
      items.push(this.heap[1]!);
      this.heap[1] = this.heap[this.size--]!;
      this.sink();
    }
    return items;
  }

  private isWorse(a: T, b: T): boolean {
    return this.scoreOf(a) < this.scoreOf(b);
  }

  private rise(from: number): void {
    const { heap } = this;
    const item = heap[from]!;
    let at = from;
    for (let above = at >>> 1; above > 0 && this.isWorse(item, heap[above]!); above >>>= 1) {
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = item;
  }

  private sink(): void {
    const { heap, size } = this;
    const item = heap[1]!;
    let at = 1;
    for (let below = this.worstBelow(at); below <= size; below = this.worstBelow(at)) {
      if (!this.isWorse(heap[below]!, item)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = item;
  }

  /** The worse of the two items below one. */
  private worstBelow(at: number): number {
    const first = at << 1;
    const second = first + 1;
    const { heap, size } = this;
    return second <= size && this.isWorse(heap[second]!, heap[first]!) ? second : first;
  }
}
