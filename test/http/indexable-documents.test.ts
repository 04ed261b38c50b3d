// What is acknowledged can be indexed: settings that analysis cannot work with are refused.

import { HttpClient } from '../support/http-client';

let client: HttpClient;
beforeAll(async () => {
  client = await HttpClient.start();
});
afterAll(() => client.close());
afterEach(() => client.reset());

const GRAMS = { filter: { g: { type: 'nGram', min_gram: 3, max_gram: 2 } } };
const REFUSED =
  'ElasticsearchIllegalArgumentException[[min_gram] of filter [g] does not work]; ' +
  'nested: IllegalArgumentException[minGram must not be greater than maxGram]; ';

test('an index with settings that analysis cannot work with is not created', async () => {
  const answer = await client.error('PUT', '/i', { settings: { analysis: GRAMS } });
  expect(answer).toContain('400 IndexCreationException[[i] failed to create index]');
  expect(answer).toContain(REFUSED);
});

test('nor does a closed one get them', async () => {
  await client.ok('PUT', '/i');
  await client.ok('POST', '/i/_close');
  expect(await client.error('PUT', '/i/_settings', { analysis: GRAMS })).toContain(REFUSED);
  await client.ok('PUT', '/i/_settings', { 'index.priority': 5 });
});

test.each([0, -1, 13, 1e9])('geohashes of length %d are refused', async (precision) => {
  const mapping = { type: 'geo_point', geohash: true, geohash_precision: precision };
  const wrong = `[geohash_precision] of field [p] must be from 1 to 12, not [${precision}]`;
  await client.ok('PUT', '/i');
  const body = { properties: { p: mapping } };
  expect(await client.error('PUT', '/i/t/_mapping', body)).toContain(wrong);
  expect(await client.error('PUT', '/j', { mappings: { t: body } })).toContain(wrong);
});
