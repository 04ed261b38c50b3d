// Running a query tree: statistics -> weight -> per-segment scorers and document sets.

import type { Bitset, SegmentReader } from '../../segment/index';
import type { FieldFigures, Similarities } from '../../similarity/index';
import type { FieldId } from '../../metadata/index';
import type { ExplainContext, Explanation } from './explanation';

/**
 * Statistics of one shard (or, for dfs searches, summed over all shards) that scoring needs.
 * Plain data: prepared per shard, merged on main, sent with the collect job.
 */
export interface SearchStatistics {
  readonly similarities: Similarities;
  /** maxDoc: all documents, nested and deleted ones included. */
  readonly maxDoc: number;
  /** Document frequencies by field and term. */
  readonly docFreqs: TermCounts;
  /**
   * How often terms occur in all documents together, -1 where that is not recorded; of fields whose
   * similarities do not ask for it only in searches over several shards.
   */
  readonly totalTermFreqs: TermCounts;
  readonly fields: ReadonlyMap<FieldId, FieldFigures>;
  /** Summed over several shards: then the frequencies a shard blended for itself do not count. */
  readonly merged?: boolean;
}

/** Numbers by field and term. */
export type TermCounts = ReadonlyMap<FieldId, ReadonlyMap<string, number>>;

/** A query bound to statistics, ready to run on the segments of one shard. */
export interface Weight {
  /**
   * Iterates the matching documents of a segment (nested documents and deleted ones included: callers
   * intersect with roots and live documents). Null when nothing matches.
   */
  scorer(segment: SegmentReader): Scorer | null;
  /** The matching documents as a set, without scores. The caller must not modify it. Null: none. */
  matches(segment: SegmentReader): Bitset | null;
  /** Why a document of the segment has its score, or why it does not match (reference server). */
  explain(segment: SegmentReader, doc: number, context: ExplainContext): Explanation;
  /** Upper bound of documents `scorer` would visit in this segment. */
  cost(segment: SegmentReader): number;
  /**
   * The exact number of matching documents, nested and deleted ones included, where it takes less than the
   * set; -1: it does not.
   */
  count?(segment: SegmentReader): number;
  /** How to find the best documents without scoring all; null: only by walking the scorer. */
  topK?(segment: SegmentReader): TopK | null;
  /**
   * The matching documents among `docs`, where others must not be asked about: scripts run for each of them.
   * Undefined: {@link matches} is as good. The caller must not modify the set. Null: none.
   */
  matchesWithin?(segment: SegmentReader, docs: Bitset): Bitset | null;
  /**
   * Tells of single documents whether they match, where that needs no preparation; null: it does.
   *
   * @param asked how many it will be asked about, where that is known; null: all are sooner made a set
   */
  test?(segment: SegmentReader, asked?: number): DocTest | null;
}

/** Tells of single documents whether they are meant. A {@link Bitset} is one. */
export interface DocTest {
  has(doc: number): boolean;
}

/** Finds and counts the documents of a segment separately. `accept` null accepts all. */
export interface TopK {
  /** The number of matching documents in `accept`. */
  count(accept: DocTest | null): number;
  /** Offers matches in `accept`, in document order; passes over some that are too bad to enter. */
  offer(accept: DocTest | null, best: BestHits, segment: number): void;
}

/** Keeps the best hits. */
export interface BestHits {
  /**
   * How many hits are kept, whatever else is offered; Infinity: a hit may be refused that scores more than
   * others.
   */
  readonly places: number;
  /** A document enters only with a score above this. */
  readonly threshold: number;
  /** @param segment position of the segment, as hits name it */
  offer(score: number, segment: number, doc: number): void;
}

export interface Scorer {
  /** -1 before the first document, NO_MORE_DOCS at the end. */
  doc: number;
  readonly cost: number;
  nextDoc(): number;
  advance(target: number): number;
  /** float32 score of the current document. */
  score(): number;
}
