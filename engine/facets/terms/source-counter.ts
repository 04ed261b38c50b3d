// What counts one source of a terms facet over the segments of a shard.

import type { SegmentReader, Bitset } from '../../segment/index';
import type { Candidates } from './terms-spec';

/** What a source has in one segment. Immutable. */
export interface SourceCounts {
  /** Documents without a term. */
  readonly missing: number;
  /** Sum of all counts. */
  readonly total: number;
}

/** Counts the terms of one source over the segments of a shard. */
export interface SourceCounter<C extends SourceCounts = SourceCounts> {
  /** `docs` null: no document of the segment is in scope. */
  count(segment: SegmentReader, docs: Bitset | null): C;
  /** Memory that counts hold. */
  bytesOf(counts: C): number;
  add(segment: SegmentReader, counts: C): void;
  /** All terms that may be shown, of those that are in scope or asked for by `all_terms`; more do no harm. */
  candidates(): Candidates;
}
