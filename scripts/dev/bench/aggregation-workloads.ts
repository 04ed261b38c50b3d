// Aggregation rows, as Kibana 3 and 4 and Grafana ask: alone, two and three levels deep, under a scope that
// differs in every request and under one that is repeated.

import { scopeQuery } from './facet-workloads';
import type { WorkloadKind } from './workload';

const ALONE = 'aggregations, alone';
const TWO = 'aggregations, two levels';
const THREE = 'aggregations, three levels and sketches';

const BY_MONTH = { date_histogram: { field: 'updated', interval: 'month' } };
const SIZES = { stats: { field: 'size' } };

/** Each with its name and family. */
const AGGREGATIONS: readonly (readonly [name: string, family: string, aggregation: object])[] = [
  ['aggs section', ALONE, terms('section')],
  ['aggs maintainer', ALONE, terms('maintainer')],
  ['aggs depends', ALONE, terms('depends')],
  ['aggs histogram', ALONE, { histogram: { field: 'size', interval: 5000 } }],
  ['aggs date_histogram', ALONE, BY_MONTH],
  [
    'aggs range',
    ALONE,
    { range: { field: 'size', ranges: [{ to: 100 }, { from: 100, to: 1000 }, { from: 1000 }] } },
  ],
  ['aggs stats', ALONE, SIZES],
  ['aggs section x stats', TWO, within(terms('section'), SIZES)],
  ['aggs maintainer x stats', TWO, within(terms('maintainer'), SIZES)],
  ['aggs month x stats', TWO, within(BY_MONTH, SIZES)],
  ['aggs filters x month', TWO, within(byPriority(), BY_MONTH)],
  ['aggs month x section x stats', THREE, within(BY_MONTH, within(terms('section'), SIZES))],
  [
    'aggs top hits of sections',
    THREE,
    within(terms('section'), { top_hits: { size: 3, sort: [{ size: 'desc' }] } }),
  ],
  [
    'aggs percentiles by month',
    THREE,
    within(BY_MONTH, { percentiles: { field: 'size', percents: [50, 95] } }),
  ],
  ['aggs cardinality', THREE, { cardinality: { field: 'maintainer' } }],
];

/** `broad` shows what counting costs, `match_all` what is remembered. */
const SCOPES = ['broad', 'match_all'] as const;

/** The aggregation rows. */
export function aggregationWorkloads(): WorkloadKind[] {
  return AGGREGATIONS.flatMap(([name, family, aggregation]) =>
    SCOPES.map(
      (scope) =>
        ({
          name: `${name} / ${scope}`,
          family: `${family} / ${scope}`,
          make: ({ vocabulary, indices }, random) => {
            const path = `/${indices.documents}/_search?search_type=count`;
            const next = scopeQuery(scope, vocabulary, random);
            return () => ({
              method: 'POST',
              path,
              body: JSON.stringify({ query: next(), aggs: { it: aggregation } }),
            });
          },
        }) satisfies WorkloadKind,
    ),
  );
}

function terms(field: string): object {
  return { terms: { field, size: 10 } };
}

function byPriority(): object {
  const filter = (priority: string) => ({ term: { priority } });
  return { filters: { filters: { optional: filter('optional'), extra: filter('extra') } } };
}

function within(around: object, below: object): object {
  return { ...around, aggs: { sub: below } };
}
