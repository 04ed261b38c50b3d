// The heaviest entries of some ranges of ordinals, one after the other, without looking at all of them.
//
// Over the weights stand levels of maxima, each of 64 values of the level below. What may still hold the next
// entry lies in a heap by its maximum, equal ones by where they begin; what is taken off is an entry, or a
// group that is replaced by its members.

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

/** Gives the ordinals of ranges that do not overlap, the heaviest first, equal ones in their order. */
export class Heaviest {
  /** A heap of groups: level, number within it, weight; the first is the next. */
  private readonly heap: number[] = [];

  constructor(private readonly tree: WeightTree) {}

  /** Groups that may still hold an entry. */
  get held(): number {
    return this.heap.length / 3;
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
      for (let i = low; i < lowEnd; i++) this.push(level, i);
      if (isLast) return;
      // A last group that is not full is whole all the same.
      const isWhole = high === levels[level]!.length;
      const highStart = isWhole ? high : Math.max(lowEnd, high & ~(GROUP - 1));
      for (let i = highStart; i < high; i++) this.push(level, i);
      low = lowEnd >>> SHIFT;
      high = isWhole ? Math.ceil(highStart / GROUP) : highStart >>> SHIFT;
      if (lowEnd >= highStart) return;
    }
  }

  /** The next ordinal, or -1. */
  next(): number {
    const { levels } = this.tree;
    while (this.heap.length > 0) {
      const { level, at } = this.pop();
      if (level === 0) return at;
      const below = levels[level - 1]!;
      const end = Math.min(below.length, (at + 1) * GROUP);
      for (let i = at * GROUP; i < end; i++) this.push(level - 1, i);
    }
    return -1;
  }

  private push(level: number, at: number): void {
    const { heap } = this;
    heap.push(level, at, this.tree.levels[level]![at]!);
    let child = heap.length / 3 - 1;
    while (child > 0) {
      const parent = (child - 1) >>> 1;
      if (!this.isBefore(child, parent)) return;
      this.swap(child, parent);
      child = parent;
    }
  }

  private pop(): { readonly level: number; readonly at: number } {
    const { heap } = this;
    const level = heap[0]!;
    const at = heap[1]!;
    const last = heap.length / 3 - 1;
    this.swap(0, last);
    heap.length -= 3;
    let parent = 0;
    for (;;) {
      let first = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2]) {
        if (child < last && this.isBefore(child, first)) first = child;
      }
      if (first === parent) return { level, at };
      this.swap(first, parent);
      parent = first;
    }
  }

  private isBefore(a: number, b: number): boolean {
    const { heap } = this;
    const order = heap[3 * b + 2]! - heap[3 * a + 2]!;
    if (order !== 0) return order < 0;
    return heap[3 * a + 1]! * GROUP ** heap[3 * a]! < heap[3 * b + 1]! * GROUP ** heap[3 * b]!;
  }

  private swap(a: number, b: number): void {
    const { heap } = this;
    for (let i = 0; i < 3; i++) {
      const kept = heap[3 * a + i]!;
      heap[3 * a + i] = heap[3 * b + i]!;
      heap[3 * b + i] = kept;
    }
  }
}
