// What reads on another thread than main pass: they wait while storage is opened anew, and are counted, so
// that nothing is closed that they use.

import type { Gate } from '../admin/index';
import { translateStorageError } from '../shard/index';

/** Lets reads in while storage is open. */
export class ReaderGate implements Pick<Gate, 'read'> {
  private underWay = 0;
  /** Settles when storage is open, or could not be opened; null: it is open. */
  private opening: PromiseWithResolvers | null = newOpening();

  /** Whether reads wait, or are refused. */
  get isClosed(): boolean {
    return this.opening !== null;
  }

  /** Reads under way. */
  get running(): number {
    return this.underWay;
  }

  async read<T>(work: () => Promise<T>): Promise<T> {
    try {
      while (this.opening !== null) await this.opening.promise;
      this.underWay++;
      try {
        return await work();
      } finally {
        this.underWay--;
      }
    } catch (error) {
      throw translateStorageError(error);
    }
  }

  /** New reads wait from now on. */
  close(): void {
    this.opening ??= newOpening();
  }

  open(): void {
    const { opening } = this;
    this.opening = null;
    opening?.resolve();
  }

  /** Refuses the reads that wait, and those that come before it is closed or opened again. */
  refuse(error: Error): void {
    this.opening?.reject(error);
    this.opening = newOpening();
    this.opening.reject(error);
  }
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

function newOpening(): PromiseWithResolvers {
  let resolve: () => void;
  let reject: (error: Error) => void;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  // Nobody may be waiting.
  promise.catch(() => undefined);
  return { promise, resolve: resolve!, reject: reject! };
}
