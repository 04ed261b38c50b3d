// Optional clauses: any of them (or at least so many), scores added.

import { NO_MORE_DOCS } from '../../segment/index';
import type { Scorer } from '../scoring/weight';
import { unionOf, type Union } from './union';

const f = Math.fround;

/**
 * How a {@link SumScorer} rounds: the reference's bulk scorer multiplies before it rounds, the others
 * after.
 */
export type SumRounding = 'sumThenFactor' | 'productOnly';

/**
 * The documents that at least `minimum` of the scorers match. The score is the double sum of the parts,
 * times `factors[number of matching parts]`.
 */
export class SumScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  /** Number of scorers on the current document; valid after {@link score} and {@link count}. */
  private matched = 0;
  private countedDoc = -1;
  private readonly union: Union;

  constructor(
    scorers: readonly Scorer[],
    private readonly minimum: number,
    private readonly factors: Float32Array,
    private readonly rounding: SumRounding,
  ) {
    this.union = unionOf(scorers);
    this.cost = this.union.cost;
  }

  nextDoc(): number {
    return (this.doc = this.settle(this.union.nextDoc()));
  }

  advance(target: number): number {
    return (this.doc = this.settle(this.union.advance(target)));
  }

  private settle(doc: number): number {
    if (this.minimum <= 1) return doc;
    const { union, minimum } = this;
    while (doc !== NO_MORE_DOCS) {
      const matched = union.gather();
      if (matched >= minimum) {
        this.matched = matched;
        this.countedDoc = doc;
        return doc;
      }
      doc = union.nextDoc();
    }
    return NO_MORE_DOCS;
  }

  /** Number of scorers that match the current document. */
  count(): number {
    if (this.countedDoc !== this.doc) {
      this.matched = this.union.gather();
      this.countedDoc = this.doc;
    }
    return this.matched;
  }

  score(): number {
    const count = this.count();
    const { current } = this.union;
    let sum = 0;
    for (let i = 0; i < count; i++) sum += current[i]!.score();
    const factor = this.factors[count]!;
    return this.rounding === 'productOnly' ? f(sum * factor) : f(f(sum) * factor);
  }
}
