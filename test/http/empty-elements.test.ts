// Elements that clients send empty, and function_score functions that are all there is.

import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  await http.ok('PUT', '/i/d/1?refresh=true', { t: 'a fox' });
});
afterAll(() => http.close());

test.each([
  { aggs: {} },
  { aggregations: {} },
  { facets: {} },
  { highlight: {} },
  { highlight: { fields: {} } },
  { highlight: { fields: [] } },
  { suggest: {} },
  { rescore: [] },
])('%j asks for nothing', async (body) => {
  expect(await http.ok('POST', '/i/_search', body)).toMatchObject({ hits: { total: 1 } });
});

test.each([
  [[{ boost_factor: 20 }], 20],
  [[{ boost_factor: 20 }, { boost_factor: 4 }], 12],
  [[{ weight: 20 }], 20],
  [[{ weight: 20 }, { weight: 4 }], 1],
  [[{ weight: 20, filter: { term: { t: 'fox' } } }], 1],
  [[{ boost_factor: 20, filter: { term: { t: 'fox' } } }], 20],
])('the average of %j is %d', async (functions, score) => {
  const query = {
    function_score: { query: { match_all: {} }, functions, score_mode: 'avg' },
  };
  expect(await http.ok('POST', '/i/_search', { query })).toMatchObject({
    hits: { max_score: score },
  });
});

test('the root has the members that clients expect', async () => {
  expect(Object.keys((await http.ok('GET', '/')) as object)).toEqual([
    'status',
    'name',
    'cluster_name',
    'version',
    'tagline',
  ]);
});
