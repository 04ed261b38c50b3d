// Facets as aggregations of OpenSearch, and its answers as what collectors give.

import { requestSteps } from '../../../../engine/script/limits';
import type { FacetedSearch, FacetPlan } from '../../../../engine/facets/index';
import type { TermsSpec } from '../../../../engine/facets/terms/terms-spec';
import { parseJsonObject } from '../../../../engine/json/parse';
import { facetAggs, readFacet } from '../../../../engine/opensearch/facets/facet-counts';
import type { CountContext } from '../../../../engine/opensearch/counting/count-context';
import { MATCH_ALL } from '../../../../engine/query/index';

const CONTEXT: CountContext = {
  mapping: { nestedObject: (path) => ({ path, parent: null }) },
  kindOf: () => 'string',
  path: null,
  soleShard: false,
};
const KIDS = `n${Buffer.from('kids').toString('hex')}`;

const TERMS: TermsSpec = {
  name: 'f',
  sources: [{ kind: 'field', field: 7, fieldKind: 'string' }],
  merged: false,
  termType: 'string',
  from: 0,
  size: 2,
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

function search(facet: Partial<FacetPlan>, changes: Partial<FacetedSearch> = {}): FacetedSearch {
  const plain: FacetPlan = {
    name: 'f',
    type: 'terms',
    spec: TERMS,
    global: false,
    filter: null,
    nestedPath: null,
    excludeFilter: [],
    afterPostFilter: false,
    mainQuery: null,
  };
  return {
    query: MATCH_ALL,
    scope: null,
    minScore: null,
    indexBoost: 1,
    facetMemory: 1,
    similarities: {} as FacetedSearch['similarities'],
    facets: [{ ...plain, ...facet }],
    ...changes,
  };
}

const MISSING = { missing0: { missing: { field: 'f7k' } } };
const ALL_TERMS = {
  terms0: { terms: { field: 'f7k', size: 65_535, order: { _key: 'asc' } } },
  ...MISSING,
};

test('asks for all terms where other shards add to their counts', () => {
  expect(facetAggs(search({}), CONTEXT)).toEqual({
    f0: { filter: { match_all: {} }, aggs: ALL_TERMS },
  });
});

test('lets OpenSearch choose the terms of the only shard', () => {
  const order = [{ _count: 'desc' }, { _key: 'desc' }];
  expect(facetAggs(search({}), { ...CONTEXT, soleShard: true })).toEqual({
    f0: {
      filter: { match_all: {} },
      aggs: { terms0: { terms: { field: 'f7k', size: 2, order } }, ...MISSING },
    },
  });
});

test('puts a facet into its frame: everything, what may be seen of it, nested objects, the filter', () => {
  const types = { kind: 'types', types: ['t'] } as unknown as FacetedSearch['query'];
  const plan = search(
    { global: true, nestedPath: 'kids', filter: { kind: 'matchNone' } },
    { scope: types },
  );
  const aggs = facetAggs(plan, CONTEXT) as Record<string, Record<string, unknown>>;
  expect(aggs['f0']!['global']).toEqual({});
  expect(JSON.stringify(aggs)).toContain(`"nested":{"path":"${KIDS}"}`);
  expect(JSON.stringify(aggs)).toContain(`"field":"${KIDS}.f7k"`);
  expect(JSON.stringify(aggs)).toContain('"filter":{"match_none":{}}');
});

test('a query of its own is asked of everything; scores are not there to narrow it', () => {
  const facet = { mainQuery: MATCH_ALL };
  expect(facetAggs(search(facet), CONTEXT)).toEqual({
    f0: {
      global: {},
      aggs: {
        in: {
          filter: { match_all: {} },
          aggs: { in: { filter: { match_all: {} }, aggs: ALL_TERMS } },
        },
      },
    },
  });
  expect(() => facetAggs(search(facet, { minScore: 1 }), CONTEXT)).toThrow(
    'not supported by the OpenSearch backend',
  );
});

const ANSWER = parseJsonObject(
  '{"f0":{"doc_count":5,"terms0":{"sum_other_doc_count":0,"buckets":[{"key":"a","doc_count":3},{"key":"b","doc_count":1}]},"missing0":{"doc_count":1}}}',
);

test('reads terms, their total and the documents without', () => {
  const partial = readFacet(search({}), 0, ANSWER, CONTEXT);
  expect(partial).toMatchObject({ missing: 1, total: 4 });
  const { candidates } = partial as { candidates: { counted: { counts: Uint32Array } } };
  expect([...candidates.counted.counts]).toEqual([3, 1]);
});

test('leaves out excluded terms, which count in the total', () => {
  const partial = readFacet(search({ spec: { ...TERMS, exclude: ['a'] } }), 0, ANSWER, CONTEXT);
  expect(partial).toMatchObject({ total: 4 });
  const { candidates } = partial as { candidates: { counted: { counts: Uint32Array } } };
  expect([...candidates.counted.counts]).toEqual([1]);
});

test('more terms than OpenSearch gives are an error', () => {
  const answer = parseJsonObject(
    '{"f0":{"doc_count":5,"terms0":{"sum_other_doc_count":1,"buckets":[]},"missing0":{"doc_count":0}}}',
  );
  expect(() => readFacet(search({}), 0, answer, CONTEXT)).toThrow('more than [65535] distinct');
});

test('integers keep all their digits', () => {
  const sources = [{ kind: 'field', field: 7, fieldKind: 'long' }] as const;
  const spec: TermsSpec = { ...TERMS, sources, termType: 'long' };
  const answer = parseJsonObject(
    '{"f0":{"doc_count":1,"terms0":{"buckets":[{"key":9007199254740993,"doc_count":1}]},"missing0":{"doc_count":0}}}',
  );
  const partial = readFacet(search({ spec }), 0, answer, CONTEXT);
  const { candidates } = partial as { candidates: { counted: { terms: BigInt64Array } } };
  expect([...candidates.counted.terms]).toEqual([9_007_199_254_740_993n]);
});

test('scripts are refused by name', () => {
  const spec = { ...TERMS, script: { plan: {}, now: 0 } };
  expect(() => facetAggs(search({ spec }), CONTEXT)).toThrow(
    'a [terms] facet with a script is not supported by the OpenSearch backend',
  );
});

test('numbers of scripts are counted where the documents are, but for those with scores', () => {
  const statistical = (source: string) => {
    const plan = {
      lang: 'groovy',
      source,
      params: '{}',
      fields: [],
      mappedSource: new Map(),
      steps: requestSteps(),
    } as const;
    const sources = [{ kind: 'script', script: { plan, now: 0 } }];
    return facetAggs(search({ type: 'statistical', spec: { sources } }), CONTEXT);
  };
  const counted = { s0: { extended_stats: { script: { lang: 'painless' } } } };
  expect(statistical('1 + 2')).toMatchObject({ f0: { aggs: counted } });
  expect(() => statistical('_score + 2')).toThrow('counting by a script with [_score] is not');
});

test('buckets of a histogram come in the order of their keys', () => {
  const key = { kind: 'field', field: 3 };
  const plan = search({
    type: 'histogram',
    spec: { key, values: { kind: 'none' }, interval: 10, order: 'key' },
  });
  const answer = parseJsonObject('{"f0":{"doc_count":3,"sums":{"value":[7,2.0,-1,1.0]}}}');
  expect(readFacet(plan, 0, answer, CONTEXT)).toEqual({
    keys: Float64Array.of(-1, 7),
    counts: Float64Array.of(1, 2),
  });
});

test('statistics of nothing are those of the embedded engine', () => {
  const spec = { sources: [{ kind: 'field', field: 3 }] };
  const answer = parseJsonObject(
    '{"f0":{"doc_count":0,"s0":{"count":0,"min":null,"max":null,"sum":0.0,"sum_of_squares":null}}}',
  );
  expect(readFacet(search({ type: 'statistical', spec }), 0, answer, CONTEXT)).toEqual({
    count: 0,
    total: 0,
    sumOfSquares: 0,
    min: Infinity,
    max: -Infinity,
  });
});

test('what may not be seen is not counted by global facets, either', () => {
  const seen = { kind: 'matchNone' } as const;
  const text = (facet: Partial<FacetPlan>) =>
    JSON.stringify(facetAggs(search(facet), { ...CONTEXT, seen }));
  const match = { type: 'filter', spec: { query: MATCH_ALL } };
  expect(text({ global: true })).toContain('"filter":{"match_none":{}}');
  expect(text({ global: true, ...match })).toContain('"filter":{"match_none":{}}');
  expect(text({ mainQuery: MATCH_ALL })).toContain('{"match_none":{}}');
});
