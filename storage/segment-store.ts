// The `segments` database: immutable blocks and deletion chunks. It has one writer, keeps one batch in
// flight, and follows the same rule after a failure as the log. Nothing in it matters until a commit
// point in the log names it, so pieces are written and synced here first and committed there last.

import { BatchWriter } from './batch-writer';
import { frameValue, unframeValue } from './codec';
import {
  CorruptionError,
  InputOutputError,
  SegmentDamageError,
  type StorageFailure,
} from './errors';
import {
  bytesOf,
  compactQuietly,
  type KeyValueDatabase,
  type WriteOperation,
} from './key-value-database';
import {
  blockKey,
  deletionChunkOf,
  deletionsKey,
  describeKey,
  segmentBlockRange,
  segmentDeletionsRange,
  segmentOfKey,
  type KeyRange,
} from './keys';
import { RemovedBlocks } from './removed-keys';
import { SegmentPacker } from './segment-packer';
import { COMPACTION_ROOM_BYTES, IdleCompactor, type TidyOptions } from './idle-compactor';
import type { SegmentId, SegmentStore } from './types';

/** A small segment that a refresh waits for is written between two batches of a large one. */
const MAX_BATCH_BYTES = 1024 * 1024;
const MAX_BATCH_OPERATIONS = 4096;
const SLICE_BYTES = 64 * 1024;
/**
 * After so long a pause in writing segments are packed: merges of shards that rest come first. Milliseconds.
 */
const REST_MS = 12_000;
/** Space of fewer removed blocks, 16 MB, is left to come back by itself. */
const COMPACT_KEYS = 256;

/** A deletion chunk's name. */
interface ChunkName {
  readonly segment: SegmentId;
  readonly chunk: number;
  readonly generation: number;
}

/** Reads of the `segments` database, all that a search worker needs. */
export class DatabaseSegmentReader implements Pick<SegmentStore, 'readBlock' | 'readDeletions'> {
  constructor(protected readonly database: KeyValueDatabase) {}

  readBlock(segment: SegmentId, block: number): Buffer {
    return this.read(blockKey(segment, block));
  }

  readDeletions(segment: SegmentId, chunk: number, generation: number): Buffer {
    return this.read(deletionsKey(segment, chunk, generation));
  }

  /** @throws SegmentDamageError */
  private read(key: Buffer): Buffer {
    try {
      const value = this.database.get(key);
      if (value === undefined) throw new CorruptionError(`${describeKey(key)} is missing`);
      return unframeValue(key, value);
    } catch (error) {
      if (!(error instanceof CorruptionError) && !isUnreadable(error)) throw error;
      throw new SegmentDamageError(error.message, error, segmentOfKey(key));
    }
  }
}

/** The `segments` database for its writer. */
export class DatabaseSegmentStore extends DatabaseSegmentReader implements SegmentStore {
  private readonly writer: BatchWriter;
  private readonly packer: SegmentPacker;

  /**
   * @param onFailure is told once, when a batch failed.
   * @param tidy when space of removed segments is given back.
   */
  constructor(
    database: KeyValueDatabase,
    onFailure: (error: StorageFailure) => void,
    tidy: TidyOptions = {},
  ) {
    super(database);
    const compactor = new IdleCompactor(database, new RemovedBlocks(), {
      restMs: REST_MS,
      ...tidy,
    });
    this.writer = new BatchWriter(database, onFailure, compactor);
    this.packer = new SegmentPacker(database, this.writer);
    compactor.packer = this.packer;
  }

  /** What broke this handle, or null. */
  get failure(): StorageFailure | null {
    return this.writer.failure;
  }

  async writeSegment(segment: SegmentId, blocks: readonly Buffer[]): Promise<void> {
    this.packer.forget(segment);
    await this.writeBatches(
      (function* () {
        for (let block = 0; block < blocks.length; block++) {
          const bytes = blocks[block];
          if (bytes !== undefined) yield put(blockKey(segment, block), bytes);
        }
      })(),
    );
  }

  async writeDeletions(chunks: readonly (ChunkName & { readonly bits: Buffer })[]): Promise<void> {
    await this.writeBatches(
      (function* () {
        for (const { segment, chunk, generation, bits } of chunks) {
          yield put(deletionsKey(segment, chunk, generation), bits);
        }
      })(),
    );
  }

  async removeSegments(segments: readonly SegmentId[]): Promise<void> {
    for (const segment of segments) {
      this.packer.forget(segment);
      await this.removeRange(segmentBlockRange(segment));
      await this.removeRange(segmentDeletionsRange(segment));
    }
  }

  async removeDeletions(chunks: readonly ChunkName[]): Promise<void> {
    await this.writeBatches(
      (function* () {
        for (const { segment, chunk, generation } of chunks) {
          yield { type: 'del', key: deletionsKey(segment, chunk, generation) } as const;
        }
      })(),
    );
  }

  async removeOtherDeletions(
    segment: SegmentId,
    kept: readonly (readonly number[])[],
  ): Promise<void> {
    const others: ChunkName[] = [];
    const options = { sliceBytes: SLICE_BYTES, keysOnly: true };
    for await (const slice of this.database.scan(segmentDeletionsRange(segment), options)) {
      for (const [key] of slice) {
        const { chunk, generation } = deletionChunkOf(key);
        if (!kept.some((generations) => generations[chunk] === generation)) {
          others.push({ segment, chunk, generation });
        }
      }
    }
    await this.removeDeletions(others);
  }

  /** Refuses further writes and waits for the one in flight. */
  async close(): Promise<void> {
    await this.writer.close();
  }

  private async removeRange(range: KeyRange): Promise<void> {
    let removed = 0;
    const options = { sliceBytes: SLICE_BYTES, keysOnly: true };
    for await (const slice of this.database.scan(range, options)) {
      await this.writer.write(slice.map(([key]) => ({ type: 'del', key })));
      removed += slice.length;
    }
    if (removed < COMPACT_KEYS) return;
    // Without room the compactor does it later.
    const free = await this.database.freeBytes();
    if (free >= COMPACTION_ROOM_BYTES) await compactQuietly(this.database, range);
  }

  /** Frames operations as they are needed, so that no more than one batch of copies is in memory. */
  private async writeBatches(operations: Iterable<WriteOperation>): Promise<void> {
    let batch: WriteOperation[] = [];
    let bytes = 0;
    for (const operation of operations) {
      const size = bytesOf(operation);
      if (
        batch.length > 0 &&
        (bytes + size > MAX_BATCH_BYTES || batch.length >= MAX_BATCH_OPERATIONS)
      ) {
        await this.writer.write(batch);
        batch = [];
        bytes = 0;
      }
      batch.push(operation);
      bytes += size;
    }
    if (batch.length > 0) await this.writer.write(batch);
  }
}

/** A part of the disk cannot be read any more. */
function isUnreadable(error: unknown): error is InputOutputError {
  return error instanceof InputOutputError && /input\/output error/i.test(error.message);
}

function put(key: Buffer, payload: Buffer): WriteOperation {
  return { type: 'put', key, value: frameValue(key, payload) };
}
