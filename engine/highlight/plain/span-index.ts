// Spans of a text, to be asked about positions.

import type { Spans } from './spans';

/** Answers by binary search, however many spans there are. */
export class SpanIndex {
  /** Spans joined where they overlap, ascending: pairs of start and end. */
  private readonly joined: readonly number[];
  private readonly ends = new Map<number, number>();

  constructor(lists: readonly Spans[]) {
    const pairs: (readonly [start: number, end: number])[] = [];
    for (const spans of lists) {
      for (let i = 0; i < spans.length; i += 2) {
        const start = spans[i]!;
        const end = spans[i + 1]!;
        pairs.push([start, end]);
        if (!this.ends.has(start)) this.ends.set(start, end);
      }
    }
    pairs.sort((a, b) => a[0] - b[0]);
    const joined: number[] = [];
    for (const [start, end] of pairs) {
      const last = joined.length - 1;
      if (last > 0 && start <= joined[last]!) joined[last] = Math.max(joined[last]!, end);
      else joined.push(start, end);
    }
    this.joined = joined;
  }

  /** Whether a span covers a position. */
  covers(position: number): boolean {
    let low = 0;
    let high = this.joined.length >> 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.joined[2 * middle + 1]! < position) low = middle + 1;
      else high = middle;
    }
    return 2 * low < this.joined.length && this.joined[2 * low]! <= position;
  }

  /** The end of the first span, in the order given, that starts at a position; -1: there is none. */
  endFrom(position: number): number {
    return this.ends.get(position) ?? -1;
  }
}
