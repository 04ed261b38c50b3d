// Requests and results of term vectors.

import type { EngineError } from '../errors';
import type { CancelSignal, MemoryLease } from '../common/index';
import type { JsonOutput } from '../json/index';

/** A document whose terms are wanted. */
export interface TermVectorsRequest {
  readonly index: string;
  readonly type: string;
  /** Null: the document is {@link doc}. */
  readonly id: string | null;
  /** A document that is not in the index, as JSON; null: the one with the id. */
  readonly doc: Buffer | null;
  readonly routing: string | undefined;
  readonly parent: string | undefined;
  readonly preference: string | undefined;
  readonly realtime: boolean;
  /**
   * Names and patterns; null: all that keep term vectors, of a document that is not in the index all of text.
   */
  readonly fields: readonly string[] | null;
  readonly positions: boolean;
  readonly offsets: boolean;
  readonly termStatistics: boolean;
  readonly fieldStatistics: boolean;
  /** Names of analyzers by field, in place of the mapped ones. */
  readonly analyzers: ReadonlyMap<string, string>;
}

/** What several requests for term vectors have in common. */
export interface TermVectorsControl {
  readonly signal?: CancelSignal | undefined;
  readonly memory?: MemoryLease | undefined;
}

/** The terms of a document, or that there is none. */
export interface TermVectorsResult {
  readonly index: string;
  readonly type: string;
  readonly id: string | null;
  readonly found: boolean;
  /** 0 for a document that is not in the index. */
  readonly version: number;
  readonly tookMs: number;
  /** By field; undefined: there is no document. */
  readonly fields: JsonOutput | undefined;
}

/** A result, or what is wrong with its request alone. */
export type TermVectorsOutcome = TermVectorsResult | EngineError;
