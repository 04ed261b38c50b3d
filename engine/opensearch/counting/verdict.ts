// What OpenSearch makes of something, as docs/opensearch.md shows it.

/** How an answer stands to that of the embedded engine. */
export interface Verdict {
  /** `near`: in the way that {@link but} says. */
  readonly is: 'exact' | 'near' | 'refused';
  /** What is refused of it by name, or how it differs; null: nothing. */
  readonly but: string | null;
}
