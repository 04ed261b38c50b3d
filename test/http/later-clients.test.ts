// What clients of later versions are told: the reference's refusals, and what to do.

import supertest from 'supertest';
import { createTestApp, type TestApp } from '../support/app';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  await supertest(app.handler).put('/i/t/1?refresh=true').send({ title: 'x' }).expect(201);
});
afterAll(() => app.close());

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
  const request = supertest(app.handler)[method as 'put' | 'post'](path);
  const { status, body: answer } = await request.send(body);
  const { error } = answer as { error: string };
  expect(status).toBe(400);
  expect(error.startsWith(exception)).toBe(true);
  expect(error).toMatch(hint);
});

test('a client that says so is told which version is spoken, and served all the same', async () => {
  const found = await supertest(app.handler).get('/i/t/1').set('Accept', TYPE).expect(200);
  expect(found.headers['warning']).toMatch(/^299 facetd "a client for Elasticsearch 8 asks/);
  const written = await supertest(app.handler)
    .put('/i/t/2')
    .set('Content-Type', TYPE)
    .send('{"title":"y"}');
  expect(written.status).toBe(201);
  const { body } = await supertest(app.handler).get('/none/t/1').set('Accept', TYPE).expect(404);
  expect((body as { error: string }).error).toMatch(
    /^IndexMissingException\[\[none\] missing\] \(this client is made for Elasticsearch 8/,
  );
});

test('others are told nothing more', async () => {
  const { headers, body } = await supertest(app.handler).get('/none/t/1').expect(404);
  expect(headers['warning']).toBeUndefined();
  expect(body).toMatchObject({ error: 'IndexMissingException[[none] missing]' });
});

test('misspelt names get the name that was meant', async () => {
  const error = async (body: object): Promise<string> => {
    const { body: answer } = await supertest(app.handler).post('/i/_search').send(body).expect(400);
    return (answer as { error: string }).error;
  };
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
  const { body } = await supertest(app.handler)
    .put('/m')
    .send({ mappings: { t: { properties: { a: { type: 'strnig' } } } } })
    .expect(400);
  expect((body as { error: string }).error).toContain('did you mean [string]?');
});
