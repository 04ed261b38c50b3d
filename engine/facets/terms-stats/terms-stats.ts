// The terms_stats facet: statistics of one field by the terms of another (reference server).
//
// terms-stats-parse.ts -> terms-stats-collect.ts (per shard) -> terms-stats-reduce.ts.

import { MOST_SMALL_ENTRIES } from '../../counting/index';
import type { FieldId } from '../../metadata/index';
import type { FacetKind, FacetReads } from '../contract/facet';
import { readsOf } from '../contract/number-source';
import { termsStatsCollector } from './terms-stats-collect';
import { parseTermsStats } from './terms-stats-parse';
import { reduceTermsStats } from './terms-stats-reduce';
import type { TermsStatsPartial, TermsStatsSpec } from './terms-stats-spec';

export const TERMS_STATS_FACET: FacetKind<TermsStatsSpec, TermsStatsPartial> = {
  type: 'terms_stats',
  names: ['terms_stats', 'termsStats', 'term_stats'],
  parse: parseTermsStats,
  collector: termsStatsCollector,
  reads: readsOfTermsStats,
  countedFields: keyFieldOf,
  reduce: reduceTermsStats,
};

/** All terms, or thousands of them, are more than the few that are shown otherwise. */
function readsOfTermsStats({ key, value, size }: TermsStatsSpec): FacetReads | null {
  const reads = readsOf([value]);
  if (reads === null || size === 0 || size > MOST_SMALL_ENTRIES) return null;
  return { ...reads, fields: [...keyFieldOf({ key }), ...reads.fields] };
}

function keyFieldOf({ key }: Pick<TermsStatsSpec, 'key'>): readonly FieldId[] {
  return key.kind === 'constant' || key.field === null ? [] : [key.field];
}
