// How often shards are asked for the most frequent terms.

import type { AggregatedSearch, AggregationPlan } from '../../../../engine/aggregations/index';
import type { FacetedSearch, FacetPlan } from '../../../../engine/facets/index';
import { parseJsonObject } from '../../../../engine/json/parse';
import {
  type CountingShard,
  countShards,
  firstRequest,
} from '../../../../engine/opensearch/aggregations/rounds';
import { MATCH_ALL } from '../../../../engine/query/index';

const SPEC = {
  name: 'f',
  sources: [{ kind: 'field', field: 7, fieldKind: 'string' }],
  merged: false,
  termType: 'string',
  from: 0,
  size: 1,
  order: 'count',
  allTerms: false,
  exclude: [],
  pattern: null,
  search: null,
  minCount: 0,
  showMissing: false,
  cardinality: false,
  hierarchy: null,
  unreadable: null,
  script: null,
};

const FACET: FacetPlan = {
  name: 'f',
  type: 'terms',
  spec: SPEC,
  global: false,
  filter: null,
  nestedPath: null,
  excludeFilter: [],
  afterPostFilter: false,
  mainQuery: null,
};

const AGGREGATION: AggregationPlan = {
  name: 'a',
  type: 'terms',
  subs: [],
  spec: {
    values: { kind: 'texts', field: 7, fieldKind: 'string', constant: null, script: null },
    orders: [{ by: 'count', ascending: false }],
    minDocCount: 1,
    size: 1,
    include: null,
    exclude: null,
  },
};

function shard(
  facets: readonly FacetPlan[],
  aggregations: readonly AggregationPlan[] = [],
): CountingShard {
  const plan: FacetedSearch & AggregatedSearch = {
    query: MATCH_ALL,
    scope: null,
    minScore: null,
    indexBoost: 1,
    facetMemory: 1 << 20,
    similarities: {} as FacetedSearch['similarities'],
    facets,
    aggregations,
  };
  const mapping = { nestedObject: () => null };
  const context: CountingShard['context'] = {
    mapping,
    kindOf: () => 'string',
    path: null,
    soleShard: false,
  };
  return { plan, context, documents: {} as CountingShard['documents'] };
}

function counted(terms: Readonly<Record<string, number>>, others: number) {
  const buckets = Object.entries(terms).map(([key, docs]) => ({ key, doc_count: docs }));
  return { sum_other_doc_count: others, buckets };
}

function facetAnswer(terms: Readonly<Record<string, number>>, others = 0) {
  const f0 = { doc_count: 100, terms0: counted(terms, others), missing0: { doc_count: 5 } };
  return parseJsonObject(JSON.stringify({ f0 }));
}

const NO_DOCUMENTS = () => Promise.reject(new Error('documents were read'));

const SHARDS = [shard([FACET]), shard([FACET])];

function countsOf(partial: unknown): number[] {
  const { candidates } = partial as { candidates: { counted: { counts: Uint32Array } } };
  return [...candidates.counted.counts];
}

test('asks once where shards have no more terms than they name', async () => {
  const request = firstRequest(SHARDS[0]!) as { f0: { aggs: { terms0: object } } };
  expect(request.f0.aggs.terms0).toEqual({
    terms: { field: 'f7k', size: 100, order: [{ _count: 'desc' }, { _key: 'desc' }] },
  });
  const counts = await countShards(
    SHARDS,
    [facetAnswer({ a: 3 }), facetAnswer({ a: 1, b: 2 })],
    () => Promise.reject(new Error('asked again')),
    NO_DOCUMENTS,
  );
  expect([0, 1].map((i) => countsOf(counts(i).facets[0]![0]))).toEqual([[3], [1, 2]]);
});

test('asks those that have more for the terms that may be shown', async () => {
  const asked: unknown[] = [];
  const counts = await countShards(
    SHARDS,
    [facetAnswer({ a: 50, b: 2 }, 9), facetAnswer({ a: 1, c: 2 })],
    (aggs) => {
      asked.push(aggs);
      return Promise.resolve([facetAnswer({ a: 50 }), null]);
    },
    NO_DOCUMENTS,
  );
  expect(asked).toEqual([
    [
      {
        f0: {
          filter: { match_all: {} },
          aggs: {
            terms0: {
              terms: { field: 'f7k', size: 1, order: { _key: 'asc' }, include: ['a'] },
            },
          },
        },
      },
      null,
    ],
  ]);
  expect(counts(0).facets[0]![0]).toMatchObject({ missing: 5, total: 61 });
  expect(countsOf(counts(0).facets[0]![0])).toEqual([50]);
});

test('what a shard has in whole counts for the candidates of others', async () => {
  const whole = shard([{ ...FACET, spec: { ...SPEC, allTerms: true } }]);
  const asked: string[] = [];
  await countShards(
    [SHARDS[0]!, whole],
    [facetAnswer({ a: 50, b: 2 }, 9), facetAnswer({ c: 100 })],
    (aggs) => {
      asked.push(JSON.stringify(aggs));
      return Promise.resolve([facetAnswer({ c: 1 }), null]);
    },
    NO_DOCUMENTS,
  );
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain('"include":["c"]');
});

test('asks for all terms where the candidates prove nothing', async () => {
  const asked: string[] = [];
  const counts = await countShards(
    SHARDS,
    [facetAnswer({ a: 3, b: 3 }, 9), facetAnswer({ c: 2 })],
    (aggs) => {
      asked.push(JSON.stringify(aggs));
      return Promise.resolve([facetAnswer({ a: 3, b: 3, d: 3 }), null]);
    },
    NO_DOCUMENTS,
  );
  expect(asked).toHaveLength(2);
  expect(asked[0]).toContain('"include":["a","b","c"]');
  expect(asked[1]).toContain('"size":65535');
  expect(countsOf(counts(0).facets[0]![0])).toEqual([3, 3, 3]);
});

test('an aggregation keeps the documents of terms that are not asked for', async () => {
  const shards = [shard([], [AGGREGATION]), shard([], [AGGREGATION])];
  const answer = (terms: Readonly<Record<string, number>>, others = 0) =>
    parseJsonObject(JSON.stringify({ a0: counted(terms, others) }));
  const counts = await countShards(
    shards,
    [answer({ a: 50, b: 2 }, 9), answer({ a: 4, c: 1 })],
    () => Promise.resolve([answer({ a: 50 }), null]),
    NO_DOCUMENTS,
  );
  expect(counts(0).aggregations[0]![0]!.data).toMatchObject({
    counts: Float64Array.of(50),
    others: Float64Array.of(11),
  });
  expect(counts(1).aggregations[0]![0]!.data).toMatchObject({ others: Float64Array.of(0) });
});

test('what OpenSearch cannot count is counted here, unless there are too many documents', async () => {
  const script = { ...SPEC, hierarchy: { separator: '/', parent: null, depth: 1 } };
  const shards = [shard([{ ...FACET, spec: script }])];
  expect(firstRequest(shards[0]!)).toEqual({});
  const counts = (records: ReadonlyMap<number, never> | null) =>
    countShards(shards, [null], NO_DOCUMENTS, (_shard, which) => {
      expect(which).toBeNull();
      return Promise.resolve(records);
    });
  expect((await counts(new Map<number, never>()))(0).facets[0]![0]).toMatchObject({
    missing: 0,
    total: 0,
  });
  const refused = await counts(null);
  expect(() => refused(0)).toThrow('facetd counts it itself for up to [2000] documents');
});

test('what looks at other documents, or at scores, is refused', () => {
  const script = { plan: { lang: 'groovy', source: '_score * 2' }, now: 0 };
  const scored = shard([{ ...FACET, spec: { ...SPEC, script } }]);
  expect(() => firstRequest(scored)).toThrow('is not supported by the OpenSearch backend');
  const hits = { name: 'h', type: 'top_hits', spec: {}, subs: [] };
  const below = shard([], [{ ...AGGREGATION, subs: [hits] }]);
  expect(() => firstRequest(below)).toThrow('a [top_hits] aggregation is not supported');
});
