// Runs searches on the calling thread: the main thread of a node without workers, or a worker.

import { setTimeout as sleep } from 'node:timers/promises';
import type { LogReader, SegmentStore } from '../../../storage/index';
import {
  type ByteCache,
  type CacheStats,
  type CacheStatsByKind,
  type CancelSignal,
  RenderedHits,
  renderedHitsBudget,
  type RenderedHitsBudget,
} from '../../common/index';
import { confinedReaders } from './confined-readers';
import { runSearch } from './run-search';
import { type SegmentReader, ReaderCache, type ShardSnapshot } from '../../segment/index';
import type { Executor, Phases, SearchJob, SearchOutcome } from '../plan/executor';
import { InlinePhases, type SearchControl } from './inline-phases';
import type { JobContext } from './jobs';
import { CachedRecords } from '../fetch/record-cache';
import { BudgetedSearches } from './budgeted-searches';
import { SearchScheduler } from './search-scheduler';

/** Rendered hits that all threads may hold however small their caches are, in bytes. */
const LEAST_RENDERED = 128 * 1024 * 1024;

/** What the threads of a node may hold of rendered hits. @param cacheBytes of all their caches */
export function hitsBudget(cacheBytes: number, threads: number): RenderedHitsBudget {
  return renderedHitsBudget(Math.max(LEAST_RENDERED, cacheBytes), threads);
}

/** What is marked on a thread that has others for what takes long: a millisecond or two, in bytes. */
const MOST_MARKED_BRIEFLY = 32 * 1024;

/** How often it is looked whether searches have ended. Milliseconds. */
const QUIESCE_LOOK_MS = 5;

/** Runs searches on the thread that asks. */
export class InlineExecutor implements Executor {
  private readonly readers: ReaderCache;
  private readonly context: JobContext;
  private readonly scheduler = new SearchScheduler();
  private readonly budgeted: BudgetedSearches | null;
  /** Searches under way. */
  private running = 0;
  /** All of them are to end. */
  private givesUp = false;

  /** @param searchBytes that searches may be expected to hold together; null: others see to that */
  constructor(
    segments: Pick<SegmentStore, 'readBlock' | 'readDeletions'>,
    log: LogReader,
    private readonly cache: ByteCache,
    renderedHits = new RenderedHits(hitsBudget(cache.limitBytes, 1), 0),
    searchBytes: number | null = null,
  ) {
    const open = (snapshot: ShardSnapshot) => this.open(snapshot);
    this.budgeted = searchBytes === null ? null : new BudgetedSearches(searchBytes, open);
    this.readers = new ReaderCache(segments, cache, log);
    this.context = {
      readers: (snapshot) => this.open(snapshot),
      log,
      recordCache: new CachedRecords(log, cache),
      renderedHits,
      mostMarked: Infinity,
      clock: Date.now,
    };
  }

  search(job: SearchJob, signal?: CancelSignal): Promise<SearchOutcome> {
    const run = () => this.run(job, { isCancelled: () => signal?.aborted === true });
    return this.budgeted === null ? run() : this.budgeted.run(job, signal, run);
  }

  /** The same on a thread that has others for what takes long. @throws TooMuchToMark */
  searchBriefly(job: SearchJob, signal?: CancelSignal): Promise<SearchOutcome> {
    const context = { ...this.context, mostMarked: MOST_MARKED_BRIEFLY };
    return this.run(job, { isCancelled: () => signal?.aborted === true }, context);
  }

  /** Runs a search under the control of whoever knows when it is cancelled. */
  async run(
    job: SearchJob,
    control: SearchControl,
    context = this.context,
  ): Promise<SearchOutcome> {
    this.running++;
    try {
      return await runSearch(job, this.phases(control, context));
    } finally {
      this.running--;
    }
  }

  /** Waits for the searches under way, and gives up those that take longer than `graceMs`. */
  async quiesce(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    const isBusy = (): boolean => this.running > 0 || (this.budgeted?.waiting ?? 0) > 0;
    while (isBusy() && performance.now() < deadline) await sleep(QUIESCE_LOOK_MS);
    this.givesUp = true;
    this.budgeted?.giveUp();
    try {
      while (this.running > 0) await sleep(QUIESCE_LOOK_MS);
    } finally {
      this.givesUp = false;
    }
  }

  /** The open segments of a shard. @throws CorruptionError */
  open(snapshot: ShardSnapshot): readonly SegmentReader[] {
    return confinedReaders(this.readers.readers(snapshot), snapshot.view);
  }

  /** The document log, through the cache of records that were shown lately. */
  get recordCache(): LogReader {
    return this.context.recordCache;
  }

  /** The phases of one search. */
  phases(control: SearchControl, context = this.context): Phases {
    const isCancelled = (): boolean => control.isCancelled() || this.givesUp;
    return new InlinePhases(context, this.scheduler, { isCancelled });
  }

  caches(): Promise<CacheStats> {
    return Promise.resolve(this.cache.stats());
  }

  cacheStatsByKind(): Promise<CacheStatsByKind> {
    return Promise.resolve(this.cache.totals());
  }

  forget(segmentIds: readonly number[]): void {
    this.readers.forget(segmentIds);
    for (const segment of segmentIds) this.cache.remove(segment);
  }

  close(): Promise<void> {
    this.readers.clear();
    return Promise.resolve();
  }
}
