// What disks do, as typed errors. Every failure that leaves the storage layer is one of these, with a
// stable `code` and the original failure as `cause`; the codes of the database underneath never leak.

/** Base of all errors of the storage layer. `code` is stable and may be logged and matched. */
export class StorageError extends Error {
  constructor(
    readonly code: string,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
  }
}

/**
 * Stored bytes are missing or differ from what was written. The node goes on; the shard concerned does not.
 */
export class CorruptionError extends StorageError {
  constructor(message: string, cause?: unknown, code = 'STORAGE_CORRUPTION') {
    super(code, message, cause);
  }
}

/**
 * The same of the `segments` database: nothing is lost by it, because all of it can be built again from the
 * document log.
 */
export class SegmentDamageError extends CorruptionError {
  /** @param segment the segment concerned; null: not known, or the database as a whole */
  constructor(
    message: string,
    cause?: unknown,
    readonly segment: number | null = null,
  ) {
    super(message, cause, 'STORAGE_SEGMENT_DAMAGE');
  }
}

/** The disk or a quota is full. */
export class DiskFullError extends StorageError {
  constructor(message: string, cause?: unknown) {
    super('STORAGE_DISK_FULL', message, cause);
  }
}

/** The operating system failed a read or a write for another reason than a full disk. */
export class InputOutputError extends StorageError {
  constructor(message: string, cause?: unknown) {
    super('STORAGE_IO', message, cause);
  }
}

/** The data folder is in use, by another process or by this one. */
export class LockedError extends StorageError {
  constructor(message: string, cause?: unknown) {
    super('STORAGE_LOCKED', message, cause);
  }
}

/** The storage, or this handle of it, was closed. */
export class ClosedError extends StorageError {
  constructor(message: string, cause?: unknown) {
    super('STORAGE_CLOSED', message, cause);
  }
}

/**
 * A batch failed, so nothing more is written on this handle: whether the failed batch landed is only
 * known after a reopen. Units that waited behind it are rejected with the same error. `cause` tells why
 * (DiskFullError, InputOutputError, …).
 */
export class StorageFailure extends StorageError {
  constructor(message: string, cause?: unknown) {
    super('STORAGE_FAILURE', message, cause);
  }
}

/**
 * The data has a format that this release does not read; the process should exit with status 78
 * (configuration).
 */
export class FormatVersionError extends StorageError {
  /** The exit status a server should leave with: EX_CONFIG of sysexits.h, "do not restart". */
  readonly exitCode = 78;

  constructor(message: string) {
    super('STORAGE_FORMAT_VERSION', message);
  }
}

/** A run of batch numbers, both ends included. */
export interface BatchRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The log opened, but batches that were acknowledged are missing from it: their numbers have a gap or end
 * below the mark of the stamp file. Opening again with `acceptDataLoss` goes on without them.
 */
export class DataLossError extends StorageError {
  constructor(
    message: string,
    /** The missing batch numbers, ascending. Empty when the numbering itself is lost. */
    readonly missing: readonly BatchRange[],
  ) {
    super('STORAGE_DATA_LOSS', message);
  }
}

/** The folder cannot be used: not ours, not empty, not accessible, or put together from two nodes. */
export class DataFolderError extends StorageError {
  constructor(message: string, cause?: unknown) {
    super('STORAGE_FOLDER', message, cause);
  }
}

/** Every user of the machine may write in the data folder: what is in it is nobody's word. */
export class UnsafeFolderError extends StorageError {
  /** sysexits: EX_CONFIG. */
  readonly exitCode = 78;

  constructor(folder: string) {
    super(
      'STORAGE_FOLDER',
      `every user may write the data folder ${folder}: chmod o-w makes it safe, and so does a folder in it ` +
        '(--data FOLDER), which is made for its owner alone',
    );
  }
}
