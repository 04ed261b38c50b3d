// The terms_stats facet: statistics of one field by the terms of another (reference server).
//
// terms-stats-parse.ts -> terms-stats-collect.ts (per shard) -> terms-stats-reduce.ts.

import type { FacetKind } from './facet';
import { termsStatsCollector } from './terms-stats-collect';
import { parseTermsStats } from './terms-stats-parse';
import { reduceTermsStats } from './terms-stats-reduce';
import type { TermsStatsPartial, TermsStatsSpec } from './terms-stats-spec';

export const TERMS_STATS_FACET: FacetKind<TermsStatsSpec, TermsStatsPartial> = {
  type: 'terms_stats',
  names: ['terms_stats', 'termsStats', 'term_stats'],
  parse: parseTermsStats,
  collector: termsStatsCollector,
  reduce: reduceTermsStats,
};
