import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  await http.ok('PUT', '/i', { settings: { number_of_shards: 1 } });
  await http.ok('PUT', '/i/t/1', { a: 'x', n: 1 });
  await http.ok('PUT', '/i/t/2', { a: 'y', n: 2 });
  await http.ok('PUT', '/i/u/3', { a: 'x', n: 3 });
  await http.ok('POST', '/i/_refresh');
});
afterAll(() => http.close());

interface SearchAnswer {
  hits: { total: number; max_score: number | null; hits: { _id: string }[] };
}
const ids = (answer: unknown) => (answer as SearchAnswer).hits.hits.map((hit) => hit._id);

test('the envelope has the reference’s members in its order', async () => {
  const { text } = await http.send('GET', '/i/_search?size=1&sort=n');
  expect(text.replace(/"took":\d+/, '"took":0')).toBe(
    '{"took":0,"timed_out":false,"_shards":{"total":1,"successful":1,"failed":0},' +
      '"hits":{"total":3,"max_score":null,"hits":[{"_index":"i","_type":"t","_id":"1","_score":null,"_source":{"a":"x","n":1},"sort":[1]}]}}',
  );
});

test.each([
  ['POST body', 'POST', '/i/_search', { query: { term: { a: 'x' } }, sort: 'n' }, ['1', '3']],
  ['GET body', 'GET', '/i/_search', { query: { term: { a: 'x' } }, sort: 'n' }, ['1', '3']],
  [
    'source parameter',
    'GET',
    '/_search?source=%7B%22sort%22%3A%7B%22n%22%3A%22desc%22%7D%7D',
    undefined,
    ['3', '2', '1'],
  ],
  ['type in the path', 'GET', '/i/t/_search?sort=n', undefined, ['1', '2']],
  ['q', 'GET', '/_search?q=a:y', undefined, ['2']],
  ['URL over body', 'POST', '/i/_search?size=1&sort=n:desc', { size: 5, sort: 'n' }, ['3']],
])('%s', async (_name, method, path, body, expected) => {
  expect(ids(await http.ok(method, path, body))).toEqual(expected);
});

test('count takes bodies and q, and zero indices are fine', async () => {
  const shards = { total: 1, successful: 1, failed: 0 };
  expect(await http.ok('GET', '/i/_count')).toEqual({ count: 3, _shards: shards });
  expect(await http.ok('POST', '/i/t/_count', { query: { term: { a: 'x' } } })).toMatchObject({
    count: 1,
  });
  expect(await http.ok('GET', '/_count?q=a:x&index=i')).toMatchObject({ count: 2 });
  expect(await http.ok('GET', '/none*/_count')).toEqual({
    count: 0,
    _shards: { total: 0, successful: 0, failed: 0 },
  });
  expect(await http.error('GET', '/none/_count')).toBe('404 IndexMissingException[[none] missing]');
});

test('bodies that are not JSON fail on every shard', async () => {
  expect(await http.error('POST', '/i/_search', '{"query":')).toMatch(
    /^400 SearchPhaseExecutionException\[Failed to execute phase \[query_fetch\], all shards failed; shardFailures \{\[.*\]\[i\]\[0\]: SearchParseException\[\[i\]\[0\]: from\[-1\],size\[-1\]: Parse Failure \[Failed to parse source \[\{"query":\]\]\]; nested: JsonParseException\[Unexpected end-of-input/,
  );
  expect(await http.error('POST', '/i/_search', 'x')).toContain(
    'Failed to parse source [_na_]]]; nested: ElasticsearchParseException[Failed to derive xcontent]; ',
  );
  expect(await http.error('POST', '/none/_search', 'x')).toBe(
    '404 IndexMissingException[[none] missing]',
  );
  const [status, body] = await http.pair('POST', '/i/_count', 'x');
  expect(status).toBe(400);
  expect(body).toEqual({
    count: 0,
    _shards: {
      total: 1,
      successful: 0,
      failed: 1,
      failures: [
        {
          index: 'i',
          shard: 0,
          status: 400,
          reason:
            'BroadcastShardOperationFailedException[[i][0] ]; nested: QueryParsingException[[i] Failed to parse]; nested: ElasticsearchParseException[Failed to derive xcontent]; ',
        },
      ],
    },
  });
});

test('unknown search types are refused', async () => {
  expect(await http.error('GET', '/i/_search?search_type=COUNT')).toBe(
    '400 ElasticsearchIllegalArgumentException[No search type for [COUNT]]',
  );
  expect(await http.ok('GET', '/i/_search?search_type=count')).toMatchObject({
    hits: { total: 3, max_score: 0, hits: [] },
  });
});

test('facets stand after the hits', async () => {
  const { text } = await http.send('POST', '/i/_search?search_type=count', {
    facets: { f: { terms: { field: 'a' } } },
  });
  expect(text).toContain(
    '"hits":{"total":3,"max_score":0.0,"hits":[]},"facets":{"f":{"_type":"terms","missing":0,"total":3,"other":0,"terms":[{"term":"x","count":2},{"term":"y","count":1}]}}}',
  );
});

test.each(['aggs', 'aggregations'])('[%s] stand behind the hits', async (name) => {
  const { text } = await http.send('POST', '/i/_search?search_type=count', {
    [name]: { f: { terms: { field: 'a' }, [name]: { m: { max: { field: 'n' } } } } },
  });
  expect(text).toContain(
    '"hits":[]},"aggregations":{"f":{"doc_count_error_upper_bound":0,"sum_other_doc_count":0,"buckets":[{"key":"x","doc_count":2,"m":{"value":3.0}},{"key":"y","doc_count":1,"m":{"value":2.0}}]}}}',
  );
});

test('pretty and filter_path work on searches', async () => {
  expect(
    (await http.send('GET', '/i/_search?sort=n&filter_path=hits.hits._id,hits.total')).text,
  ).toBe('{"hits":{"total":3,"hits":[{"_id":"1"},{"_id":"2"},{"_id":"3"}]}}');
  expect((await http.send('GET', '/i/_search?size=0&pretty')).text).toMatch(
    /^\{\n {2}"took" : \d+,\n {2}"timed_out" : false,\n[^]*"hits" : \[ \]\n {2}\}\n\}\n$/,
  );
});

test('analyze takes its text from the URL or the body', async () => {
  const token = (text: string, start: number, position: number) => ({
    token: text,
    start_offset: start,
    end_offset: start + text.length,
    type: '<ALPHANUM>',
    position,
  });
  expect(await http.ok('GET', '/_analyze?text=Two+words')).toEqual({
    tokens: [token('two', 0, 1), token('words', 4, 2)],
  });
  expect(await http.ok('POST', '/i/_analyze?analyzer=standard', 'One')).toEqual({
    tokens: [token('one', 0, 1)],
  });
  expect(await http.error('GET', '/_analyze')).toBe(
    '400 ElasticsearchIllegalArgumentException[text is missing]',
  );
});

test('an answer goes without the hits of shards that fail when these are fetched', async () => {
  await http.ok('PUT', '/two', { settings: { number_of_shards: 2 } });
  for (let n = 0; n < 20; n++) await http.ok('PUT', `/two/t/${n}`, { n });
  await http.ok('POST', '/two/_refresh');
  const answer = await http.ok('POST', '/two/_search', {
    size: 1,
    script_fields: { x: { script: "_fields['unknown'].value" } },
  });
  expect(answer).toMatchObject({
    _shards: { total: 2, successful: 1, failed: 1 },
    hits: { total: 20, hits: [] },
  });
});

test('the analyzer of a field is that of an index', async () => {
  expect(await http.error('GET', '/_analyze?field=a&text=x')).toMatch(
    /^400 ElasticsearchIllegalArgumentException\[No index provided/,
  );
});
