// Making a snapshot: all shards are held at one moment, written one after the other, and at last the manifest
// that makes a snapshot of it.

import type { EngineError } from '../errors';
import { type PinnedLog, type Shard, describeDamage } from '../shard/index';
import type { IndexMetadata } from '../metadata/index';
import type { CreateSnapshotRequest, ShardProgress, SnapshotStatus } from '../api/index';
import { exportShard } from './export';
import type { ChunkFile, GlobalState, Manifest, ShardSnapshot } from './manifest';
import type { Repository } from './repository';
import type { RepositoryLock } from './repository-lock';
import type { LogStore } from '../../storage/index';

/** One shard of a snapshot that is being made. */
interface ShardTask {
  /** Null: the shard is damaged. */
  readonly pinned: PinnedLog | null;
  readonly failure: EngineError | null;
  stage: ShardProgress['stage'];
  startedAt: number;
  tookMs: number;
  /** Records below this one are still to be read. */
  position: number;
  readonly chunks: ChunkFile[];
}

interface IndexTask {
  readonly metadata: IndexMetadata;
  readonly shards: readonly ShardTask[];
}

/** What a snapshot is made of. */
interface SnapshotSource {
  readonly metadata: IndexMetadata;
  readonly shards: readonly Shard[];
}

/** A snapshot that is being made. */
export class SnapshotTask {
  readonly startedAt: number;
  private readonly indices: readonly IndexTask[];
  private readonly stopping = new AbortController();
  /** Chunks that were not there before. */
  private hasWritten = false;

  /** Holds all shards at this moment. */
  constructor(
    readonly request: CreateSnapshotRequest,
    sources: readonly SnapshotSource[],
    private readonly global: GlobalState | null,
    private readonly now: () => number,
  ) {
    this.startedAt = now();
    this.indices = sources.map(({ metadata, shards }) => ({
      metadata,
      shards: shards.map((shard) => shardTask(shard, this.startedAt)),
    }));
  }

  /**
   * Writes everything.
   *
   * @param lock of the repository, which the caller holds and releases
   * @param checkSpace throws when nothing more may be written
   * @throws EngineError when the repository fails; nothing of the snapshot is left then
   */
  async run(
    repository: Repository,
    compress: boolean,
    log: LogStore,
    lock: RepositoryLock,
    checkSpace: () => Promise<void>,
  ): Promise<Manifest> {
    try {
      const isFailed =
        !this.request.partial && this.tasks().some(({ failure }) => failure !== null);
      const indices: Manifest['indices'][number][] = [];
      for (const { metadata, shards } of this.indices) {
        const written: ShardSnapshot[] = [];
        for (const shard of shards) {
          written.push(await this.runShard(shard, isFailed, repository, compress, log, checkSpace));
        }
        indices.push({ metadata, shards: written });
      }
      const isPartial = indices.some(({ shards }) =>
        shards.some(({ failure }) => failure !== null),
      );
      const manifest: Manifest = {
        snapshot: this.request.snapshot,
        state: isFailed ? 'FAILED' : isPartial ? 'PARTIAL' : 'SUCCESS',
        startedAt: this.startedAt,
        endedAt: this.now(),
        indices,
        global: this.global,
      };
      await repository.putManifest(manifest, lock);
      return manifest;
    } catch (error) {
      // On a full disk this is what makes room again; elsewhere it is tidy.
      if (this.hasWritten) await repository.collectGarbage(lock).catch(() => undefined);
      throw error;
    } finally {
      for (const { pinned } of this.tasks()) pinned?.release();
    }
  }

  /** Ends it before its time. @param reason what it fails with */
  abort(reason?: Error): void {
    this.stopping.abort(reason);
  }

  status(): SnapshotStatus {
    const indices = this.indices.map(
      ({ metadata, shards }) => [metadata.name, shards.map(progressOf)] as const,
    );
    return { ...this.request, state: 'STARTED', indices: new Map(indices) };
  }

  private tasks(): readonly ShardTask[] {
    return this.indices.flatMap(({ shards }) => shards);
  }

  private async runShard(
    task: ShardTask,
    isFailed: boolean,
    repository: Repository,
    compress: boolean,
    log: LogStore,
    checkSpace: () => Promise<void>,
  ): Promise<ShardSnapshot> {
    task.startedAt = this.now();
    const { pinned } = task;
    let failure = task.failure;
    let chunks: readonly ChunkFile[] = [];
    if (pinned !== null && !isFailed) {
      task.stage = 'STARTED';
      try {
        chunks = await exportShard(log, pinned, {
          compress,
          signal: this.stopping.signal,
          write: async (bytes) => {
            await checkSpace();
            const { file, isNew } = await repository.writeChunk(bytes);
            this.hasWritten ||= isNew;
            return file;
          },
          progress: (position, chunk) => {
            task.position = Math.min(task.position, position);
            if (chunk !== null) task.chunks.push(chunk);
            task.tookMs = this.now() - task.startedAt;
          },
        });
      } catch (error) {
        // A damaged record concerns its shard only; a failing repository everything.
        failure = describeDamage(error);
        if (failure === null) throw error;
      }
    }
    pinned?.release();
    task.stage = failure === null ? 'DONE' : 'FAILURE';
    task.tookMs = this.now() - task.startedAt;
    return {
      sequence: pinned?.upTo ?? 0,
      documents: chunks.reduce((sum, { documents }) => sum + documents, 0),
      startedAt: task.startedAt,
      tookMs: task.tookMs,
      chunks,
      failure: failure?.toWireString() ?? null,
    };
  }
}

function shardTask(shard: Shard, startedAt: number): ShardTask {
  const { failure } = shard;
  const pinned = failure === null ? shard.acquireLog() : null;
  const position = pinned?.upTo ?? 0;
  return { pinned, failure, stage: 'INIT', startedAt, tookMs: 0, position, chunks: [] };
}

/** What is left of a shard is estimated by the records that are still to be read. */
function progressOf(task: ShardTask): ShardProgress {
  const { stage, chunks, pinned, position, startedAt, tookMs } = task;
  const records = pinned?.upTo ?? 0;
  const share = stage === 'DONE' || records === 0 ? 1 : (records - position) / records;
  const estimate = (done: number): number => (share > 0 ? Math.round(done / share) : done);
  const processedBytes = chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    stage,
    files: estimate(chunks.length),
    processedFiles: chunks.length,
    bytes: estimate(processedBytes),
    processedBytes,
    documents: chunks.reduce((sum, { documents }) => sum + documents, 0),
    startedAt,
    tookMs,
  };
}
