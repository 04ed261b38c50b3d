// Counts without making the set of all matches, where the weight knows their number, and takes as many hits
// from the front as there is room for.

import { type Bitset, liveRoots, NO_MORE_DOCS, type SegmentReader } from '../../segment/index';
import { countsDocuments, type IndexPlan } from '../plan/search-plan';
import type { Collector, PostDocs, ShardHits } from './hits';

/** For plans that {@link CountCollector.fits}, whose matches all score alike or do not score. */
export class CountCollector implements Collector {
  /** @param otherwise for segments where the set is the way to count */
  constructor(
    private readonly hits: ShardHits,
    private readonly otherwise: Collector,
  ) {}

  /** Nobody asks for the set, all matches are hits, and the first ones are the best. */
  static fits(plan: IndexPlan): boolean {
    const { postFilter, sort, window, minScore, terminateAfter } = plan;
    if (countsDocuments(plan) || postFilter !== null) return false;
    return minScore === null && terminateAfter === 0 && (window === 0 || sort === null);
  }

  collect(segment: SegmentReader, index: number, post: PostDocs): Bitset | null {
    const { hits } = this;
    const count = liveRoots(segment) === null ? (hits.weight.count?.(segment) ?? -1) : -1;
    if (count < 0) return this.otherwise.collect(segment, index, post);
    hits.total += count;
    if (count > 0 && hits.plan.window > 0) this.takeFirst(segment, index);
    return null;
  }

  private takeFirst(segment: SegmentReader, index: number): void {
    const { hits } = this;
    const { best, plan } = hits;
    const scorer = hits.weight.scorer(segment);
    if (scorer === null) return;
    let doc = scorer.nextDoc();
    if (hits.job.after !== null && doc !== NO_MORE_DOCS) {
      const first = hits.firstDoc(index, Math.fround(scorer.score() * plan.indexBoost));
      if (first > doc) doc = first === NO_MORE_DOCS ? first : scorer.advance(first);
    }
    for (; doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) {
      const score = Math.fround(scorer.score() * plan.indexBoost);
      hits.maxScore = score;
      if (best.isFull) break;
      best.offer(score, index, doc);
    }
  }
}
