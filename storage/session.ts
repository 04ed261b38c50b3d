// One opened pair of databases, from open until close or failure: creation, the checks at open, and the
// trimming of batch numbers. Storage owns at most one session at a time.

import { randomBytes } from 'node:crypto';

import {
  dataLossError,
  FlushProof,
  isIncomplete,
  numberAfterLoss,
  readBatchNumbers,
  removeNumbersBelow,
  renumberOperations,
  type BatchNumbers,
} from './batch-numbers';
import { Committer } from './committer';
import type { CommitRecorder } from './commit-recorder';
import { databasePath } from './data-dir';
import { messageOf } from './error-cause';
import type { SegmentDamageError } from './errors';
import { CorruptionError, DataFolderError, type StorageFailure } from './errors';
import type { DatabaseName, KeyValueDatabase } from './key-value-database';
import { BATCH_FLOOR_KEY, batchNumberKey } from './keys';
import { DatabaseLogStore } from './log-store';
import { DatabaseSegmentStore } from './segment-store';
import { keepDamagedSegment } from './set-aside';
import {
  publishStamp,
  readStamp,
  syncFolder,
  writeStamp,
  type Stamp,
  type StampState,
} from './stamp';
import {
  closeQuietly,
  identityOperation,
  type DatabaseOptions,
  openDatabase,
  openSegments,
  readIdentity,
} from './open-databases';
import type { TidyOptions } from './idle-compactor';
import type { SegmentId } from './types';
import { encodeBatchFloor } from './values';

const TRIM_STEP = 4096;
/** Fewer numbers than this are not worth a batch of their own. */
const MIN_TRIM = 256;

/** What a session needs of its owner. */
export interface SessionOptions extends DatabaseOptions {
  readonly acceptDataLoss: boolean;
  /** Numbers held before a flush is forced to trim them. */
  readonly maxHeldBatchNumbers: number;
  readonly onFailure: (error: StorageFailure, database: DatabaseName) => void;
  readonly onBatch: (batch: number) => void;
  /** Where batches of the log are counted. */
  readonly recorder: CommitRecorder;
  /** When the databases give space back. */
  readonly tidy: TidyOptions;
}

/** Both databases, open and checked. */
export class Session {
  readonly log: DatabaseLogStore;
  readonly segments: DatabaseSegmentStore;
  readonly committer: Committer;
  private readonly proof: FlushProof;

  private constructor(
    readonly nodeId: string,
    private readonly options: SessionOptions,
    private readonly databases: Databases,
    /** The lowest batch number held. */
    private floor: number,
    last: number,
    /** Why the `segments` database was set aside when this session was opened; null: it was not. */
    readonly segmentsLost: SegmentDamageError | null,
  ) {
    const { onFailure, onBatch, recorder, tidy } = options;
    this.committer = new Committer(databases.log, {
      nextBatch: last + 1,
      onFailure: (error) => onFailure(error, 'log'),
      onBatch,
      recorder,
      tidy,
    });
    this.log = new DatabaseLogStore(databases.log, this.committer);
    this.segments = new DatabaseSegmentStore(
      databases.segments,
      (error) => onFailure(error, 'segments'),
      tidy,
    );
    this.proof = new FlushProof(databases.log, last);
  }

  /**
   * Opens the databases of a folder whose stamp is there, is `creating`, or may be missing.
   *
   * Opening `log` takes the lock; only what the stamp says after that counts, and only a holder of the
   * lock replaces the stamp. Two processes that meet in an empty folder therefore cannot undo each other.
   *
   * A `segments` database that is damaged does not keep the node from starting: it is set aside, and an empty
   * one is made. This comes last, when `log` has turned out to be whole.
   * @param isNew nothing was ever acknowledged in this folder, as far as could be seen without the lock.
   * @param known damage of the `segments` database that was found before, or null.
   * @throws DataLossError, CorruptionError, DataFolderError, LockedError, DiskFullError.
   */
  static async open(
    options: SessionOptions,
    isNew: boolean,
    known: SegmentDamageError | null = null,
  ): Promise<Session> {
    const { folder } = options;
    if (isNew) await publishStamp(folder, { nodeId: newNodeId(), state: 'creating', batch: 0 });
    const log = await openDatabase(options, 'log', isNew);
    const opened: KeyValueDatabase[] = [log];
    try {
      const stamp = await readStampUnderLock(folder, options.acceptDataLoss);
      if (stamp?.state !== 'creating')
        return await Session.check(options, log, opened, stamp, known);
      const segments = await openDatabase(options, 'segments', true);
      opened.push(segments);
      return await Session.create(options, { log, segments }, stamp.nodeId);
    } catch (error) {
      await closeQuietly(opened, options.onWarning);
      throw error;
    }
  }

  /**
   * The stamp says `creating` until the databases are complete and durable; a start after a crash repeats
   * this.
   */
  private static async create(
    options: SessionOptions,
    databases: Databases,
    nodeId: string,
  ): Promise<Session> {
    const { folder } = options;
    const first = 1;
    const identity = identityOperation(nodeId);
    await databases.log.batch([identity, ...renumberOperations(first)]);
    await databases.segments.batch([identity]);
    for (const name of ['log', 'segments'] as const) await syncFolder(databasePath(folder, name));
    await syncFolder(folder);
    await writeStamp(folder, { nodeId, state: 'open', batch: first });
    return new Session(nodeId, options, databases, first, first, null);
  }

  /**
   * Checks that nothing acknowledged is missing, and opens `segments`.
   * @param opened takes the databases that are to be closed when this fails
   * @param stamp null when it is lost and that was accepted
   */
  private static async check(
    options: SessionOptions,
    log: KeyValueDatabase,
    opened: KeyValueDatabase[],
    stamp: Stamp | null,
    known: SegmentDamageError | null,
  ): Promise<Session> {
    const { onWarning, acceptDataLoss } = options;
    const mark = stamp?.batch ?? 0;
    const found = readIdentity(log, stamp?.nodeId ?? null);
    const nodeId = stamp?.nodeId ?? found ?? newNodeId();
    const numbers = await readNumbers(log, mark, acceptDataLoss);
    let floor = numbers?.floor ?? 0;
    let last = numbers?.last ?? 0;
    if (numbers === null || found === null || isIncomplete(numbers)) {
      const loss = dataLossError(numbers, mark);
      if (!acceptDataLoss) throw loss;
      onWarning(`data loss accepted: ${loss.message}`);
      floor = last = numberAfterLoss(numbers, mark);
      const stale = numbers === null ? [] : await removeNumbersBelow(log, floor);
      await log.batch([identityOperation(nodeId), ...stale, ...renumberOperations(floor)]);
    }
    const { segments, lost } = await openSegments(options, nodeId, known);
    opened.push(segments);
    const databases = { log, segments };
    const session = new Session(nodeId, options, databases, floor, last, lost);
    try {
      await session.writeStamp('open');
    } catch (error) {
      // A full disk must not keep the node from starting: reads still work.
      onWarning(`the stamp could not be written at open: ${messageOf(error)}`);
    }
    return session;
  }

  /** Lowest and highest batch number held. */
  get batchNumbers(): { readonly floor: number; readonly last: number } {
    return { floor: this.floor, last: this.committer.lastBatch };
  }

  /** What broke one of the handles, or null. */
  get failure(): StorageFailure | null {
    return this.committer.failure ?? this.segments.failure;
  }

  /** Rewrites the stamp with the current mark and trims what is proven to be in tables. */
  async checkpoint(): Promise<void> {
    const mark = this.committer.lastBatch;
    await this.proof.observe(mark);
    const { maxHeldBatchNumbers } = this.options;
    const held = mark - this.floor + 1;
    const unproven = mark - this.proof.batch;
    if (held > maxHeldBatchNumbers && unproven > maxHeldBatchNumbers / 2)
      await this.proof.force(mark);
    await this.writeStamp('open');
    await this.trim(this.proof.batch);
  }

  /** Waits for what is queued, stamps the folder as left cleanly unless something failed, and closes. */
  async close(): Promise<void> {
    await this.committer.close();
    await this.segments.close();
    if (this.failure === null) {
      try {
        await this.writeStamp('closed');
      } catch (error) {
        // An older mark is true as well; only a loss of the very last batches would go unnoticed.
        this.options.onWarning(`the stamp could not be written at close: ${messageOf(error)}`);
      }
    }
    await closeQuietly([this.databases.log, this.databases.segments], this.options.onWarning);
  }

  /** Keeps what can be read of a damaged segment for the operator. */
  keepDamagedSegment(segment: SegmentId): Promise<void> {
    const { folder, onWarning } = this.options;
    return keepDamagedSegment(folder, this.databases.segments, segment, onWarning);
  }

  /** Bytes on disk. */
  async diskUsage(): Promise<Readonly<Record<DatabaseName, number>>> {
    const [log, segments] = await Promise.all([
      this.databases.log.diskBytes(),
      this.databases.segments.diskBytes(),
    ]);
    return { log, segments };
  }

  private async trim(upTo: number): Promise<void> {
    if (upTo - this.floor + 1 < Math.min(MIN_TRIM, this.options.maxHeldBatchNumbers / 2)) return;
    while (this.floor <= upTo) {
      const from = this.floor;
      const floor = Math.min(from + TRIM_STEP, upTo + 1);
      await this.committer.submitInternal((floor - from) * 8, (batch) => {
        for (let number = from; number < floor; number++) batch.remove(batchNumberKey(number));
        batch.put(BATCH_FLOOR_KEY, encodeBatchFloor(BATCH_FLOOR_KEY, floor));
      });
      this.floor = floor;
    }
  }

  private async writeStamp(state: StampState): Promise<void> {
    await writeStamp(this.options.folder, {
      nodeId: this.nodeId,
      state,
      batch: this.committer.lastBatch,
    });
  }
}

interface Databases {
  readonly log: KeyValueDatabase;
  readonly segments: KeyValueDatabase;
}

/**
 * Null when it is missing or damaged and that was accepted, which the claim of the folder has found before.
 */
async function readStampUnderLock(folder: string, acceptLoss: boolean): Promise<Stamp | null> {
  try {
    const stamp = await readStamp(folder);
    if (stamp !== undefined) return stamp;
  } catch (error) {
    if (!acceptLoss || !(error instanceof CorruptionError)) throw error;
  }
  if (!acceptLoss) throw new DataFolderError('the stamp of the data folder is gone');
  return null;
}

/** Null when they cannot be read and that was accepted. */
async function readNumbers(
  database: KeyValueDatabase,
  mark: number,
  acceptLoss: boolean,
): Promise<BatchNumbers | null> {
  try {
    return await readBatchNumbers(database, mark);
  } catch (error) {
    if (acceptLoss && error instanceof CorruptionError) return null;
    throw error;
  }
}

/** 22 characters of URL-safe base64, as clients know node ids. */
function newNodeId(): string {
  return randomBytes(16).toString('base64url');
}
