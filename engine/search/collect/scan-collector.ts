// The next documents of a shard in the order in which they were written: for scans. What lies before is
// passed over and what comes behind the page is not looked at, so that every page takes as long as the first.

import { type Bitset, liveRoots, NO_MORE_DOCS, type SegmentReader } from '../../segment/index';
import type { Collector, ShardHits } from './hits';

/** Documents looked at between two looks at the clock. */
const DEADLINE_STRIDE = 4096;

/** Takes matches from where the last page ended until there are enough. */
export class ScanCollector implements Collector {
  constructor(private readonly hits: ShardHits) {}

  collect(segment: SegmentReader, index: number): Bitset | null {
    const { hits } = this;
    const { plan, job } = hits;
    const { after, deadline } = job;
    if (hits.isFull || (after !== null && index < after.segment)) return null;
    const scorer = hits.weight.scorer(segment);
    if (scorer === null) return null;
    const accept = liveRoots(segment);
    const scores = plan.trackScores || plan.minScore !== null;
    const minScore = plan.minScore ?? -Infinity;
    const isResumed = after !== null && index === after.segment;
    let doc = isResumed ? scorer.advance(after.doc + 1) : scorer.nextDoc();
    for (let seen = 1; doc !== NO_MORE_DOCS; doc = scorer.nextDoc(), seen++) {
      if (deadline !== null && seen % DEADLINE_STRIDE === 0 && hits.isPastDeadline()) break;
      if (accept !== null && !accept.has(doc)) continue;
      const score = scores ? Math.fround(scorer.score() * plan.indexBoost) : 0;
      if (score < minScore) continue;
      // compat: without track_scores the score is 0, not null.
      hits.append(index, doc, plan.trackScores ? score : 0);
      if (hits.isFull) break;
    }
    return null;
  }
}
