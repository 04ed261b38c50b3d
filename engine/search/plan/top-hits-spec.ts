// What an aggregation of hits asks for, and the search that it asks it of.

import type { BucketHitsSpec } from '../../aggregations/index';
import type { HighlightRequest } from '../../highlight/index';
import type { FetchPlan, SortKey } from './search-plan';

/** Hits of buckets: how they are found and shown. Plain data. */
export interface TopHitsSpec extends BucketHitsSpec {
  readonly search: {
    /** Null: best score first. */
    readonly sort: readonly SortKey[] | null;
    readonly trackScores: boolean;
    readonly fetch: FetchPlan;
    /** Becomes part of {@link fetch} once the query is known. */
    readonly highlight: readonly HighlightRequest[] | null;
    /** Where the hits are nested objects: the paths from the outermost down to their own. */
    readonly nestedPaths: readonly string[];
  };
}

/** The order of hits without sort keys. */
export const BY_SCORE: SortKey = {
  kind: 'score',
  field: 0,
  fieldKind: null,
  descending: true,
  missing: '_last',
  mode: 'max',
  nestedPath: null,
  nestedFilter: null,
};
