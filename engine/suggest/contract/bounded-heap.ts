// Keeps the best of many: the weakest gives way to a better one.

/** At most `limit` items, the weakest on top. */
export class BoundedHeap<T> {
  readonly items: T[] = [];

  constructor(
    private readonly limit: number,
    private readonly isWeaker: (a: T, b: T) => boolean,
  ) {}

  get isFull(): boolean {
    return this.items.length >= this.limit;
  }

  get weakest(): T | undefined {
    return this.items[0];
  }

  /** Takes an item, unless all that are kept are better. */
  add(item: T): void {
    const { items } = this;
    if (!this.isFull) {
      items.push(item);
      this.up(items.length - 1);
    } else if (items.length > 0 && this.isWeaker(items[0]!, item)) {
      items[0] = item;
      this.down();
    }
  }

  private up(from: number): void {
    const { items } = this;
    for (let child = from; child > 0;) {
      const parent = (child - 1) >>> 1;
      if (!this.isWeaker(items[child]!, items[parent]!)) return;
      [items[child], items[parent]] = [items[parent]!, items[child]!];
      child = parent;
    }
  }

  private down(): void {
    const { items } = this;
    for (let parent = 0; ;) {
      let weakest = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2]) {
        if (child < items.length && this.isWeaker(items[child]!, items[weakest]!)) weakest = child;
      }
      if (weakest === parent) return;
      [items[parent], items[weakest]] = [items[weakest]!, items[parent]!];
      parent = weakest;
    }
  }
}
