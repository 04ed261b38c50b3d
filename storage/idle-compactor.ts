// Returns disk space to the file system while a database has no writes.
//
// LevelDB keeps what was written last in its write-ahead file, uncompressed, until so much more is written
// that its buffer is full, and it drops what was removed when later writes make it rewrite the tables around
// it. After the last write of a load neither happens. So when a database is idle, removed records are
// compacted away and the buffer is written to tables, which also leaves nothing to replay at the next open.
// All of it happens on LevelDB's own thread, and reads and writes go on meanwhile.

import {
  bytesOf,
  compactQuietly,
  type KeyValueDatabase,
  type WriteOperation,
} from './key-value-database';
import type { KeyRange } from './keys';
import type { RemovedKeys } from './removed-keys';

const MIB = 1024 * 1024;
/** After this time without writes a database counts as idle, unless it has its own value. Milliseconds. */
const REST_MS = 2000;
/** A database that is never idle is tidied this long after its first write. Milliseconds. */
const MAX_WAIT_MS = 10 * 60_000;
/** Less in the write-ahead file is not worth a table. */
const MIN_FLUSH_BYTES = MIB;
/** With less free space nothing is done that does not give space back at once. */
const MIN_FREE_BYTES = 256 * MIB;
/**
 * A compaction writes its result before it deletes what it read; on a full disk it would break the database.
 * It goes in steps of one table and those of the next level that overlap it, so it takes this much beyond
 * what it keeps of its range: the tables at the two ends of the range, and what other writers take meanwhile.
 */
export const COMPACTION_ROOM_BYTES = 32 * MIB;
/** A table of what is in the write-ahead file is written before that is deleted. Room for the rest. */
const FLUSH_ROOM_BYTES = 8 * MIB;
/** How soon what had no room is tried again. Milliseconds. */
const RETRY_MS = 10_000;

/** When to tidy; tests have other statistics. */
export interface TidyOptions {
  /** After this time without writes a database counts as idle. Milliseconds. */
  readonly restMs?: number;
  /** Free bytes of the disk below which only that is done which gives space back at once. */
  readonly minFreeBytes?: number;
}

/** One time of tidying, for those who take part in it. */
export interface TidyTurn {
  /** Bytes that may be written before the disk has too little space for this. */
  spare(): Promise<number>;
  /** Whether the database is being closed. */
  isOver(): boolean;
}

/** Makes values of a database smaller. */
export interface Packer {
  /** Replaces values by smaller ones; gives the ranges in which it did. */
  pack(turn: TidyTurn): AsyncIterable<KeyRange>;
}

/** Tidies one database after its last write. */
export class IdleCompactor implements TidyTurn {
  /** Set by the owner of the database, if it has one. */
  packer: Packer | null = null;
  private readonly restMs: number;
  private readonly minFreeBytes: number;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private lastWrite = 0;
  /** The first write after the last time. */
  private firstWrite = Infinity;
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
    this.firstWrite = Math.min(this.firstWrite, this.lastWrite);
    this.wait(this.restMs);
  }

  /** Begins nothing more; resolves when nothing is under way. */
  async close(): Promise<void> {
    this.closing = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.running;
  }

  isOver(): boolean {
    return this.closing;
  }

  async spare(): Promise<number> {
    return (await this.database.freeBytes()) - this.minFreeBytes;
  }

  /** One timer for many writes: it is set again when it fires too early. */
  private wait(ms: number): void {
    if (this.timer !== null || this.closing) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      const due = Math.min(this.lastWrite + this.restMs, this.firstWrite + MAX_WAIT_MS);
      const left = due - performance.now();
      if (left > 0) this.wait(left);
      else this.running = this.running.then(() => this.tidy());
    }, ms);
    this.timer.unref();
  }

  /**
   * Never rejects: what cannot be done now (the handle is broken) is tried after later writes, and what has
   * no room on the disk also without them, because they are refused until it comes back.
   */
  private async tidy(): Promise<void> {
    this.firstWrite = Infinity;
    try {
      // First, because only what is in tables has a size.
      const isFlushed = await this.flush();
      await this.pack();
      const isCompacted = await this.compactRemoved();
      if (!isFlushed || !isCompacted) this.wait(RETRY_MS);
    } catch {
      // As above.
    }
  }

  /** @returns false when there is no room */
  private async flush(): Promise<boolean> {
    const { database, unflushed } = this;
    if (unflushed < MIN_FLUSH_BYTES) return true;
    if (!(await this.hasRoom(unflushed + FLUSH_ROOM_BYTES))) return false;
    await database.flush();
    this.unflushed -= unflushed;
    return true;
  }

  /** Takes space before it gives any back. */
  private async pack(): Promise<void> {
    if (this.packer === null || (await this.spare()) < 0) return;
    for await (const range of this.packer.pack(this)) await compactQuietly(this.database, range);
  }

  /** @returns false when there is no room for some of it */
  private async compactRemoved(): Promise<boolean> {
    const { database, removed } = this;
    let isDone = true;
    for (const { range, keptBytes } of await removed.ranges(database)) {
      if (this.closing) return true;
      if (await this.hasRoom(keptBytes + COMPACTION_ROOM_BYTES)) {
        await compactQuietly(database, range);
        removed.compacted(range);
      } else isDone = false;
    }
    return isDone;
  }

  /** Whether so many bytes may be written for a while, to have more space after it. */
  private async hasRoom(bytes: number): Promise<boolean> {
    const free = await this.database.freeBytes();
    return free >= this.minFreeBytes || free >= bytes;
  }
}
