// The search workers of a node. Main runs some searches itself (main-searches.ts). A search whose segments
// are all assigned to one worker is one message there and one back; others are put together here, phase by
// phase.

import { setTimeout as sleep } from 'node:timers/promises';
import type { ResourceLimits } from 'node:worker_threads';
import {
  type ByteCache,
  countersOf,
  lookUps,
  sumStats,
  sumStatsByKind,
  type CacheStats,
  type CacheStatsByKind,
  type CancelSignal,
  type EngineLogger,
  type RenderedHitsBudget,
} from '../../common/index';
import type { StorageLocation } from '../../../storage/index';
import { runSearch } from '../run/run-search';
import type { Executor, SearchJob, SearchOutcome } from '../plan/executor';
import type { InlineExecutor } from '../run/inline-executor';
import { AnswerCache, type AnswerKey } from '../run/answer-cache';
import { MainSearches, type MainShare } from '../run/main-searches';
import { BudgetedSearches } from '../run/budgeted-searches';
import { SegmentAssignment } from './segment-assignment';
import { ManagedThread, workerEntry, type ForgetNotice } from '../../threads/index';
import { PoolPhases } from './pool-phases';
import {
  encodeRequest,
  unpackTexts,
  type PackedSearch,
  type SearchWorkerOptions,
} from './search-messages';
import { SentSnapshots } from './snapshot-cache';
import type { ThreadStats } from '../../api/index';
import type { ShardSnapshot } from '../../segment/index';

/** How search workers are run. */
interface WorkerPoolOptions {
  /** At least 1. */
  readonly workers: number;
  readonly location: StorageLocation;
  /** Budget of all workers' caches together, in bytes. */
  readonly cacheBytes: number;
  /** Of main, which has the first place, and all workers. */
  readonly renderedHits: RenderedHitsBudget;
  readonly limits: ResourceLimits;
  readonly stuckMs: number;
  readonly smallSegmentDocs: number;
  /** What main runs itself. */
  readonly mainShare: MainShare;
  /** Bytes that searches which workers run may be expected to hold together. */
  readonly searchBytes: number;
  readonly warmsUp: boolean;
  readonly logger: EngineLogger;
  /** Where answers are kept that come again; that of main. */
  readonly answers: ByteCache;
}

/**
 * How long statistics of a worker are waited for before those are taken that it told last, in milliseconds.
 */
const FIGURES_WAIT_MS = 50;

/** How often it is looked whether searches have ended. Milliseconds. */
const QUIESCE_LOOK_MS = 5;
/** How long a worker may take to give up a search before it is ended. Milliseconds. */
const CANCEL_MS = 2000;

interface PooledThread {
  readonly thread: ManagedThread;
  readonly snapshots: SentSnapshots;
  /** What it told of its cache last, and what the threads before it had counted. */
  lastStats: CacheStatsByKind;
  formerStats: CacheStatsByKind;
  /** A request for them is under way. */
  asking: Promise<void> | null;
}

/** Runs searches on worker threads, small ones on main. */
export class WorkerPool implements Executor {
  private readonly threads: readonly PooledThread[];
  private readonly assignment: SegmentAssignment;
  private readonly mainSearches: MainSearches;
  private readonly answers: AnswerCache;
  private readonly budgeted: BudgetedSearches;

  /** @param local runs searches on main */
  constructor(
    options: WorkerPoolOptions,
    private readonly local: InlineExecutor,
  ) {
    const { workers, smallSegmentDocs, mainShare, searchBytes } = options;
    const open = (snapshot: ShardSnapshot) => local.open(snapshot);
    this.mainSearches = new MainSearches(open, mainShare);
    this.budgeted = new BudgetedSearches(searchBytes, open);
    this.answers = new AnswerCache(options.answers);
    this.assignment = new SegmentAssignment(workers, smallSegmentDocs);
    this.threads = Array.from({ length: workers }, (_, i) => pooledThread(options, i));
  }

  /** Starts the workers. */
  open(): void {
    for (const { thread } of this.threads) thread.open();
  }

  search(job: SearchJob, signal?: CancelSignal): Promise<SearchOutcome> {
    const key = this.answers.keyOf(job);
    return key === null ? this.run(job, signal) : this.answer(key, job, signal);
  }

  private async answer(
    key: AnswerKey,
    job: SearchJob,
    signal: CancelSignal | undefined,
  ): Promise<SearchOutcome> {
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    const outcome = await this.run(job, signal);
    this.answers.keep(key, outcome);
    return outcome;
  }

  private run(job: SearchJob, signal?: CancelSignal): Promise<SearchOutcome> {
    return this.mainSearches.search(job, signal, this.local, () =>
      this.budgeted.run(job, signal, () => this.runInWorkers(job, signal)),
    );
  }

  private runInWorkers(job: SearchJob, signal?: CancelSignal): Promise<SearchOutcome> {
    const worker = this.assignment.ofSearch(job);
    if (worker >= 0) return this.searchIn(worker, job, signal);
    const phases = new PoolPhases(this.assignment, (worker, kind, payload) =>
      this.threads[worker]!.thread.request(kind, payload, signal),
    );
    return runSearch(job, phases);
  }

  async caches(): Promise<CacheStats> {
    const stats = this.threads.map(({ thread }) => thread.request<CacheStats>('caches', []));
    return sumStats([await this.local.caches(), ...(await Promise.all(stats))]);
  }

  async cacheStatsByKind(): Promise<CacheStatsByKind> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, FIGURES_WAIT_MS)));
    await Promise.race([Promise.all(this.threads.map(askForStats)), late]);
    clearTimeout(timer);
    return sumStatsByKind([
      await this.local.cacheStatsByKind(),
      ...this.threads.flatMap(({ lastStats, formerStats }) => [lastStats, formerStats]),
    ]);
  }

  forget(segmentIds: readonly number[]): void {
    this.local.forget(segmentIds);
    const ids = new Set(segmentIds);
    for (const { thread, snapshots } of this.threads) {
      const notice: ForgetNotice = { segments: segmentIds, shards: snapshots.forget(ids) };
      thread.notify('forget', notice);
    }
  }

  /** Waits for the searches under way, and gives up those that take longer than `graceMs`. */
  async quiesce(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    const isBusy = (): boolean =>
      this.budgeted.waiting > 0 || this.threads.some(({ thread }) => thread.stats().pending > 0);
    while (isBusy() && performance.now() < deadline) await sleep(QUIESCE_LOOK_MS);
    this.budgeted.giveUp();
    await Promise.all([
      this.local.quiesce(Math.max(0, deadline - performance.now())),
      ...this.threads.map(({ thread }) => thread.cancelAll(CANCEL_MS)),
    ]);
  }

  /** Waits for what runs and ends the workers; {@link open} starts new ones. */
  async close(): Promise<void> {
    while (this.budgeted.waiting > 0) await sleep(QUIESCE_LOOK_MS);
    await Promise.all(this.threads.map(({ thread }) => thread.close()));
    await this.local.close();
  }

  stats(): readonly ThreadStats[] {
    return this.threads.map(({ thread }) => thread.stats());
  }

  private async searchIn(
    worker: number,
    job: SearchJob,
    signal: CancelSignal | undefined,
  ): Promise<SearchOutcome> {
    const { thread } = this.threads[worker]!;
    const packed = await thread.request<PackedSearch>('search', job, signal);
    return { ...packed, hits: unpackTexts(packed.hits) };
  }
}

/**
 * One request at a time, however often statistics are asked for; a thread that dies over it tells nothing.
 */
function askForStats(pooled: PooledThread): Promise<void> {
  pooled.asking ??= pooled.thread
    .request<CacheStatsByKind>('cacheStatsByKind', [])
    .then((totals) => {
      const { lastStats, formerStats } = pooled;
      // Counters that begin anew are those of a new thread.
      if (lookUps(totals) < lookUps(lastStats)) {
        pooled.formerStats = sumStatsByKind([formerStats, countersOf(lastStats)]);
      }
      pooled.lastStats = totals;
    })
    .catch(() => undefined)
    .finally(() => (pooled.asking = null));
  return pooled.asking;
}

function pooledThread(options: WorkerPoolOptions, i: number): PooledThread {
  const { workers, location, limits, renderedHits, stuckMs, warmsUp, logger } = options;
  const snapshots = new SentSnapshots();
  const cacheBytes = Math.floor(options.cacheBytes / workers);
  const data: SearchWorkerOptions = { location, cacheBytes, renderedHits, place: i + 1, warmsUp };
  const thread = new ManagedThread({
    name: `search-${i}`,
    entry: workerEntry('search-worker'),
    data,
    limits,
    stuckMs,
    repeatsRunning: false,
    logger,
    encode: (kind, payload) => encodeRequest(kind, payload, snapshots),
    forgetSent: () => snapshots.reset(),
    onEvent: () => undefined,
  });
  return {
    thread,
    snapshots,
    lastStats: { kinds: new Map(), limitBytes: cacheBytes },
    formerStats: { kinds: new Map(), limitBytes: 0 },
    asking: null,
  };
}
