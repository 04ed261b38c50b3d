// Rankings of fewer documents: filters and prohibited clauses.

import { Bitset } from '../../segment/index';
import type { BestHits, DocTest, TopK } from '../scoring/weight';

/** The documents of a topK that pass a test. */
export class RestrictedTopK implements TopK {
  /** The last `accept` asked for, and what of it passes. */
  private accept: DocTest | null = null;
  private passing: DocTest;

  constructor(
    private readonly inner: TopK,
    private readonly test: DocTest,
  ) {
    this.passing = test;
  }

  count(accept: DocTest | null): number {
    return this.inner.count(this.within(accept));
  }

  offer(accept: DocTest | null, best: BestHits, segment: number): void {
    this.inner.offer(this.within(accept), best, segment);
  }

  private within(accept: DocTest | null): DocTest {
    if (accept !== this.accept) {
      this.passing = accept === null ? this.test : both(this.test, accept);
      this.accept = accept;
    }
    return this.passing;
  }
}

/** Nothing matches. */
export const NO_RANKING: TopK = {
  count: () => 0,
  offer: () => undefined,
};

/** The documents that are not in a set. */
export class Complement implements DocTest {
  constructor(readonly excluded: DocTest) {}

  has(doc: number): boolean {
    return !this.excluded.has(doc);
  }
}

function both(a: DocTest, b: DocTest): DocTest {
  return a instanceof Bitset && b instanceof Bitset ? a.clone().and(b) : new Both(a, b);
}

class Both implements DocTest {
  constructor(
    private readonly a: DocTest,
    private readonly b: DocTest,
  ) {}

  has(doc: number): boolean {
    return this.a.has(doc) && this.b.has(doc);
  }
}
