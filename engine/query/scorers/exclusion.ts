// Documents of one scorer that another one, or a set, does not have - or does have.

import { NO_MORE_DOCS } from '../../segment/index';
import type { DocTest, Scorer } from '../scoring/weight';

/** The documents of `included` that `excluded` does not match; scores of `included`. */
export class ExclusionScorer implements Scorer {
  doc = -1;
  readonly cost: number;

  constructor(
    private readonly included: Scorer,
    private readonly excluded: Scorer,
  ) {
    this.cost = included.cost;
  }

  nextDoc(): number {
    return (this.doc = this.settle(this.included.nextDoc()));
  }

  advance(target: number): number {
    return (this.doc = this.settle(this.included.advance(target)));
  }

  private settle(doc: number): number {
    const { included, excluded } = this;
    while (doc !== NO_MORE_DOCS) {
      if (excluded.doc < doc) excluded.advance(doc);
      if (excluded.doc !== doc) return doc;
      doc = included.nextDoc();
    }
    return NO_MORE_DOCS;
  }

  score(): number {
    return this.included.score();
  }
}

/** The documents of `inner` that pass a test; scores of `inner`. */
export class IntersectionScorer implements Scorer {
  doc = -1;
  readonly cost: number;

  constructor(
    private readonly inner: Scorer,
    private readonly test: DocTest,
  ) {
    this.cost = inner.cost;
  }

  nextDoc(): number {
    return (this.doc = this.settle(this.inner.nextDoc()));
  }

  advance(target: number): number {
    return (this.doc = this.settle(this.inner.advance(target)));
  }

  private settle(doc: number): number {
    const { inner, test } = this;
    while (doc !== NO_MORE_DOCS && !test.has(doc)) doc = inner.nextDoc();
    return doc;
  }

  score(): number {
    return this.inner.score();
  }
}

/** The documents that `lead` and `other` both match; scores of `scored`, which is one of the two. */
export class FilterScorer implements Scorer {
  doc = -1;
  readonly cost: number;

  constructor(
    private readonly lead: Scorer,
    private readonly other: Scorer,
    private readonly scored: Scorer,
  ) {
    this.cost = lead.cost;
  }

  nextDoc(): number {
    return (this.doc = this.settle(this.lead.nextDoc()));
  }

  advance(target: number): number {
    return (this.doc = this.settle(this.lead.advance(target)));
  }

  private settle(doc: number): number {
    const { lead, other } = this;
    while (doc !== NO_MORE_DOCS) {
      const at = other.doc < doc ? other.advance(doc) : other.doc;
      if (at === doc) return doc;
      doc = at === NO_MORE_DOCS ? NO_MORE_DOCS : lead.advance(at);
    }
    return NO_MORE_DOCS;
  }

  score(): number {
    return this.scored.score();
  }
}
