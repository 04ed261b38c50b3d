// Matches as a set: for searches that are sorted or only counted, and for queries whose matches all score
// alike. What is asked beside the set is set arithmetic.

import { Bitset, keepLiveRoots, NO_MORE_DOCS, type SegmentReader } from '../../segment/index';
import { sortedCandidates } from '../sort/sorted-walk';
import type { Collector, PostDocs, ShardHits } from './hits';

/** Collects the set of all matches of a segment. */
export class SetCollector implements Collector {
  /** The one score of all matches, once known. */
  private constantScore: number | null = null;

  /** @param scored whether that score counts */
  constructor(
    private readonly hits: ShardHits,
    private readonly scored: boolean,
  ) {}

  collect(segment: SegmentReader, index: number, post: PostDocs): Bitset | null {
    const { hits } = this;
    const main = keepLiveRoots(segment, hits.weight.matches(segment));
    if (main === null) return null;
    const first = main.next(0);
    if (first === NO_MORE_DOCS) return null;
    const score = this.scored ? this.scoreOfAll(segment, first) : NaN;
    const { minScore, window } = hits.plan;
    if (minScore !== null && score < minScore) return null;
    const accepted = this.cutEarly(
      post === undefined ? main : post === null ? null : main.clone().and(post),
    );
    if (accepted === null) return main;
    const count = accepted.cardinality();
    hits.total += count;
    if (count > 0 && this.scored && hits.job.after === null) hits.maxScore = score;
    if (count > 0 && window > 0) this.rank(segment, index, accepted, count, score);
    return main;
  }

  private rank(
    segment: SegmentReader,
    index: number,
    docs: Bitset,
    count: number,
    score: number,
  ): void {
    const { hits } = this;
    const { best } = hits;
    const { sort, window } = hits.plan;
    if (sort === null) {
      // All alike: the first ones are the best ones.
      const first = hits.firstDoc(index, score);
      if (first === NO_MORE_DOCS) return;
      for (
        let doc = docs.next(first);
        doc !== NO_MORE_DOCS && !best.isFull;
        doc = docs.next(doc + 1)
      ) {
        best.offer(score, index, doc);
      }
      return;
    }
    const open = hits.sortHeap(segment, index, count);
    const { after } = open;
    const [key, second] = sort;
    const candidates =
      key === undefined || second !== undefined
        ? null
        : sortedCandidates(key, segment, docs, count, window, after);
    if (candidates === null) {
      open.heap.offerAll(after === null ? docs : after.keep(docs, score), score);
    } else for (const doc of candidates) open.heap.offer(doc, score);
    if (open.heap.size > 0 && this.scored) hits.maxScore = score;
    hits.takeSorted(open, index);
  }

  /** Cuts a set where terminate_after fires; counts towards it what earlier segments had. */
  private cutEarly(docs: Bitset | null): Bitset | null {
    const { hits } = this;
    const limit = hits.plan.terminateAfter;
    if (docs === null || limit <= 0) return docs;
    let remaining = limit - hits.total;
    if (docs.cardinality() < remaining) return docs;
    hits.terminatedEarly = true;
    const cut = new Bitset(docs.size);
    for (let doc = docs.next(0); remaining > 0; doc = docs.next(doc + 1), remaining--) cut.add(doc);
    return cut;
  }

  /** The score that every match has, read off one of them. */
  private scoreOfAll(segment: SegmentReader, doc: number): number {
    if (this.constantScore === null) {
      const scorer = this.hits.weight.scorer(segment);
      if (scorer === null) return NaN;
      if (scorer.doc < doc) scorer.advance(doc);
      this.constantScore = Math.fround(scorer.score() * this.hits.plan.indexBoost);
    }
    return this.constantScore;
  }
}
