// Repositories and snapshots of a node. One snapshot is made at a time; one that is being restored or read is
// not deleted; whatever changes a repository waits its turn.

import { SnapshotTask } from './create';
import { concurrentExecution, invalidName, repositoryMissing, validateSnapshotName } from './names';
import type { Manifest } from './manifest';
import { NewestSnapshots } from './newest-snapshots';
import { RegisteredRepositories, type RepositoriesHost } from './registered-repositories';
import { Repository } from './repository';
import type { RepositoryLock } from './repository-lock';
import { repositoryMetadata, repositoryBase } from './repository-settings';
import { runRestore, verifyChunks, type RestoreHost, type RestoreTask } from './restore';
import { planRestore, tryRestore } from './restore-plan';
import { infoOf, statusOf, verifiedOf } from './snapshot-info';
import { SnapshotReadings, type Reading } from './snapshot-readings';
import type {
  Accepted,
  CreateSnapshotRequest,
  RepositoryRequest,
  RestoreInfo,
  RestoreProgress,
  RestoreRequest,
  SnapshotInfo,
  Snapshots,
  SnapshotStatus,
  VerifiedSnapshot,
} from '../api/index';
import { matchesPattern } from '../common/index';
import { EngineError } from '../errors';
import type { JsonObject } from '../json/index';
import {
  assertNoneBlocked,
  putRepository,
  removeRepositories,
  resolveIndices,
  type ClusterLimits,
} from '../metadata/index';
import { translateStorageError } from '../shard/index';

/** What snapshots need of the node. */
interface SnapshotHost extends RestoreHost, RepositoriesHost {
  /** What restored indices must not exceed together with those that there are. */
  readonly limits: ClusterLimits;
  /** Of this node, for others that share a repository with it. */
  readonly nodeId: string;
  /** The data folder. */
  readonly dataPath: string;
}

interface Running {
  readonly task: SnapshotTask;
  readonly finished: Promise<unknown>;
}

/** Registers repositories, and makes, restores, verifies and deletes snapshots. */
export class SnapshotService implements Snapshots {
  private running: Running | null = null;
  /** The last step of {@link inTurn}. */
  private changes: Promise<unknown> = Promise.resolve();
  private closed = false;
  private readonly registered: RegisteredRepositories;
  private readonly readings = new SnapshotReadings();
  private readonly newestSnapshots: NewestSnapshots;

  constructor(private readonly host: SnapshotHost) {
    this.registered = new RegisteredRepositories(host);
    this.newestSnapshots = new NewestSnapshots(
      (name) =>
        this.registered.snapshots(name, ['_all'], ({ state, endedAt }) => ({ state, endedAt })),
      host.logger,
    );
  }

  // --- repositories ---------------------------------------------------------------------------------

  putRepository(request: RepositoryRequest): Promise<void> {
    return this.guard(async () => {
      const { name } = request;
      const { cluster, roots, logger } = this.host;
      this.checkUnused([name]);
      const metadata = repositoryMetadata(request, roots);
      const base = repositoryBase(name, metadata, roots);
      const repository = await Repository.open(name, base, true, logger);
      if (request.verify) await repository.verify();
      await cluster.change((state) => putRepository(state, name, metadata));
      this.newestSnapshots.forget(name);
    });
  }

  repositories(names: readonly string[]): ReadonlyMap<string, JsonObject> {
    return this.registered.list(names);
  }

  verifyRepository(name: string): Promise<void> {
    return this.guard(async () => (await this.registered.open(name)).repository.verify());
  }

  deleteRepositories(name: string): Promise<void> {
    return this.guard(async () => {
      const { cluster } = this.host;
      await cluster.change((state) => {
        const found = [...state.repositories.keys()].filter((one) => matchesPattern(name, one));
        if (found.length === 0 && name !== '*') throw repositoryMissing(name);
        this.checkUnused(found);
        for (const one of found) this.newestSnapshots.forget(one);
        return removeRepositories(state, found);
      });
    });
  }

  // --- making, showing and deleting -----------------------------------------------------------------

  create(request: CreateSnapshotRequest): Promise<Accepted<SnapshotInfo>> {
    return this.guard(async () => {
      const { repository: name, snapshot } = request;
      this.registered.metadata(name);
      validateSnapshotName(name, snapshot);
      // Not while a deletion removes chunks that the new snapshot may find there.
      return this.inTurn(async () => {
        const { repository, compress } = await this.registered.open(name);
        await this.checkNew(repository, request);
        let task: SnapshotTask | null = null;
        const lock = await repository.lock(this.host.nodeId, (error) => task?.abort(error));
        try {
          // Another node may have taken it until the lock was ours.
          await this.checkNew(repository, request);
          task = this.begin(request);
        } catch (error) {
          await lock.release();
          throw error;
        }
        const running = task;
        // A snapshot on the disk of the data must not take what building and committing need.
        const checkSpace = (await repository.isOnDiskOf(this.host.dataPath))
          ? this.host.checkSpace
          : (): Promise<void> => Promise.resolve();
        const completed = this.complete(name, lock, () =>
          running.run(repository, compress, this.host.log(), lock, checkSpace),
        );
        this.running = { task, finished: completed };
        completed.catch((err: unknown) => {
          this.host.logger.error({ repository: name, snapshot, err }, 'the snapshot failed');
        });
        return { completed };
      });
    });
  }

  get(repository: string, names: readonly string[]): Promise<readonly SnapshotInfo[]> {
    return this.guard(() => this.registered.snapshots(repository, names, infoOf));
  }

  status(repository: string, names: readonly string[]): Promise<readonly SnapshotStatus[]> {
    return this.guard(async () => {
      const running = this.runningIn(repository).filter(({ snapshot }) => names.includes(snapshot));
      const others = names.filter((name) => running.every(({ snapshot }) => snapshot !== name));
      if (running.length > 0 && others.length === 0) return running;
      const finished = await this.registered.snapshots(repository, others, (manifest) =>
        statusOf(repository, manifest),
      );
      return [...running, ...finished];
    });
  }

  delete(name: string, snapshot: string): Promise<void> {
    return this.guard(async () => {
      this.registered.metadata(name);
      validateSnapshotName(name, snapshot);
      if (this.running !== null) {
        const { task, finished } = this.running;
        if (task.request.repository !== name || task.request.snapshot !== snapshot) {
          const reason = 'another snapshot is currently running cannot delete';
          throw concurrentExecution(name, snapshot, reason);
        }
        task.abort();
        const isMade = await finished.then(
          () => true,
          () => false,
        );
        // Unless it was too late for that, nothing is left of it.
        if (!isMade) return;
      }
      await this.inTurn(async () => {
        const { repository } = await this.registered.open(name);
        await repository.find(snapshot);
        if (this.running !== null) {
          throw concurrentExecution(name, snapshot, 'a snapshot is already running');
        }
        if (this.readings.of(name, snapshot).length > 0) {
          throw concurrentExecution(name, snapshot, 'cannot delete snapshot during a restore');
        }
        const lock = await repository.lock(this.host.nodeId);
        try {
          // As it is now that no other node changes it.
          const stored = await repository.find(snapshot);
          await repository.remove(stored, lock);
        } finally {
          await lock.release();
        }
        this.newestSnapshots.forget(name);
      });
    });
  }

  // --- restoring and verifying ----------------------------------------------------------------------

  restore(request: RestoreRequest): Promise<Accepted<RestoreInfo>> {
    return this.guard(async () => {
      await this.host.checkSpace();
      const { repository: name, snapshot } = request;
      const reading = this.startReading(name, snapshot);
      try {
        const { repository } = await this.registered.open(name);
        const { manifest } = await repository.find(snapshot);
        const state = this.host.cluster.state();
        const planned = planRestore(state, request, manifest);
        tryRestore(state, request, manifest, planned, this.host.limits);
        const task = { request, manifest, planned, repository, ...watched(reading) };
        const completed = this.readings.until(
          reading,
          this.guard(() => runRestore(this.host, task)),
        );
        completed.catch((err: unknown) => {
          this.host.logger.error({ repository: name, snapshot, err }, 'the restore failed');
        });
        return { completed };
      } catch (error) {
        this.readings.end(reading);
        throw error;
      }
    });
  }

  restoring(repository: string, snapshot: string): readonly RestoreProgress[] {
    return this.readings.of(repository, snapshot).map(({ progress }) => progress);
  }

  verify(name: string, snapshot: string): Promise<VerifiedSnapshot> {
    return this.guard(async () => {
      const reading = this.startReading(name, snapshot);
      const work = async (): Promise<VerifiedSnapshot> => {
        const { repository } = await this.registered.open(name);
        const { manifest } = await repository.find(snapshot);
        const sources = manifest.indices.map((source) => ({ source }));
        const files = await verifyChunks(repository, sources, watched(reading));
        return verifiedOf(manifest, [...files.values()]);
      };
      return this.readings.until(reading, work());
    });
  }

  // --- what is under way ----------------------------------------------------------------------------

  runningIn(repository: string | null): readonly SnapshotStatus[] {
    const status = this.running?.task.status();
    const isMeant = status !== undefined && (repository ?? status.repository) === status.repository;
    return isMeant ? [status] : [];
  }

  /** See {@link NewestSnapshots.of}. */
  newest(): ReadonlyMap<string, number> {
    return this.newestSnapshots.of(this.host.cluster.state().repositories.keys());
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.closed = true;
    this.running?.task.abort();
    const reason = new EngineError('NodeClosedException', 'node closed');
    const readings = this.readings.stop(reason);
    await Promise.allSettled([this.changes, this.running?.finished, ...readings]);
  }

  /** Runs a step that begins or removes a snapshot; one after the other. */
  private inTurn<T>(step: () => Promise<T>): Promise<T> {
    const result = this.changes.then(step);
    this.changes = result.catch(() => undefined);
    return result;
  }

  /** Holds all shards of the indices; runs without a break, so that they are all held at one moment. */
  private begin(request: CreateSnapshotRequest): SnapshotTask {
    const { cluster, indicesService, now } = this.host;
    const state = cluster.state();
    const names = resolveIndices(state, request.indices, request.options);
    assertNoneBlocked(state, names, 'read');
    const sources = names.map((index) => {
      const metadata = state.indices.get(index)!;
      return { metadata, shards: indicesService.requireIndex(metadata).shards };
    });
    const { templates, persistentSettings } = state;
    const global = request.includeGlobalState ? { templates, persistentSettings } : null;
    return new SnapshotTask(request, sources, global, now);
  }

  /** Waits for the snapshot that is being made. */
  private async complete(
    repository: string,
    lock: RepositoryLock,
    run: () => Promise<Manifest>,
  ): Promise<SnapshotInfo> {
    try {
      const manifest = await this.guard(run);
      this.newestSnapshots.add(repository, manifest);
      return infoOf(manifest);
    } finally {
      await lock.release();
      this.running = null;
    }
  }

  /** @throws EngineError when the name is taken, or another snapshot is being made */
  private async checkNew(
    repository: Repository,
    { repository: name, snapshot }: CreateSnapshotRequest,
  ): Promise<void> {
    if ((await repository.list((manifest) => manifest.snapshot)).includes(snapshot)) {
      throw invalidName(name, snapshot, 'snapshot with such name already exists');
    }
    if (this.running !== null) {
      throw concurrentExecution(name, snapshot, 'a snapshot is already running');
    }
  }

  private startReading(repository: string, snapshot: string): Reading {
    this.registered.metadata(repository);
    return this.readings.begin(repository, snapshot);
  }

  private checkUnused(names: readonly string[]): void {
    const makes = this.running?.task.request.repository;
    const isMade = makes !== undefined && names.includes(makes);
    if (!isMade && !this.readings.useAnyOf(names)) return;
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

/** Keeps a reading up to date, and stops when it is stopped. */
function watched(reading: Reading): Pick<RestoreTask, 'progress' | 'signal'> {
  return {
    progress: (progress) => {
      reading.progress = progress;
    },
    signal: reading.stopping.signal,
  };
}
