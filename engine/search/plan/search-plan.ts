// A search in the three shapes it has on its way: as asked (SearchRequest), as planned for one index
// (IndexPlan: plain data, sendable to a worker), and as answered per shard (ShardResult).

import type { DistanceType, Point } from '../../geo/index';
import type { AggregatedSearch, AggregationPartial } from '../../aggregations/index';
import type { FacetPartial, FacetedSearch } from '../../facets/index';
import type { HighlightPlan } from '../../highlight/index';
import type { Query } from '../../query/index';
import type { ScriptPlan } from '../../script/index';
import type { MetadataField, MappedTypeName } from '../../mapping/index';
import type { SourceFilter } from '../../json/index';
import type { JobFailure } from './failure';
import type { RescorePlan } from './rescore-plan';
import type { SuggestSpec } from '../../suggest/index';
import type { FieldId, FieldKind } from '../../metadata/index';

/** One criterion of a sort. */
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

/** What explanations show of the node and the index. */
export interface ExplainPlan {
  readonly nodeId: string;
  /** Names of fields by their ids. */
  readonly fieldNames: ReadonlyMap<FieldId, string>;
  /** Explain this one, instead of the query that found the hits, and tell whether it matches. */
  readonly query?: Query;
}

/** What to return of each hit. */
export interface FetchPlan {
  /** Why no hit can be fetched; absent: hits can. */
  readonly refusal?: JobFailure;
  readonly source: SourceFilter;
  /** Names as asked, or null when `fields` was not given. */
  readonly fields: readonly string[] | null;
  /** `fields` resolved for the index; what gives nothing is left out. */
  readonly resolvedFields: readonly FetchField[];
  readonly fielddataFields: readonly FielddataField[];
  readonly scriptFields: readonly ScriptField[];
  readonly partialFields: readonly PartialField[];
  /** Null: nothing is highlighted. */
  readonly highlight: HighlightPlan | null;
  /** Hits show `fields` even when there is nothing in it: `fielddata_fields` were asked for. */
  readonly alwaysFields: boolean;
  readonly version: boolean;
  /** What explanations of hits show of node and index; null: none is asked for. */
  readonly explain: ExplainPlan | null;
  /** Source patterns hidden or disabled by the mapping, by type. */
  readonly mappedSource: ReadonlyMap<string, SourceFilter>;
  /** What is shown below each hit, by distinct names; absent: nothing. */
  readonly innerHits?: readonly InnerHitsPlan[];
}

/** Which documents may stand below a hit. */
export type InnerHitsTarget =
  | {
      readonly kind: 'related';
      readonly type: string;
      /** Hits of this type show those whose parent they are; null: the type has no parent. */
      readonly parentType: string | null;
      /** Hits of these types show their parent. */
      readonly childTypes: readonly string[];
    }
  | {
      readonly kind: 'nested';
      readonly path: string;
      /** The nested objects which the hit is one of; null: the hit is a whole document. */
      readonly parentPath: string | null;
      /** The paths of the nested objects around and at the path, from the outermost one down. */
      readonly paths: readonly string[];
    };

/** What is shown below a hit, as a search among the documents that may stand there. */
export interface InnerHitsPlan {
  readonly name: string;
  readonly target: InnerHitsTarget;
  /** What is explained of them. */
  readonly query: Query;
  /** Finds those of all hits; the window ends with the page. */
  readonly plan: IndexPlan;
  readonly from: number;
  readonly fetch: FetchPlan;
}

/** The part of a search that runs on the shards of one index. Plain data. */
export interface IndexPlan extends FacetedSearch, AggregatedSearch {
  readonly index: string;
  readonly postFilter: Query | null;
  readonly sort: readonly SortKey[] | null;
  readonly trackScores: boolean;
  /** What is suggested beside the hits; missing: the search does not ask. */
  readonly suggest?: readonly SuggestSpec[];
  /** Hits needed from each shard: from + size or what rescoring looks at; 0 for search_type=count. */
  readonly window: number;
  /** It has so much of something that main does not run it where there are other threads. */
  readonly isLarge?: boolean;
  readonly terminateAfter: number;
  /** Stages of rescoring, at least one; absent: none. */
  readonly rescores?: readonly RescorePlan[];
  /** A page of a scan: the next `window` matches in the order in which they were written, unsorted. */
  readonly scan?: true;
}

/** Whether something counts the documents that match. */
export function countsDocuments({ facets, aggregations }: IndexPlan): boolean {
  return facets.length > 0 || aggregations.length > 0;
}

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
  /** It is a nested object of its document: for each path down to its own, which of the objects. */
  readonly nested?: readonly NestedPlace[];
}

/** One of the nested objects of a document, or of an object around it. */
export interface NestedPlace {
  readonly path: string;
  /** Its place among those of the same object around. */
  readonly offset: number;
}

/** What a hit is sorted by; null: it has no value. */
export type SortValue = string | number | bigint | null;

/** What one shard found. */
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
  /** The same for the plan's aggregations. */
  readonly aggregations: readonly (readonly AggregationPartial[])[];
  readonly terminatedEarly: boolean;
  /** The deadline passed before all segments were looked at. */
  readonly timedOut: boolean;
}

/** What stands for a document without points (reference server): last in ascending order. */
export const NO_DISTANCE = Number.MAX_VALUE;

/** The same for one without nested documents that a sorting script would run over. */
export const NO_SCRIPT_VALUE = Number.MAX_VALUE;
