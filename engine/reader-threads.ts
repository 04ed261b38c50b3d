// Threads of a node that read, as main sees them: started, replaced when they die, and told everything that
// reading goes by.

import type {
  CacheStats,
  CacheStatsByKind,
  Readers,
  ReaderThreads,
  ReaderThreadsOptions,
} from './api/index';
import type { NodeSettings } from './admin/index';
import {
  type EngineLogger,
  type RenderedHitsBudget,
  sumStats,
  sumStatsByKind,
} from './common/index';
import type { ClusterState, ScriptFiles } from './metadata/index';
import type { ReaderThreadData } from './reader-thread';
import { Publisher } from './readers/index';
import type { Executor } from './search/index';
import type { IndexService, ReadableShard } from './shard/index';
import { ManagedThread } from './threads/index';
import type { SegmentId, StorageLocation } from '../storage/index';
import { ATTACH, CACHE_STATS, CACHES } from './reader-thread';

/** How long statistics of a thread are waited for, in milliseconds. */
const FIGURES_WAIT_MS = 250;

/** What threads that read need of their node. */
export interface ReaderHost {
  readonly settings: NodeSettings;
  readonly nodeId: string;
  readonly startedAt: number;
  readonly logger: EngineLogger;
  readonly location: () => StorageLocation;
  state(): ClusterState;
  indices(): Iterable<IndexService>;
  readonly executor: () => Executor;
  scripts(): ScriptFiles;
  readonly searchCounts: SharedArrayBuffer;
  /** An int32 that is kept up to date from then on. */
  readonly queueCapacity: () => SharedArrayBuffer;
  readonly heapMb: number;
  /** Bytes of the caches of all of them. */
  readonly cacheBytes: number;
  readonly renderedHits: RenderedHitsBudget;
  /** The first of their places in that budget. */
  readonly firstPlace: number;
  readonly small: number;
  readonly stuckMs: number;
}

/** The threads of a node that read; none before they are started. */
export class NodeReaders implements Readers {
  private running: {
    readonly threads: readonly ManagedThread[];
    readonly publisher: Publisher;
  } | null = null;

  constructor(private readonly host: ReaderHost) {}

  /** See {@link Readers.start}. To be called once. */
  start(options: ReaderThreadsOptions): ReaderThreads {
    const { host } = this;
    if (options.threads > (host.settings.readers ?? 0)) {
      throw new RangeError('the node was opened for fewer threads');
    }
    const publisher = new Publisher(host, options.threads);
    const threads = Array.from({ length: options.threads }, (_, i) =>
      this.thread(publisher, options, i),
    );
    this.running = { threads, publisher };
    for (const thread of threads) thread.open();
    // Only a thread with work is watched for signs of life.
    const pulse = setInterval(() => {
      for (const thread of threads) {
        if (thread.stats().pending === 0)
          void thread.request(CACHE_STATS, []).catch(() => undefined);
      }
    }, host.stuckMs / 2).unref();
    return {
      request: (thread, kind, payload) => threads[thread]!.request(kind, payload),
      close: async () => {
        clearInterval(pulse);
        await this.close();
      },
    };
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    const { running } = this;
    this.running = null;
    await Promise.all(running?.threads.map((thread) => thread.close()) ?? []);
  }

  /** See {@link Publisher.stateChanged}. */
  stateChanged(): void {
    this.running?.publisher.stateChanged();
  }

  /** See {@link Publisher.shardChanged}. */
  shardChanged(shard: ReadableShard): void {
    this.running?.publisher.shardChanged(shard);
  }

  /** See {@link Publisher.scriptsChanged}. */
  scriptsChanged(): void {
    this.running?.publisher.scriptsChanged();
  }

  /** See {@link Publisher.forget}. */
  forget(segments: readonly SegmentId[]): void {
    this.running?.publisher.forget(segments);
  }

  /** See {@link Publisher.suspend}. */
  async suspend(graceMs: number): Promise<void> {
    await this.running?.publisher.suspend(graceMs);
  }

  /** See {@link Publisher.refuse}. */
  refuse(error: unknown): void {
    this.running?.publisher.refuse(error);
  }

  /** See {@link Publisher.resume}. */
  resume(): void {
    this.running?.publisher.resume();
  }

  /** What the threads keep in memory, added to what main and its workers do. */
  async caches(others: Promise<CacheStats>): Promise<CacheStats> {
    return sumStats([await others, ...(await this.ask<CacheStats>(CACHES))]);
  }

  /** The same by kind only. */
  async cacheStatsByKind(others: Promise<CacheStatsByKind>): Promise<CacheStatsByKind> {
    return sumStatsByKind([await others, ...(await this.ask<CacheStatsByKind>(CACHE_STATS))]);
  }

  /** Counters of the threads. */
  stats(): ReturnType<ManagedThread['stats']>[] {
    return this.running?.threads.map((thread) => thread.stats()) ?? [];
  }

  /** What is answered soon; a thread that is busy, or dies over it, tells nothing. */
  private async ask<T>(kind: string): Promise<readonly T[]> {
    const answers: T[] = [];
    const asked = (this.running?.threads ?? []).map((thread) =>
      thread.request<T>(kind, []).then(
        (answer) => void answers.push(answer),
        () => undefined,
      ),
    );
    if (asked.length === 0) return answers;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, FIGURES_WAIT_MS)));
    await Promise.race([Promise.all(asked), late]);
    clearTimeout(timer);
    return [...answers];
  }

  private thread(
    publisher: Publisher,
    { entry, data, threads, onReady, onEvent }: ReaderThreadsOptions,
    i: number,
  ): ManagedThread {
    const { host } = this;
    const options: ReaderThreadData = {
      location: host.location(),
      nodeId: host.nodeId,
      startedAt: host.startedAt,
      settings: host.settings,
      cacheBytes: Math.floor(host.cacheBytes / threads),
      renderedHits: host.renderedHits,
      place: host.firstPlace + i,
      thread: i,
      searchCounts: host.searchCounts,
      queueCapacity: host.queueCapacity(),
      small: host.small,
      data: data(i),
    };
    let end = (): void => undefined;
    const thread: ManagedThread = new ManagedThread({
      name: `http-${i}`,
      entry,
      data: options,
      limits: { maxOldGenerationSizeMb: host.heapMb },
      stuckMs: host.stuckMs,
      repeatsRunning: false,
      logger: host.logger,
      encode: (_kind, payload) => payload,
      forgetSent: () => undefined,
      onEvent: (event, value) => onEvent(i, event, value),
      onStart: (worker) => {
        const attached = publisher.attach(
          () => worker.terminate(),
          () => onReady(i),
        );
        ({ end } = attached);
        const { reader } = attached;
        worker.postMessage({ id: 0, kind: ATTACH, payload: reader }, [reader.port]);
      },
      onEnd: () => end(),
    });
    return thread;
  }
}
