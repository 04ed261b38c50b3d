// Facet rows: every facet under four scopes. `match_all` repeats one request and so shows what is remembered;
// `broad` differs in every request and so shows what counting costs.

import type { Random } from './random';
import type { Vocabulary } from './vocabulary';
import type { WorkloadKind } from './workload';

const FEW_VALUES = 'terms facets, few values';
const TAGS = 'terms facets, tags';
const MANY_VALUES = 'terms facets, many values';
const OTHERS = 'other facets';

interface FacetKind {
  readonly name: string;
  readonly family: string;
  readonly facet: (vocabulary: Vocabulary) => object;
}

const FACETS: readonly FacetKind[] = [
  { name: 'section', family: FEW_VALUES, facet: () => terms('section') },
  { name: 'tags', family: TAGS, facet: () => terms('tags') },
  { name: 'maintainer', family: MANY_VALUES, facet: () => terms('maintainer') },
  { name: 'depends', family: MANY_VALUES, facet: () => terms('depends') },
  { name: 'statistical', family: OTHERS, facet: () => ({ statistical: { field: 'size' } }) },
  {
    name: 'histogram',
    family: OTHERS,
    facet: () => ({ histogram: { field: 'size', interval: 5000 } }),
  },
  {
    name: 'date_histogram',
    family: OTHERS,
    facet: () => ({ date_histogram: { field: 'updated', interval: 'month' } }),
  },
  {
    name: 'range facet',
    family: OTHERS,
    facet: ({ sizes }) => {
      const bound = (share: number) => sizes[Math.round(share * (sizes.length - 1))]!;
      const ranges = [
        { to: bound(0.25) },
        { from: bound(0.25), to: bound(0.5) },
        { from: bound(0.5), to: bound(0.9) },
        { from: bound(0.9) },
      ];
      return { range: { field: 'size', ranges } };
    },
  },
  {
    name: 'terms_stats',
    family: OTHERS,
    facet: () => ({ terms_stats: { key_field: 'section', value_field: 'size' } }),
  },
  {
    name: 'filter facet',
    family: OTHERS,
    facet: () => ({ filter: { term: { priority: 'optional' } } }),
  },
];

const SCOPES = ['match_all', 'common', 'rare', 'broad'] as const;
type Scope = (typeof SCOPES)[number];

/** The facet rows and the dashboard. */
export function facetWorkloads(): WorkloadKind[] {
  const rows: WorkloadKind[] = [];
  for (const { name, family, facet } of FACETS) {
    for (const scope of SCOPES) {
      rows.push({
        name: `${name} / ${scope}`,
        family: `${family} / ${scope}`,
        make: ({ vocabulary, indices }, random) => {
          const path = `/${indices.documents}/_search?search_type=count`;
          const facets = { it: facet(vocabulary) };
          const next = scopeQuery(scope, vocabulary, random);
          return () => ({
            method: 'POST',
            path,
            body: JSON.stringify({ query: next(), facets }),
          });
        },
      });
    }
  }
  rows.push({
    name: 'dashboard',
    family: 'dashboard',
    make: ({ vocabulary, indices }, random) => {
      const path = `/${indices.documents}/_search`;
      const facets = {
        section: terms('section'),
        priority: terms('priority'),
        tags: terms('tags'),
        maintainer: terms('maintainer'),
        depends: terms('depends'),
      };
      const next = scopeQuery('common', vocabulary, random);
      return () => ({ method: 'POST', path, body: JSON.stringify({ query: next(), facets }) });
    },
  });
  return rows;
}

function terms(field: string): object {
  return { terms: { field, size: 10 } };
}

/** Makes the queries of a scope. */
export function scopeQuery(scope: Scope, vocabulary: Vocabulary, random: Random): () => object {
  switch (scope) {
    case 'match_all':
      return () => ({ match_all: {} });
    case 'common':
      return () => ({ match: { description: random.pick(vocabulary.common) } });
    case 'rare':
      return () => ({ match: { description: random.pick(vocabulary.rare) } });
    case 'broad':
      return broadQuery(vocabulary.sizes, random);
  }
}

/**
 * Keeps 25 to 95 % of the documents. Both bounds differ in every request: the lower one is drawn from the
 * sizes, the upper one lies above all of them and grows, so that no two requests are the same.
 */
function broadQuery(sizes: Float64Array, random: Random): () => object {
  const parts = sizes.length - 1;
  const above = 10 * Math.ceil(sizes[parts]!) + random.below(2 ** 30);
  let serial = 0;
  return () => {
    const gte = sizes[Math.round((0.05 + 0.7 * random.next()) * parts)];
    const filter = { range: { size: { gte, lte: above + serial++ } } };
    return { filtered: { query: { match_all: {} }, filter } };
  };
}
