// What OpenSearch makes of something, as docs/opensearch.md shows it.

/** Of what OpenSearch cannot count and facetd does (engine/opensearch/aggregations/counted-here.ts). */
export const FEW_DOCUMENTS = 'for up to 2,000 documents on a shard, which facetd counts itself';

/** Of scripts of facets and aggregations: scores are not known where they are counted. */
export const UNSCORED = 'those with [_score] are refused';

/** How an answer stands to that of the embedded engine. */
export interface Verdict {
  /** `near`: in the way that {@link but} says. */
  readonly is: 'exact' | 'near' | 'refused';
  /** What is refused of it by name, or beyond which size, or how it differs; null: nothing. */
  readonly but: string | null;
}
