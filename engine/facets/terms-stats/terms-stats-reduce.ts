// Adding up the shards' terms_stats and rendering the facet (reference server).

import { type KeyList, textAt, TypeConflict } from '../../counting/index';
import { EntryList, memberLead, type JsonOutput } from '../../json/index';
import { StatsMerge } from './terms-stats-merge';
import { meanOf, numberTerms, topStats } from './terms-stats-order';
import type { TermsStatsPartial, TermsStatsSpec } from './terms-stats-spec';

/**
 * The facet of a response.
 *
 * @throws TypeConflict where indices disagree about the type of the key field
 */
export function reduceTermsStats(
  specs: readonly TermsStatsSpec[],
  partials: readonly TermsStatsPartial[],
): JsonOutput {
  const { order, size } = specs[0]!;
  const { terms, stats } = merged(partials);
  const list = new EntryList();
  for (const i of topStats(numberTerms(terms), stats, order, size)) {
    list.open(TERM);
    writeTerm(list, terms, i);
    list.member(COUNT);
    list.integer(stats.counts[i]!);
    list.member(TOTAL_COUNT);
    list.integer(stats.totalCounts[i]!);
    list.member(MIN);
    list.double(stats.mins[i]!);
    list.member(MAX);
    list.double(stats.maxs[i]!);
    list.member(TOTAL);
    list.double(stats.totals[i]!);
    list.member(MEAN);
    list.double(meanOf(stats, i));
    list.close();
  }
  const missing = partials.reduce((sum, partial) => sum + partial.missing, 0);
  return { _type: 'terms_stats', missing, terms: list.rendered() };
}

const TERM = memberLead('{"term":');
const COUNT = memberLead(',"count":');
const TOTAL_COUNT = memberLead(',"total_count":');
const MIN = memberLead(',"min":');
const MAX = memberLead(',"max":');
const TOTAL = memberLead(',"total":');
const MEAN = memberLead(',"mean":');

function merged(partials: readonly TermsStatsPartial[]): Omit<TermsStatsPartial, 'missing'> {
  const first = partials[0]!;
  if (partials.length === 1) return first;
  const { type } = first.terms;
  const merge = new StatsMerge(type);
  for (const { terms, stats } of partials) {
    if (terms.type !== type) throw new TypeConflict('ClassCastException');
    merge.add(terms, stats);
  }
  return merge.result();
}

function writeTerm(list: EntryList, terms: KeyList, i: number): void {
  switch (terms.type) {
    case 'string':
      return list.string(textAt(terms, i));
    case 'long':
      return list.long(terms.values, i);
    case 'double':
      return list.double(terms.values[i]!);
  }
}
