// Group commit: many units, one sync.
//
// Units queue in arrival order; while one batch is being synced the next ones wait, and the next batch
// takes as many of them as fit. A unit's promise settles only after the batch that holds it is on disk, so
// "acknowledged" always means "durable". Each batch carries the next node-wide batch number. Order is the
// promise here: if a unit is readable after a crash, so is the one before. Units of large requests queue
// apart, in an order of their own; each batch takes small ones first, so that these do not wait for all of a
// large request.
//
// `prepare` runs on the caller's thread and is not interrupted: a caller with much to do cuts it into units
// of a few milliseconds. A batch is closed when it is large or when preparing it took long.

import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

import { BatchWriter, closedError } from './batch-writer';
import { frameValue } from './codec';
import { CommitRecorder } from './commit-recorder';
import type { StorageFailure } from './errors';
import type { KeyValueDatabase } from './key-value-database';
import { batchNumberKey } from './keys';
import { RemovedRecords } from './removed-keys';
import { IdleCompactor, type TidyOptions } from './idle-compactor';
import type { CommitUnit } from './types';
import { WriteBatch } from './write-batch';

const MAX_BATCH_BYTES = 4 * 1024 * 1024;
const MAX_PREPARE_MS = 4;
const EMPTY = Buffer.alloc(0);

/** Settings of a committer. */
interface CommitterOptions {
  /** The number the first batch gets. */
  readonly nextBatch: number;
  /** Told once, when a batch failed. */
  readonly onFailure: (error: StorageFailure) => void;
  /** Told after each synced batch. */
  readonly onBatch?: (batch: number) => void;
  /** A batch takes no further unit that would make it larger. Default 4 MB. */
  readonly maxBatchBytes?: number;
  /** A batch takes no further unit after so long. Default 4 ms. */
  readonly maxPrepareMs?: number;
  /** Where batches are counted. */
  readonly recorder?: CommitRecorder;
  /**
   * When what is written goes from the write-ahead file to tables, and space of removed records comes back.
   */
  readonly tidy?: TidyOptions;
}

interface Waiting {
  readonly estimatedBytes: number;
  /** Runs the unit; returns what to do once its batch is durable. Throws what `prepare` throws. */
  readonly prepare: (batch: WriteBatch) => () => void;
  readonly reject: (error: unknown) => void;
}

interface Prepared {
  readonly settle: () => void;
  readonly reject: (error: unknown) => void;
}

/** The only writer of the `log` database. */
export class Committer {
  private readonly writer: BatchWriter;
  private readonly maxBatchBytes: number;
  private readonly maxPrepareMs: number;
  private readonly onBatch: ((batch: number) => void) | undefined;
  private readonly small = new UnitQueue();
  /** Units of large requests, which make room for those. */
  private readonly large = new UnitQueue();
  private running: Promise<void> | null = null;
  private closing = false;
  private last: number;
  private readonly recorder: CommitRecorder;

  constructor(
    private readonly database: KeyValueDatabase,
    options: CommitterOptions,
  ) {
    const compactor = new IdleCompactor(database, new RemovedRecords(), options.tidy);
    this.writer = new BatchWriter(database, options.onFailure, compactor);
    this.last = options.nextBatch - 1;
    this.maxBatchBytes = options.maxBatchBytes ?? MAX_BATCH_BYTES;
    this.maxPrepareMs = options.maxPrepareMs ?? MAX_PREPARE_MS;
    this.onBatch = options.onBatch;
    this.recorder = options.recorder ?? new CommitRecorder();
  }

  /** The number of the last synced batch. */
  get lastBatch(): number {
    return this.last;
  }

  /** What broke this handle, or null. */
  get failure(): StorageFailure | null {
    return this.writer.failure;
  }

  /** See LogStore.submit. */
  submit<R>(unit: CommitUnit<R>): Promise<R> {
    const queue = unit.makesRoom === true ? this.large : this.small;
    return this.enqueue(queue, unit.estimatedBytes, (batch) => unit.prepare(batch));
  }

  /** As `submit`, with access to keys that units of the engine do not touch. */
  submitInternal<R>(estimatedBytes: number, prepare: (batch: WriteBatch) => R): Promise<R> {
    return this.enqueue(this.small, estimatedBytes, prepare);
  }

  private enqueue<R>(
    queue: UnitQueue,
    estimatedBytes: number,
    prepare: (batch: WriteBatch) => R,
  ): Promise<R> {
    if (this.writer.failure !== null) return Promise.reject(this.writer.failure);
    if (this.closing) return Promise.reject(closedError(this.database.name));
    return new Promise<R>((resolve, reject) => {
      queue.push({
        estimatedBytes,
        prepare: (batch) => {
          const result = prepare(batch);
          return () => resolve(result);
        },
        reject,
      });
      // A microtask later: what the same turn of the event loop submits shares the batch.
      this.running ??= Promise.resolve().then(() => this.run());
    });
  }

  /** Takes no further units; resolves when all that waited are settled. */
  async close(): Promise<void> {
    this.closing = true;
    await this.running;
    await this.writer.close();
  }

  /** Units waiting now. */
  get queued(): number {
    return this.small.size + this.large.size;
  }

  private async run(): Promise<void> {
    try {
      while (this.queued > 0) await this.runBatch();
    } finally {
      this.running = null;
    }
  }

  private async runBatch(): Promise<void> {
    const batch = new WriteBatch(this.database);
    const prepared = this.prepareBatch(batch);
    if (batch.operations.length === 0) {
      // Nothing to write: what these units saw is durable already.
      for (const unit of prepared) unit.settle();
      // No write lets the event loop turn, so let it.
      if (this.queued > 0) await setImmediate();
      return;
    }
    const number = this.last + 1;
    const key = batchNumberKey(number);
    batch.operations.push({ type: 'put', key, value: frameValue(key, EMPTY) });
    // It is copied as a whole, right after it was put together.
    if (batch.bytes > this.maxBatchBytes) await setImmediate();
    const started = performance.now();
    try {
      await this.writer.write(batch.operations);
    } catch (error) {
      for (const unit of prepared) unit.reject(error);
      for (const queue of [this.small, this.large]) {
        while (queue.size > 0) queue.take().reject(error);
      }
      return;
    }
    this.last = number;
    this.recorder.syncSeconds.add((performance.now() - started) / 1000);
    this.recorder.units.add(prepared.length);
    this.recorder.bytes.add(batch.bytes);
    for (const unit of prepared) unit.settle();
    this.onBatch?.(number);
  }

  private prepareBatch(batch: WriteBatch): Prepared[] {
    const prepared: Prepared[] = [];
    const end = performance.now() + this.maxPrepareMs;
    this.prepareFrom(this.small, batch, prepared, end);
    this.prepareFrom(this.large, batch, prepared, end);
    return prepared;
  }

  /** Prepares one unit at least, if one waits, and others until the batch is large or it is late. */
  private prepareFrom(
    queue: UnitQueue,
    batch: WriteBatch,
    prepared: Prepared[],
    end: number,
  ): void {
    for (let isFirst = true; queue.size > 0; isFirst = false) {
      if (!isFirst && performance.now() >= end) return;
      const isLarge = batch.bytes + queue.first.estimatedBytes > this.maxBatchBytes;
      if (!isFirst && batch.bytes > 0 && isLarge) return;
      prepared.push(this.prepareUnit(batch, queue.take()));
    }
  }

  private prepareUnit(batch: WriteBatch, unit: Waiting): Prepared {
    const savepoint = batch.begin();
    const { reject } = unit;
    try {
      const resolve = unit.prepare(batch);
      batch.end();
      return { settle: resolve, reject };
    } catch (error) {
      // Delivered with the batch: the unit may have judged by what an earlier unit of it wrote.
      batch.rollback(savepoint);
      return {
        settle: () => {
          this.recorder.refusedUnits++;
          reject(error);
        },
        reject,
      };
    }
  }
}

/** Units in order of arrival; the array is compacted now and then, as shifting it is not free. */
class UnitQueue {
  private units: Waiting[] = [];
  private head = 0;

  get size(): number {
    return this.units.length - this.head;
  }

  /** Where there is one. */
  get first(): Waiting {
    return this.units[this.head]!;
  }

  push(unit: Waiting): void {
    this.units.push(unit);
  }

  /** The first one, which must be there. */
  take(): Waiting {
    const { first } = this;
    this.head++;
    if (this.size === 0 || (this.head >= 1024 && this.head * 2 >= this.units.length)) {
      this.units = this.units.slice(this.head);
      this.head = 0;
    }
    return first;
  }
}
