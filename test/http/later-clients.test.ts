// What clients of later versions are told: the reference's refusals, and what to do.

import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  await http.ok('PUT', '/i/t/1?refresh=true', { title: 'x' });
});
afterAll(() => http.close());

const TYPE = 'application/vnd.elasticsearch+json; compatible-with=8';

test.each<[string, string, object, string, RegExp]>([
  [
    'put',
    '/a',
    { mappings: { properties: { title: { type: 'text' } } } },
    'MapperParsingException[mapping [properties]]',
    /requests name a type here.*docs\/from-elasticsearch\.md has more\)$/,
  ],
  [
    'put',
    '/i/_mapping',
    { properties: { title: { type: 'string' } } },
    'ActionRequestValidationException[Validation Failed: 1: mapping type is missing;]',
    /requests name a type here/,
  ],
  [
    'put',
    '/i/_doc/1',
    { title: 'x' },
    'InvalidTypeNameException[mapping type name [_doc]',
    /requests name a type here/,
  ],
  [
    'put',
    '/a',
    { mappings: { doc: { properties: { title: { type: 'keyword' } } } } },
    'MapperParsingException[mapping [doc]]',
    /"index": "not_analyzed"/,
  ],
  [
    'post',
    '/i/_search',
    { track_total_hits: true },
    'SearchPhaseExecutionException[',
    /\[track_total_hits\]\]\]; \}\] \(leave it out/,
  ],
  [
    'post',
    '/i/_search',
    { query: { bool: { filter: [] } } },
    'SearchPhaseExecutionException[',
    /"filtered"/,
  ],
  ['post', '/i/_delete_by_query', {}, 'InvalidTypeNameException[', /DELETE \/index\/_query/],
])('%s %s %j', async (method, path, body, exception, hint) => {
  const error = await http.error(method, path, body);
  expect(error.startsWith(`400 ${exception}`)).toBe(true);
  expect(error).toMatch(hint);
});

test('a client that says so is told which version is spoken, and served all the same', async () => {
  const headers = { Accept: TYPE, 'Content-Type': TYPE };
  const found = await http.send('GET', '/i/t/1', undefined, headers);
  expect(found.status).toBe(200);
  expect(found.headers['warning']).toMatch(/^299 facetd "a client for Elasticsearch 8 asks/);
  const written = await http.send('PUT', '/i/t/2', '{"title":"y"}', headers);
  expect(written.status).toBe(201);
  const missing = await http.send('GET', '/none/t/1', undefined, headers);
  expect(missing).toMatchObject({
    status: 404,
    body: {
      error: expect.stringMatching(
        /^IndexMissingException\[\[none\] missing\] \(this client is made for Elasticsearch 8/,
      ) as unknown,
    },
  });
});

test('a large body that is refused takes no time to look through', async () => {
  const words = 'mapping [properties]]; nested: '.repeat(60_000);
  const error = await http.error('POST', '/i/_search', { query: { nosuch: {} }, words });
  expect(error).toMatch(/^400 SearchPhaseExecutionException/);
  expect(error).not.toContain('name a type');
});

test('others are told nothing more', async () => {
  const { headers, body } = await http.send('GET', '/none/t/1');
  expect(headers['warning']).toBeUndefined();
  expect(body).toMatchObject({ error: 'IndexMissingException[[none] missing]' });
});

test('misspelt names get the name that was meant', async () => {
  const error = (body: object): Promise<string> => http.error('POST', '/i/_search', body);
  expect(await error({ query: { mtach: {} } })).toContain(
    'QueryParsingException[[i] No query registered for [mtach], did you mean [match]?]',
  );
  expect(await error({ querry: {} })).toContain('[querry], did you mean [query]?]');
  expect(await error({ facets: { f: { trems: {} } } })).toContain(
    'No facet type found for [trems], did you mean [terms]?]',
  );
  expect(await error({ aggs: { a: { trems: {} } } })).toContain(
    'Could not find aggregator type [trems] in [a], did you mean [terms]?]',
  );
  const mappings = { t: { properties: { a: { type: 'strnig' } } } };
  expect(await http.error('PUT', '/m', { mappings })).toContain('did you mean [string]?');
});
