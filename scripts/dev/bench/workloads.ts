// The rows of the benchmark: each makes any number of requests, the same ones for the same seed.

import { aggregationWorkloads } from './aggregation-workloads';
import { completionRequest } from './completions';
import { facetWorkloads } from './facet-workloads';
import { queryWorkloads } from './query-workloads';
import { Random } from './random';
import { scrollWorkloads } from './scroll-workloads';
import { TYPE } from './corpus';
import type { Vocabulary } from './vocabulary';
import type { Workload, WorkloadInput, WorkloadKind } from './workload';

/** All rows, in the order of the tables. */
export const WORKLOADS: readonly WorkloadKind[] = [
  ...[
    query('match common', 'one term', ({ common }, random) => match(random.pick(common))),
    query('match medium', 'one term', ({ medium }, random) => match(random.pick(medium))),
    query('match rare', 'one term', ({ rare }, random) => match(random.pick(rare))),
    query('or 2', 'combined', ({ common, medium }, random) =>
      match(`${random.pick(common)} ${random.pick(medium)}`),
    ),
    query('or 3', 'combined', ({ common, medium, rare }, random) =>
      match(`${random.pick(common)} ${random.pick(medium)} ${random.pick(rare)}`),
    ),
    query('and 2', 'combined', ({ common }, random) => all(random.sample(common, 2))),
    query('and 3', 'combined', ({ common, medium }, random) =>
      all([...random.sample(common, 2), random.pick(medium)]),
    ),
    query('phrase', 'combined', ({ phrases }, random) => ({
      query: { match_phrase: { description: random.pick(phrases) } },
    })),
    query('highlight', 'combined', ({ common, medium }, random) => ({
      ...match(`${random.pick(common)} ${random.pick(medium)}`),
      highlight: { fields: { description: {} } },
    })),
    query('query_string', 'combined', ({ common, medium, rare }, random) => ({
      query: {
        query_string: {
          default_field: 'description',
          query: `+${random.pick(common)} ${random.pick(medium)} -${random.pick(rare)}`,
        },
      },
    })),
    query('prefix', 'ranges', ({ prefixes }, random) => ({
      query: { prefix: { name: random.pick(prefixes) } },
    })),
    query('range', 'ranges', ({ sizes }, random) => ({
      query: { range: { size: tenth(sizes, random) } },
    })),
    query('filtered range', 'ranges', ({ common, sizes }, random) => ({
      query: {
        filtered: {
          query: { match: { description: random.pick(common) } },
          filter: { range: { size: tenth(sizes, random) } },
        },
      },
    })),
    query('sort all', 'sort, count, get', (_vocabulary, random) => ({
      query: { match_all: {} },
      sort: [{ size: random.next() < 0.5 ? 'asc' : 'desc' }],
    })),
    query('sort filtered', 'sort, count, get', ({ common }, random) => ({
      ...match(random.pick(common)),
      sort: [{ size: random.next() < 0.5 ? 'asc' : 'desc' }],
    })),
    query('page at 1000', 'sort, count, get', ({ common }, random) => ({
      ...match(random.pick(common)),
      from: 1000,
    })),
  ],
  {
    name: 'count',
    family: 'sort, count, get',
    make: ({ vocabulary, indices }, random) => {
      return () => ({
        method: 'POST',
        path: `/${indices.documents}/_count`,
        body: JSON.stringify(match(random.pick(vocabulary.medium))),
      });
    },
  },
  {
    name: 'get',
    family: 'sort, count, get',
    make: ({ vocabulary, indices }, random) => {
      return () => ({
        method: 'GET',
        path: `/${indices.documents}/${TYPE}/${encodeURIComponent(random.pick(vocabulary.ids))}`,
        body: '',
      });
    },
  },
  {
    name: 'percolate',
    family: 'percolate, suggest, vectors',
    needs: 'queries',
    make: ({ vocabulary, indices }, random) => {
      const words = [...vocabulary.common, ...vocabulary.medium, ...vocabulary.rare];
      return () => {
        const doc = {
          description: Array.from({ length: 20 }, () => random.pick(words)).join(' '),
          size: random.below(1_000_000),
        };
        return {
          method: 'POST',
          path: `/${indices.queries}/${TYPE}/_percolate`,
          body: JSON.stringify({ doc, size: 10 }),
        };
      };
    },
  },
  {
    name: 'termvectors',
    family: 'percolate, suggest, vectors',
    make: ({ vocabulary, indices }, random) => {
      return () => ({
        method: 'GET',
        path: `/${indices.documents}/${TYPE}/${encodeURIComponent(random.pick(vocabulary.ids))}/_termvector?fields=description&term_statistics=true`,
        body: '',
      });
    },
  },
  completion('completion', false),
  completion('completion fuzzy', true),
  ...queryWorkloads(),
  ...scrollWorkloads(),
  ...facetWorkloads(),
  ...aggregationWorkloads(),
  singleWrite('put new', (serial, random) => `${serial}-${random.below(2 ** 30)}`),
  singleWrite('put again', (serial) => String(serial % 50)),
];

/** The rows whose name contains one of `filter`; all when it is empty. */
export function selectWorkloads(filter: readonly string[]): readonly WorkloadKind[] {
  if (filter.length === 0) return WORKLOADS;
  return WORKLOADS.filter(({ name }) => filter.some((part) => name.includes(part)));
}

/** A row with a stream of its own; the same `stream` gives the same requests. */
export function openWorkload(kind: WorkloadKind, input: WorkloadInput, stream: number): Workload {
  const random = new Random(Math.imul(input.seed + 1, 0x9e3779b1) ^ Math.imul(stream + 1, 7919));
  return { name: kind.name, family: kind.family, next: kind.make(input, random) };
}

function query(
  name: string,
  family: string,
  body: (vocabulary: Vocabulary, random: Random) => object,
): WorkloadKind {
  return {
    name,
    family,
    make: ({ vocabulary, indices }, random) => {
      const path = `/${indices.documents}/_search`;
      return () => ({ method: 'POST', path, body: JSON.stringify(body(vocabulary, random)) });
    },
  };
}

function completion(name: string, isFuzzy: boolean): WorkloadKind {
  return {
    name,
    family: 'percolate, suggest, vectors',
    needs: 'completions',
    make:
      ({ vocabulary, indices }, random) =>
      () =>
        completionRequest(indices.completions, vocabulary, random, isFuzzy),
  };
}

/** Each write is acknowledged before the next on its connection; no refresh is asked for. */
function singleWrite(name: string, id: (serial: number, random: Random) => string): WorkloadKind {
  return {
    name,
    family: 'single writes',
    make: ({ vocabulary, indices }, random) => {
      let serial = 0;
      return () => ({
        method: 'PUT',
        path: `/${indices.writes}/${TYPE}/${id(serial++, random)}`,
        body: JSON.stringify({
          name: random.pick(vocabulary.ids),
          section: random.pick(vocabulary.prefixes),
          size: random.below(1_000_000),
          tags: random.sample(vocabulary.medium, 3),
          description: random.sample(vocabulary.common, 8).join(' '),
        }),
      });
    },
  };
}

function match(text: string): { readonly query: object } {
  return { query: { match: { description: text } } };
}

function all(terms: readonly string[]): object {
  return { query: { match: { description: { query: terms.join(' '), operator: 'and' } } } };
}

/** A range that a tenth of the documents are in, one of ninety. */
function tenth(sizes: Float64Array, random: Random): object {
  const parts = sizes.length - 1;
  const from = Math.round((random.below(90) / 100) * parts);
  return { gte: sizes[from], lt: sizes[from + Math.round(parts / 10)] };
}
