// A segment that was just built and is never stored: what queries run over while a single document is tried.

import type { LogRecord } from '../../../storage/index';
import { ByteCache } from '../../common/index';
import { committedSegment, type BuiltSegment } from '../format/segment-writer';
import { openSegment } from './open-segment';
import type { SegmentReader } from '../contract/reader';

/** Bytes that is kept decoded of the segments that are open; what does not fit is decoded again. */
const CACHE_BYTES = 32 * 1024 * 1024;

/** A segment in memory; {@link close} when nobody reads it any more. */
export interface MemorySegment {
  readonly reader: SegmentReader;
  close(): void;
}

/** Opens segments that are in memory only. */
export class MemorySegments {
  private readonly cache = new ByteCache(CACHE_BYTES);
  private lastId = 0;

  /** @param records the log records of its documents, by sequence number: for scripts that read sources */
  open(built: BuiltSegment, records: ReadonlyMap<number, LogRecord>): MemorySegment {
    const id = ++this.lastId;
    const source = {
      readBlock: (_segment: number, block: number) => built.blocks[block]!,
      readDeletions: (): never => {
        throw new Error('nothing is deleted in a segment in memory');
      },
    };
    const meta = committedSegment(id, built);
    const reader = openSegment(meta, source, this.cache, (sequence) => records.get(sequence));
    return { reader, close: () => this.cache.remove(id) };
  }
}
