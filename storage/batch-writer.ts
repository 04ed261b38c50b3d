// The rule both databases are written by: one batch in flight, in order, and after the first failure
// nothing more on this handle. A failed batch may or may not have landed and the handle underneath stays
// broken, so going on could acknowledge writes that vanish with it.

import { messageOf } from './error-cause';
import { ClosedError, StorageFailure } from './errors';
import type { KeyValueDatabase, WriteOperation } from './key-value-database';
import type { IdleCompactor } from './idle-compactor';

/** Writes batches to one database handle until the first one fails. */
export class BatchWriter {
  private tail: Promise<void> = Promise.resolve();
  private failed: StorageFailure | null = null;
  private closing = false;

  /**
   * @param onFailure is called once, with the error that all later writes get.
   * @param compactor receives what was written, and tidies when writing pauses.
   */
  constructor(
    private readonly database: KeyValueDatabase,
    private readonly onFailure: (error: StorageFailure) => void,
    private readonly compactor: IdleCompactor,
  ) {}

  /** What broke this handle, or null. */
  get failure(): StorageFailure | null {
    return this.failed;
  }

  /**
   * Writes a batch after all earlier ones.
   * @throws StorageFailure when this or an earlier batch failed; ClosedError after `close`.
   */
  write(operations: readonly WriteOperation[]): Promise<void> {
    if (this.closing) return Promise.reject(this.failed ?? closedError(this.database.name));
    const result = this.tail.then(() => this.run(operations));
    this.tail = result.catch(() => undefined);
    return result;
  }

  /** Refuses further writes and waits for those in the queue, and for tidying. */
  async close(): Promise<void> {
    this.closing = true;
    await this.tail;
    await this.compactor.close();
  }

  private async run(operations: readonly WriteOperation[]): Promise<void> {
    if (this.failed !== null) throw this.failed;
    try {
      await this.database.batch(operations);
    } catch (error) {
      const failure = new StorageFailure(
        `a batch failed, nothing more is written to the ${this.database.name} database until it is reopened: ${messageOf(error)}`,
        error,
      );
      this.failed = failure;
      // Apart from this call, so that a fault in the listener cannot pass for one in the batch.
      queueMicrotask(() => this.onFailure(failure));
      throw failure;
    }
    this.compactor.wrote(operations);
  }
}

/** The answer to a write on a closed handle. */
export function closedError(name: string): ClosedError {
  return new ClosedError(`the ${name} database is closed`);
}
