// The heaviest entries of some ranges of ordinals, one after the other, without looking at all of them.
//
// Over the weights stand levels of maxima, each of 64 values of the level below. What may still hold the next
// entry lies in a heap of stretches of these levels by their maxima, equal ones by where they begin; what is
// taken off is an entry, or a group whose members become a stretch.

const SHIFT = 6;
const GROUP = 1 << SHIFT;

/** Weights with the maxima over them. Immutable. */
export class WeightTree {
  /** The weights themselves, then maxima of ever larger groups. */
  readonly levels: readonly Uint32Array[];

  constructor(weights: Uint32Array) {
    const levels = [weights];
    for (let below = weights; below.length > GROUP;) {
      const level = new Uint32Array(Math.ceil(below.length / GROUP));
      for (let i = 0; i < below.length; i++) {
        if (below[i]! > level[i >>> SHIFT]!) level[i >>> SHIFT] = below[i]!;
      }
      levels.push(level);
      below = level;
    }
    this.levels = levels;
  }

  get byteLength(): number {
    return this.levels.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
}

/** Numbers of an item of the heap: see {@link Heaviest}. */
const ITEM = 5;

/** Gives the ordinals of ranges that do not overlap, the heaviest first, equal ones in their order. */
export class Heaviest {
  /**
   * A heap of stretches of a level, each by its heaviest value that is still to be taken: level, where the
   * stretch begins and ends, the number of that value, and the value. Small integers only: others would be
   * objects.
   */
  private readonly heap: number[] = [];

  constructor(private readonly tree: WeightTree) {}

  /** Stretches that may still hold an entry. */
  get held(): number {
    return this.heap.length / ITEM;
  }

  /** Adds the ordinals [from, to). */
  add(from: number, to: number): void {
    // Whole groups where there are any, members at the ends of the range.
    let low = from;
    let high = to;
    const { levels } = this.tree;
    for (let level = 0; low < high; level++) {
      const isLast = level === levels.length - 1;
      const lowEnd = isLast ? high : Math.min(high, Math.ceil(low / GROUP) * GROUP);
      this.addStretch(level, low, lowEnd);
      if (isLast) return;
      // A last group that is not full is whole all the same.
      const isWhole = high === levels[level]!.length;
      const highStart = isWhole ? high : Math.max(lowEnd, high & ~(GROUP - 1));
      this.addStretch(level, highStart, high);
      low = lowEnd >>> SHIFT;
      high = isWhole ? Math.ceil(highStart / GROUP) : highStart >>> SHIFT;
      if (lowEnd >= highStart) return;
    }
  }

  /** The next ordinal, or -1. */
  next(): number {
    const { heap, tree } = this;
    while (heap.length > 0) {
      const level = heap[0]!;
      const at = heap[3]!;
      this.passFirst();
      if (level === 0) return at;
      const length = tree.levels[level - 1]!.length;
      this.addStretch(level - 1, at << SHIFT, Math.min(length, (at + 1) << SHIFT));
    }
    return -1;
  }

  private addStretch(level: number, from: number, to: number): void {
    if (from >= to) return;
    const values = this.tree.levels[level]!;
    let best = from;
    for (let i = from + 1; i < to; i++) if (values[i]! > values[best]!) best = i;
    const { heap } = this;
    heap.push(level, from, to, best, values[best]!);
    let child = heap.length / ITEM - 1;
    while (child > 0) {
      const parent = (child - 1) >>> 1;
      if (!this.isBefore(child, parent)) return;
      this.swap(child, parent);
      child = parent;
    }
  }

  /** Has the first stretch of the heap stand by what comes after its value, or drops it. */
  private passFirst(): void {
    const { heap } = this;
    const values = this.tree.levels[heap[0]!]!;
    const [from, to, taken, limit] = [heap[1]!, heap[2]!, heap[3]!, heap[4]!];
    let best = -1;
    let most = -1;
    for (let i = from; i < to; i++) {
      const value = values[i]!;
      if (value > most && (value < limit || (value === limit && i > taken))) {
        best = i;
        most = value;
      }
    }
    if (best >= 0) {
      heap[3] = best;
      heap[4] = most;
    } else {
      this.swap(0, heap.length / ITEM - 1);
      heap.length -= ITEM;
    }
    this.sink();
  }

  private sink(): void {
    const count = this.heap.length / ITEM;
    for (let parent = 0; ;) {
      let first = parent;
      const child = 2 * parent + 1;
      if (child < count && this.isBefore(child, first)) first = child;
      if (child + 1 < count && this.isBefore(child + 1, first)) first = child + 1;
      if (first === parent) return;
      this.swap(first, parent);
      parent = first;
    }
  }

  private isBefore(a: number, b: number): boolean {
    const { heap } = this;
    const [x, y] = [ITEM * a, ITEM * b];
    if (heap[x + 4] !== heap[y + 4]) return heap[x + 4]! > heap[y + 4]!;
    return heap[x + 3]! << (SHIFT * heap[x]!) < heap[y + 3]! << (SHIFT * heap[y]!);
  }

  private swap(a: number, b: number): void {
    const { heap } = this;
    for (let i = 0; i < ITEM; i++) {
      const kept = heap[ITEM * a + i]!;
      heap[ITEM * a + i] = heap[ITEM * b + i]!;
      heap[ITEM * b + i] = kept;
    }
  }
}
