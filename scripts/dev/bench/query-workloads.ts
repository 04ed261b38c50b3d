// Rows of queries that fewer applications send: spans, the simple query language, decay, and, over an index
// of their own (families.ts), distances, parents and BM25.

import { CHILD, placeOf } from './families';
import type { Random } from './random';
import type { Vocabulary } from './vocabulary';
import type { WorkloadKind } from './workload';

const FAMILY = 'further queries';

type Body = (vocabulary: Vocabulary, random: Random) => object;

/** The rows. */
export function queryWorkloads(): readonly WorkloadKind[] {
  return [
    row('span_near', 'documents', ({ phrases }, random) => ({
      span_near: {
        clauses: random
          .pick(phrases)
          .split(' ')
          .map((word) => ({ span_term: { description: word } })),
        slop: 3,
        in_order: false,
      },
    })),
    row('simple_query_string', 'documents', ({ common, medium, rare, phrases }, random) => ({
      simple_query_string: {
        query: `"${random.pick(phrases)}" | (${random.pick(common)} + ${random.pick(medium)}) | ${random.pick(rare)}`,
        fields: ['description'],
      },
    })),
    row('decay', 'documents', ({ common, sizes }, random) => ({
      function_score: {
        query: { match: { description: random.pick(common) } },
        gauss: { size: { origin: random.pick([...sizes.subarray(1000, 9000)]), scale: 5000 } },
      },
    })),
    row('geo_distance', 'families', ({ common, ids }, random) => ({
      filtered: {
        query: { match: { description: random.pick(common) } },
        filter: {
          geo_distance: {
            distance: `${50 + random.below(950)}km`,
            place: placeOf(random.pick(ids)),
          },
        },
      },
    })),
    row('has_child', 'families', ({ common, medium }, random) => ({
      has_child: {
        type: CHILD,
        score_mode: random.pick(['none', 'sum', 'max']),
        query: { match: { description: random.pick(random.pick([common, medium])) } },
      },
    })),
    row('BM25', 'families', ({ common }, random) => ({
      match: { description: random.pick(common) },
    })),
    row('BM25 or 2', 'families', ({ common, medium }, random) => ({
      match: { description: `${random.pick(common)} ${random.pick(medium)}` },
    })),
  ];
}

function row(name: string, index: 'documents' | 'families', query: Body): WorkloadKind {
  return {
    name,
    family: FAMILY,
    ...(index === 'families' ? { needs: index } : {}),
    make: ({ vocabulary, indices }, random) => {
      const path = `/${indices[index]}/_search`;
      return () => ({
        method: 'POST',
        path,
        body: JSON.stringify({ query: query(vocabulary, random) }),
      });
    },
  };
}
