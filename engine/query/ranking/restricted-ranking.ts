// Rankings of fewer documents: filters and prohibited clauses.

import type { Bitset } from '../../segment/bitset';
import type { BestHits, Ranking } from '../weight';

/** The documents of a ranking that are in a set. */
export class RestrictedRanking implements Ranking {
  /** The last `accept` that was asked for, and its intersection with the set. */
  private accept: Bitset | null = null;
  private both: Bitset;

  constructor(
    private readonly inner: Ranking,
    private readonly set: Bitset,
  ) {
    this.both = set;
  }

  count(accept: Bitset | null): number {
    return this.inner.count(this.within(accept));
  }

  offer(accept: Bitset | null, best: BestHits, segment: number): void {
    this.inner.offer(this.within(accept), best, segment);
  }

  private within(accept: Bitset | null): Bitset {
    if (accept !== this.accept) {
      this.both = accept === null ? this.set : this.set.clone().and(accept);
      this.accept = accept;
    }
    return this.both;
  }
}

/** Nothing matches. */
export const NO_RANKING: Ranking = {
  count: () => 0,
  offer: () => undefined,
};
