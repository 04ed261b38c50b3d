// Required clauses with optional ones that only raise the score.

import type { Scorer } from '../scoring/weight';

const f = Math.fround;

/** Tells how many optional clauses match the current document; without one there is a single clause. */
interface ClauseCounter {
  count(): number;
}

/**
 * The documents of `required`. Where `optional` matches as well its score is added; the sum is multiplied
 * by `factors[number of matching clauses]`, of which the required ones are `requiredCount`.
 */
export class RequiredOptionalScorer implements Scorer {
  doc = -1;
  readonly cost: number;

  constructor(
    private readonly required: Scorer,
    private readonly optional: Scorer,
    private readonly requiredCount: number,
    private readonly factors: Float32Array,
    private readonly counter: ClauseCounter | null,
  ) {
    this.cost = required.cost;
  }

  nextDoc(): number {
    return (this.doc = this.required.nextDoc());
  }

  advance(target: number): number {
    return (this.doc = this.required.advance(target));
  }

  score(): number {
    const { optional, doc, factors, requiredCount } = this;
    const score = this.required.score();
    if (optional.doc < doc) optional.advance(doc);
    if (optional.doc !== doc) return f(score * factors[requiredCount]!);
    const sum = f(score + optional.score());
    const matched = this.counter === null ? 1 : this.counter.count();
    return f(sum * factors[requiredCount + matched]!);
  }
}

/**
 * The documents both have, for optional clauses of which some must match: the sum of both scores times
 * `factors[number of matching clauses]`.
 */
export class RequiredBothScorer implements Scorer {
  doc = -1;
  readonly cost: number;

  constructor(
    private readonly required: Scorer,
    private readonly optional: Scorer,
    private readonly requiredCount: number,
    private readonly factors: Float32Array,
    private readonly counter: ClauseCounter | null,
  ) {
    this.cost = Math.min(required.cost, optional.cost);
  }

  nextDoc(): number {
    return this.align(this.required.nextDoc());
  }

  advance(target: number): number {
    return this.align(this.required.advance(target));
  }

  private align(doc: number): number {
    const { required, optional } = this;
    // Both sides end with the same largest number, so this ends there too.
    for (;;) {
      const other = optional.doc < doc ? optional.advance(doc) : optional.doc;
      if (other === doc) return (this.doc = doc);
      doc = required.advance(other);
      if (doc === other) return (this.doc = doc);
    }
  }

  score(): number {
    const sum = f(this.required.score() + this.optional.score());
    const matched = this.counter === null ? 1 : this.counter.count();
    return f(sum * this.factors[this.requiredCount + matched]!);
  }
}
