// Runs jobs on the calling thread. A job that takes long gives the event loop a turn between its steps.

import type { LogReader, SegmentStore } from '../../storage/index';
import type { ByteCache } from '../cache';
import type { ShardResult } from '../search/request';
import type {
  CollectJob,
  Executor,
  FetchJob,
  Outcome,
  PreparedQuery,
  PrepareJob,
} from './executor';
import { describeFailure } from './failure';
import { collectShard, fetchHits, prepareShard, type JobContext, type JobSteps } from './jobs';
import { ReaderCache } from './reader-cache';
import { CachedRecords } from './record-cache';
import { Turns } from './turns';

/** Work done at a stretch before the event loop gets a turn, in milliseconds. */
const SLICE_MS = 3;

export class InlineExecutor implements Executor {
  private readonly readers: ReaderCache;
  private readonly context: JobContext;
  private readonly turns = new Turns();

  constructor(
    segments: Pick<SegmentStore, 'readBlock' | 'readDeletions'>,
    log: LogReader,
    cache: ByteCache,
  ) {
    this.readers = new ReaderCache(segments, cache);
    this.context = {
      readers: (view) => this.readers.readers(view),
      log,
      recentRecords: new CachedRecords(log, cache),
      clock: Date.now,
    };
  }

  prepare(jobs: readonly PrepareJob[]): Promise<readonly Outcome<PreparedQuery>[]> {
    return this.runAll(jobs, prepareShard);
  }

  collect(jobs: readonly CollectJob[]): Promise<readonly Outcome<ShardResult>[]> {
    return this.runAll(jobs, collectShard);
  }

  fetch(jobs: readonly FetchJob[]): Promise<readonly Outcome<readonly Uint8Array[]>[]> {
    return this.runAll(jobs, fetchHits);
  }

  forget(segmentIds: readonly number[]): void {
    this.readers.forget(segmentIds);
  }

  close(): Promise<void> {
    this.readers.clear();
    return Promise.resolve();
  }

  private async runAll<J, R>(
    jobs: readonly J[],
    start: (job: J, context: JobContext) => JobSteps<R>,
  ): Promise<readonly Outcome<R>[]> {
    const outcomes: Outcome<R>[] = [];
    let sliceStart = performance.now();
    let used = 0;
    for (const job of jobs) {
      try {
        const steps = start(job, this.context);
        let step = steps.next();
        while (step.done !== true) {
          const slice = performance.now() - sliceStart;
          if (slice > SLICE_MS) {
            used += slice;
            await this.turns.next(used);
            sliceStart = performance.now();
          }
          step = steps.next();
        }
        outcomes.push({ ok: true, value: step.value });
      } catch (error) {
        const failure = describeFailure(error);
        if (failure === null) throw error;
        outcomes.push({ ok: false, failure });
      }
    }
    return outcomes;
  }
}
