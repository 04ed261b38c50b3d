// Documents 0 .. end-1, all with the same score.

import { NO_MORE_DOCS } from '../../segment/index';
import type { Scorer } from '../scoring/weight';

/** Every document below `end`. */
export class RangeScorer implements Scorer {
  doc = -1;
  readonly cost: number;

  constructor(
    private readonly end: number,
    private readonly value: number,
  ) {
    this.cost = end;
  }

  nextDoc(): number {
    const next = this.doc + 1;
    return (this.doc = next < this.end ? next : NO_MORE_DOCS);
  }

  advance(target: number): number {
    return (this.doc = target < this.end ? target : NO_MORE_DOCS);
  }

  score(): number {
    return this.value;
  }
}
