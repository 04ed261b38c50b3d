// The hits of one shard: which documents match, how many, and which are best.
//
// Two ways through a segment. Unscored (sorted, counted, or all scores alike): the weight gives a set and
// the rest is set arithmetic. Scored: the scorer is walked once and everything is taken along. There is a
// shorter one beside each: `collectSome` counts without a set where no facet asks for it, `collectBest` finds
// hits without scoring all. The result is the same.

import type { CollectJob } from '../plan/executor';
import { type Weight, bindQuery, hasConstantScore } from '../../query/index';
import {
  Bitset,
  NO_MORE_DOCS,
  type SegmentReader,
  keepLiveRoots,
  liveRoots,
} from '../../segment/index';
import type { IndexPlan, ShardHit } from '../plan/search-plan';
import { ScoreHeap } from './score-heap';
import { SortHeap } from '../sort/sort-heap';
import { openSortKey } from '../sort/sort-key';
import { compareHits } from '../sort/hit-order';
import { sortedCandidates } from '../sort/sorted-walk';

/** Documents scored between two looks at the clock. */
const DEADLINE_STRIDE = 4096;

/** The hits side of a collect job. */
export class ShardCollector {
  total = 0;
  /** NaN until a hit was scored. */
  maxScore = NaN;
  terminatedEarly = false;
  timedOut = false;

  private readonly plan: IndexPlan;
  private readonly weight: Weight;
  private readonly postFilter: Weight | null;
  private readonly nestedFilters: readonly (Weight | null)[];
  /** Sort keys; null when the order is by score. */
  private readonly sort: IndexPlan['sort'];
  private readonly showsScores: boolean;
  private readonly scored: boolean;
  private readonly alike: boolean;
  private readonly best: ScoreHeap;
  private sorted: ShardHit[] = [];
  /** The one score of all matches, once known. */
  private constantScore: number | null = null;
  private docBase = 0;

  constructor(
    private readonly job: CollectJob,
    private readonly segments: readonly SegmentReader[],
    private readonly clock: () => number,
  ) {
    const { plan } = job;
    this.plan = plan;
    this.sort = plan.sort;
    this.weight = bindQuery(plan.query, segments, job.prepared);
    this.postFilter = plan.postFilter === null ? null : bindQuery(plan.postFilter, segments);
    this.nestedFilters = (plan.sort ?? []).map((key) =>
      key.nestedFilter === null ? null : bindQuery(key.nestedFilter, segments),
    );
    this.showsScores =
      plan.sort === null || plan.trackScores || plan.sort.some((key) => key.kind === 'score');
    const sortsByScript = plan.sort?.some((key) => key.kind === 'script') === true;
    this.scored =
      plan.minScore !== null || ((this.showsScores || sortsByScript) && plan.window > 0);
    this.alike = hasConstantScore(plan.query);
    this.best = new ScoreHeap(plan.sort === null ? plan.window : 0);
  }

  /** Nothing more needs to be looked at. */
  get isDone(): boolean {
    return this.terminatedEarly || this.timedOut;
  }

  /**
   * Collects one segment, in order.
   *
   * @returns the matching live root documents before the post filter, not to be modified; null: none
   */
  collect(segment: SegmentReader, index: number): Bitset | null {
    if (this.isPastDeadline()) return null;
    const post = this.postFilter === null ? undefined : this.postFilter.matches(segment);
    const main =
      this.scored && !this.alike
        ? this.collectScored(segment, index, post)
        : this.collectSome(segment, index, post)
          ? null
          : this.collectSet(segment, index, post);
    this.docBase += segment.docCount;
    return main;
  }

  /** Leaves a segment to others. */
  skip(segment: SegmentReader): void {
    this.docBase += segment.docCount;
  }

  /** The best hits, best first. */
  hits(): readonly ShardHit[] {
    if (this.sort !== null) {
      return this.segments.length === 1 ? this.sorted : this.sorted.slice(this.job.skip);
    }
    const hits: ShardHit[] = [];
    this.best.drain(this.job.skip, (score, segment, doc) =>
      hits.push(this.hit(segment, doc, score, [])),
    );
    return hits.reverse();
  }

  /**
   * Counts without making the set of all matches, and takes as many hits from the front as there is room
   * for. False: more than that is asked, or the set is the way to count.
   */
  private collectSome(
    segment: SegmentReader,
    index: number,
    post: Bitset | null | undefined,
  ): boolean {
    const { plan, weight, best } = this;
    const ranks = plan.window > 0;
    if (plan.facets.length > 0 || !this.takesAllMatches) return false;
    if (post !== undefined || (ranks && plan.sort !== null)) return false;
    if (liveRoots(segment) !== null) return false;
    const count = weight.count?.(segment) ?? -1;
    if (count < 0) return false;
    this.total += count;
    if (count === 0 || !ranks) return true;
    const scorer = weight.scorer(segment);
    if (scorer === null) return true;
    for (let doc = scorer.nextDoc(); doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) {
      const score = Math.fround(scorer.score() * plan.indexBoost);
      this.maxScore = score;
      if (best.isFull) break;
      best.offer(score, index, doc);
    }
    return true;
  }

  /** No match is left out for its score, or because there are enough. */
  private get takesAllMatches(): boolean {
    const { minScore, terminateAfter } = this.plan;
    return minScore === null && terminateAfter === 0;
  }

  /** Finds the best hits without scoring all matches. False: it cannot be done. */
  private collectBest(
    segment: SegmentReader,
    index: number,
    post: Bitset | null | undefined,
  ): boolean {
    const { plan, best } = this;
    if (!this.takesAllMatches || plan.sort !== null || plan.window === 0 || plan.indexBoost !== 1)
      return false;
    const ranking = this.weight.ranking?.(segment) ?? null;
    if (ranking === null) return false;
    if (post === null) return true;
    const live = liveRoots(segment);
    const accept = post === undefined ? live : live === null ? post : post.clone().and(live);
    this.total += ranking.count(accept);
    ranking.offer(accept, best, index);
    if (best.size > 0) this.maxScore = best.best;
    return true;
  }

  private collectSet(
    segment: SegmentReader,
    index: number,
    post: Bitset | null | undefined,
  ): Bitset | null {
    const main = keepLiveRoots(segment, this.weight.matches(segment));
    if (main === null) return null;
    const first = main.next(0);
    if (first === NO_MORE_DOCS) return null;
    const score = this.scored ? this.scoreOfAll(segment, first) : NaN;
    if (this.plan.minScore !== null && score < this.plan.minScore) return null;
    const accepted = this.cutEarly(
      post === undefined ? main : post === null ? null : main.clone().and(post),
    );
    if (accepted === null) return main;
    const count = accepted.cardinality();
    this.total += count;
    if (count > 0 && this.scored) this.maxScore = score;
    if (count > 0 && this.plan.window > 0) this.rankSet(segment, index, accepted, count, score);
    return main;
  }

  private rankSet(
    segment: SegmentReader,
    index: number,
    docs: Bitset,
    count: number,
    score: number,
  ): void {
    if (this.sort === null) {
      // All alike: the first ones are the best ones.
      for (
        let doc = docs.next(0);
        doc !== NO_MORE_DOCS && !this.best.isFull;
        doc = docs.next(doc + 1)
      ) {
        this.best.offer(score, index, doc);
      }
      return;
    }
    const heap = this.sortHeap(segment, count);
    const [key, second] = this.sort;
    const candidates =
      key === undefined || second !== undefined
        ? null
        : sortedCandidates(key, segment, docs, count, this.plan.window);
    if (candidates === null) heap.heap.offerAll(docs, score);
    else for (const doc of candidates) heap.heap.offer(doc, score);
    this.takeSorted(heap, index);
  }

  private collectScored(
    segment: SegmentReader,
    index: number,
    post: Bitset | null | undefined,
  ): Bitset | null {
    if (this.collectBest(segment, index, post)) {
      if (this.plan.facets.length === 0) return null;
      return keepLiveRoots(segment, this.weight.matches(segment));
    }
    const scorer = this.weight.scorer(segment);
    if (scorer === null) return null;
    const { plan, best } = this;
    const accept = liveRoots(segment);
    const main = plan.facets.length > 0 ? new Bitset(segment.docCount) : null;
    const heap = this.sort === null ? null : this.sortHeap(segment, segment.docCount);
    const minScore = plan.minScore ?? -Infinity;
    const ranks = plan.window > 0;
    const boost = plan.indexBoost;
    let remaining = plan.terminateAfter > 0 ? plan.terminateAfter - this.total : Infinity;
    let untilClock = this.job.deadline === null ? Infinity : DEADLINE_STRIDE;
    let maxScore = Number.isNaN(this.maxScore) ? -Infinity : this.maxScore;
    let total = 0;
    for (let doc = scorer.nextDoc(); doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) {
      if (accept !== null && !accept.has(doc)) continue;
      if (--untilClock === 0) {
        if (this.isPastDeadline()) break;
        untilClock = DEADLINE_STRIDE;
      }
      let score = scorer.score();
      if (boost !== 1) score = Math.fround(score * boost);
      if (score < minScore) continue;
      if (main !== null) main.add(doc);
      if (post !== undefined && (post === null || !post.has(doc))) continue;
      total++;
      if (score > maxScore) maxScore = score;
      if (heap !== null) heap.heap.offer(doc, score);
      else if (ranks) best.offer(score, index, doc);
      if (--remaining === 0) {
        this.terminatedEarly = true;
        break;
      }
    }
    this.total += total;
    if (maxScore !== -Infinity) this.maxScore = maxScore;
    if (heap !== null) this.takeSorted(heap, index);
    return main;
  }

  /** Cuts a set where terminate_after fires; counts towards it what earlier segments had. */
  private cutEarly(docs: Bitset | null): Bitset | null {
    const limit = this.plan.terminateAfter;
    if (docs === null || limit <= 0) return docs;
    let remaining = limit - this.total;
    if (docs.cardinality() < remaining) return docs;
    this.terminatedEarly = true;
    const cut = new Bitset(docs.size);
    for (let doc = docs.next(0); remaining > 0; doc = docs.next(doc + 1), remaining--) cut.add(doc);
    return cut;
  }

  /** The score that every match has, read off one of them. */
  private scoreOfAll(segment: SegmentReader, doc: number): number {
    if (this.constantScore === null) {
      const scorer = this.weight.scorer(segment);
      if (scorer === null) return NaN;
      if (scorer.doc < doc) scorer.advance(doc);
      this.constantScore = Math.fround(scorer.score() * this.plan.indexBoost);
    }
    return this.constantScore;
  }

  private sortHeap(segment: SegmentReader, candidates: number): OpenHeap {
    const keys = (this.sort ?? []).map((key, i) =>
      openSortKey(key, segment, this.docBase, this.nestedFilters[i]?.matches(segment)),
    );
    return { keys, heap: new SortHeap(keys, Math.min(this.plan.window, candidates)) };
  }

  /** Merges a segment's best documents into the shard's. */
  private takeSorted({ keys, heap }: OpenHeap, segment: number): void {
    if (heap.size === 0) return;
    const isOnly = this.segments.length === 1;
    const hits: ShardHit[] = [];
    heap.drain(isOnly ? this.job.skip : 0, (doc, score) => {
      const values = keys.map((key) => key.value(doc, score));
      hits.push(this.hit(segment, doc, score, values));
    });
    hits.reverse();
    if (this.sorted.length === 0) {
      this.sorted = hits;
      return;
    }
    this.sorted = this.sorted.concat(hits).sort((a, b) => compareHits(this.sort, a, b));
    if (this.sorted.length > this.plan.window) this.sorted.length = this.plan.window;
  }

  private hit(segment: number, doc: number, score: number, sort: ShardHit['sort']): ShardHit {
    const sequence = this.segments[segment]!.sequenceOf(doc);
    const shown = this.showsScores ? score : NaN;
    return { shard: this.job.position, segment, doc, sequence, score: shown, sort };
  }

  private isPastDeadline(): boolean {
    const { deadline } = this.job;
    if (deadline !== null && this.clock() > deadline) this.timedOut = true;
    return this.timedOut;
  }
}

interface OpenHeap {
  readonly keys: ReturnType<typeof openSortKey>[];
  readonly heap: SortHeap;
}
