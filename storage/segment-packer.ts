// Deflates the blocks of segments that stay.
//
// While documents are loaded most segments are merged away soon after they were written, so compressing them
// well would be wasted work. Segments that are still there when writing has paused are deflated, block by
// block: each block is replaced under its key by a value with the same content, so a crash at any moment
// leaves complete segments, and reads give the same result. Deflating happens on a thread of the pool.

import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';

import type { BatchWriter } from './batch-writer';
import { frameDeflated, isDeflated, unframeValue } from './codec';
import type { Entry, KeyValueDatabase, WriteOperation } from './key-value-database';
import { segmentBlockRange, type KeyRange } from './keys';
import { segmentsOf } from './removed-keys';
import type { Packer, TidyTurn } from './idle-compactor';
import type { SegmentId } from './types';

const deflate = promisify(deflateRaw);

/** Higher levels take twice the time for 3 % less. */
const LEVEL = 1;
/** Smaller segments are going to be merged as soon as there is more. Bytes of tables. */
const MIN_SEGMENT_BYTES = 256 * 1024;
/** What a block must shrink to. */
const MAX_SHARE = 7 / 8;
const SLICE_BYTES = 1024 * 1024;
/** Blocks that are read, and then written, at once. */
const SLICE_BLOCKS = 16;
/**
 * Packing goes from the last block to the first: a segment with one packed among its first blocks is done.
 */
const FIRST_BLOCKS = 8;

/** Packs the segments of the `segments` database for its writer. */
export class SegmentPacker implements Packer {
  /** Segments that were looked at since the start. */
  private readonly done = new Set<SegmentId>();
  private current: SegmentId | null = null;

  constructor(
    private readonly database: KeyValueDatabase,
    private readonly writer: BatchWriter,
  ) {}

  /** A segment is about to be written or removed: what was read of it is not written any more. */
  forget(segment: SegmentId): void {
    this.done.delete(segment);
    if (this.current === segment) this.current = null;
  }

  /**
   * Packs what is not packed yet. Gives the range of each segment that is packed, now or since before the
   * start, for compacting. What is damaged stays as it is.
   * @throws as reads and writes of the database do
   */
  async *pack(turn: TidyTurn): AsyncGenerator<KeyRange> {
    for await (const segment of segmentsOf(this.database)) {
      if (turn.isOver()) return;
      if (this.done.has(segment)) continue;
      const range = segmentBlockRange(segment);
      const bytes = await this.database.approximateBytes(range);
      if (bytes < MIN_SEGMENT_BYTES || 2 * bytes > (await turn.spare())) continue;
      this.current = segment;
      if ((await this.isPacked(range)) || (await this.packSegment(segment, range, turn))) {
        yield range;
      }
      this.current = null;
      this.done.add(segment);
    }
  }

  private async isPacked(range: KeyRange): Promise<boolean> {
    const first = { sliceBytes: SLICE_BYTES, limit: FIRST_BLOCKS };
    for await (const slice of this.database.scan(range, first)) {
      if (slice.some(([, value]) => isDeflated(value))) return true;
    }
    return false;
  }

  /** @returns whether anything was written */
  private async packSegment(segment: SegmentId, range: KeyRange, turn: TidyTurn): Promise<boolean> {
    let isChanged = false;
    let { lt } = range;
    for (;;) {
      const slice = await this.lastBlocks({ gte: range.gte, lt });
      const lowest = slice.at(-1);
      if (lowest === undefined) return isChanged;
      lt = lowest[0];
      const operations: WriteOperation[] = [];
      for (const [key, value] of slice) {
        if (isDeflated(value)) continue;
        const payload = payloadOf(key, value);
        if (payload === null) continue;
        const deflated = await deflate(payload, { level: LEVEL });
        if (deflated.length > payload.length * MAX_SHARE) continue;
        operations.push({ type: 'put', key, value: frameDeflated(key, deflated) });
      }
      if (this.current !== segment || turn.isOver()) return isChanged;
      if (operations.length === 0) continue;
      await this.writer.write(operations);
      isChanged = true;
    }
  }

  /**
   * The last blocks in a range, from the last down. A scan of its own each time: while one is open,
   * compactions keep what is replaced.
   */
  private async lastBlocks(range: KeyRange): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
    const backwards = { sliceBytes: SLICE_BYTES, reverse: true, limit: SLICE_BLOCKS };
    for await (const slice of this.database.scan(range, backwards)) {
      for (const entry of slice) entries.push(entry);
    }
    return entries;
  }
}

/** Null when it is damaged; reading it reports the damage. */
function payloadOf(key: Buffer, value: Buffer): Buffer | null {
  try {
    return unframeValue(key, value);
  } catch {
    return null;
  }
}
