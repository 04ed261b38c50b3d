// A search in the three shapes it has on its way: as asked (SearchRequest), as planned for one index
// (IndexPlan: plain data, sendable to a worker), and as answered per shard (ShardResult).

import type { DistanceType, Point } from '../geo/distance';
import type { JsonObject, JsonOutput } from '../json/json';
import type { EngineError } from '../errors';
import type { FacetPartial, FacetPlan } from '../facets/facet';
import type { FieldId, FieldKind } from '../mapping/field';
import type { MappedTypeName } from '../mapping/index-mapping';
import type { IndicesOptions } from '../metadata/state';
import type { Query } from '../query/query';
import type { ScriptPlan } from '../script/plan';
import type { SearchStatistics } from '../query/weight';
import type { CommittedSegment } from '../../storage/index';
import type { MetadataField } from './stored-values';

export type SearchType =
  'query_then_fetch' | 'query_and_fetch' | 'dfs_query_then_fetch' | 'dfs_query_and_fetch' | 'count';

/**
 * Tells whether anybody still wants the answer to a search. An AbortSignal is one; what is cheaper to make
 * will do, because most searches only look at `aborted`.
 */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A search as a client asks for it: the parsed body plus what the URL overrides. */
export interface SearchRequest {
  /** Index expression parts; empty for all indices. */
  readonly indices: readonly string[];
  readonly types: readonly string[];
  readonly options: IndicesOptions;
  /** Undefined: the node's default. */
  readonly searchType: SearchType | undefined;
  /** Body object (empty Map when there is none). */
  readonly body: JsonObject;
  /** The body text as received, for error messages; null when there was no body. */
  readonly bodyText: string | null;
  /** Why the body could not be parsed (`body` is empty then); reported as a failure of every shard. */
  readonly bodyError?: EngineError | undefined;
  /** URL parameters of the search API by name; they override the body (reference server). */
  readonly params: ReadonlyMap<string, string>;
  readonly routing: string | undefined;
  readonly preference: string | undefined;
  /** Aborted when nobody wants the answer any more. */
  readonly signal?: CancelSignal | undefined;
}

export interface SortKey {
  readonly kind: 'field' | 'score' | 'doc' | 'script' | 'distance';
  readonly field: FieldId;
  readonly fieldKind: FieldKind | null;
  readonly descending: boolean;
  /** `_last`, `_first`, or the value that stands in for a missing one. */
  readonly missing: string | number | bigint;
  readonly mode: 'min' | 'max' | 'avg' | 'sum';
  readonly nestedPath: string | null;
  readonly nestedFilter: Query | null;
  /** What gives the values of kind `script`; `fieldKind` says whether they are doubles or strings. */
  readonly script?: ScriptRun;
  /** What kind `distance` measures. */
  readonly distance?: DistanceSort;
}

/** Points of a request that documents are measured from. */
export interface DistanceSort {
  readonly points: readonly Point[];
  readonly type: DistanceType;
  /** Meters in a unit of the sort values. */
  readonly unitMeters: number;
}

/** A script with the time it runs at (epoch milliseconds). */
export interface ScriptRun {
  readonly plan: ScriptPlan;
  readonly now: number;
}

/** `true`: everything; `false`: nothing; otherwise include and exclude patterns. */
export type SourceFilter =
  boolean | { readonly includes: readonly string[]; readonly excludes: readonly string[] };

/** A `fielddata_fields` entry: indexed values of a field. */
export interface FielddataField {
  readonly name: string;
  readonly field: FieldId;
  readonly kind: FieldKind;
}

/** A `fields` entry resolved against the mapping. */
export interface FetchField {
  /** Member of the hit's `fields`. */
  readonly name: string;
  /** Where in `_source` its values are. */
  readonly path: string;
  /** A metadata field: comes from the record, as a scalar. */
  readonly metadata: MetadataField | null;
  /** The mapping types whose documents give a metadata field; absent: all of them. */
  readonly keptIn?: readonly string[];
  /** The mapped type of a stored field, whose values are converted; null: values as spelled in the source. */
  readonly stored: MappedTypeName | null;
}

/** An entry of `script_fields`. */
export interface ScriptField extends ScriptRun {
  /** Member of the hit's `fields`. */
  readonly name: string;
  /** A script that fails leaves its field out, instead of failing the search. */
  readonly ignoreFailure: boolean;
}

/** An entry of `partial_fields`: part of the source as a field. */
export interface PartialField {
  readonly name: string;
  readonly filter: SourceFilter;
}

/** What to return of each hit. */
export interface FetchPlan {
  readonly source: SourceFilter;
  /** Names as asked, or null when `fields` was not given. */
  readonly fields: readonly string[] | null;
  /** `fields` resolved for the index; what gives nothing is left out. */
  readonly resolvedFields: readonly FetchField[];
  readonly fielddataFields: readonly FielddataField[];
  readonly scriptFields: readonly ScriptField[];
  readonly partialFields: readonly PartialField[];
  /** Hits show `fields` even when there is nothing in it: `fielddata_fields` were asked for. */
  readonly alwaysFields: boolean;
  readonly version: boolean;
  readonly explain: boolean;
  /** Source patterns hidden or disabled by the mapping, by type. */
  readonly mappedSource: ReadonlyMap<string, SourceFilter>;
}

/** The part of a search that runs on the shards of one index. Plain data. */
export interface IndexPlan {
  readonly index: string;
  /** The query with type restriction and alias filter already wrapped around it. */
  readonly query: Query;
  /** The restriction without the query: what `global` facets see. Null: all live root documents. */
  readonly scope: Query | null;
  readonly postFilter: Query | null;
  readonly minScore: number | null;
  readonly sort: readonly SortKey[] | null;
  readonly trackScores: boolean;
  /** Hits needed from each shard: from + size, or 0 for search_type=count. */
  readonly window: number;
  readonly facets: readonly FacetPlan[];
  /** What the facets may hold in memory on a shard, in bytes. */
  readonly facetMemory: number;
  readonly terminateAfter: number;
  /** Multiplies scores (`indices_boost`). */
  readonly indexBoost: number;
}

/** A shard as a job names it: ids only, so that any thread can open it. */
export interface ShardView {
  readonly index: string;
  readonly indexId: number;
  readonly shardId: number;
  readonly shardNumber: number;
  readonly segments: readonly CommittedSegment[];
}

/** What prepare reports of one shard. */
export type ShardStatistics = SearchStatistics;

/** One hit on its way from collect to fetch. */
export interface ShardHit {
  /** Position of the shard in the order in which equal hits stand. */
  readonly shard: number;
  readonly segment: number;
  readonly doc: number;
  readonly sequence: number;
  /** NaN when not scored. */
  readonly score: number;
  /** One per sort key: string | number | bigint | null. Empty when sorted by score. */
  readonly sort: readonly SortValue[];
}

export type SortValue = string | number | bigint | null;

export interface ShardResult {
  readonly total: number;
  /** NaN when no hit was scored. */
  readonly maxScore: number;
  /** Best first, without the best {@link skipped} ones. */
  readonly hits: readonly ShardHit[];
  /** How many of the best hits were left out, as the job asked. */
  readonly skipped: number;
  /** For each of the plan's facets what parts of the shard contribute: disjoint sets of documents. */
  readonly facets: readonly (readonly FacetPartial[])[];
  readonly terminatedEarly: boolean;
  /** The deadline passed before all segments were looked at. */
  readonly timedOut: boolean;
}

/** A shard that could not answer. */
export interface ShardFailure {
  readonly index: string;
  readonly shard: number;
  readonly status: number;
  readonly reason: string;
}

export interface SearchResponse {
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
}

export interface ShardsHeader {
  readonly total: number;
  readonly successful: number;
  readonly failed: number;
  readonly failures: readonly ShardFailure[];
}
