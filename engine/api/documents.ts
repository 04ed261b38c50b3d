// Requests and results of the document APIs.

import type { JsonObject, JsonOutput, SourceFilter } from '../json/index';

/** How the version of a request is compared with that of the document (reference server). */
export type VersionType = 'internal' | 'external' | 'external_gte' | 'force';

/** What all single-document writes share. Undefined: not given. */
export interface WriteOptions {
  readonly index: string;
  readonly type: string;
  readonly routing: string | undefined;
  readonly parent: string | undefined;
  readonly version: number | undefined;
  readonly versionType: VersionType;
  /** Millis or date text as given. */
  readonly timestamp: string | undefined;
  /** Milliseconds, above 0. */
  readonly ttl: number | undefined;
  readonly refresh: boolean;
}

/** A document to be stored. */
export interface IndexRequest extends WriteOptions {
  /** Undefined: an id is generated. */
  readonly id: string | undefined;
  readonly create: boolean;
  readonly source: Buffer;
}

/** The document that was stored. */
export interface IndexResult {
  readonly index: string;
  readonly type: string;
  readonly id: string;
  readonly version: number;
  readonly created: boolean;
}

/** A document to be deleted. */
export interface DeleteRequest extends WriteOptions {
  readonly id: string;
}

/** What a deletion came to. */
export interface DeleteResult {
  readonly index: string;
  readonly type: string;
  readonly id: string;
  readonly version: number;
  readonly found: boolean;
}

/** A change of a document by script or part. */
export interface UpdateRequest extends WriteOptions {
  readonly id: string;
  readonly body: JsonObject;
  readonly retryOnConflict: number;
  /** `fields` of the URL: adds a `get` section. */
  readonly fields: readonly string[] | undefined;
}

/** What an update came to. */
export interface UpdateResult extends IndexResult {
  readonly noop: boolean;
  readonly get: GetResult | undefined;
}

/** A document to be read, and what of it. */
export interface GetRequest {
  readonly index: string;
  /** `_all`: any type. */
  readonly type: string;
  readonly id: string;
  readonly routing: string | undefined;
  readonly parent: string | undefined;
  readonly realtime: boolean;
  readonly refresh: boolean;
  readonly version: number | undefined;
  readonly versionType: VersionType;
  readonly source: SourceFilter;
  /** Undefined: not given. */
  readonly fields: readonly string[] | undefined;
}

/** A document, or that there is none. */
export interface GetResult {
  readonly index: string;
  readonly type: string;
  readonly id: string;
  readonly found: boolean;
  readonly version: number;
  /** `_source` as stored or filtered; undefined when not asked for or hidden. */
  readonly source: Buffer | undefined;
  /** Undefined: no `fields` member. */
  readonly fields: ReadonlyMap<string, JsonOutput> | undefined;
}

/** One action of a bulk request, in request order. */
export type BulkAction =
  | { readonly kind: 'index'; readonly request: IndexRequest }
  | { readonly kind: 'delete'; readonly request: DeleteRequest }
  | { readonly kind: 'update'; readonly request: UpdateRequest };

/** The outcome of one bulk action: a result, or the error that stopped this action alone. */
export type BulkItem =
  | {
      readonly kind: 'index';
      readonly result: IndexResult;
      /** The id was made for the document: neither request nor document brought one. */
      readonly hasNewId: boolean;
    }
  | { readonly kind: 'delete'; readonly result: DeleteResult }
  | { readonly kind: 'update'; readonly result: UpdateResult }
  | {
      readonly kind: 'error';
      readonly error: Error;
      readonly index: string;
      readonly type: string;
      readonly id: string | undefined;
      /** Of a document to be indexed: there is no id, or it was made for it. */
      readonly hasNewId: boolean;
    };
