// Runs searches on the calling thread: the main thread of a node without workers, or a worker.

import type { LogReader, SegmentStore } from '../../../storage/index';
import type { ByteCache, CacheFigures, CacheTotals, CancelSignal } from '../../common/index';
import { runSearch } from './run-search';
import { type SegmentReader, ReaderCache, type ShardView } from '../../segment/index';
import type { Executor, Phases, SearchJob, SearchOutcome } from '../plan/executor';
import { InlinePhases, type SearchControl } from './inline-phases';
import type { JobContext } from './jobs';
import { CachedRecords } from '../fetch/record-cache';
import { Turns } from './search-scheduler';

/** Runs searches on the thread that asks. */
export class InlineExecutor implements Executor {
  private readonly readers: ReaderCache;
  private readonly context: JobContext;
  private readonly turns = new Turns();

  constructor(
    segments: Pick<SegmentStore, 'readBlock' | 'readDeletions'>,
    log: LogReader,
    private readonly cache: ByteCache,
  ) {
    this.readers = new ReaderCache(segments, cache, log);
    this.context = {
      readers: (view) => this.readers.readers(view),
      log,
      recentRecords: new CachedRecords(log, cache),
      clock: Date.now,
    };
  }

  search(job: SearchJob, signal?: CancelSignal): Promise<SearchOutcome> {
    return this.run(job, { isCancelled: () => signal?.aborted === true });
  }

  /** Runs a search under the control of whoever knows when it is cancelled. */
  run(job: SearchJob, control: SearchControl): Promise<SearchOutcome> {
    return runSearch(job, this.phases(control));
  }

  /** The open segments of a shard. @throws CorruptionError */
  open(view: ShardView): readonly SegmentReader[] {
    return this.readers.readers(view);
  }

  /** The document log, through the cache of records that were shown lately. */
  get recentRecords(): LogReader {
    return this.context.recentRecords;
  }

  /** The phases of one search. */
  phases(control: SearchControl): Phases {
    return new InlinePhases(this.context, this.turns, control);
  }

  caches(): Promise<CacheFigures> {
    return Promise.resolve(this.cache.figures());
  }

  cacheTotals(): Promise<CacheTotals> {
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
