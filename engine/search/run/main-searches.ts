// Which searches main runs itself: those so small that handing them to another thread, and waking it, would
// cost more than running them. Waking a thread takes some 50 microseconds of processor time, twice per
// search. The estimate (search-cost.ts) decides where a search runs and never what it answers.

import type { IndexPlan, SortKey } from '../plan/search-plan';
import type { SegmentReader, ShardSnapshot } from '../../segment/index';
import { readsManyKeys } from '../../suggest/index';
import { isCommitCount } from '../plan/commit-count';
import type { SearchJob, SearchOutcome } from '../plan/executor';
import type { CancelSignal } from '../../common/index';
import type { InlineExecutor } from './inline-executor';
import { TooMuchToMark } from './jobs';
import { SearchCost } from './search-cost';

/** Postings read in about 0.4 ms: the most that a search may be expected to read to be called small. */
export const SMALL_SEARCH_POSTINGS = 65_536;

/** More hits take long enough to be rendered elsewhere. */
const MAX_PAGE = 50;
/** Keeping more best hits is more work than reading the postings. */
const MAX_WINDOW = 2048;

/** Cache for each document below which main would read the same columns again and again, in bytes. */
const CACHE_PER_DOC = 32;

/** How much main runs. */
export interface MainShare {
  /** Postings a search may be expected to read to be small; 0: none is. */
  readonly small: number;
  /** Budget of main's cache, in bytes. */
  readonly cacheBytes: number;
}

/** Chooses what main runs. */
export class MainSearches {
  /** @param readers opens the segments of a shard */
  constructor(
    private readonly readers: (snapshot: ShardSnapshot) => readonly SegmentReader[],
    private readonly share: MainShare,
  ) {}

  /** Runs a search on this thread, or has it run elsewhere. @throws as {@link Executor.search} */
  search(
    job: SearchJob,
    signal: CancelSignal | undefined,
    here: InlineExecutor,
    elsewhere: () => Promise<SearchOutcome>,
  ): Promise<SearchOutcome> {
    if (!this.runsHere(job)) return elsewhere();
    if (!job.shards.some(marks)) return here.search(job, signal);
    return here.searchBriefly(job, signal).catch((error: unknown) => {
      // How long the texts of hits are is not known before.
      if (error instanceof TooMuchToMark) return elsewhere();
      throw error;
    });
  }

  /**
   * Whether a search is run on this thread. Where a segment cannot be opened the search itself will say so.
   */
  private runsHere(job: SearchJob): boolean {
    if (job.shards.every(needsNoSegment)) return true;
    try {
      return this.takes(job);
    } catch {
      return false;
    }
  }

  /** Whether main runs a search now. @throws CorruptionError as opening segments does */
  takes(job: SearchJob): boolean {
    const { small, cacheBytes } = this.share;
    if (small === 0 || job.globalStatistics) return false;
    let docs = 0;
    for (const { snapshot, planned } of job.shards) {
      if (planned.page.size > MAX_PAGE || !isPlain(planned.plan)) return false;
      if (planned.plan.isLarge === true) return false;
      if (planned.fetch.scriptFields.length > 0) return false;
      for (const segment of snapshot.segments) docs += segment.docCount;
    }
    const readsColumns = docs * CACHE_PER_DOC <= cacheBytes;
    let postings = 0;
    for (const { snapshot, planned } of job.shards) {
      if (!readsColumns && planned.plan.suggest?.some(readsManyKeys) === true) return false;
      const cost = new SearchCost(this.readers(snapshot), docs, readsColumns);
      postings += cost.ofPlan(planned.plan);
      // A hit that is found by its id, and explained by a query of its own.
      const explained = planned.fetch.explain?.query;
      if (explained !== undefined) postings += cost.ofPlan({ ...planned.plan, query: explained });
      if (postings > small) return false;
    }
    return true;
  }
}

function marks({ planned }: SearchJob['shards'][number]): boolean {
  return planned.fetch.highlight !== null;
}

function needsNoSegment({ snapshot, planned }: SearchJob['shards'][number]): boolean {
  if (snapshot.segments.length === 0) return true;
  if (snapshot.view !== undefined) return false;
  return planned.plan.suggest === undefined && isCommitCount(planned.plan);
}

/** What keeps few hits, in an order that is read off columns. */
function isPlain({ sort, window }: IndexPlan): boolean {
  return window <= MAX_WINDOW && (sort === null || sort.every(isPlainKey));
}

function isPlainKey(key: SortKey): boolean {
  return key.kind !== 'script' && key.kind !== 'distance' && key.nestedPath === null;
}
