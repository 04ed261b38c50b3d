// Finds the best hits by score without scoring all matches, where the weight can.

import { type Bitset, keepLiveRoots, liveRoots, type SegmentReader } from '../../segment/index';
import { countsDocuments, type IndexPlan } from '../plan/search-plan';
import type { Collector, PostDocs, ShardHits } from './hits';

/** For plans that {@link TopCollector.fits}. */
export class TopCollector implements Collector {
  /** @param otherwise for segments where the weight cannot */
  constructor(
    private readonly hits: ShardHits,
    private readonly otherwise: Collector,
  ) {}

  /** All matches are hits, and the best by their scores as they are is what is asked for. */
  static fits({ sort, window, minScore, terminateAfter, indexBoost }: IndexPlan): boolean {
    if (minScore !== null || terminateAfter !== 0) return false;
    return sort === null && window > 0 && indexBoost === 1;
  }

  collect(segment: SegmentReader, index: number, post: PostDocs): Bitset | null {
    const { hits } = this;
    const { weight, best } = hits;
    const topK = weight.topK?.(segment) ?? null;
    if (topK === null) return this.otherwise.collect(segment, index, post);
    if (post !== null) {
      const live = liveRoots(segment);
      const accept = post === undefined ? live : live === null ? post : post.clone().and(live);
      hits.total += topK.count(accept);
      topK.offer(accept, best, index);
      if (best.size > 0) hits.maxScore = best.best;
    }
    if (!countsDocuments(hits.plan)) return null;
    return keepLiveRoots(segment, weight.matches(segment));
  }
}
