// What kinds of weights that have parts need to make the weights of those.

import type { SegmentReader } from '../../segment/index';
import type { Query } from '../ast/query';
import type { SearchStatistics } from '../scoring/weight';
import type { QueryWeight } from './query-weight';

/** Makes the weights of the parts of a query. */
export interface Binder {
  /**
   * Single documents are explained: weights keep to the shape of the query, and what is prohibited has
   * scores, too.
   */
  readonly explains: boolean;
  /** Null: nobody asks for scores. */
  readonly statistics: SearchStatistics | null;
  /** All segments of the shard. */
  readonly segments: readonly SegmentReader[];
  /** Whether scores of several clauses are normed (`Similarities.normsQueries`). */
  readonly normsQueries: boolean;
  /** Makes scores of different queries comparable, where they are normed. */
  queryNorm(squaredWeights: number): number;
  /** A part whose scores count if those of the whole do. */
  scored(query: Query): QueryWeight;
  /** A part of which only the documents count. Where scores decide which, it is a query of its own. */
  unscored(query: Query): QueryWeight;
  /** A filter: only its documents count, and they may be kept. */
  filter(query: Query): QueryWeight;
  /** The only part of a query that stands for it, with the boost of that query and in its place. */
  alone(query: Query, boost: number, root: boolean): QueryWeight;
}
