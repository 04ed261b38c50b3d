// Iterates a short ascending list of documents that all score the same.

import { NO_MORE_DOCS } from '../../segment/index';
import type { Scorer } from '../scoring/weight';

/** The documents of an ascending list without repeats, with a constant score. */
export class ListScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  private index = -1;

  constructor(
    private readonly docs: Uint32Array,
    private readonly value: number,
  ) {
    this.cost = docs.length;
  }

  nextDoc(): number {
    this.index++;
    return (this.doc = this.index < this.docs.length ? this.docs[this.index]! : NO_MORE_DOCS);
  }

  advance(target: number): number {
    const { docs } = this;
    let low = this.index + 1;
    let high = docs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (docs[middle]! < target) low = middle + 1;
      else high = middle;
    }
    this.index = low;
    return (this.doc = low < docs.length ? docs[low]! : NO_MORE_DOCS);
  }

  score(): number {
    return this.value;
  }
}
