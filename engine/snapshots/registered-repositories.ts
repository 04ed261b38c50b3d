// The repositories that the cluster state knows, and what is stored in them.

import type { Manifest } from './manifest';
import { repositoryMissing, validateSnapshotName } from './names';
import { Repository } from './repository';
import { repositoryBase } from './repository-settings';
import type { EngineLogger } from '../common/index';
import type { JsonObject } from '../json/index';
import type { ClusterStateService } from '../metadata/index';

/** What opening repositories takes. */
export interface RepositoriesHost {
  readonly cluster: ClusterStateService;
  /** Folders below which repositories may be. */
  readonly roots: readonly string[];
  readonly logger: EngineLogger;
}

/** Finds registered repositories by name. All methods throw RepositoryMissingException for an unknown one. */
export class RegisteredRepositories {
  constructor(private readonly host: RepositoriesHost) {}

  /** Type and settings of repositories by name; none or `_all`: of all. */
  list(names: readonly string[]): ReadonlyMap<string, JsonObject> {
    const { repositories } = this.host.cluster.state();
    if (names.length === 0 || (names.length === 1 && names[0] === '_all')) return repositories;
    return new Map(names.map((name) => [name, this.metadata(name)]));
  }

  /** Type and settings of a repository. */
  metadata(name: string): JsonObject {
    const metadata = this.host.cluster.state().repositories.get(name);
    if (metadata === undefined) throw repositoryMissing(name);
    return metadata;
  }

  /**
   * A repository to be read or written.
   * @throws EngineError RepositoryException when its folder is not there
   */
  async open(name: string): Promise<{ repository: Repository; compress: boolean }> {
    const { roots, logger } = this.host;
    const base = repositoryBase(name, this.metadata(name), roots);
    const repository = await Repository.open(name, base, false, logger);
    return { repository, compress: base.compress };
  }

  /**
   * What `of` takes of snapshots by name, or of all with `_all`, the oldest first. One that is named twice is
   * there once.
   *
   * @throws EngineError when one of them is missing
   */
  async snapshots<T>(
    name: string,
    snapshots: readonly string[],
    of: (manifest: Manifest) => T,
  ): Promise<readonly T[]> {
    const { repository } = await this.open(name);
    if (snapshots.length === 1 && snapshots[0] === '_all') return repository.list(of);
    for (const snapshot of snapshots) validateSnapshotName(name, snapshot);
    return repository.listOf(new Set(snapshots), of);
  }
}
