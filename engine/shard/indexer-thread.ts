// The indexer thread as main sees it. Everything that writes to the `segments` database goes through it, in
// one queue.

import type { ResourceLimits } from 'node:worker_threads';
import type { CommittedSegment, StorageLocation } from '../../storage/index';
import type {
  BuildJob,
  BuildResult,
  CarryJob,
  MergeJob,
  SegmentIndexer,
  SegmentRemovals,
} from './segment-jobs';
import type { IndexMetadata } from '../metadata/index';
import {
  errorFromData,
  type ErrorData,
  ManagedThread,
  workerEntry,
  type ForgetNotice,
} from '../threads/index';
import {
  SentIndices,
  type IndexerRequests,
  type Warning,
  type IndexerWorkerOptions,
} from './indexer-messages';
import type { ThreadStats } from '../api/index';
import type { EngineLogger } from '../common/index';

/** How the thread is run. */
interface IndexerThreadOptions {
  readonly location: StorageLocation;
  readonly cacheBytes: number;
  readonly limits: ResourceLimits;
  readonly stuckMs: number;
  readonly logger: EngineLogger;
  /** A batch of the thread failed: nothing more is written before storage is reopened. */
  readonly onStorageFailure: (error: Error) => void;
}

/** Runs an {@link Indexer} on a thread of its own. */
export class IndexerThread implements SegmentIndexer, SegmentRemovals {
  private readonly thread: ManagedThread;

  constructor({ location, cacheBytes, logger, onStorageFailure, ...rest }: IndexerThreadOptions) {
    const indices = new SentIndices();
    const data: IndexerWorkerOptions = { location, cacheBytes };
    this.thread = new ManagedThread({
      ...rest,
      name: 'indexer',
      entry: workerEntry('indexer-worker'),
      data,
      logger,
      // Every job writes the same again under the same keys.
      repeatsRunning: true,
      encode: (kind, payload) =>
        kind === 'build' ? indices.encode(payload as IndexerRequests['build']) : payload,
      forgetSent: () => indices.reset(),
      onEvent: (event, value) => {
        if (event === 'storageFailed') onStorageFailure(errorFromData(value as ErrorData));
        else {
          const { fields, message } = value as Warning;
          logger.warn(fields, message);
        }
      },
    });
  }

  open(): void {
    this.thread.open();
  }

  /** Waits for what runs and ends the thread; {@link open} starts a new one. */
  close(): Promise<void> {
    return this.thread.close();
  }

  build(job: BuildJob, index: IndexMetadata): Promise<BuildResult> {
    return this.ask('build', { job, index });
  }

  merge(job: MergeJob, signal: AbortSignal): Promise<CommittedSegment | null> {
    return this.ask('merge', job, signal);
  }

  carry(job: CarryJob): Promise<CommittedSegment> {
    return this.ask('carry', job);
  }

  removeSegments(...args: IndexerRequests['removeSegments']): Promise<void> {
    return this.ask('removeSegments', args);
  }

  removeDeletions(...args: IndexerRequests['removeDeletions']): Promise<void> {
    return this.ask('removeDeletions', args);
  }

  removeOtherDeletions(...args: IndexerRequests['removeOtherDeletions']): Promise<void> {
    return this.ask('removeOtherDeletions', args);
  }

  /** Drops what is cached of segments. */
  forget(segments: readonly number[]): void {
    const notice: ForgetNotice = { segments, shards: [] };
    this.thread.notify('forget', notice);
  }

  stats(): ThreadStats {
    return this.thread.stats();
  }

  private ask<K extends keyof IndexerRequests, R>(
    kind: K,
    payload: IndexerRequests[K],
    signal?: AbortSignal,
  ): Promise<R> {
    return this.thread.request<R>(kind, payload, signal);
  }
}
