// Adding up the shards' terms_stats and rendering the facet (reference server).

import { Double, type JsonOutput } from '../json/json';
import { readUtf8 } from '../segment/utf8-order';
import { StatsMerge } from './terms-stats-merge';
import { meanOf, numberTerms, topStats } from './terms-stats-order';
import type { StatsTerms, TermsStatsPartial, TermsStatsSpec } from './terms-stats-spec';
import { typeConflict } from './terms-reduce';

/**
 * The facet of a response.
 *
 * @throws EngineError ReduceSearchPhaseException where indices disagree about the type of the key field
 */
export function reduceTermsStats(
  specs: readonly TermsStatsSpec[],
  partials: readonly TermsStatsPartial[],
): JsonOutput {
  const { order, size } = specs[0]!;
  const { terms, stats } = merged(partials);
  const shown = topStats(numberTerms(terms), stats, order, size).map((i): JsonOutput => ({
    term: termAt(terms, i),
    count: stats.counts[i]!,
    total_count: stats.totalCounts[i]!,
    min: new Double(stats.mins[i]!),
    max: new Double(stats.maxs[i]!),
    total: new Double(stats.totals[i]!),
    mean: new Double(meanOf(stats, i)),
  }));
  const missing = partials.reduce((sum, partial) => sum + partial.missing, 0);
  return { _type: 'terms_stats', missing, terms: shown };
}

function merged(partials: readonly TermsStatsPartial[]): Omit<TermsStatsPartial, 'missing'> {
  const first = partials[0]!;
  if (partials.length === 1) return first;
  const { type } = first.terms;
  const merge = new StatsMerge(type);
  for (const { terms, stats } of partials) {
    if (terms.type !== type) throw typeConflict();
    merge.add(terms, stats);
  }
  return merge.result();
}

function termAt(terms: StatsTerms, i: number): JsonOutput {
  switch (terms.type) {
    case 'string':
      return readUtf8(terms.text, terms.starts[i]!, terms.starts[i + 1]!);
    case 'long':
      return terms.terms[i]!;
    case 'double':
      return new Double(terms.terms[i]!);
  }
}
