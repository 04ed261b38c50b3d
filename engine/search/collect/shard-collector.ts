// The hits of one shard: which documents match, how many, and which are best. How they are collected is
// decided once, by what the search asks for; each way is a file.

import type { CollectJob } from '../plan/executor';
import { hasConstantScore } from '../../query/index';
import type { Bitset, SegmentReader } from '../../segment/index';
import type { IndexPlan, ShardHit } from '../plan/search-plan';
import { CountCollector } from './count-collector';
import { type Collector, ShardHits } from './hits';
import { ScanCollector } from './scan-collector';
import { ScoringCollector } from './scoring-collector';
import { SetCollector } from './set-collector';
import { TopCollector } from './top-collector';

/** The hits side of a collect job. */
export class ShardCollector {
  private readonly found: ShardHits;
  private readonly collector: Collector;

  constructor(job: CollectJob, segments: readonly SegmentReader[], clock: () => number) {
    this.found = new ShardHits(job, segments, clock);
    this.collector = collectorFor(job.plan, this.found);
  }

  get total(): number {
    return this.found.total;
  }

  /** NaN until a hit was scored. */
  get maxScore(): number {
    return this.found.maxScore;
  }

  get terminatedEarly(): boolean {
    return this.found.terminatedEarly;
  }

  get timedOut(): boolean {
    return this.found.timedOut;
  }

  /** Notes it when time is up. */
  isPastDeadline(): boolean {
    return this.found.isPastDeadline();
  }

  /** Works while there is time; notes it when time is up. */
  inTime(work: () => void): void {
    this.found.inTime(work);
  }

  /** Nothing more needs to be looked at. */
  get isDone(): boolean {
    return this.terminatedEarly || this.timedOut || this.found.isFull;
  }

  /**
   * Collects one segment, in order.
   *
   * @returns the matching live root documents before the post filter, not to be modified; null: none, or no
   *          facet asks for them
   */
  collect(segment: SegmentReader, index: number): Bitset | null {
    const { found } = this;
    if (found.isPastDeadline()) return null;
    let main: Bitset | null = null;
    found.inTime(() => {
      const post = found.postFilter === null ? undefined : found.postFilter.matches(segment);
      main = this.collector.collect(segment, index, post);
    });
    found.docBase += segment.docCount;
    return main;
  }

  /** Leaves a segment to others. */
  skip(segment: SegmentReader): void {
    this.found.docBase += segment.docCount;
  }

  /** The best hits, best first. */
  hits(): readonly ShardHit[] {
    return this.found.list();
  }
}

/** Scores are worked out where they decide something, or are shown, and differ. */
function collectorFor(plan: IndexPlan, hits: ShardHits): Collector {
  if (plan.scan === true) return new ScanCollector(hits);
  const sortsByScript = plan.sort?.some((key) => key.kind === 'script') === true;
  const scored = plan.minScore !== null || ((hits.showsScores || sortsByScript) && plan.window > 0);
  if (scored && !hasConstantScore(plan.query)) {
    const scoring = new ScoringCollector(hits);
    return TopCollector.fits(plan) ? new TopCollector(hits, scoring) : scoring;
  }
  const set = new SetCollector(hits, scored);
  return CountCollector.fits(plan) ? new CountCollector(hits, set) : set;
}
