// Finding lost batches.
//
// LevelDB opens without a word when a part of its write-ahead file is damaged: the batches in it are gone.
// So every batch carries the next number, and two facts are checked at open:
//
//   1. the numbers present are floor, floor + 1, …, last, without a gap;
//   2. last is not below the mark of the stamp file.
//
// Numbers are removed again ("trimmed") by raising the floor. That must not hide a loss: were number k
// removed while batch k is only in a write-ahead file, damage to batch k would leave no gap. The order is:
//
//   a. note m, the last synced batch, then list the write-ahead files: batch m and all before it are in
//      those files or already in tables (tables are synced before their write-ahead file is deleted);
//   b. wait until none of the listed files exists any more, or force it: now they are all in tables;
//   c. write the stamp with a mark of at least m and sync it;
//   d. in one ordinary, numbered batch: remove the numbers up to m and set the floor to m + 1.
//
// If the batch of (d) is lost, its own number is missing and the old numbers and floor are still there. If
// everything after m is lost, last is below the mark. Nothing is trimmed that step (b) did not prove.
// At open LevelDB moves all write-ahead files into tables, so what passed the check then is proven.

import { frameValue, unframeValue } from './codec';
import { DataLossError, type BatchRange } from './errors';
import type { KeyValueDatabase, WriteOperation } from './key-value-database';
import { BATCH_FLOOR_KEY, batchNumberKey, batchNumberOf, batchNumberRange } from './keys';
import { decodeBatchFloor, encodeBatchFloor } from './values';

const SLICE_BYTES = 256 * 1024;
const MAX_REPORTED = 100;

/** The numbers found in a database. */
export interface BatchNumbers {
  /** The lowest number that must be present; 0 when the floor itself is missing. */
  readonly floor: number;
  /** The highest number present, or floor - 1. */
  readonly last: number;
  /** What is missing, ascending, at most 100 runs. */
  readonly missing: readonly BatchRange[];
}

/**
 * Reads all numbers and finds what is missing below `last` and up to the stamp's mark.
 * @throws CorruptionError when the numbers themselves cannot be read.
 */
export async function readBatchNumbers(
  database: KeyValueDatabase,
  mark: number,
): Promise<BatchNumbers> {
  const value = database.get(BATCH_FLOOR_KEY);
  const floor = value === undefined ? 0 : decodeBatchFloor(BATCH_FLOOR_KEY, value);
  const missing: BatchRange[] = [];
  const miss = (from: number, to: number): void => {
    if (from <= to && missing.length < MAX_REPORTED) missing.push({ from, to });
  };
  let next = floor;
  for await (const slice of database.scan(batchNumberRange(floor), { sliceBytes: SLICE_BYTES })) {
    for (const [key, framed] of slice) {
      unframeValue(key, framed);
      const number = batchNumberOf(key);
      miss(next, number - 1);
      next = number + 1;
    }
  }
  miss(next, mark);
  return { floor, last: next - 1, missing };
}

/**
 * The error for a failed check, with what the operator can do.
 * @param numbers null when they cannot be read.
 */
export function dataLossError(numbers: BatchNumbers | null, mark: number): DataLossError {
  return new DataLossError(
    `acknowledged writes are lost from the log database: ${describeLoss(numbers, mark)}. ` +
      'Restore the data folder from a copy if there is one. To go on without them, start once with the setting node.accept_data_loss',
    numbers?.missing ?? [],
  );
}

function describeLoss(numbers: BatchNumbers | null, mark: number): string {
  if (numbers === null) return 'the numbers of its batches cannot be read';
  if (numbers.floor === 0) return 'the numbering of its batches is missing';
  if (numbers.missing.length === 0) return 'the identity of the node is missing';
  const runs = numbers.missing.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  return `batches ${runs.join(', ')} are missing (found ${numbers.floor} to ${numbers.last}, acknowledged up to ${mark} at least)`;
}

/** Whether the check failed. */
export function isIncomplete(numbers: BatchNumbers): boolean {
  return numbers.floor === 0 || numbers.missing.length > 0;
}

/**
 * The number to go on with after a loss was accepted: above every number that was ever given out.
 * @param numbers null when they cannot be read; then only the mark bounds them, and no stamp lags behind
 *        by as much as is skipped here.
 */
export function numberAfterLoss(numbers: BatchNumbers | null, mark: number): number {
  return numbers === null ? mark + 2 ** 32 : Math.max(numbers.last, mark) + 1;
}

/** The operations that start the numbering at `first`, the number of the batch they are in. */
export function renumberOperations(first: number): WriteOperation[] {
  const key = batchNumberKey(first);
  return [
    { type: 'put', key: BATCH_FLOOR_KEY, value: encodeBatchFloor(BATCH_FLOOR_KEY, first) },
    { type: 'put', key, value: frameValue(key, Buffer.alloc(0)) },
  ];
}

/** The operations that remove the numbers below `floor`; for those that can be read. */
export async function removeNumbersBelow(
  database: KeyValueDatabase,
  floor: number,
): Promise<WriteOperation[]> {
  const operations: WriteOperation[] = [];
  const scan = database.scan(batchNumberRange(0), { sliceBytes: SLICE_BYTES, keysOnly: true });
  for await (const slice of scan) {
    for (const [key] of slice) {
      if (batchNumberOf(key) < floor) operations.push({ type: 'del', key });
    }
  }
  return operations;
}

/** Decides which numbers may be trimmed: steps (a) and (b) above. */
export class FlushProof {
  private pending: { readonly batch: number; readonly files: ReadonlySet<string> } | null = null;

  /** @param proven the last batch known to be in tables. */
  constructor(
    private readonly database: KeyValueDatabase,
    private proven: number,
  ) {}

  /** The last batch known to be in tables. */
  get batch(): number {
    return this.proven;
  }

  /**
   * Looks whether the write-ahead files noted earlier are gone, and notes the present ones.
   * @param synced the last batch that was synced before this call.
   */
  async observe(synced: number): Promise<void> {
    const files = await this.database.writeAheadFiles();
    if (this.pending !== null && [...this.pending.files].every((file) => !files.has(file))) {
      this.proven = Math.max(this.proven, this.pending.batch);
      this.pending = null;
    }
    this.pending ??= { batch: synced, files };
  }

  /**
   * Forces it for all batches up to `synced`.
   * @throws InputOutputError, DiskFullError when the flush failed; nothing is proven then.
   */
  async force(synced: number): Promise<void> {
    await this.database.flush();
    this.proven = Math.max(this.proven, synced);
    this.pending = null;
  }
}
