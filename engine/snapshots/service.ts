// Repositories and snapshots of a node. One snapshot is made at a time; one that is being restored or read is
// not deleted; whatever changes a repository waits its turn.

import { EngineError } from '../errors';
import { matchesPattern } from '../common/index';
import {
  assertNoneBlocked,
  putRepository,
  removeRepositories,
  resolveIndices,
} from '../metadata/index';
import type { JsonObject } from '../json/index';
import { translateStorageError } from '../shard/index';
import type {
  Accepted,
  CreateSnapshotRequest,
  RepositoryRequest,
  RestoreInfo,
  RestoreProgress,
  RestoreRequest,
  ShardProgress,
  SnapshotInfo,
  Snapshots,
  SnapshotStatus,
  VerifiedSnapshot,
} from '../api/index';
import { SnapshotTask } from './create';
import type { Manifest, ShardSnapshot } from './manifest';
import { concurrentExecution, invalidName, repositoryMissing, validateSnapshotName } from './names';
import { Repository } from './repository';
import { repositoryMetadata, repositoryPlace } from './repository-settings';
import { runRestore, verifyChunks, type RestoreHost } from './restore';
import { planRestore } from './restore-plan';

export interface SnapshotHost extends RestoreHost {
  /** Folders below which repositories may be. */
  readonly roots: readonly string[];
  /** @throws EngineError (503) while there is too little disk space for more data */
  readonly assertSpace: () => void;
}

interface Running {
  readonly task: SnapshotTask;
  readonly finished: Promise<unknown>;
}

/** A snapshot that is being read. */
interface Reading {
  readonly repository: string;
  readonly snapshot: string;
  progress: RestoreProgress;
  readonly stopping: AbortController;
  finished: Promise<unknown>;
}

export class SnapshotService implements Snapshots {
  private running: Running | null = null;
  private readonly readings = new Set<Reading>();
  /** The last step of {@link inTurn}. */
  private changes: Promise<unknown> = Promise.resolve();
  /** When the newest complete snapshot of a repository ended; null while that is being found out, or there is none. */
  private readonly newestEnds = new Map<string, number | null>();
  private closed = false;

  constructor(private readonly host: SnapshotHost) {}

  putRepository(request: RepositoryRequest): Promise<void> {
    return this.guard(async () => {
      const { name } = request;
      const { cluster, roots, logger } = this.host;
      this.checkUnused([name]);
      const metadata = repositoryMetadata(request, roots);
      const place = repositoryPlace(name, metadata, roots);
      const repository = await Repository.open(name, place, true, logger);
      if (request.verify) await repository.verify();
      await cluster.change((state) => putRepository(state, name, metadata));
      this.newestEnds.delete(name);
    });
  }

  repositories(names: readonly string[]): ReadonlyMap<string, JsonObject> {
    const { repositories } = this.host.cluster.state();
    if (names.length === 0 || (names.length === 1 && names[0] === '_all')) return repositories;
    return new Map(names.map((name) => [name, this.metadata(name)]));
  }

  verifyRepository(name: string): Promise<void> {
    return this.guard(async () => (await this.open(name)).repository.verify());
  }

  deleteRepositories(name: string): Promise<void> {
    return this.guard(async () => {
      const { cluster } = this.host;
      await cluster.change((state) => {
        const found = [...state.repositories.keys()].filter((one) => matchesPattern(name, one));
        if (found.length === 0 && name !== '*') throw repositoryMissing(name);
        this.checkUnused(found);
        for (const one of found) this.newestEnds.delete(one);
        return removeRepositories(state, found);
      });
    });
  }

  create(request: CreateSnapshotRequest): Promise<Accepted<SnapshotInfo>> {
    return this.guard(async () => {
      const { repository: name, snapshot } = request;
      this.metadata(name);
      validateSnapshotName(name, snapshot);
      // Not while a deletion removes chunks that the new snapshot may find there.
      return this.inTurn(async () => {
        const { repository, compress } = await this.open(name);
        if ((await repository.list()).some(({ manifest }) => manifest.snapshot === snapshot)) {
          throw invalidName(name, snapshot, 'snapshot with such name already exists');
        }
        if (this.running !== null) {
          throw concurrentExecution(name, snapshot, 'a snapshot is already running');
        }
        const task = this.begin(request);
        const completed = this.guard(() => task.run(repository, compress, this.host.log()))
          .then((manifest) => {
            if (manifest.state === 'SUCCESS') this.newestEnds.set(name, manifest.endedAt);
            return infoOf(manifest);
          })
          .finally(() => {
            this.running = null;
          });
        this.running = { task, finished: completed };
        completed.catch((err: unknown) => {
          this.host.logger.error({ repository: name, snapshot, err }, 'the snapshot failed');
        });
        return { completed };
      });
    });
  }

  get(repository: string, names: readonly string[]): Promise<readonly SnapshotInfo[]> {
    return this.guard(async () => (await this.manifests(repository, names)).map(infoOf));
  }

  status(repository: string, names: readonly string[]): Promise<readonly SnapshotStatus[]> {
    return this.guard(async () => {
      const running = this.runningIn(repository).filter(({ snapshot }) => names.includes(snapshot));
      const others = names.filter((name) => running.every(({ snapshot }) => snapshot !== name));
      if (running.length > 0 && others.length === 0) return running;
      const finished = await this.manifests(repository, others);
      return [...running, ...finished.map((manifest) => statusOf(repository, manifest))];
    });
  }

  delete(name: string, snapshot: string): Promise<void> {
    return this.guard(async () => {
      this.metadata(name);
      validateSnapshotName(name, snapshot);
      if (this.running !== null) {
        const { task, finished } = this.running;
        if (task.request.repository !== name || task.request.snapshot !== snapshot) {
          const reason = 'another snapshot is currently running cannot delete';
          throw concurrentExecution(name, snapshot, reason);
        }
        task.abort();
        // Unless it was too late for that, nothing is left of it.
        if (
          (await finished.then(
            () => true,
            () => false,
          )) === false
        )
          return;
      }
      await this.inTurn(async () => {
        const { repository } = await this.open(name);
        const stored = await repository.find(snapshot);
        if (this.running !== null) {
          throw concurrentExecution(name, snapshot, 'a snapshot is already running');
        }
        if (
          [...this.readings].some((one) => one.repository === name && one.snapshot === snapshot)
        ) {
          throw concurrentExecution(name, snapshot, 'cannot delete snapshot during a restore');
        }
        await repository.remove(stored);
        this.newestEnds.delete(name);
      });
    });
  }

  restore(request: RestoreRequest): Promise<Accepted<RestoreInfo>> {
    return this.guard(async () => {
      this.host.assertSpace();
      const { repository: name, snapshot } = request;
      const reading = this.startReading(name, snapshot);
      try {
        const { repository } = await this.open(name);
        const { manifest } = await repository.find(snapshot);
        const planned = planRestore(this.host.cluster.state(), request, manifest);
        const completed = this.guard(() =>
          runRestore(this.host, {
            request,
            manifest,
            planned,
            repository,
            progress: (progress) => {
              reading.progress = progress;
            },
            signal: reading.stopping.signal,
          }),
        ).finally(() => this.readings.delete(reading));
        reading.finished = completed;
        completed.catch((err: unknown) => {
          this.host.logger.error({ repository: name, snapshot, err }, 'the restore failed');
        });
        return { completed };
      } catch (error) {
        this.readings.delete(reading);
        throw error;
      }
    });
  }

  restoring(repository: string, snapshot: string): readonly RestoreProgress[] {
    return [...this.readings]
      .filter((reading) => reading.repository === repository && reading.snapshot === snapshot)
      .map(({ progress }) => progress);
  }

  verify(name: string, snapshot: string): Promise<VerifiedSnapshot> {
    return this.guard(async () => {
      const reading = this.startReading(name, snapshot);
      const work = async (): Promise<VerifiedSnapshot> => {
        const { repository } = await this.open(name);
        const { manifest } = await repository.find(snapshot);
        const sources = manifest.indices.map((source) => ({ source }));
        const files = await verifyChunks(repository, sources, {
          progress: (progress) => {
            reading.progress = progress;
          },
          signal: reading.stopping.signal,
        });
        const shards = manifest.indices.flatMap((index) => index.shards);
        return {
          files: files.size,
          bytes: sum([...files.values()].map(({ bytes }) => bytes)),
          documents: sum(shards.map(({ documents }) => documents)),
        };
      };
      const finished = work().finally(() => this.readings.delete(reading));
      reading.finished = finished;
      return finished;
    });
  }

  runningIn(repository: string | null): readonly SnapshotStatus[] {
    const status = this.running?.task.status();
    const isMeant = status !== undefined && (repository ?? status.repository) === status.repository;
    return isMeant ? [status] : [];
  }

  /**
   * When the newest complete snapshot of each repository ended, in epoch milliseconds. A repository that was not asked
   * for before is read in the background, and is missing until that is done.
   */
  newest(): ReadonlyMap<string, number> {
    const ends = new Map<string, number>();
    for (const name of this.host.cluster.state().repositories.keys()) {
      const end = this.newestEnds.get(name);
      if (end === undefined) {
        this.newestEnds.set(name, null);
        void this.findNewest(name);
      } else if (end !== null) ends.set(name, end);
    }
    return ends;
  }

  private async findNewest(name: string): Promise<void> {
    try {
      for (const { state, endedAt } of await this.manifests(name, ['_all'])) {
        const known = this.newestEnds.get(name) ?? 0;
        if (state === 'SUCCESS' && endedAt > known) this.newestEnds.set(name, endedAt);
      }
    } catch (err) {
      // Asked for again the next time: the repository may be there then.
      this.newestEnds.delete(name);
      this.host.logger.debug({ repository: name, err }, 'the snapshots cannot be listed');
    }
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.closed = true;
    this.running?.task.abort();
    const reason = new EngineError('NodeClosedException', 'node closed');
    for (const { stopping } of this.readings) stopping.abort(reason);
    await Promise.allSettled([
      this.changes,
      this.running?.finished,
      ...[...this.readings].map(({ finished }) => finished),
    ]);
  }

  /** Runs a step that begins or removes a snapshot; one after the other. */
  private inTurn<T>(step: () => Promise<T>): Promise<T> {
    const result = this.changes.then(step);
    this.changes = result.catch(() => undefined);
    return result;
  }

  /** Holds all shards of the indices; runs without a break, so that they are all held at one moment. */
  private begin(request: CreateSnapshotRequest): SnapshotTask {
    const { cluster, catalog, now } = this.host;
    const state = cluster.state();
    const names = resolveIndices(state, request.indices, request.options);
    assertNoneBlocked(state, names, 'read');
    const sources = names.map((index) => {
      const metadata = state.indices.get(index)!;
      return { metadata, shards: catalog.requireRuntime(metadata).shards };
    });
    const { templates, persistentSettings } = state;
    const global = request.includeGlobalState ? { templates, persistentSettings } : null;
    return new SnapshotTask(request, sources, global, now);
  }

  private startReading(repository: string, snapshot: string): Reading {
    this.metadata(repository);
    const reading: Reading = {
      repository,
      snapshot,
      progress: { stage: 'verify', bytes: 0, processedBytes: 0 },
      stopping: new AbortController(),
      finished: Promise.resolve(),
    };
    this.readings.add(reading);
    return reading;
  }

  private async manifests(name: string, names: readonly string[]): Promise<readonly Manifest[]> {
    const { repository } = await this.open(name);
    if (names.length === 1 && names[0] === '_all') {
      return (await repository.list()).map(({ manifest }) => manifest);
    }
    for (const snapshot of names) validateSnapshotName(name, snapshot);
    const found = await Promise.all(names.map((snapshot) => repository.find(snapshot)));
    return found.map(({ manifest }) => manifest).sort((a, b) => a.startedAt - b.startedAt);
  }

  private metadata(name: string): JsonObject {
    const metadata = this.host.cluster.state().repositories.get(name);
    if (metadata === undefined) throw repositoryMissing(name);
    return metadata;
  }

  private async open(name: string): Promise<{ repository: Repository; compress: boolean }> {
    const { roots, logger } = this.host;
    const place = repositoryPlace(name, this.metadata(name), roots);
    const repository = await Repository.open(name, place, false, logger);
    return { repository, compress: place.compress };
  }

  private checkUnused(names: readonly string[]): void {
    const used = [this.running?.task.request, ...this.readings].some(
      (user) => user !== undefined && names.includes(user.repository),
    );
    if (!used) return;
    throw new EngineError(
      'ElasticsearchIllegalStateException',
      'trying to modify or unregister repository that is currently used ',
    );
  }

  private async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      if (this.closed) throw new EngineError('NodeClosedException', 'node closed');
      return await work();
    } catch (error) {
      throw translateStorageError(error);
    }
  }
}

function infoOf(manifest: Manifest): SnapshotInfo {
  const { snapshot, indices, state, startedAt, endedAt } = manifest;
  return {
    snapshot,
    indices: indices.map(({ metadata }) => metadata.name),
    state,
    startedAt,
    endedAt,
    totalShards: sum(indices.map(({ shards }) => shards.length)),
    failures: indices.flatMap(({ metadata, shards }) =>
      shards.flatMap(({ failure }, shard) =>
        failure === null ? [] : [{ index: metadata.name, shard, reason: failure }],
      ),
    ),
  };
}

function statusOf(repository: string, manifest: Manifest): SnapshotStatus {
  const { snapshot, state, indices } = manifest;
  const shards = indices.map(
    ({ metadata, shards: all }) => [metadata.name, all.map(finishedShard)] as const,
  );
  return { snapshot, repository, state, indices: new Map(shards) };
}

function finishedShard(shard: ShardSnapshot): ShardProgress {
  const files = shard.chunks.length;
  const bytes = sum(shard.chunks.map((chunk) => chunk.bytes));
  const { documents, startedAt, tookMs, failure } = shard;
  const stage = failure === null ? 'DONE' : 'FAILURE';
  return {
    stage,
    files,
    processedFiles: files,
    bytes,
    processedBytes: bytes,
    documents,
    startedAt,
    tookMs,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
