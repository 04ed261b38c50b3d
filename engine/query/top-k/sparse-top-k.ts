// The best hits of a query within a set that is small beside it: each of the set is looked up, once for both
// counting and scoring.

import { type Bitset, NO_MORE_DOCS } from '../../segment/index';
import type { BestHits, DocTest, Scorer, TopK } from '../scoring/weight';

/** The documents of a scorer that are in a set. */
export class SparseTopK implements TopK {
  private readonly docs: number[] = [];
  private readonly scores: number[] = [];

  /** @param scorer not moved yet */
  constructor(scorer: Scorer, set: Bitset) {
    let wanted = set.next(0);
    while (wanted !== NO_MORE_DOCS) {
      const doc = scorer.doc < wanted ? scorer.advance(wanted) : scorer.doc;
      if (doc === NO_MORE_DOCS) break;
      if (doc === wanted) {
        this.docs.push(doc);
        this.scores.push(scorer.score());
        wanted = set.next(doc + 1);
      } else wanted = set.next(doc);
    }
  }

  count(accept: DocTest | null): number {
    const { docs } = this;
    if (accept === null) return docs.length;
    let count = 0;
    for (let i = 0; i < docs.length; i++) if (accept.has(docs[i]!)) count++;
    return count;
  }

  offer(accept: DocTest | null, best: BestHits, segment: number): void {
    const { docs, scores } = this;
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!;
      const score = scores[i]!;
      if (score > best.threshold && (accept === null || accept.has(doc))) {
        best.offer(score, segment, doc);
      }
    }
  }
}
