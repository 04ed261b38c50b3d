// Tokens of whole values, remembered under the term of a field that is not analyzed. Keywords repeat from
// document to document, and their words go into `_all` every time: the term says which they are. Values that
// come only once cost four bytes.

import type { Analyzer } from '../../analysis/index';
import { GrowableU32, type MemoryUse } from '../memory/growable';

export class TokenCache {
  /** By term id of the value: 0: never met, 1: met once, else where its tokens are in `pool`, plus 2. */
  private readonly places: GrowableU32;
  /** Per value the number of its tokens, then their term ids in the field that they go into. */
  readonly pool: GrowableU32;

  /** @param analyzer that gave the tokens */
  constructor(
    readonly analyzer: Analyzer | null,
    use: MemoryUse,
  ) {
    this.places = new GrowableU32(use);
    this.pool = new GrowableU32(use);
  }

  /** Where in `pool` the tokens of a value are; negative when they are not. */
  find(value: number): number {
    return value < this.places.length ? this.places.items[value]! - 2 : -1;
  }

  /** Takes note of a value with the term ids ids[from .. to); remembers them when it comes a second time. */
  meet(value: number, ids: Uint32Array, from: number, to: number): void {
    const { places, pool } = this;
    if (value >= places.length) {
      places.reserve(value + 1 - places.length);
      places.items.fill(0, places.length, value + 1);
      places.length = value + 1;
    }
    if (places.items[value] === 0) {
      places.items[value] = 1;
      return;
    }
    places.items[value] = pool.length + 2;
    pool.reserve(to - from + 1);
    const { items } = pool;
    let at = pool.length;
    items[at++] = to - from;
    for (let i = from; i < to; i++) items[at++] = ids[i]!;
    pool.length = at;
  }

  /** Gives the memory up; nothing may be asked any more. */
  release(): void {
    this.places.release();
    this.pool.release();
  }
}
