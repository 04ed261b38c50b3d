// Iterates ascending lists of documents.

import { NO_MORE_DOCS } from '../../segment/index';
import type { Scorer } from '../scoring/weight';

/** Goes through an ascending list of documents without repeats. */
export abstract class ListedDocs implements Scorer {
  doc = -1;
  abstract readonly cost: number;
  /** The place of {@link doc} in the list. */
  protected index = -1;

  constructor(private readonly docs: Uint32Array) {}

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

  abstract score(): number;
}

/** A short list of documents that all score the same. */
export class ListScorer extends ListedDocs {
  readonly cost: number;

  constructor(
    docs: Uint32Array,
    private readonly value: number,
  ) {
    super(docs);
    this.cost = docs.length;
  }

  score(): number {
    return this.value;
  }
}
