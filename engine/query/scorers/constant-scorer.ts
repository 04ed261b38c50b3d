// The documents of another scorer with a score of their own.

import type { Scorer } from '../scoring/weight';

/** Iterates as `inner` does and scores every document `value`. */
export class ConstantScorer implements Scorer {
  doc = -1;
  readonly cost: number;

  constructor(
    private readonly inner: Scorer,
    private readonly value: number,
  ) {
    this.cost = inner.cost;
  }

  nextDoc(): number {
    return (this.doc = this.inner.nextDoc());
  }

  advance(target: number): number {
    return (this.doc = this.inner.advance(target));
  }

  score(): number {
    return this.value;
  }
}
