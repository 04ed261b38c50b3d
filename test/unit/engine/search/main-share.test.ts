// Which searches main takes, told from what they are expected to cost.

import type { SearchJob } from '../../../../engine/search/plan/executor';
import { MainSearches, type MainShare } from '../../../../engine/search/run/main-searches';
import { isSlowSuggest, type SuggestSpec } from '../../../../engine/suggest/index';

const FACET = {
  name: 'f',
  type: 'statistical',
  spec: { sources: [{ kind: 'field', field: 40 }] },
  global: false,
  filter: null,
  nestedPath: null,
  mainQuery: null,
};

/** Every document is looked at: as much work as reading an eighth as many postings. */
function everything(docCount: number, changes: object = {}): SearchJob {
  const plan = {
    query: { kind: 'matchAll', boost: 1 },
    postFilter: null,
    sort: [{ kind: 'field', nestedPath: null }],
    minScore: null,
    window: 10,
    facets: [],
    aggregations: [],
    ...changes,
  };
  const planned = { plan, page: { size: 10 }, fetch: { scriptFields: [] } };
  const shards = [{ snapshot: { segments: [{ docCount }] }, planned }];
  return { shards, globalStatistics: false } as unknown as SearchJob;
}

const SHARE: MainShare = { small: 65_536, cacheBytes: 1 << 26 };

function takes(job: SearchJob, share: MainShare = SHARE): boolean {
  return new MainSearches(() => [], share).takes(job);
}

test('main takes small searches', () => {
  expect(takes(everything(300_000))).toBe(false);
  expect(takes(everything(100_000))).toBe(true);
  expect(takes(everything(100_000), { ...SHARE, small: 10_000 })).toBe(false);
});

test('everything in the order of documents is small, and so are remembered facets of it', () => {
  const query = { kind: 'numericRange', field: 40, from: 1, to: 2, boost: 1 };
  expect(takes(everything(2_000_000, { sort: null }))).toBe(true);
  expect(takes(everything(2_000_000, { sort: null, minScore: 2 }))).toBe(false);
  expect(takes(everything(2_000_000, { sort: null, query }))).toBe(false);
  expect(takes(everything(200_000, { sort: null, facets: [FACET] }))).toBe(true);
});

test('large columns are left to workers where they would not stay in memory', () => {
  const plan = { sort: null };
  expect(takes(everything(2_000_000, plan), { ...SHARE, cacheBytes: 1 << 20 })).toBe(false);
  expect(takes(everything(20_000, plan), { ...SHARE, cacheBytes: 1 << 10 })).toBe(true);
});

test('nothing runs on main where its share is nothing', () => {
  expect(takes(everything(0), { ...SHARE, small: 0 })).toBe(false);
});

test('scores by the terms of all shards are left to workers', () => {
  expect(takes({ ...everything(8), globalStatistics: true })).toBe(false);
});

test('facets that show thousands of entries are left to workers', () => {
  const terms = {
    ...{ script: null, hierarchy: null, pattern: null, search: null, allTerms: false },
    ...{ sources: [], exclude: [], from: 0 },
  };
  const stats = { key: { kind: 'field', field: 40 }, value: { kind: 'field', field: 41 } };
  const facets = (type: string, spec: object) => ({
    sort: null,
    facets: [{ ...FACET, type, spec }],
  });
  for (const [size, isSmall] of [
    [10, true],
    [1000, true],
    [1001, false],
  ] as const) {
    expect(takes(everything(1000, facets('terms', { ...terms, size })))).toBe(isSmall);
    expect(takes(everything(1000, facets('terms', { ...terms, size: 1, from: size - 1 })))).toBe(
      isSmall,
    );
    expect(takes(everything(1000, facets('terms_stats', { ...stats, size })))).toBe(isSmall);
  }
});

test('completions of a short text with one mistake run on main where keys stay in memory', () => {
  const fuzziness = { maxEdits: 1, transpositions: true, minLength: 3, prefixLength: 1 };
  const spec = { kind: 'completion', prefixes: [''], paths: ['begin'], fuzziness };
  const job = (suggest: object) => everything(20_000, { sort: null, suggest: [suggest] });
  expect(takes(job(spec))).toBe(true);
  expect(takes(job(spec), { ...SHARE, cacheBytes: 1 << 10 })).toBe(false);
  expect(takes(job({ ...spec, fuzziness: null }), { ...SHARE, cacheBytes: 1 << 10 })).toBe(true);
  expect(isSlowSuggest(spec as unknown as SuggestSpec)).toBe(false);
  for (const change of [
    { kind: 'term' },
    { fuzziness: { ...fuzziness, maxEdits: 2 } },
    { prefixes: ['a', 'b', 'c'] },
    { paths: ['a long text that is mistyped'] },
  ]) {
    expect(isSlowSuggest({ ...spec, ...change } as unknown as SuggestSpec)).toBe(true);
  }
});

test('a hit that is explained by a large query of its own is left to workers', () => {
  const explained = (query: object): SearchJob => {
    const job = everything(1000) as unknown as { shards: { planned: { fetch: object } }[] };
    Object.assign(job.shards[0]!.planned.fetch, { explain: { nodeId: 'n', query } });
    return job as unknown as SearchJob;
  };
  expect(takes(explained({ kind: 'matchAll', boost: 1 }))).toBe(true);
  expect(takes(explained({ kind: 'fuzzy', field: 40, term: 'x', boost: 1 }))).toBe(false);
});
