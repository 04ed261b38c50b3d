// The storage of one node: opening, failing, reopening and closing a data folder.
//
// While it is open, `log` and `segments` are the stores of the present session. A failed batch ends a
// session: its stores refuse all writes for good, so nothing that was decided on state which may not be on
// disk can slip into the next one. After `reopen` the getters return new stores.

import { CommitRecorder, type CommitStats } from './commit-recorder';
import {
  claimDataDir,
  forgetOpening,
  isInUse,
  noteOpening,
  releaseDataDir,
  type DataDir,
} from './data-dir';
import { messageOf } from './error-cause';
import {
  ClosedError,
  CorruptionError,
  DiskFullError,
  SegmentDamageError,
  StorageFailure,
} from './errors';
import type { DatabaseName, KeyValueDatabase } from './key-value-database';
import { mendLists } from './mend-lists';
import { openingBytes, Reserve } from './reserve';
import { Session, type SessionOptions } from './session';
import { TableWatch, type TableCheckTimes } from './table-watch';
import type { LogStore, SegmentId, SegmentStore } from './types';
import type { TidyOptions } from './idle-compactor';
import type { StorageLocation } from './worker-access';

const MAX_HELD_BATCH_NUMBERS = 20_000;

/** How to open a data folder. */
export interface StorageOptions {
  /** The data folder; created when it does not exist. */
  readonly path: string;
  /**
   * Told once for each database whose batch failed. The session takes no more writes there: drop state,
   * `reopen`.
   */
  readonly onFailure?: (error: StorageFailure, database: DatabaseName) => void;
  /** Told about what the operator should know but what does not stop the node. */
  readonly onWarning?: (message: string) => void;
  /** Goes on although acknowledged writes are missing or the stamp is lost; for one start, by an operator. */
  readonly acceptDataLoss?: boolean;
  /** Batch numbers held before a flush is forced to trim them. Default 20,000. */
  readonly maxHeldBatchNumbers?: number;
  /** When the databases give space back. */
  readonly tidy?: TidyOptions;
  /** Whether tables are checked before they are opened, after an end without `close`. Default true. */
  readonly checkAfterCrash?: boolean;
  /** When tables are checked in the background. */
  readonly tableChecks?: TableCheckTimes;
  /** Puts a wrapper around each database, for fault injection. */
  readonly wrap?: (database: KeyValueDatabase) => KeyValueDatabase;
}

/** Counters of a storage. */
interface StorageStats {
  /** Batches since it was opened first. */
  readonly commits: CommitStats;
  /** Units that wait for their batch now. */
  readonly queuedUnits: number;
  /** How often a damaged `segments` database was set aside since it was opened first. */
  readonly segmentsSetAside: number;
  /** Tables that were damaged when they were checked last. */
  readonly damagedTables: number;
  /** Lowest and highest batch number held. */
  readonly batchNumbers: { readonly floor: number; readonly last: number };
}

/** One open data folder. Main opens it before any worker does, and closes it after all of them. */
export class Storage {
  private session: Session | null = null;
  private id = '';
  private closing = false;
  /** Life cycle steps run one after the other. */
  private steps: Promise<unknown> = Promise.resolve();
  /** The batch number at which numbers are trimmed without being asked. */
  private trimAt = 0;
  private segmentsSetAside = 0;
  private readonly reserve: Reserve;
  private readonly tables: TableWatch;
  private readonly recorder = new CommitRecorder();
  private readonly onWarning: (message: string) => void;

  private constructor(
    private readonly options: StorageOptions,
    private readonly folder: string,
    /** Whether the folder was made by this open. */
    readonly isNew: boolean,
    /** Whether the last use of the folder ended without `close`. */
    readonly wasInterrupted: boolean,
  ) {
    this.reserve = new Reserve(folder);
    this.onWarning = options.onWarning ?? (() => undefined);
    this.tables = new TableWatch(folder, {
      onWarning: this.onWarning,
      onMarked: (database, { file, problem }) =>
        this.options.onFailure?.(
          new StorageFailure(
            'storage is opened again',
            new CorruptionError(`the table ${file} is damaged: ${problem}`),
          ),
          database,
        ),
      times: options.tableChecks ?? {},
    });
  }

  /**
   * Opens a data folder, or makes one of an empty or missing folder.
   * @throws LockedError when it is open elsewhere; DataLossError when acknowledged writes are missing;
   *         CorruptionError; FormatVersionError (exit with 78); DataFolderError; DiskFullError.
   */
  static async open(options: StorageOptions): Promise<Storage> {
    const claim = {
      acceptLostStamp: options.acceptDataLoss === true,
      onWarning: options.onWarning ?? ((): void => undefined),
    };
    const dir = await claimDataDir(options.path, claim);
    try {
      const isNew = isNewFolder(dir);
      const interrupted = !isNew && dir.stamp?.state !== 'closed';
      const storage = new Storage(options, dir.path, isNew, interrupted);
      await storage.openFirst();
      return storage;
    } catch (error) {
      releaseDataDir(dir.path);
      throw error;
    }
  }

  /** Documents, versions, commit points, metadata. @throws ClosedError when closed or not reopened. */
  get log(): LogStore {
    return this.current().log;
  }

  /** Segment blocks. @throws ClosedError when closed or not reopened. */
  get segments(): SegmentStore {
    return this.current().segments;
  }

  /** A random id made with the folder. */
  get nodeId(): string {
    return this.id;
  }

  /** What worker threads open their access with; plain data. */
  get location(): StorageLocation {
    return { path: this.folder };
  }

  /** What broke the present session, or null. */
  get failure(): StorageFailure | null {
    return this.session?.failure ?? null;
  }

  /**
   * Ends the present session and opens the databases again: after a failure, when reading can be
   * interrupted and writing is likely to work. All workers must have closed their access before, or they
   * would keep the broken handle alive. It needs `reopenBytes` of free disk space. When it throws
   * there is no session; try again later.
   * @param damage of the `segments` database as a whole, which is set aside then
   * @throws as `open`.
   */
  reopen(damage: SegmentDamageError | null = null): Promise<void> {
    return this.step(async () => {
      if (this.closing) throw closed();
      await this.end();
      await this.openSession(false, false, damage);
    });
  }

  /**
   * Finds the damaged tables that a batch of the log failed over, which LevelDB does not name.
   * @returns the failure with their names, or as it was
   */
  async explain(failure: Error): Promise<Error> {
    const { cause } = failure;
    const isDamage = cause instanceof CorruptionError && !(cause instanceof SegmentDamageError);
    if (!(failure instanceof StorageFailure) || !isDamage) return failure;
    if (this.tables.damages('log').length === 0) {
      await this.tables.checkNow(['log'], 'a write failed over damage');
    }
    const found = this.tables.damages('log').map(({ file, problem }) => `${file}: ${problem}`);
    const isSaid = found.length === 0 || cause.message.includes(found[0]!);
    if (isSaid) return failure;
    return new StorageFailure(
      failure.message,
      new CorruptionError(`${cause.message} (${found.join('; ')})`, cause),
    );
  }

  /**
   * Free bytes of the disk that {@link reopen} needs now. What is kept for it is not counted, because it is
   * used then.
   */
  async reopenBytes(): Promise<number> {
    return Math.max(0, (await openingBytes(this.folder)) - (await this.reserve.size()));
  }

  /**
   * Keeps space on a scarce disk for opening the databases, also by a start after a crash; to be called now
   * and then. Never fails.
   * @param keepFree bytes of the disk that are left for everything else
   */
  async keepReserve(keepFree: number): Promise<void> {
    if (this.session !== null && this.session.failure === null) await this.reserve.fit(keepFree);
  }

  /**
   * Why the `segments` database was found empty, with none of the segments that commit points name, when this
   * session was opened: it was damaged and set aside. Null: it was not.
   */
  get segmentsLost(): SegmentDamageError | null {
    return this.session?.segmentsLost ?? null;
  }

  /** Keeps what can be read of a damaged segment in the data folder, for the operator. */
  async keepDamagedSegment(segment: SegmentId): Promise<void> {
    await this.session?.keepDamagedSegment(segment);
  }

  /**
   * Writes the present mark into the stamp and trims batch numbers; after commits, about once a second at
   * most. Costs two syncs. @throws DiskFullError, InputOutputError, StorageFailure; nothing is lost then.
   */
  checkpoint(): Promise<void> {
    return this.step(() => this.checkpointNow());
  }

  /** Waits for queued units, stamps the folder and closes it. Idempotent. */
  close(): Promise<void> {
    return this.step(async () => {
      if (this.closing) return;
      this.closing = true;
      await this.tables.stop();
      await this.end();
      releaseDataDir(this.folder);
    });
  }

  /** The counters as they are now; also between two sessions. */
  stats(): StorageStats {
    const { session } = this;
    return {
      commits: this.recorder.stats(),
      queuedUnits: session?.committer.queued ?? 0,
      segmentsSetAside: this.segmentsSetAside,
      damagedTables: this.tables.damages('log').length + this.tables.damages('segments').length,
      batchNumbers: session?.batchNumbers ?? { floor: 0, last: 0 },
    };
  }

  /** Bytes of all files of each database. */
  diskUsage(): Promise<Readonly<Record<DatabaseName, number>>> {
    return this.current().diskUsage();
  }

  /** The first session. What LevelDB could end the process over is looked for if it may just have done so. */
  private async openFirst(): Promise<void> {
    const { folder, isNew } = this;
    const { acceptDataLoss, checkAfterCrash } = this.options;
    // Of a folder in use nothing may be marked or noted; opening it says that it is.
    const isOurs = !isNew && !(await isInUse(folder));
    const hasFailed = isOurs && (await noteOpening(folder));
    const checksFirst = isOurs && (this.wasInterrupted || hasFailed) && checkAfterCrash !== false;
    try {
      if (isOurs && this.wasInterrupted) await mendLists(folder, this.onWarning);
      if (checksFirst) {
        await this.tables.checkNow(['log', 'segments'], 'the last process ended unexpectedly');
      }
      await this.openSession(acceptDataLoss === true, isNew, null);
    } finally {
      if (isOurs) await forgetOpening(folder);
    }
    this.tables.start(checksFirst);
  }

  /** What is kept for it is used when the disk is full. */
  private async openSession(
    acceptDataLoss: boolean,
    isNew: boolean,
    damage: SegmentDamageError | null,
  ): Promise<void> {
    const options = this.sessionOptions(acceptDataLoss);
    await this.reserve.makeRoom();
    try {
      this.start(await Session.open(options, isNew, damage));
    } catch (error) {
      if (!(error instanceof DiskFullError)) throw error;
      if (await this.reserve.release()) this.start(await Session.open(options, isNew, damage));
      else throw await this.explainFull(error);
    }
  }

  private async explainFull(error: DiskFullError): Promise<DiskFullError> {
    const megabytes = Math.ceil((await openingBytes(this.folder)) / (1024 * 1024));
    const hint = `make ${megabytes} MB of space: as much as its write-ahead files hold`;
    return new DiskFullError(`${error.message}; ${hint}`, error);
  }

  private start(session: Session): void {
    this.session = session;
    if (session.segmentsLost !== null) this.segmentsSetAside++;
    this.id = session.nodeId;
    this.trimAt = session.batchNumbers.floor + this.maxHeld();
  }

  private async end(): Promise<void> {
    const session = this.session;
    if (session === null) return;
    await session.close();
    this.session = null;
  }

  private async checkpointNow(): Promise<void> {
    const session = this.current();
    await session.checkpoint();
    this.trimAt = session.batchNumbers.floor + this.maxHeld();
  }

  private sessionOptions(acceptDataLoss: boolean): SessionOptions {
    return {
      folder: this.folder,
      acceptDataLoss,
      maxHeldBatchNumbers: this.maxHeld(),
      wrap: this.options.wrap ?? ((database) => database),
      onWarning: this.onWarning,
      onFailure: this.options.onFailure ?? ((): void => undefined),
      onBatch: (batch) => this.trimWhenDue(batch),
      recorder: this.recorder,
      tidy: this.options.tidy ?? {},
    };
  }

  private trimWhenDue(batch: number): void {
    if (batch < this.trimAt) return;
    this.trimAt = batch + this.maxHeld();
    this.checkpoint().catch((error: unknown) => {
      // Holding more numbers than wanted is harmless; a failed batch reports itself.
      this.onWarning(`batch numbers were not trimmed: ${messageOf(error)}`);
    });
  }

  private maxHeld(): number {
    return this.options.maxHeldBatchNumbers ?? MAX_HELD_BATCH_NUMBERS;
  }

  private current(): Session {
    if (this.session === null) throw closed();
    return this.session;
  }

  private step<R>(run: () => Promise<R>): Promise<R> {
    const result = this.steps.then(run);
    this.steps = result.catch(() => undefined);
    return result;
  }
}

/** New: never used, or its creation was interrupted. */
function isNewFolder(dir: DataDir): boolean {
  return dir.stamp === null ? !dir.stampLost : dir.stamp.state === 'creating';
}

function closed(): ClosedError {
  return new ClosedError('the storage is closed');
}
