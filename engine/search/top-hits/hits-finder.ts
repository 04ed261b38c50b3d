// Searches as aggregations of hits see them: hits of buckets are found and ordered as those of searches.

import type { HitsFinder } from '../../aggregations/index';
import type { ShardHit } from '../plan/search-plan';
import type { TopHitsSpec } from '../plan/top-hits-spec';
import { compareHits } from '../sort/hit-order';
import { TopHitsCollector } from './top-hits-collector';

/** Finds and orders hits of buckets. */
export const HITS_FINDER: HitsFinder = {
  collector: (spec, shard, scoresOf, segment, hold) =>
    new TopHitsCollector(spec as TopHitsSpec, shard, scoresOf, segment, hold),
  compare: (spec, a, b) =>
    compareHits((spec as TopHitsSpec).search.sort, a as ShardHit, b as ShardHit),
};
