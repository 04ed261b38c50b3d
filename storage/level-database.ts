// The only file that knows Level: options, sync, iterators, and the meaning of its error codes.
//
// Every batch is synced. A database is created only when the caller says the folder is new: with the
// default options LevelDB would create an empty database over one whose CURRENT file is missing, and
// delete its tables. `multithreading` lets worker threads share the one handle of the process; all of
// them must use the same path string, because a second spelling would open a second database over the
// same files and drop the lock.

import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

import type { ClassicLevel } from 'classic-level';
import { Level } from 'level';

import { codesOf, messageOf } from './error-cause';
import {
  ClosedError,
  CorruptionError,
  DataFolderError,
  DiskFullError,
  InputOutputError,
  LockedError,
  SegmentDamageError,
  StorageError,
} from './errors';
import { databaseInUse } from './file-holder';
import type {
  DatabaseName,
  Entry,
  KeyValueDatabase,
  ScanOptions,
  WriteOperation,
} from './key-value-database';
import { describeKey, type KeyRange } from './keys';

const MIB = 1024 * 1024;

/** Sizes of one database; all in bytes. */
interface Sizes {
  readonly writeBufferSize: number;
  readonly maxFileSize: number;
  readonly cacheSize: number;
  /** What is compressed, and read, at once. */
  readonly blockSize: number;
}

/**
 * Our byte-budget cache sits above; the log's buffer holds many small records, the segments' few large
 * blocks. Each time the log's buffer is full, LevelDB rewrites the id entries of a shard, whose order is
 * random. Records in blocks of 12 KB take a sixth less space than in the usual blocks of 4 KB, and reading
 * one that is in no cache takes 2 µs longer. Segments are cut into blocks before they get here.
 */
const SIZES: Readonly<Record<DatabaseName, Sizes>> = {
  log: {
    writeBufferSize: 64 * MIB,
    maxFileSize: 4 * MIB,
    cacheSize: 8 * MIB,
    blockSize: 12 * 1024,
  },
  segments: {
    writeBufferSize: 8 * MIB,
    maxFileSize: 4 * MIB,
    cacheSize: 4 * MIB,
    blockSize: 4 * 1024,
  },
};

/**
 * Free bytes an open may need at most: it writes the write-ahead files, two write buffers and a batch of each
 * database in the worst case, into tables before it deletes them. What it needs now is less, as a rule
 * (reserve.ts).
 */
export const REOPEN_FREE_BYTES =
  2 * (SIZES.log.writeBufferSize + SIZES.segments.writeBufferSize + 4 * MIB);

const EMPTY = Buffer.alloc(0);

/** Entries asked for at once; the slice's bytes end a slice of larger entries earlier. */
const SLICE_ENTRIES = 4096;

/** A database of two names over one folder. */
export class LevelDatabase implements KeyValueDatabase {
  private closed = false;
  private compacting: Promise<void> = Promise.resolve();

  private constructor(
    readonly name: DatabaseName,
    private readonly path: string,
    private readonly level: ClassicLevel<Buffer, Buffer>,
  ) {}

  /**
   * Opens the database in `path`, which must be the real path.
   * @param create makes a new one; without it a folder that holds none is refused.
   * @throws LockedError, CorruptionError, DiskFullError, DataFolderError.
   */
  static async open(name: DatabaseName, path: string, create: boolean): Promise<LevelDatabase> {
    const options = {
      keyEncoding: 'buffer',
      valueEncoding: 'buffer',
      createIfMissing: create,
      compression: true,
      multithreading: true,
      ...SIZES[name],
    } as const;
    // `level` types only what browsers share; outside of browsers it exports ClassicLevel itself.
    const level = new Level<Buffer, Buffer>(path, options) as unknown as ClassicLevel<
      Buffer,
      Buffer
    >;
    try {
      await level.open();
    } catch (error) {
      if (codesOf(error).includes('LEVEL_LOCKED')) throw databaseInUse(path, error);
      throw translateLevelError(error, `cannot open the ${name} database`, name);
    }
    return new LevelDatabase(name, path, level);
  }

  /**
   * Makes a new list of files (MANIFEST) from the tables and write-ahead files in a folder that is not
   * open. Only for copies: what cannot be read is left out.
   * @throws as `open`.
   */
  static async rebuild(name: DatabaseName, path: string): Promise<void> {
    try {
      await (Level as unknown as typeof ClassicLevel).repair(path);
    } catch (error) {
      throw translateLevelError(error, `cannot rebuild the ${name} database`, name);
    }
  }

  /**
   * Removes a database that is not open, under its lock.
   * @throws LockedError when another process has it open; InputOutputError.
   */
  static async destroy(name: DatabaseName, path: string): Promise<void> {
    try {
      await (Level as unknown as typeof ClassicLevel).destroy(path);
    } catch (error) {
      throw translateLevelError(error, `cannot remove the ${name} database`);
    }
  }

  get(key: Buffer): Buffer | undefined {
    try {
      return this.level.getSync(key);
    } catch (error) {
      throw translateLevelError(error, `cannot read ${describeKey(key)}`, this.name);
    }
  }

  async batch(operations: readonly WriteOperation[]): Promise<void> {
    try {
      // One by one: of an array every operation would be cloned first, at ten times the cost.
      const batch = this.level.batch();
      for (const operation of operations) {
        if (operation.type === 'put') batch.put(operation.key, operation.value);
        else batch.del(operation.key);
      }
      await batch.write({ sync: true });
    } catch (error) {
      throw translateLevelError(error, `cannot write to the ${this.name} database`, this.name);
    }
  }

  async *scan(range: KeyRange, options: ScanOptions): AsyncGenerator<readonly Entry[]> {
    let left = options.limit ?? Infinity;
    if (left <= 0) return;
    try {
      const iterator = this.level.iterator<Buffer, Buffer>({
        gte: range.gte,
        lt: range.lt,
        reverse: options.reverse === true,
        values: options.keysOnly !== true,
        limit: Number.isFinite(left) ? left : -1,
        highWaterMarkBytes: options.sliceBytes,
      });
      try {
        for (;;) {
          const slice = await iterator.nextv(Math.min(SLICE_ENTRIES, left));
          if (slice.length === 0) return;
          left -= slice.length;
          yield options.keysOnly === true ? slice.map(([key]) => [key, EMPTY] as const) : slice;
          if (left <= 0) return;
        }
      } finally {
        await iterator.close();
      }
    } catch (error) {
      throw translateLevelError(error, `cannot scan the ${this.name} database`, this.name);
    }
  }

  async writeAheadFiles(): Promise<ReadonlySet<string>> {
    try {
      const names = await readdir(this.path);
      return new Set(names.filter((name) => name.endsWith('.log')));
    } catch (error) {
      throw translateFileError(error, `cannot list the ${this.name} database`);
    }
  }

  async flush(): Promise<void> {
    const before = await this.writeAheadFiles();
    // Compacting any range first writes the whole memtable to a table file and drops its log file.
    await this.compactTimes(1, { gte: Buffer.from([0]), lt: Buffer.from([1]) });
    // It does not report a failure to do so; the files do.
    const after = await this.writeAheadFiles();
    for (const file of before) {
      if (after.has(file))
        throw new InputOutputError(
          `cannot flush the ${this.name} database: ${file} is still in use`,
        );
    }
  }

  compact(range: KeyRange): Promise<void> {
    // LevelDB first determines the deepest level of the range; tables that it moves deeper meanwhile keep
    // removed records. The second compaction costs nothing where no table was moved.
    return this.compactTimes(2, range);
  }

  private compactTimes(times: number, range: KeyRange): Promise<void> {
    // One at a time: each would occupy a thread of the pool that the batches need, to wait for the other.
    const result = this.compacting.then(async () => {
      try {
        for (let i = 0; i < times; i++) await this.level.compactRange(range.gte, range.lt);
      } catch (error) {
        throw translateLevelError(error, `cannot compact the ${this.name} database`, this.name);
      }
    });
    this.compacting = result.catch(() => undefined);
    return result;
  }

  async approximateBytes(range: KeyRange): Promise<number> {
    try {
      return await this.level.approximateSize(range.gte, range.lt);
    } catch (error) {
      throw translateLevelError(error, `cannot measure the ${this.name} database`, this.name);
    }
  }

  async freeBytes(): Promise<number> {
    try {
      const { bavail, bsize } = await statfs(this.path);
      return bavail * bsize;
    } catch (error) {
      throw translateFileError(error, `cannot see the free space of the ${this.name} database`);
    }
  }

  async diskBytes(): Promise<number> {
    let bytes = 0;
    for (const name of await readdir(this.path)) {
      try {
        bytes += (await stat(join(this.path, name))).size;
      } catch {
        // Compaction removed the file in between.
      }
    }
    return bytes;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    try {
      await this.level.close();
    } catch (error) {
      throw translateLevelError(error, `cannot close the ${this.name} database`, this.name);
    }
  }
}

/**
 * Level's error as one of ours. A failed open hides its reason in the cause.
 * @param name of the database, which decides what damage to it means
 */
export function translateLevelError(
  error: unknown,
  what: string,
  name: DatabaseName = 'log',
): StorageError {
  if (error instanceof StorageError) return error;
  const codes = codesOf(error);
  const text = messageOf(error);
  const message = `${what}: ${text}`;
  if (codes.includes('LEVEL_LOCKED')) {
    return new LockedError(`${what}: another process has it open`, error);
  }
  if (/no space left|quota exceeded|file too large/i.test(text))
    return new DiskFullError(message, error);
  const isDamage =
    codes.includes('LEVEL_CORRUPTION') ||
    // The folder's stamp says there is a database, so its absence is damage and nothing is created over it.
    /does not exist \(create_if_missing/i.test(text) ||
    // A file of the database that is gone (its folder cannot be: level makes it), or empty.
    (name === 'segments' && /no such file or directory|\.ldb: invalid argument/i.test(text));
  if (isDamage) {
    return name === 'segments'
      ? new SegmentDamageError(message, error)
      : new CorruptionError(message, error);
  }
  if (codes.includes('LEVEL_IO_ERROR')) return new InputOutputError(message, error);
  if (codes.some((code) => code.endsWith('_NOT_OPEN')))
    return new ClosedError(`${what}: it is closed`, error);
  return new InputOutputError(message, error);
}

/** A failed call to the file system as one of ours. */
export function translateFileError(error: unknown, what: string): StorageError {
  if (error instanceof StorageError) return error;
  const message = `${what}: ${messageOf(error)}`;
  const code = codesOf(error)[0];
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG')
    return new DiskFullError(message, error);
  if (code === 'EIO') return new InputOutputError(message, error);
  return new DataFolderError(message, error);
}
