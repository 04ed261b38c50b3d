// Repeatable choices: the same seed gives the same workload on every machine.

/** A stream of numbers from a seed (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** A number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** One of the items, which must not be empty. */
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** Up to `count` different items, in random order. */
  sample<T>(items: readonly T[], count: number): T[] {
    const rest = [...items];
    const length = Math.min(count, rest.length);
    for (let at = 0; at < length; at++) {
      const other = at + this.below(rest.length - at);
      [rest[at], rest[other]] = [rest[other]!, rest[at]!];
    }
    return rest.slice(0, length);
  }
}

/** A 32-bit hash of a text (FNV-1a over its UTF-16 units). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}
