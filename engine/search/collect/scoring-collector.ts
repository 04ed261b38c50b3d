// Scores all matches: the scorer is walked once, and everything is taken along.

import { countsDocuments } from '../plan/search-plan';
import { Bitset, liveRoots, NO_MORE_DOCS, type SegmentReader } from '../../segment/index';
import type { Collector, PostDocs, ShardHits } from './hits';

/** Documents scored between two looks at the clock. */
const DEADLINE_STRIDE = 4096;

/** Collects hits by scores that differ, or needs them for something else. */
export class ScoringCollector implements Collector {
  constructor(private readonly hits: ShardHits) {}

  collect(segment: SegmentReader, index: number, post: PostDocs): Bitset | null {
    const { hits } = this;
    const scorer = hits.weight.scorer(segment);
    if (scorer === null) return null;
    const { plan, best } = hits;
    const accept = liveRoots(segment);
    const main = countsDocuments(plan) ? new Bitset(segment.docCount) : null;
    const open = plan.sort === null ? null : hits.sortHeap(segment, index, segment.docCount);
    const after = open?.after ?? null;
    const minScore = plan.minScore ?? -Infinity;
    const ranks = plan.window > 0;
    const boost = plan.indexBoost;
    let remaining = plan.terminateAfter > 0 ? plan.terminateAfter - hits.total : Infinity;
    let untilClock = hits.job.deadline === null ? Infinity : DEADLINE_STRIDE;
    let maxScore = Number.isNaN(hits.maxScore) ? -Infinity : hits.maxScore;
    let total = 0;
    try {
      for (let doc = scorer.nextDoc(); doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) {
        if (accept !== null && !accept.has(doc)) continue;
        if (--untilClock === 0) {
          if (hits.isPastDeadline()) break;
          untilClock = DEADLINE_STRIDE;
        }
        let score = scorer.score();
        if (boost !== 1) score = Math.fround(score * boost);
        if (score < minScore) continue;
        if (main !== null) main.add(doc);
        if (post !== undefined && (post === null || !post.has(doc))) continue;
        total++;
        if (after !== null && !after.accepts(doc, score)) {
          // It counts towards terminate_after, as on the page that showed it.
          if (--remaining === 0) {
            hits.terminatedEarly = true;
            break;
          }
          continue;
        }
        if (score > maxScore) maxScore = score;
        if (open !== null) open.heap.offer(doc, score);
        else if (ranks) best.offer(score, index, doc);
        if (--remaining === 0) {
          hits.terminatedEarly = true;
          break;
        }
      }
    } finally {
      // When time is up within a document, what was found before it stays.
      hits.total += total;
      if (maxScore !== -Infinity) hits.maxScore = maxScore;
      if (open !== null) hits.takeSorted(open, index);
    }
    return main;
  }
}
