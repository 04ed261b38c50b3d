// Admission of requests: what each passes before it touches storage, and on its way back.

import { ClosedError } from '../../storage/index';
import { EngineError } from '../errors';
import { translateStorageError } from '../shard/index';

/**
 * Runs the work of a request, or refuses it with an EngineError: when the node is closed, and what the
 * state of storage forbids. Failures of storage come out as EngineErrors, too.
 */
export interface Gate {
  /** For what only reads: served while writes are refused. */
  read<T>(work: () => Promise<T>): Promise<T>;
  write<T>(work: () => Promise<T>): Promise<T>;
  /** For writes that need space for long: refused before the disk is full. */
  grow<T>(work: () => Promise<T>): Promise<T>;
}

/** The gate of a node. Storage tells it of failures, and the life of the node opens and closes it. */
export class NodeGate implements Gate {
  /** What broke storage, until it is open again: what refused requests are told. */
  failure: Error | null = null;
  private failureCount = 0;
  /** Set from a failed batch until writes are possible again. */
  private isRecovering = false;
  /** Set while storage is being reopened; reads wait for it. */
  private reopening: Promise<void> | null = null;
  /** Not even reads are possible: storage was not opened again. */
  private isUnreadable = false;
  private isClosed = false;
  private onFailure: (error: Error) => void = () => undefined;

  /** @param assertSpace throws while there is too little space for more data */
  constructor(private readonly assertSpace: () => void) {}

  /** Whether writes pass, if there is space. */
  get isWritable(): boolean {
    return !this.isRecovering && !this.isClosed;
  }

  /** Failures of storage since the node started. */
  get failures(): number {
    return this.failureCount;
  }

  read<T>(work: () => Promise<T>): Promise<T> {
    return this.reopening === null
      ? this.guard(this.isUnreadable, work)
      : this.readLater(this.reopening, work);
  }

  write<T>(work: () => Promise<T>): Promise<T> {
    return this.guard(this.isRecovering, work);
  }

  grow<T>(work: () => Promise<T>): Promise<T> {
    return this.write(() => {
      this.assertSpace();
      return work();
    });
  }

  /** Refuses everything from now on. */
  close(): void {
    this.isClosed = true;
  }

  /** Told by storage, once per failure: everything in flight was refused, nothing more is written. */
  fail(error: Error): void {
    this.failure = error;
    this.failureCount++;
    this.isRecovering = true;
    this.onFailure(error);
  }

  /** Has failures reported to somebody who gets over them and ends that with {@link recovered}. */
  watch(onFailure: (error: Error) => void): void {
    this.onFailure = onFailure;
    if (this.failure !== null) onFailure(this.failure);
  }

  /** Lets writes in again. */
  recovered(): void {
    this.isRecovering = false;
  }

  /** Keeps reads waiting while storage is closed and opened again; when that fails they are refused. */
  async whileReopening(work: () => Promise<void>): Promise<void> {
    const reopen = async (): Promise<void> => {
      this.isUnreadable = true;
      try {
        await work();
        this.isUnreadable = false;
      } finally {
        this.reopening = null;
      }
    };
    this.reopening = reopen();
    await this.reopening;
  }

  private async readLater<T>(reopening: Promise<void>, work: () => Promise<T>): Promise<T> {
    // Its failure shows as `isUnreadable`.
    await reopening.catch(() => undefined);
    return this.guard(this.isUnreadable, work);
  }

  /** Refuses what cannot be served now and translates storage errors. */
  private async guard<T>(isRefused: boolean, work: () => Promise<T>): Promise<T> {
    if (this.isClosed) throw new EngineError('NodeClosedException', 'node closed');
    try {
      if (isRefused) throw this.failure ?? new ClosedError('storage is being reopened');
      return await work();
    } catch (error) {
      throw translateStorageError(error);
    }
  }
}
