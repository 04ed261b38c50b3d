// What the document APIs read and write by, wherever documents are kept.

import type { DocumentTarget } from './document-targets';
import type { DocumentWrite, WriteResult } from './document-write';
import type { EngineError } from '../errors';
import type { IndexedField } from '../mapping/index';
import type { FieldId } from '../metadata/index';
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

/** Terms of a field of which something is to be known. */
export interface WantedTerms {
  readonly field: IndexedField;
  /** Distinct. */
  readonly terms: readonly string[];
}

/** What a shard has of a field. */
export interface FieldFigures {
  /** Documents that have terms, nested ones included. */
  readonly docCount: number;
  /** Pairs of a term and a document that has it. */
  readonly sumDocFreq: number;
  /** Tokens; -1: they are not counted. */
  readonly sumTotalTermFreq: number;
  /** Of a term; documents that have it, and tokens, or -1. */
  readonly terms: ReadonlyMap<string, { readonly docFreq: number; readonly totalTermFreq: number }>;
}

/** What searches see of documents and terms. */
export interface VisibleTerms {
  /** Whether searches see the document as it was loaded. */
  isVisible(target: DocumentTarget, document: StoredDocument): boolean | Promise<boolean>;
  /**
   * Figures of fields by their ids; those that the shard has no terms of are missing.
   *
   * @throws EngineError when the shard cannot be read
   */
  figures(
    target: DocumentTarget,
    wanted: readonly WantedTerms[],
  ): Promise<ReadonlyMap<FieldId, FieldFigures>>;
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
