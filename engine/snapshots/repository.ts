// A repository: a folder with the chunk files and manifests of snapshots.
//
//   chunks/{SHA-256}           documents; written once, shared by all snapshots that need them
//   snapshots/{random}.json    one manifest for each snapshot
//
// A snapshot exists from the moment its manifest does, which is written last. Whatever no manifest names is
// left over from something that did not end, and is removed with the next snapshot that is deleted.

import { randomUUID, webcrypto } from 'node:crypto';
import { EngineError } from '../errors';
import { chunksOf, decodeManifest, encodeManifest, type Manifest } from './manifest';
import { invalidName, snapshotError, snapshotMissing } from './names';
import { RepositoryLock } from './repository-lock';
import { CorruptionError, DiskFullError, FileFolder, StorageError } from '../../storage/index';
import type { EngineLogger } from '../common/index';

const CHUNKS = 'chunks';
const MANIFESTS = 'snapshots';

/** A manifest with the file that it is in. */
interface StoredManifest {
  readonly file: string;
  readonly manifest: Manifest;
}

const nameOf = ({ snapshot }: Manifest): string => snapshot;

/** A folder with snapshots. */
export class Repository {
  private constructor(
    readonly name: string,
    private readonly chunks: FileFolder,
    private readonly manifests: FileFolder,
    private readonly logger: EngineLogger,
  ) {}

  /**
   * Opens a repository.
   *
   * @param create make what is missing of it
   * @throws EngineError RepositoryException when it cannot be used
   */
  static async open(
    name: string,
    base: { readonly root: string; readonly path: string },
    create: boolean,
    logger: EngineLogger,
  ): Promise<Repository> {
    return attempt(name, async () => {
      const open = (folder: string): Promise<FileFolder> =>
        FileFolder.open(base.root, `${base.path}/${folder}`, create);
      return new Repository(name, await open(CHUNKS), await open(MANIFESTS), logger);
    });
  }

  /** Whether it is on the same disk as another folder. */
  async isOnDiskOf(path: string): Promise<boolean> {
    return this.attempt(() => this.chunks.isOnDiskOf(path));
  }

  /** Writes and removes a file. @throws EngineError RepositoryVerificationException */
  async verify(): Promise<void> {
    const probe = `${randomUUID()}.tmp`;
    try {
      await this.manifests.write(probe, Buffer.from(probe));
      await this.manifests.read(probe);
      await this.manifests.remove(probe);
    } catch (error) {
      throw new EngineError('RepositoryVerificationException', `[${this.name}] is not accessible`, {
        cause: error,
      });
    }
  }

  /**
   * Stores a chunk unless it is there already and whole: one that was damaged since is written again.
   *
   * @returns its name, and whether it had to be written
   */
  writeChunk(bytes: Buffer): Promise<{ readonly file: string; readonly isNew: boolean }> {
    return this.attempt(async () => {
      const file = await sha256(bytes);
      const isThere = (await this.chunks.sizeOf(file)) === bytes.length;
      if (isThere && (await this.isWhole(file, bytes))) return { file, isNew: false };
      await this.chunks.write(file, bytes);
      return { file, isNew: true };
    });
  }

  /** A chunk whose checksum is right. @throws EngineError CorruptIndexException that names the file */
  readChunk(file: string): Promise<Buffer> {
    return this.attempt(async () => {
      const bytes = await this.chunks.read(file);
      if ((await sha256(bytes)) !== file) {
        throw new CorruptionError(`${file} is damaged: checksum mismatch`);
      }
      return bytes;
    });
  }

  /**
   * Keeps all other nodes from changing the repository. Who writes into it, or removes something, has to hold
   * it.
   * @throws EngineError ConcurrentSnapshotExecutionException (503) while another node does
   */
  lock(nodeId: string, onLost?: (error: EngineError) => void): Promise<RepositoryLock> {
    const options = { repository: this.name, nodeId, logger: this.logger };
    return this.attempt(() =>
      RepositoryLock.take(this.manifests, onLost === undefined ? options : { ...options, onLost }),
    );
  }

  /**
   * Makes a snapshot of chunks that were written; from now on it exists.
   * @throws EngineError InvalidSnapshotNameException when another one has got its name meanwhile
   */
  putManifest(manifest: Manifest, lock: RepositoryLock): Promise<void> {
    return this.attempt(async () => {
      await this.chunks.sync();
      await lock.check();
      const { snapshot } = manifest;
      if ((await this.list(nameOf)).includes(snapshot)) {
        throw invalidName(this.name, snapshot, 'snapshot with such name already exists');
      }
      await this.manifests.write(`${randomUUID()}.json`, encodeManifest(manifest));
      await this.manifests.sync();
    });
  }

  /**
   * What `of` takes of each snapshot, the oldest first: manifests may be large, and are kept one at a time.
   * Those that cannot be read are reported and left out.
   */
  async list<T>(of: (manifest: Manifest) => T): Promise<readonly T[]> {
    return (await this.readManifests(({ manifest }) => of(manifest))).taken;
  }

  /**
   * What `of` takes of the snapshots of these names, the oldest first.
   * @throws EngineError as {@link find}
   */
  async listOf<T>(
    snapshots: ReadonlySet<string>,
    of: (manifest: Manifest) => T,
  ): Promise<readonly T[]> {
    const missing = new Set(snapshots);
    const { taken, damaged } = await this.readManifests(({ manifest }) =>
      missing.delete(manifest.snapshot) ? { what: of(manifest) } : null,
    );
    for (const snapshot of missing) throw this.notFound(snapshot, damaged);
    return taken.flatMap((found) => (found === null ? [] : [found.what]));
  }

  /**
   * The snapshot of that name.
   *
   * @throws EngineError SnapshotMissingException; SnapshotException when it may be one whose manifest is
   *   damaged
   */
  async find(snapshot: string): Promise<StoredManifest> {
    const { taken, damaged } = await this.readManifests((stored) =>
      stored.manifest.snapshot === snapshot ? stored : null,
    );
    const found = taken.find((stored) => stored !== null);
    if (found == null) throw this.notFound(snapshot, damaged);
    return found;
  }

  private notFound(snapshot: string, damaged: readonly string[]): EngineError {
    if (damaged.length === 0) return snapshotMissing(this.name, snapshot);
    const reason = `is missing, or has one of the damaged manifests [${damaged.join(', ')}]`;
    return snapshotError('SnapshotException', this.name, snapshot, reason);
  }

  /** Removes a snapshot and all chunks that no other one needs. */
  async remove({ file }: StoredManifest, lock: RepositoryLock): Promise<void> {
    await this.attempt(async () => {
      await lock.check();
      await this.manifests.remove(file);
      await this.manifests.sync();
    });
    await this.collectGarbage(lock);
  }

  /** Removes chunks that no manifest names. Nobody may be writing into the repository. */
  async collectGarbage(lock: RepositoryLock): Promise<void> {
    await this.attempt(() => lock.check());
    const { taken, damaged } = await this.readManifests(({ manifest }) => [
      ...chunksOf(manifest.indices).keys(),
    ]);
    if (damaged.length > 0) {
      // One of them may need any of the chunks.
      this.logger.warn(
        { repository: this.name, damaged },
        'chunks are kept: a manifest is damaged',
      );
      return;
    }
    await this.attempt(async () => {
      const needed = new Set(taken.flat());
      for (const file of await this.chunks.list()) {
        if (!needed.has(file)) await this.chunks.remove(file);
      }
      await this.chunks.removeUnfinished();
      await this.manifests.removeUnfinished();
    });
  }

  private async isWhole(file: string, bytes: Buffer): Promise<boolean> {
    try {
      if ((await this.chunks.read(file)).equals(bytes)) return true;
    } catch (error) {
      // A file that the disk cannot read any more is damaged, too.
      if (!(error instanceof StorageError)) throw error;
    }
    this.logger.warn({ repository: this.name, file }, 'a damaged chunk is written again');
    return false;
  }

  private readManifests<T>(
    of: (stored: StoredManifest) => T,
  ): Promise<{ readonly taken: readonly T[]; readonly damaged: readonly string[] }> {
    return this.attempt(async () => {
      const taken: { readonly startedAt: number; readonly what: T }[] = [];
      const damaged: string[] = [];
      for (const file of await this.manifests.list()) {
        if (!file.endsWith('.json')) continue;
        try {
          const manifest = decodeManifest(file, await this.manifests.read(file));
          taken.push({ startedAt: manifest.startedAt, what: of({ file, manifest }) });
        } catch (error) {
          if (!isDamage(error)) throw error;
          damaged.push(`${MANIFESTS}/${file}`);
          this.logger.warn({ repository: this.name, file, err: error }, 'a manifest is damaged');
        }
      }
      taken.sort((a, b) => a.startedAt - b.startedAt);
      return { taken: taken.map(({ what }) => what), damaged };
    });
  }

  private attempt<T>(work: () => Promise<T>): Promise<T> {
    return attempt(this.name, work);
  }
}

/** Translates what goes wrong with files of a repository. */
async function attempt<T>(repository: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error instanceof CorruptionError) {
      throw new EngineError('CorruptIndexException', `[${repository}] ${error.message}`);
    }
    const reason = error instanceof DiskFullError ? 'the disk is full' : 'is not accessible';
    throw new EngineError('RepositoryException', `[${repository}] ${reason}: ${error.message}`);
  }
}

function isDamage(error: unknown): boolean {
  return (
    error instanceof CorruptionError ||
    (error instanceof EngineError && error.wireName === 'CorruptIndexException')
  );
}

/** On another thread. */
async function sha256(bytes: Buffer): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}
