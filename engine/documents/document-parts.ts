// What the document APIs read and write by, wherever documents are kept.

import type { DocumentTarget } from './document-targets';
import type { DocumentWrite, WriteResult } from './document-write';
import type { EngineError } from '../errors';
import type { ReadableIndex, WritableIndex } from '../shard/index';
import type { LogRecord, UidEntry } from '../../storage/index';

/** A live document: what is known of its id, and its newest record. */
export interface StoredDocument {
  readonly entry: UidEntry;
  readonly record: LogRecord;
}

/** Reads single documents by id. */
export interface DocumentReads {
  /**
   * The live document with this id, or of any type where that is `_all`.
   *
   * @param realtime as of now, refreshed or not; false: as of the last refresh
   */
  load(
    target: DocumentTarget<ReadableIndex>,
    type: string,
    id: string,
    realtime: boolean,
  ): StoredDocument | undefined | Promise<StoredDocument | undefined>;
}

/** Writes documents of one index. */
export interface DocumentWrites {
  /**
   * Writes in order; a write sees the ones before it.
   *
   * @returns one result or error per write, durable when the promise settles
   * @throws EngineError when none of them could be tried (index gone)
   */
  write(
    index: WritableIndex,
    writes: readonly DocumentWrite[],
  ): Promise<(WriteResult | EngineError)[]>;
  /** Like {@link write} for a single document. @throws EngineError when it is refused */
  writeOne(index: WritableIndex, write: DocumentWrite): Promise<WriteResult>;
}
