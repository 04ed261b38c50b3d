// Aggregations as those of OpenSearch, and its answers as arrays by bucket.

import type { AggregatedSearch, AggregationPlan } from '../../../../engine/aggregations/index';
import type { ValuesSpec } from '../../../../engine/aggregations/contract/values';
import { AGGREGATION_NAMES } from '../../../../engine/aggregations/registry';
import { parseJsonObject } from '../../../../engine/json/parse';
import {
  aggregationAggs,
  readAggregation,
} from '../../../../engine/opensearch/aggregations/aggregation-counts';
import { withCountedQueries } from '../../../../engine/opensearch/aggregations/counts';
import { AGGREGATIONS } from '../../../../engine/opensearch/aggregations/table';
import type { FacetPlan } from '../../../../engine/facets/index';
import type { CountContext } from '../../../../engine/opensearch/counting/count-context';
import { FACETS } from '../../../../engine/opensearch/facets/table';
import { FACET_NAMES, facetKindNamed } from '../../../../engine/facets/registry';
import { MATCH_ALL } from '../../../../engine/query/index';

const CONTEXT: CountContext = {
  mapping: { nestedObject: (path) => ({ path, parent: null }) },
  kindOf: () => 'string',
  path: null,
  soleShard: false,
};

const TEXTS: ValuesSpec = {
  kind: 'texts',
  isMapped: true,
  field: 7,
  fieldKind: 'string',
  constant: null,
  script: null,
  hasField: true,
  format: { kind: 'raw' },
};
const NUMBERS: ValuesSpec = { ...TEXTS, kind: 'numbers', field: 3, fieldKind: 'long' };
const TERMS = { values: TEXTS, minDocCount: 1, include: null, exclude: null };

function plan(type: string, spec: object, subs: readonly AggregationPlan[] = []): AggregationPlan {
  return { name: type, type, spec, subs };
}

function search(aggregation: AggregationPlan): AggregatedSearch {
  return {
    query: MATCH_ALL,
    scope: null,
    indexBoost: 1,
    similarities: {} as AggregatedSearch['similarities'],
    aggregations: [aggregation],
    facetMemory: 1,
    minScore: null,
  };
}

function read(aggregation: AggregationPlan, answer: string) {
  return readAggregation(search(aggregation), 0, parseJsonObject(answer), CONTEXT);
}

test('what stands below terms is read by bucket', () => {
  const sum = plan('sum', { values: NUMBERS });
  const terms = plan('terms', TERMS, [plan('filters', { queries: [MATCH_ALL, MATCH_ALL] }, [sum])]);
  expect(aggregationAggs(search(terms), CONTEXT)).toEqual({
    a0: {
      terms: { field: 'f7k', size: 65_535, order: { _key: 'asc' } },
      aggs: {
        s0: {
          filters: { filters: [{ match_all: {} }, { match_all: {} }] },
          aggs: { s0: { stats: { field: 'f3' } } },
        },
      },
    },
  });
  const bucket = (key: string, sums: readonly number[]) => {
    const buckets = sums.map((each) => ({ doc_count: 1, s0: { count: 1, sum: each } }));
    return { key, doc_count: 2, s0: { buckets } };
  };
  const answer = { a0: { buckets: [bucket('a', [1, 2]), bucket('b', [3, 4])] } };
  const partial = read(terms, JSON.stringify(answer));
  expect(partial.size).toBe(2);
  expect(partial.subs[0]).toMatchObject({ data: { counts: Float64Array.of(1, 1, 1, 1) }, size: 4 });
  expect(partial.subs[0]!.subs[0]!.data).toMatchObject({ sums: Float64Array.of(1, 2, 3, 4) });
});

test('fields of nested objects have the path of these', () => {
  const stats = plan('stats', { values: NUMBERS, sigma: null });
  const back = plan('reverse_nested', { path: null, from: 'kids', isNowhere: false }, [stats]);
  const nested = plan('nested', { path: 'kids', from: null, isNowhere: false }, [stats, back]);
  const path = `n${Buffer.from('kids').toString('hex')}`;
  expect(aggregationAggs(search(nested), CONTEXT)).toEqual({
    a0: {
      nested: { path },
      aggs: {
        s0: { stats: { field: `${path}.f3` } },
        s1: { reverse_nested: {}, aggs: { s0: { stats: { field: 'f3' } } } },
      },
    },
  });
});

test('ranges are told apart by names, whatever their order', () => {
  const ranges = [
    { key: null, from: -Infinity, to: 5 },
    { key: null, from: 1, to: Infinity },
  ];
  const range = plan('range', { values: NUMBERS, ranges });
  expect(aggregationAggs(search(range), CONTEXT)).toEqual({
    a0: {
      range: {
        field: 'f3',
        keyed: true,
        ranges: [
          { key: '0', to: 5 },
          { key: '1', from: 1 },
        ],
      },
    },
  });
  const answer = '{"a0":{"buckets":{"1":{"doc_count":7},"0":{"doc_count":2}}}}';
  expect(read(range, answer).data).toEqual({ counts: Float64Array.of(2, 7) });
});

test('keys of a histogram are moved by its offsets', () => {
  const spec = { values: NUMBERS, interval: 10, preOffset: 3, postOffset: -1 };
  const histogram = plan('histogram', spec);
  expect(aggregationAggs(search(histogram), CONTEXT)).toEqual({
    a0: { histogram: { field: 'f3', interval: 10, offset: -3, min_doc_count: 1 } },
  });
  const answer = '{"a0":{"buckets":[{"key":-3.0,"doc_count":1},{"key":7.0,"doc_count":2}]}}';
  expect(read(histogram, answer).data).toMatchObject({
    keys: { type: 'double', values: Float64Array.of(-1, 9) },
    counts: Float64Array.of(1, 2),
  });
});

test('a field that is not there is not asked for', () => {
  const unmapped = { ...TEXTS, isMapped: false, field: null, fieldKind: null };
  const terms = plan('terms', { ...TERMS, values: unmapped }, [plan('sum', { values: NUMBERS })]);
  expect(aggregationAggs(search(terms), CONTEXT)).toEqual({});
  expect(readAggregation(search(terms), 0, null, CONTEXT)).toMatchObject({ size: 0 });
});

test('distinct values are counted as the embedded engine does', () => {
  const cardinality = plan('cardinality', { values: NUMBERS, precision: 14 });
  const answer =
    '{"a0":{"buckets":[{"key":9007199254740993,"doc_count":1},{"key":9007199254740992,"doc_count":5}]}}';
  expect(read(cardinality, answer).data).toMatchObject({ values: Float64Array.of(2) });
});

test('points of one document that do not belong together are refused', () => {
  const values = { ...TEXTS, kind: 'points', fieldKind: 'geo' };
  const grid = plan('geohash_grid', { values, precision: 3 });
  const answer = (latitudes: number) =>
    `{"a0":{"points":{"buckets":[{"key":[1.0,2.0],"doc_count":2},{"key":[1.1,2.0],"doc_count":1}]},"latitudes":{"value":${latitudes}},"located":{"doc_count":3}}}`;
  expect(read(grid, answer(3)).data).toMatchObject({ counts: Float64Array.of(3) });
  expect(() => read(grid, answer(4))).toThrow('over documents with several points');
});

test('what cannot be counted is refused by name', () => {
  const scripted = { ...NUMBERS, script: { plan: { source: '_score' }, now: 0 } };
  const refused = [plan('top_hits', {}), plan('sum', { values: scripted }), plan('children', {})];
  for (const each of refused) {
    expect(() => aggregationAggs(search(each), CONTEXT)).toThrow(
      'is not supported by the OpenSearch backend',
    );
  }
});

test('the tables know every type that there is', () => {
  expect(Object.keys(AGGREGATIONS).sort()).toEqual([...AGGREGATION_NAMES].sort());
  const facets = new Set(FACET_NAMES.map((name) => facetKindNamed(name)!.type));
  expect(Object.keys(FACETS).sort()).toEqual([...facets].sort());
});

test('queries of facets and aggregations are found at any depth', () => {
  const filters = plan('filters', { queries: [MATCH_ALL], names: ['n'] });
  const filter = plan('filter', { query: MATCH_ALL }, [plan('terms', TERMS, [filters])]);
  const facet = { type: 'query', spec: { query: MATCH_ALL } } as unknown as FacetPlan;
  const counting = { ...search(filter), facets: [facet] };
  const none = { kind: 'matchNone' } as const;
  const changed = withCountedQueries(counting, () => none);
  expect(changed.facets[0]!.spec).toEqual({ query: none });
  const [outer] = changed.aggregations;
  expect(outer!.spec).toEqual({ query: none });
  expect(outer!.subs[0]!.subs[0]!.spec).toEqual({ queries: [none], names: ['n'] });
});
