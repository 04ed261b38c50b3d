// Requests and results of trying documents against stored queries.

import type { JsonObject, JsonOutput } from '../json/index';
import type { EngineError } from '../errors';
import type { IndicesOptions } from '../metadata/index';
import type { CancelSignal, MemoryLease } from '../common/index';
import type { GetRequest } from './documents';
import type { ShardsHeader } from './search';

/** A document, and which stored queries it is tried against. */
export interface PercolateRequest {
  /** Index expression parts: where the queries are. */
  readonly indices: readonly string[];
  /** The type that the document is read as. */
  readonly type: string;
  readonly options: IndicesOptions;
  readonly routing: string | undefined;
  readonly preference: string | undefined;
  /** Body object (empty Map when there is none): the document and what is asked about the matches. */
  readonly body: JsonObject;
  /** Why the body could not be parsed; reported as a failure of every shard. */
  readonly bodyError: EngineError | undefined;
  /** The stored document to be tried, instead of one in the body. */
  readonly existing: GetRequest | undefined;
  /** The matches themselves are not wanted. */
  readonly countOnly: boolean;
  /** It is one of several: its shards word their failures otherwise. */
  readonly isItem: boolean;
  readonly signal?: CancelSignal | undefined;
  readonly memory?: MemoryLease | undefined;
}

/** A stored query that matches. */
export interface PercolateMatch {
  readonly index: string;
  readonly id: string;
  /** Null: scores were not asked for. */
  readonly score: number | null;
  /** Fragments of the document by field; null: they were not asked for. */
  readonly highlight: ReadonlyMap<string, readonly string[]> | null;
}

/** The answer to a {@link PercolateRequest}. */
export interface PercolateResponse {
  readonly tookMs: number;
  readonly shards: ShardsHeader;
  readonly total: number;
  /** Null: only their number was asked for. */
  readonly matches: readonly PercolateMatch[] | null;
  /** Undefined: the response has no `facets` member. */
  readonly facets: JsonOutput | undefined;
  /** Undefined: the response has no `aggregations` member. */
  readonly aggregations?: JsonOutput | undefined;
}
