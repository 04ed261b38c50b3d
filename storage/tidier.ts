// Gives disk space back while nobody writes to a database.
//
// LevelDB keeps what was written last in its write-ahead file, uncompressed, until so much more is written
// that its buffer is full, and it drops what was removed when later writes make it rewrite the tables around
// it. After the last write of a load neither comes. So when a database rests, what was removed is compacted
// away and the buffer is written to tables; that also leaves an open nothing to replay. All of it happens on
// LevelDB's own thread, and reads go on meanwhile.

import {
  bytesOf,
  compactQuietly,
  type KeyValueDatabase,
  type WriteOperation,
} from './key-value-database';
import type { RemovedKeys } from './removed-keys';

const MIB = 1024 * 1024;
/** Without writes for so long a database rests. Milliseconds. */
const REST_MS = 2000;
/** Less in the write-ahead file is not worth a table. */
const MIN_FLUSH_BYTES = MIB;
/** A compaction writes its result before it deletes what it read; on a full disk it would break the database. */
const MIN_FREE_BYTES = 256 * MIB;

/** When to tidy; tests have other figures. */
export interface TidyOptions {
  /** Without writes for so long a database rests. Milliseconds. */
  readonly restMs?: number;
  /** Free bytes of the disk below which nothing is done. */
  readonly minFreeBytes?: number;
}

/** Tidies one database after its last write. */
export class DatabaseTidier {
  private readonly restMs: number;
  private readonly minFreeBytes: number;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private lastWrite = 0;
  /** Written since the last flush, at least. */
  private unflushed = 0;
  private closing = false;

  constructor(
    private readonly database: KeyValueDatabase,
    private readonly removed: RemovedKeys,
    options: TidyOptions = {},
  ) {
    this.restMs = options.restMs ?? REST_MS;
    this.minFreeBytes = options.minFreeBytes ?? MIN_FREE_BYTES;
  }

  /** Notes a batch that was written. */
  wrote(operations: readonly WriteOperation[]): void {
    for (const operation of operations) {
      this.unflushed += bytesOf(operation);
      if (operation.type === 'del') this.removed.note(operation.key);
    }
    this.lastWrite = performance.now();
    this.wait(this.restMs);
  }

  /** Begins nothing more; resolves when nothing is under way. */
  async close(): Promise<void> {
    this.closing = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.running;
  }

  /** One timer for many writes: it is set again when it fires too early. */
  private wait(ms: number): void {
    if (this.timer !== null || this.closing) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      const left = this.lastWrite + this.restMs - performance.now();
      if (left > 0) this.wait(left);
      else this.running = this.running.then(() => this.tidy());
    }, ms);
    this.timer.unref();
  }

  /** Never rejects: what cannot be done now (the disk is full, the handle is broken) is tried after later writes. */
  private async tidy(): Promise<void> {
    const { database, lastWrite } = this;
    try {
      if ((await database.freeBytes()) < this.minFreeBytes) return;
      const unflushed = this.unflushed;
      if (unflushed >= MIN_FLUSH_BYTES) {
        await database.flush();
        this.unflushed -= unflushed;
      }
      for (const range of await this.removed.ranges(database)) {
        if (this.closing || this.lastWrite !== lastWrite) return;
        await compactQuietly(database, range);
        this.removed.compacted(range);
      }
    } catch {
      // As above.
    }
  }
}
