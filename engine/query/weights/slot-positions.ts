// The positions of one slot of a phrase: those of a term, or of any of several terms merged.

import { NO_MORE_DOCS, type PostingsIterator } from '../../segment/index';

/** What a phrase reads of a slot; postings of a single term are one as they are. */
export interface SlotPositions {
  doc: number;
  readonly cost: number;
  nextDoc(): number;
  advance(target: number): number;
  /** Number of positions in the current document. */
  freq(): number;
  /** The next position in the current document; at most freq() times. */
  nextPosition(): number;
}

/** Several terms at one slot. Positions ascend; two terms at one position give it twice. */
export class SlotUnion implements SlotPositions {
  doc = -1;
  readonly cost: number;
  private positions = new Int32Array(16);
  private count = 0;
  private next = 0;
  private loadedDoc = -1;

  constructor(private readonly terms: readonly PostingsIterator[]) {
    let cost = 0;
    for (const term of terms) cost += term.cost;
    this.cost = cost;
  }

  nextDoc(): number {
    return this.doc === NO_MORE_DOCS ? NO_MORE_DOCS : this.advance(this.doc + 1);
  }

  advance(target: number): number {
    const { terms } = this;
    let least = NO_MORE_DOCS;
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i]!;
      const at = term.doc < target ? term.advance(target) : term.doc;
      if (at < least) least = at;
    }
    return (this.doc = least);
  }

  freq(): number {
    if (this.loadedDoc !== this.doc) this.load();
    return this.count;
  }

  nextPosition(): number {
    if (this.loadedDoc !== this.doc) this.load();
    return this.positions[this.next++]!;
  }

  private load(): void {
    const { terms, doc } = this;
    let count = 0;
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i]!;
      if (term.doc !== doc) continue;
      const freq = term.freq();
      if (count + freq > this.positions.length) this.grow(count + freq);
      for (let n = 0; n < freq; n++) this.positions[count++] = term.nextPosition();
    }
    this.positions.subarray(0, count).sort();
    this.count = count;
    this.next = 0;
    this.loadedDoc = doc;
  }

  private grow(needed: number): void {
    const larger = new Int32Array(Math.max(needed, this.positions.length * 2));
    larger.set(this.positions);
    this.positions = larger;
  }
}
