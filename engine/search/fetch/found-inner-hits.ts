// What was found below a hit.

import type { ShardHit } from '../plan/search-plan';

/** What was found below one hit. */
export interface InnerHits {
  readonly total: number;
  /** NaN when they are not scored, or there are none. */
  readonly maxScore: number;
  /** Those of the page. */
  readonly hits: readonly ShardHit[];
}
