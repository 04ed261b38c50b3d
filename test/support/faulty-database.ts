// A key-value database that fails on command: the n-th operation of a session, before or after it took
// effect, and damaged reads. It also watches that nothing is written after a failure.

import type {
  DatabaseName,
  Entry,
  KeyValueDatabase,
  ScanOptions,
  WriteOperation,
} from '../../storage/key-value-database';
import type { KeyRange } from '../../storage/keys';

/** Which operations are counted towards the one that fails. */
type FaultKind = 'write' | 'read';

/** Faults for all databases that were wrapped with it, and what it saw. */
export class FaultPlan {
  /** Operations of the chosen kind so far. */
  count = 0;
  /** Whether the fault has happened. */
  fired = false;
  /** Writes that reached a database after one of its batches failed; must stay 0. */
  writesAfterFailure = 0;
  /** All batches that were asked for, also those that failed. */
  readonly batches: {
    readonly name: DatabaseName;
    readonly operations: readonly WriteOperation[];
  }[] = [];
  /** Most batches of one database that were in flight at the same time. */
  mostInFlight = 0;
  /** What every write fails with while it is set, without effect, also after a reopen. */
  outage: Error | null = null;
  /** Waited for before each batch. */
  gate: Promise<void> = Promise.resolve();
  /** Changes what a read returns. */
  damage: ((key: Buffer, value: Buffer | undefined) => Buffer | undefined) | null = null;

  /**
   * @param failAt the operation that fails, from 1; 0 for none
   * @param landed a failing write takes effect all the same
   */
  constructor(
    public failAt = 0,
    private readonly kind: FaultKind = 'write',
    public landed = false,
  ) {}

  /** For `StorageOptions.wrap`. */
  readonly wrap = (database: KeyValueDatabase): KeyValueDatabase =>
    new FaultyDatabase(database, this);

  /** Counts an operation and says whether it is the one to fail. */
  isDue(kind: FaultKind): boolean {
    if (kind !== this.kind) return false;
    this.count++;
    if (this.count !== this.failAt) return false;
    this.fired = true;
    return true;
  }
}

/** Thrown by the fault. */
class InjectedFault extends Error {}

class FaultyDatabase implements KeyValueDatabase {
  private broken = false;
  private inFlight = 0;

  constructor(
    private readonly inner: KeyValueDatabase,
    private readonly plan: FaultPlan,
  ) {}

  get name(): DatabaseName {
    return this.inner.name;
  }

  get(key: Buffer): Buffer | undefined {
    if (this.plan.isDue('read')) throw new InjectedFault('read failed');
    const value = this.inner.get(key);
    return this.plan.damage === null ? value : this.plan.damage(key, value);
  }

  async batch(operations: readonly WriteOperation[]): Promise<void> {
    this.plan.batches.push({ name: this.name, operations });
    this.plan.mostInFlight = Math.max(this.plan.mostInFlight, ++this.inFlight);
    try {
      if (this.broken) {
        this.plan.writesAfterFailure++;
        throw new InjectedFault('the handle is broken');
      }
      await this.plan.gate;
      if (this.plan.outage !== null) {
        this.broken = true;
        throw this.plan.outage;
      }
      if (this.plan.isDue('write')) {
        this.broken = true;
        if (this.plan.landed) await this.inner.batch(operations);
        throw new InjectedFault('write failed');
      }
      await this.inner.batch(operations);
    } finally {
      this.inFlight--;
    }
  }

  async *scan(range: KeyRange, options: ScanOptions): AsyncGenerator<readonly Entry[]> {
    // As LevelDB does: entries may be handed out before the error is.
    const fails = this.plan.isDue('read');
    for await (const slice of this.inner.scan(range, options)) {
      yield slice;
      if (fails) break;
    }
    if (fails) throw new InjectedFault('scan failed');
  }

  writeAheadFiles(): Promise<ReadonlySet<string>> {
    return this.inner.writeAheadFiles();
  }

  async flush(): Promise<void> {
    if (this.plan.isDue('read')) throw new InjectedFault('flush failed');
    await this.inner.flush();
  }

  compact(range: KeyRange): Promise<void> {
    return this.inner.compact(range);
  }

  approximateBytes(range: KeyRange): Promise<number> {
    return this.inner.approximateBytes(range);
  }

  freeBytes(): Promise<number> {
    return this.inner.freeBytes();
  }

  diskBytes(): Promise<number> {
    return this.inner.diskBytes();
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}
