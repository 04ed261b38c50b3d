// Requests and results of searches and counts.

import type { JsonObject, JsonOutput, SourceFilter } from '../json/index';
import type { EngineError } from '../errors';
import type { IndicesOptions } from '../metadata/index';
import type { CancelSignal, MemoryLease } from '../common/index';

/** How a search asks its shards (reference server). */
export type SearchType =
  | 'query_then_fetch'
  | 'query_and_fetch'
  | 'dfs_query_then_fetch'
  | 'dfs_query_and_fetch'
  | 'count'
  | 'scan';

/** What the body of a search may be, also one that a template renders to. */
export const SEARCH_BODY = {
  /** JSON levels; the query parser has its own limit for nested queries. */
  depth: 1000,
  /** Names, values and ends of objects and lists. Room for three times `search.max_terms`. */
  values: 200_000,
} as const;

/** A search as a client asks for it: the parsed body plus what the URL overrides. */
export interface SearchRequest {
  /** Index expression parts; empty for all indices. */
  readonly indices: readonly string[];
  readonly types: readonly string[];
  readonly options: IndicesOptions;
  /** Undefined: the node's default. */
  readonly searchType: SearchType | undefined;
  /** How long it is kept open for more pages, in milliseconds; undefined: it is not. */
  readonly scroll?: number | undefined;
  /** Body object (empty Map when there is none). */
  readonly body: JsonObject;
  /** The text that `body` was read from, which stands for it; null when there was none. */
  readonly bodyText: string | null;
  /** Why the body could not be parsed (`body` is empty then); reported as a failure of every shard. */
  readonly bodyError?: EngineError | undefined;
  /** The body names a template, which the search is rendered from; it says so also where it is unreadable. */
  readonly isTemplate?: boolean | undefined;
  /** URL parameters of the search API by name; they override the body (reference server). */
  readonly params: ReadonlyMap<string, string>;
  readonly routing: string | undefined;
  readonly preference: string | undefined;
  /** Aborted when nobody wants the answer any more. */
  readonly signal?: CancelSignal | undefined;
  /** What the request holds of the node's budget. */
  readonly memory?: MemoryLease | undefined;
}

/** Asks for the next page of a scroll. */
export interface ScrollRequest {
  readonly scrollId: string;
  /** How long it is kept open from now on, in milliseconds; undefined: it ends with this page. */
  readonly keepAlive: number | undefined;
  /** Aborted when nobody wants the answer any more. */
  readonly signal?: CancelSignal | undefined;
  /** What the request holds of the node's budget. */
  readonly memory?: MemoryLease | undefined;
}

/** A shard that could not answer. */
export interface ShardFailure {
  /** Empty: not known, as of a scroll that is gone. */
  readonly index: string;
  readonly shard: number;
  readonly status: number;
  readonly reason: string;
}

/** The answer to a search. */
export interface SearchResponse {
  /** What the next page is asked for with; undefined: the search is not kept open. */
  readonly scrollId?: string | undefined;
  readonly tookMs: number;
  readonly timedOut: boolean;
  readonly terminatedEarly: boolean | undefined;
  readonly shards: ShardsHeader;
  readonly total: number;
  /** `null`, a float, or 0 for searches that want no hits. */
  readonly maxScore: number | null;
  /** The rendered members of `hits.hits`, one JSON text each. */
  readonly hits: readonly Buffer[];
  /** Undefined: the response has no `facets` member. */
  readonly facets: JsonOutput | undefined;
  /** Undefined: the response has no `aggregations` member. */
  readonly aggregations?: JsonOutput | undefined;
  /** Undefined: the response has no `suggest` member. */
  readonly suggest?: JsonOutput | undefined;
}

/** What `_suggest` asks for. */
export type SuggestRequest = Pick<
  SearchRequest,
  | 'indices'
  | 'options'
  | 'body'
  | 'bodyText'
  | 'bodyError'
  | 'routing'
  | 'preference'
  | 'signal'
  | 'memory'
>;

/** The answer to `_suggest`. */
export interface SuggestResponse {
  readonly shards: ShardsHeader;
  readonly suggestions: ReadonlyMap<string, JsonOutput>;
}

/** How many shards were asked, and how they fared. */
export interface ShardsHeader {
  readonly total: number;
  readonly successful: number;
  readonly failed: number;
  readonly failures: readonly ShardFailure[];
}

/** How characteristic words are chosen; undefined: the defaults of the more_like_this query. */
export interface SimilarityOptions {
  readonly minimumShouldMatch: string;
  readonly minTermFreq: number | undefined;
  readonly maxQueryTerms: number | undefined;
  readonly minDocFreq: number | undefined;
  readonly maxDocFreq: number | undefined;
  readonly minWordLength: number | undefined;
  readonly maxWordLength: number | undefined;
  readonly boostTerms: number | undefined;
  readonly stopWords: readonly string[];
}

/** A query as counts, validations and deletions take it. */
export interface CountRequest {
  readonly indices: readonly string[];
  readonly types: readonly string[];
  readonly options: IndicesOptions;
  readonly body: JsonObject;
  readonly bodyText: string | null;
  /** Why the body could not be parsed (`body` is empty then); reported as a failure of every shard. */
  readonly bodyError?: EngineError | undefined;
  readonly params: ReadonlyMap<string, string>;
  readonly routing: string | undefined;
  readonly preference: string | undefined;
  /** Aborted when nobody wants the answer any more. */
  readonly signal?: CancelSignal | undefined;
  /** What the request holds of the node's budget. */
  readonly memory?: MemoryLease | undefined;
}

/** The answer to a count. */
export interface CountResponse {
  readonly count: number;
  readonly shards: ShardsHeader;
  readonly terminatedEarly: boolean | undefined;
}

/** What an index makes of a query. */
export interface QueryValidation {
  readonly index: string;
  /** Why the query cannot be read, with class names as the reference writes them; null: it can. */
  readonly error: string | null;
  /** A valid query as Lucene prints it; null when it has no such text. */
  readonly explanation: string | null;
}

/** A document, and the query that it is explained by: that of `q` or of the body. */
export interface ExplainRequest extends Omit<CountRequest, 'indices' | 'types' | 'options'> {
  readonly index: string;
  readonly type: string;
  readonly id: string;
  /** Undefined: `fields` was not given. */
  readonly fields: readonly string[] | undefined;
  /** What is shown of the source; undefined: nothing was said about it. */
  readonly source: SourceFilter | undefined;
}

/** Why a document has its score. */
export interface ExplainResult {
  readonly index: string;
  readonly type: string;
  readonly id: string;
  readonly matched: boolean;
  /** Undefined: there is no such document. */
  readonly explanation: JsonOutput | undefined;
  /** What was asked for of the document; undefined: nothing. */
  readonly get:
    | { readonly _source: JsonOutput | undefined; readonly fields: JsonOutput | undefined }
    | undefined;
}

/** A document, and the search for others like it. */
export interface MoreLikeThisRequest {
  readonly index: string;
  readonly type: string;
  readonly id: string;
  /** Of the document only. */
  readonly routing: string | undefined;
  /** Empty: all with text. */
  readonly fields: readonly string[];
  /** Whether the document itself may be found. */
  readonly include: boolean;
  readonly options: SimilarityOptions;
  readonly search: Pick<
    SearchRequest,
    | 'indices'
    | 'types'
    | 'options'
    | 'searchType'
    | 'scroll'
    | 'body'
    | 'bodyText'
    | 'signal'
    | 'memory'
  > & { readonly from: number | undefined; readonly size: number | undefined };
}

/** Which fields of which indices statistics are wanted of. */
export interface FieldStatsRequest {
  /** Index expression parts; empty for all indices. */
  readonly indices: readonly string[];
  readonly options: IndicesOptions;
  /** Full names. */
  readonly fields: readonly string[];
  /** False: of all indices together. */
  readonly perIndex: boolean;
  readonly signal: CancelSignal | undefined;
}

/** Field statistics. A shard that does not know one of the fields has failed. */
export interface FieldStatsResult {
  readonly shards: ShardsHeader;
  /** By index, or for `_all`. */
  readonly indices: JsonOutput;
}
