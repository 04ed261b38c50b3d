// What the snapshot service can do, as routes see it.

import type { JsonObject } from '../json/index';
import type { FlatSettings, IndicesOptions } from '../metadata/index';

/** A repository as a request describes it. */
export interface RepositoryRequest {
  readonly name: string;
  /** `fs`, or a name of no kind of repository. */
  readonly type: string;
  readonly settings: FlatSettings;
  /** Try whether it can be written to. */
  readonly verify: boolean;
}

/** A snapshot to be made. */
export interface CreateSnapshotRequest {
  readonly repository: string;
  readonly snapshot: string;
  /** Index expression; empty: all. */
  readonly indices: readonly string[];
  readonly options: IndicesOptions;
  readonly includeGlobalState: boolean;
  /** Go on without shards that are damaged. */
  readonly partial: boolean;
}

/** What is to be restored of a snapshot, and under which names. */
export interface RestoreRequest {
  readonly repository: string;
  readonly snapshot: string;
  /** Names and patterns of indices in the snapshot; empty: all. */
  readonly indices: readonly string[];
  readonly ignoreUnavailable: boolean;
  /** Regular expression and replacement (`$1`) by which indices are renamed; undefined: not at all. */
  readonly renamePattern: string | undefined;
  readonly renameReplacement: string | undefined;
  readonly includeAliases: boolean;
  readonly includeGlobalState: boolean;
  /** Restore indices of which shards are missing in the snapshot; those are empty. */
  readonly partial: boolean;
  /** With the prefix `index.`. */
  readonly indexSettings: FlatSettings;
  /** Names and patterns of settings. */
  readonly ignoreIndexSettings: readonly string[];
}

/** A shard that is not in a snapshot. */
interface SnapshotFailure {
  readonly index: string;
  readonly shard: number;
  readonly reason: string;
}

/** What a snapshot holds. */
export interface SnapshotInfo {
  readonly snapshot: string;
  readonly indices: readonly string[];
  readonly state: SnapshotState;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly totalShards: number;
  readonly failures: readonly SnapshotFailure[];
}

/** How far the snapshot of a shard has got. */
type ShardStage = 'INIT' | 'STARTED' | 'DONE' | 'FAILURE';

/** Files and bytes of one shard in a snapshot; of a running one the totals are an estimate. */
export interface ShardProgress {
  readonly stage: ShardStage;
  readonly files: number;
  readonly processedFiles: number;
  readonly bytes: number;
  readonly processedBytes: number;
  readonly documents: number;
  readonly startedAt: number;
  readonly tookMs: number;
}

/** A snapshot that is being made, or what there is of a finished one. */
export interface SnapshotStatus {
  readonly snapshot: string;
  readonly repository: string;
  readonly state: SnapshotState | 'STARTED';
  /** Shards by number, by index. */
  readonly indices: ReadonlyMap<string, readonly ShardProgress[]>;
}

/** What a restore came to. */
export interface RestoreInfo {
  readonly snapshot: string;
  readonly indices: readonly string[];
  readonly shards: number;
}

/** How far a restore, or a verification, has got: its step, and of that so many bytes of so many. */
export interface RestoreProgress {
  readonly stage: 'verify' | 'write' | 'index';
  readonly bytes: number;
  readonly processedBytes: number;
}

/** What was read back of a snapshot. */
export interface VerifiedSnapshot {
  readonly files: number;
  readonly bytes: number;
  readonly documents: number;
}

/** Work that was accepted; `completed` settles when it is done. */
export interface Accepted<T> {
  readonly completed: Promise<T>;
}

/** Repositories and snapshots. All errors are EngineErrors of the reference server's names. */
export interface Snapshots {
  /** Adds or replaces a repository. */
  putRepository(request: RepositoryRequest): Promise<void>;
  /** Repositories by name, `{"type", "settings"}`; `names` empty or `_all`: all. */
  repositories(names: readonly string[]): ReadonlyMap<string, JsonObject>;
  /** Tries whether a repository can be written to. */
  verifyRepository(name: string): Promise<void>;
  /** Forgets the repositories that a name or pattern matches; their files stay. */
  deleteRepositories(name: string): Promise<void>;
  create(request: CreateSnapshotRequest): Promise<Accepted<SnapshotInfo>>;
  /** Snapshots by name, or all with `_all`, the oldest first. */
  get(repository: string, names: readonly string[]): Promise<readonly SnapshotInfo[]>;
  /** The snapshot that is being made, if it is in `repository` (null: any). */
  runningIn(repository: string | null): readonly SnapshotStatus[];
  status(repository: string, names: readonly string[]): Promise<readonly SnapshotStatus[]>;
  /** Removes a snapshot, or ends the making of it. */
  delete(repository: string, snapshot: string): Promise<void>;
  restore(request: RestoreRequest): Promise<Accepted<RestoreInfo>>;
  /** How far restores and verifications of a snapshot have got. */
  restoring(repository: string, snapshot: string): readonly RestoreProgress[];
  /** Reads every file of a snapshot back and compares checksums. */
  verify(repository: string, snapshot: string): Promise<VerifiedSnapshot>;
}

/** How the making of a snapshot ended. */
export type SnapshotState = 'SUCCESS' | 'PARTIAL' | 'FAILED';
