// The envelope of a search is the same whether its parts are texts or bytes.

import { RawJson, type SearchResponse } from '../../../../engine/index';
import { searchResponseChunks } from '../../../../server/render/index';

const FACET = '{"_type":"terms","terms":[{"term":"é","count":1}]}';

function answer(facet: RawJson): string {
  const response = {
    tookMs: 1,
    timedOut: false,
    shards: { total: 1, successful: 1, failed: 0, failures: [] },
    total: 2,
    maxScore: null,
    hits: [Buffer.from('{"_id":"1"}'), Buffer.from('{"_id":"2"}')],
    facets: new Map([
      ['a', new RawJson('{"count":1}')],
      ['"b"', facet],
      ['c', new RawJson('{"count":2}')],
    ]),
    aggregations: new Map([['d', facet]]),
    suggest: undefined,
  };
  const chunks = searchResponseChunks(response as unknown as SearchResponse);
  return Buffer.concat(chunks).toString();
}

test('facets and aggregations are spliced in', () => {
  const text = answer(new RawJson(Buffer.from(FACET)));
  expect(text).toBe(answer(new RawJson(FACET)));
  const facet: unknown = JSON.parse(FACET);
  expect(JSON.parse(text)).toEqual({
    took: 1,
    timed_out: false,
    _shards: { total: 1, successful: 1, failed: 0 },
    hits: { total: 2, max_score: null, hits: [{ _id: '1' }, { _id: '2' }] },
    facets: { a: { count: 1 }, '"b"': facet, c: { count: 2 } },
    aggregations: { d: facet },
  });
});

test('what stands before the hits', () => {
  const shards = { total: 3, successful: 3, failed: 0, failures: [] };
  const failure = { index: 'i', shard: 1, status: 500, reason: 'a "b"' };
  const text = (changes: object): string => {
    const whole = { tookMs: 12, timedOut: false, shards, total: 7, maxScore: 1.5, hits: [] };
    const chunks = searchResponseChunks({ ...whole, ...changes } as unknown as SearchResponse);
    expect(chunks).toHaveLength(1);
    return chunks[0]!.toString();
  };
  expect(text({})).toBe(
    '{"took":12,"timed_out":false,"_shards":{"total":3,"successful":3,"failed":0},"hits":{"total":7,"max_score":1.5,"hits":[]}}',
  );
  expect(text({ scrollId: 'a"=', terminatedEarly: true, timedOut: true, maxScore: null })).toBe(
    String.raw`{"_scroll_id":"a\"=","took":12,"timed_out":true,"terminated_early":true,"_shards":{"total":3,"successful":3,"failed":0},"hits":{"total":7,"max_score":null,"hits":[]}}`,
  );
  expect(text({ shards: { ...shards, successful: 2, failed: 1, failures: [failure] } })).toBe(
    String.raw`{"took":12,"timed_out":false,"_shards":{"total":3,"successful":2,"failed":1,"failures":[{"index":"i","shard":1,"status":500,"reason":"a \"b\""}]},"hits":{"total":7,"max_score":1.5,"hits":[]}}`,
  );
});
