// What all ways of collecting a shard fill: how many documents match, and which are best.

import { untilDeadline } from '../../common/index';
import type { CollectJob } from '../plan/executor';
import type { IndexPlan, ShardHit } from '../plan/search-plan';
import { type Query, type Weight, bindQuery } from '../../query/index';
import { type Bitset, NO_MORE_DOCS, type SegmentReader } from '../../segment/index';
import { compareHits } from '../sort/hit-order';
import { firstDocBehind, SegmentAfter } from '../sort/segment-after';
import { SortHeap } from '../sort/sort-heap';
import { openSortKey } from '../sort/sort-key';
import { ScoreHeap } from './score-heap';

/** The state of collecting one shard. */
export class ShardHits {
  total = 0;
  /** NaN until a hit was scored. */
  maxScore = NaN;
  terminatedEarly = false;
  timedOut = false;
  /** Documents of the segments before the current one. */
  docBase = 0;

  readonly plan: IndexPlan;
  readonly weight: Weight;
  readonly postFilter: Weight | null;
  /** The best hits by score. */
  readonly best: ScoreHeap;
  /** Whether hits tell their scores. */
  readonly showsScores: boolean;
  private readonly nestedFilters: readonly (Weight | null)[];
  /** The best hits by sort keys. */
  private sorted: ShardHit[] = [];

  constructor(
    readonly job: CollectJob,
    private readonly segments: readonly SegmentReader[],
    private readonly clock: () => number,
  ) {
    const { plan } = job;
    this.plan = plan;
    const { similarities } = plan;
    const bind = (filter: Query | null): Weight | null =>
      filter === null ? null : bindQuery(filter, segments, similarities);
    this.weight = bindQuery(plan.query, segments, similarities, job.prepared);
    this.postFilter = bind(plan.postFilter);
    this.nestedFilters = (plan.sort ?? []).map((key) => bind(key.nestedFilter));
    this.showsScores =
      plan.sort === null || plan.trackScores || plan.sort.some((key) => key.kind === 'score');
    this.best = new ScoreHeap(plan.sort === null && plan.scan !== true ? plan.window : 0);
    const { after, position } = job;
    if (after !== null && plan.sort === null && after.shard >= position) {
      const isOwn = after.shard === position;
      this.best.startBehind(after.score, isOwn ? after.segment : Infinity, isOwn ? after.doc : 0);
    } else if (after !== null && plan.sort === null) {
      this.best.startBehind(after.score, 0, -1);
    }
  }

  /** The best hits, best first. */
  list(): readonly ShardHit[] {
    if (this.plan.sort !== null || this.plan.scan === true) {
      return this.segments.length === 1 ? this.sorted : this.sorted.slice(this.job.skip);
    }
    const hits: ShardHit[] = [];
    this.best.drain(this.job.skip, (score, segment, doc) =>
      hits.push(this.hit(segment, doc, score, [])),
    );
    return hits.reverse();
  }

  /** A scan has as many hits as it wants. */
  get isFull(): boolean {
    return this.plan.scan === true && this.sorted.length >= this.plan.window;
  }

  /** Adds the next hit of a scan. */
  append(segment: number, doc: number, score: number): void {
    this.sorted.push(this.hit(segment, doc, score, []));
  }

  /** The first document that may be shown of a segment where all matches have one score, unsorted. */
  firstDoc(segment: number, score: number): number {
    const { after, position } = this.job;
    if (after === null || score < after.score) return 0;
    return score > after.score ? NO_MORE_DOCS : firstDocBehind(after, position, segment);
  }

  /** A heap for the best documents of a segment by the sort keys. */
  sortHeap(segment: SegmentReader, index: number, candidates: number): OpenHeap {
    const keys = (this.plan.sort ?? []).map((key, i) =>
      openSortKey(key, segment, this.docBase, this.nestedFilters[i]?.matches(segment)),
    );
    const { after, position } = this.job;
    return {
      keys,
      heap: new SortHeap(keys, Math.min(this.plan.window, candidates)),
      after: after === null ? null : new SegmentAfter(keys, after, position, index),
    };
  }

  /** Merges a segment's best documents into the shard's. */
  takeSorted({ keys, heap }: Pick<OpenHeap, 'keys' | 'heap'>, segment: number): void {
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
    const { sort, window } = this.plan;
    this.sorted = this.sorted.concat(hits).sort((a, b) => compareHits(sort, a, b));
    if (this.sorted.length > window) this.sorted.length = window;
  }

  /** Notes it when time is up. */
  isPastDeadline(): boolean {
    const { deadline } = this.job;
    if (deadline !== null && this.clock() > deadline) this.timedOut = true;
    return this.timedOut;
  }

  /** Works while there is time; notes it when time is up. */
  inTime(work: () => void): void {
    if (!untilDeadline(this.job.deadline, this.clock, work)) this.timedOut = true;
  }

  private hit(segment: number, doc: number, score: number, sort: ShardHit['sort']): ShardHit {
    const sequence = this.segments[segment]!.sequenceOf(doc);
    const shown = this.showsScores ? score : NaN;
    return { shard: this.job.position, segment, doc, sequence, score: shown, sort };
  }
}

/** A heap for one segment with its sort keys. */
interface OpenHeap {
  readonly keys: ReturnType<typeof openSortKey>[];
  readonly heap: SortHeap;
  /** What of the segment belongs to the page; null: all of it. */
  readonly after: SegmentAfter | null;
}

/** The post filter's documents in a segment; undefined: there is no post filter, null: none passes. */
export type PostDocs = Bitset | null | undefined;

/** One way of collecting: what it finds in a segment goes into the {@link ShardHits} it was made for. */
export interface Collector {
  /**
   * Collects one segment, in order.
   *
   * @returns the matching live root documents before the post filter, not to be modified; null: none, or
   *          nobody asks for them
   */
  collect(segment: SegmentReader, index: number, post: PostDocs): Bitset | null;
}
