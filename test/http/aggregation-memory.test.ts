// Aggregations within the memory of the node: too many buckets are refused by the name of the aggregation
// while they are counted, and what comes after is answered.

import { HttpClient } from '../support/http-client';

const MAPPINGS = {
  t: { properties: { one: { type: 'string', index: 'not_analyzed' }, many: { type: 'integer' } } },
};

test('buckets in buckets are bounded', async () => {
  const http = await HttpClient.start({ 'node.memory': '16mb', 'node.workers': '0' });
  try {
    await http.ok('PUT', '/i', { settings: { number_of_shards: 1 }, mappings: MAPPINGS });
    const lines: string[] = [];
    for (let n = 0; n < 3000; n++) {
      const many = Array.from({ length: 60 }, (_, i) => (n * 7 + i * 13) % 911);
      lines.push('{"index":{}}', JSON.stringify({ one: `o${n}`, many }));
    }
    await http.ok('POST', '/i/t/_bulk?refresh=true', lines.join('\n') + '\n');
    const path = '/i/_search?search_type=count';
    const within = { inner: { terms: { field: 'many' } } };
    const error = await http.error('POST', path, {
      aggs: { outer: { terms: { field: 'one', size: 1 }, aggs: within } },
    });
    expect(error).toMatch(
      /^500 .*CircuitBreakingException\[.*data for \[aggregation (inner|outer)\]/,
    );
    // Few buckets, and many hits in each.
    const full = await http.error('POST', path, {
      aggs: {
        outer: {
          terms: { field: 'many', size: 1 },
          aggs: { top: { top_hits: { size: 3000, sort: ['many'] } } },
        },
      },
    });
    expect(full).toMatch(/^500 .*CircuitBreakingException\[.*data for \[aggregation top\]/);
    const answer = (await http.ok('POST', path, {
      aggs: { outer: { terms: { field: 'many', size: 1 } } },
    })) as { readonly aggregations: { readonly outer: { readonly buckets: readonly unknown[] } } };
    expect(answer.aggregations.outer.buckets).toHaveLength(1);
  } finally {
    await http.close();
  }
});

test('documents in thousands of buckets at a time are counted in parts', async () => {
  const http = await HttpClient.start({ 'node.memory': '16mb', 'node.workers': '0' });
  try {
    const lines: string[] = [];
    for (let n = 0; n < 3000; n++) lines.push('{"index":{}}', JSON.stringify({ n, m: [n, n] }));
    await http.ok('POST', '/i/t/_bulk?refresh=true', lines.join('\n') + '\n');
    const each = <T>(count: number, make: (n: number) => T): T[] =>
      Array.from({ length: count }, (_, n) => make(n));
    const ranges = (field: string, count: number) => ({
      range: { field, ranges: each(count, (n) => ({ from: n * 10 })) },
    });
    const filters = { filters: { filters: each(100, (n) => ({ range: { n: { gte: n * 10 } } })) } };
    type Buckets = { buckets: { doc_count: number; b: Buckets }[] };
    for (const [outer, inner] of [
      [ranges('n', 100), filters],
      [filters, ranges('m', 100)],
    ]) {
      const aggs = { a: { ...outer, aggs: { b: { ...inner, aggs: { c: ranges('n', 2) } } } } };
      const { aggregations } = (await http.ok('POST', '/i/_search?search_type=count', {
        aggs,
      })) as { aggregations: { a: Buckets } };
      const counts = aggregations.a.buckets.map(({ b }) => b.buckets.map((each) => each.doc_count));
      expect(counts).toEqual(each(100, (i) => each(100, (j) => 3000 - Math.max(i, j) * 10)));
    }
    const tooMany = { a: { ...ranges('n', 2000), aggs: { b: ranges('n', 2000) } } };
    expect(await http.error('POST', '/i/_search', { aggs: tooMany })).toContain(
      'aggregations would return more than [1000000] buckets',
    );
  } finally {
    await http.close();
  }
});

test('histograms show many buckets without documents, but not any number of them', async () => {
  const http = await HttpClient.start({ 'node.workers': '0' });
  try {
    const search = (index: string, aggregation: object) =>
      ['POST', `/${index}/_search`, { aggs: { a: aggregation } }] as const;
    for (const [index, n] of [
      ['near', 9_999],
      ['far', 200_000],
    ] as const) {
      await http.ok(
        'POST',
        `/${index}/t/_bulk?refresh=true`,
        `{"index":{}}\n{"n":0}\n{"index":{}}\n{"n":${n}}\n`,
      );
    }
    const histogram = { histogram: { field: 'n', interval: 1, min_doc_count: 0 } };
    const answer = (await http.ok(...search('near', histogram))) as {
      readonly aggregations: { readonly a: { readonly buckets: readonly object[] } };
    };
    // More than are put together in one part.
    const { buckets } = answer.aggregations.a;
    expect(buckets).toHaveLength(10_000);
    expect([buckets[0], buckets[4096], buckets[9_999]]).toEqual([
      { key: 0, doc_count: 1 },
      { key: 4096, doc_count: 0 },
      { key: 9_999, doc_count: 1 },
    ]);
    const refusal =
      /^500 .*AggregationExecutionException\[histograms would return more than \[100000\] buckets/;
    expect(await http.error(...search('far', histogram))).toMatch(refusal);
    // Those of all histograms count together.
    const inner = {
      terms: { field: 'n' },
      aggs: {
        h: { histogram: { ...histogram.histogram, extended_bounds: { min: 0, max: 60_000 } } },
      },
    };
    expect(await http.error(...search('near', inner))).toMatch(refusal);
  } finally {
    await http.close();
  }
});
