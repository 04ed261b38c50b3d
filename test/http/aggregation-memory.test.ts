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
