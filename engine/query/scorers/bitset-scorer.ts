// Iterates a set of documents that all score the same.

import type { Bitset } from '../../segment/index';
import type { Scorer } from '../scoring/weight';

/** The members of a bitset in order, with a constant score. */
export class BitsetScorer implements Scorer {
  doc = -1;

  constructor(
    private readonly set: Bitset,
    readonly cost: number,
    private readonly value: number,
  ) {}

  nextDoc(): number {
    return (this.doc = this.set.next(this.doc + 1));
  }

  advance(target: number): number {
    return (this.doc = this.set.next(target));
  }

  score(): number {
    return this.value;
  }
}
