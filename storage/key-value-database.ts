// The small contract the stores are written against. LevelDatabase implements it; tests put a wrapper in
// between that fails or damages chosen operations.

import type { KeyRange } from './keys';

/** Names of the two databases, which are also the names of their folders. */
export type DatabaseName = 'log' | 'segments';

/** One change in a batch. */
export type WriteOperation =
  | { readonly type: 'put'; readonly key: Buffer; readonly value: Buffer }
  | { readonly type: 'del'; readonly key: Buffer };

/** Bytes an operation adds to a batch. */
export function bytesOf(operation: WriteOperation): number {
  return operation.key.length + (operation.type === 'put' ? operation.value.length : 0);
}

/** A key with its value; the value is empty where only keys were asked for. */
export type Entry = readonly [key: Buffer, value: Buffer];

/** How to walk a range. */
export interface ScanOptions {
  /** About how many bytes of keys and values one slice holds. */
  readonly sliceBytes: number;
  /** From the highest key down. */
  readonly reverse?: boolean;
  /** At most so many entries in all. */
  readonly limit?: number;
  /** Do not read values. */
  readonly keysOnly?: boolean;
}

/** An ordered map of bytes to bytes with atomic, always synced batches. */
export interface KeyValueDatabase {
  readonly name: DatabaseName;
  /**
   * The value in a buffer of its own, or undefined.
   * @throws CorruptionError, InputOutputError, ClosedError.
   */
  get(key: Buffer): Buffer | undefined;
  /**
   * Applies all operations or none and resolves when they are synced to disk. After a rejection it is
   * unknown whether they landed. The caller keeps to one batch in flight.
   */
  batch(operations: readonly WriteOperation[]): Promise<void>;
  /**
   * Walks a range as of the first slice, a slice at a time. Damage inside a range may only be reported at
   * its end, so a caller whose loop ends with an error discards what it was given before.
   */
  scan(range: KeyRange, options: ScanOptions): AsyncIterable<readonly Entry[]>;
  /**
   * Names of the write-ahead files that exist now. A batch is in a table once all files listed after it are
   * gone.
   */
  writeAheadFiles(): Promise<ReadonlySet<string>>;
  /**
   * Moves everything acknowledged so far out of the write-ahead files.
   * @throws InputOutputError when it did not.
   */
  flush(): Promise<void>;
  /** Gives the disk space of removed keys in a range back; it would come back by itself, but late. */
  compact(range: KeyRange): Promise<void>;
  /** About how many bytes of tables a range takes, removed keys included. */
  approximateBytes(range: KeyRange): Promise<number>;
  /** Bytes that may be written to the disk of its files. */
  freeBytes(): Promise<number>;
  /** Size of all files, in bytes. */
  diskBytes(): Promise<number>;
  /** Idempotent. Waits for operations in flight. */
  close(): Promise<void>;
}

/** Compacts after a removal that is complete and durable whether or not this works. */
export async function compactQuietly(database: KeyValueDatabase, range: KeyRange): Promise<void> {
  try {
    await database.compact(range);
  } catch {
    // Closed or failing: the space comes back later.
  }
}
