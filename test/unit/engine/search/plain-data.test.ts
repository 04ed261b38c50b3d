// Everything that crosses the executor's interface survives the structured clone algorithm: an executor
// that copies all of it, as sending it to another thread would, answers the same.

import type { Executor, SearchJob, SearchOutcome } from '../../../../engine/search/plan/executor';
import { writeJson } from '../../../../engine/json/write';
import { SearchNode } from '../../../support/search-node';

class CloningExecutor implements Executor {
  constructor(private readonly inner: Executor) {}

  async search(job: SearchJob): Promise<SearchOutcome> {
    return structuredClone(await this.inner.search(structuredClone(job)));
  }

  cacheStatsByKind() {
    return this.inner.cacheStatsByKind();
  }
  caches() {
    return this.inner.caches();
  }

  forget(segmentIds: readonly number[]): void {
    this.inner.forget(segmentIds);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}

function build(): SearchNode {
  const node = new SearchNode();
  node.createIndex(
    'i',
    { tag: 'string', l: 'long', d: 'double', name: 'text', kids: 'nested', 'kids.n': 'integer' },
    { shards: 3 },
  );
  for (let i = 0; i < 20; i++) {
    const l = BigInt(i) * 1_000_000_007_000_000n;
    node.add('i', String(i), {
      tag: `t${i % 3}`,
      l,
      d: i / 4,
      name: 'quick fox',
      kids: [{ n: i }],
    });
    if (i % 7 === 0) node.refresh('i');
  }
  node.refresh('i');
  return node;
}

const BODIES: readonly object[] = [
  { query: { match: { name: 'fox quick' } }, version: true },
  { sort: [{ l: 'desc' }, { tag: { order: 'asc', missing: '_first' } }], fields: ['tag'] },
  {
    sort: {
      'kids.n': { order: 'desc', nested_filter: { range: { 'kids.n': { gte: 5, lte: 12 } } } },
    },
  },
  {
    query: { term: { tag: { value: 't1', _name: 'one' } } },
    _source: { include: ['l'] },
    post_filter: { range: { d: { gte: 1 } } },
    facets: {
      l: { terms: { field: 'l', size: 3 }, global: true },
      d: { terms: { field: 'd', regex: 'x', exclude: ['1.0'] } },
      t: { terms: { field: 'tag', regex: 't[12]' }, facet_filter: { range: { d: { gte: 1 } } } },
      k: { terms: { field: 'kids.n', order: 'term' }, nested: 'kids' },
    },
  },
];

test.each(BODIES)('%j', async (body) => {
  const node = build();
  for (const searchType of ['query_then_fetch', 'dfs_query_then_fetch', 'count'] as const) {
    node.host.executor = node.executor;
    const direct = await node.search('i', body, { searchType });
    node.host.executor = new CloningExecutor(node.executor);
    const cloned = await node.search('i', body, { searchType });
    expect(cloned.hits.map(String)).toEqual(direct.hits.map(String));
    expect({ ...cloned, tookMs: 0, hits: [], facets: undefined }).toEqual({
      ...direct,
      tookMs: 0,
      hits: [],
      facets: undefined,
    });
    expect(writeJson(cloned.facets ?? null)).toBe(writeJson(direct.facets ?? null));
  }
});
