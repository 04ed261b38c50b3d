import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
});
afterAll(() => http.close());
afterEach(() => http.reset());

const ACKNOWLEDGED = [200, { acknowledged: true }];
const status = async (method: string, path: string) => (await http.send(method, path)).status;

test('create, exists, delete', async () => {
  expect(await http.pair('PUT', '/i')).toEqual(ACKNOWLEDGED);
  expect(await http.pair('POST', '/j', { number_of_shards: 2 })).toEqual(ACKNOWLEDGED);
  expect(await http.error('PUT', '/i')).toBe('400 IndexAlreadyExistsException[[i] already exists]');
  expect(await http.error('PUT', '/I')).toBe(
    '400 InvalidIndexNameException[[I] Invalid index name [I], must be lowercase]',
  );
  expect(await http.error('PUT', '/k', '{"settings":')).toMatch(
    /^400 ElasticsearchParseException\[failed to parse source for create index\]; nested: JsonParseException/,
  );
  expect([
    await status('HEAD', '/i'),
    await status('HEAD', '/i,j'),
    await status('HEAD', '/i,none'),
    await status('HEAD', '/nos*'),
    await status('HEAD', '/nos*?allow_no_indices=true'),
  ]).toEqual([200, 200, 404, 404, 200]);
  expect(await http.error('DELETE', '/')).toBe(
    '400 ActionRequestValidationException[Validation Failed: 1: index / indices is missing;]',
  );
  expect(await http.error('DELETE', '/i,none')).toBe('404 IndexMissingException[[none] missing]');
  expect(await http.pair('DELETE', '/i,none?ignore_unavailable=true')).toEqual(ACKNOWLEDGED);
  expect(await status('HEAD', '/i')).toBe(404);
});

test('get shows the chosen sections', async () => {
  await http.ok('PUT', '/i', {
    settings: { index: { number_of_shards: 2 }, foo: { bar: 'x' } },
    mappings: { t: { properties: { a: { type: 'long' } } } },
    aliases: { x: {} },
  });
  const whole = (await http.ok('GET', '/i')) as { i: Record<string, unknown> };
  expect(Object.keys(whole.i)).toEqual(['aliases', 'mappings', 'settings', 'warmers']);
  expect(whole.i).toMatchObject({
    aliases: { x: {} },
    mappings: { t: { properties: { a: { type: 'long' } } } },
    settings: { index: { number_of_shards: '2', foo: { bar: 'x' } } },
    warmers: {},
  });
  expect(await http.ok('GET', '/i/_aliases,_warmer')).toEqual({
    i: { aliases: { x: {} }, warmers: {} },
  });
  expect(await http.ok('GET', '/_mapping')).toEqual({
    i: { mappings: { t: { properties: { a: { type: 'long' } } } } },
  });
  expect(await http.ok('GET', '/i/_settings?flat_settings=true')).toMatchObject({
    i: { settings: { 'index.number_of_shards': '2', 'index.foo.bar': 'x' } },
  });
  expect(await http.error('GET', '/i/_bogus')).toBe(
    '400 ElasticsearchIllegalArgumentException[No feature for name [_bogus]]',
  );
  expect(await http.error('GET', '/_x/y')).toBe(
    '400 ElasticsearchIllegalArgumentException[No feature for name [y]]',
  );
  expect(await http.error('GET', '/none')).toBe('404 IndexMissingException[[none] missing]');
});

test('open and close', async () => {
  await http.ok('PUT', '/i/t/1', {});
  expect(await http.pair('POST', '/i/_close')).toEqual(ACKNOWLEDGED);
  expect(await http.error('GET', '/i/t/1')).toBe('403 IndexClosedException[[i] closed]');
  expect(await status('HEAD', '/i')).toBe(200);
  expect(await http.pair('POST', '/i/_open')).toEqual(ACKNOWLEDGED);
  expect(await status('GET', '/i/t/1')).toBe(200);
  expect(await http.error('POST', '/_close')).toBe(
    '400 ActionRequestValidationException[Validation Failed: 1: index is missing;]',
  );
});

test('mappings are put and read on all their paths', async () => {
  await http.ok('PUT', '/i');
  const mapping = { properties: { a: { type: 'string' } } };
  await http.ok('PUT', '/i/_mapping/t1', { t1: mapping });
  await http.ok('POST', '/i/t2/_mapping', mapping);
  await http.ok('PUT', '/_mappings/t3', mapping);
  const all = { t1: mapping, t2: mapping, t3: mapping };
  for (const path of ['/_mapping', '/i/_mapping', '/_mapping/_all', '/i/_mappings/t*']) {
    expect(await http.ok('GET', path)).toEqual({ i: { mappings: all } });
  }
  expect(await http.ok('GET', '/i/t2/_mapping')).toEqual({ i: { mappings: { t2: mapping } } });
  expect(await http.pair('GET', '/i/_mapping/none')).toEqual([200, {}]);
  expect(await http.error('GET', '/_mapping/none')).toBe(
    '404 TypeMissingException[[_all] type[[none]] missing]',
  );
  expect([
    await status('HEAD', '/i/t1'),
    await status('HEAD', '/i/t1,none'),
    await status('HEAD', '/none/t1'),
  ]).toEqual([200, 404, 404]);
  expect(await http.error('PUT', '/i/_mapping')).toBe(
    '400 ActionRequestValidationException[Validation Failed: 1: mapping type is missing;2: mapping source is empty;]',
  );
  expect(await http.error('PUT', '/i/_mapping/t1', '{"t1":')).toMatch(
    /^400 ElasticsearchParseException\[Failed to parse content to map\]; nested: JsonParseException/,
  );
  expect(
    await http.error('PUT', '/i/_mapping/t1', { properties: { a: { type: 'long' } } }),
  ).toMatch(/^400 MergeMappingException/);
});

test('deleting a type deletes its documents', async () => {
  await http.ok('PUT', '/i/t1/1', { a: 1 });
  await http.ok('PUT', '/i/t2/2', { a: 1 });
  expect(await http.pair('DELETE', '/i/t1')).toEqual(ACKNOWLEDGED);
  expect([await status('HEAD', '/i/t1'), await status('GET', '/i/t1/1')]).toEqual([404, 404]);
  expect(await status('GET', '/i/t2/2')).toBe(200);
  expect(await http.error('DELETE', '/i/_mapping/none')).toBe(
    '404 TypeMissingException[[_all] type[[none]] missing: No index has the type.]',
  );
});

test('settings are updated from body and URL and read by name', async () => {
  await http.ok('PUT', '/i');
  await http.ok('PUT', '/i/_settings', { settings: { 'index.refresh_interval': '5s' } });
  await http.ok('PUT', '/_settings?index.number_of_replicas=2', { index: { gc_deletes: '1h' } });
  expect(await http.ok('GET', '/_settings/index.refresh_*,index.number_of_replicas')).toEqual({
    i: { settings: { index: { refresh_interval: '5s', number_of_replicas: '2' } } },
  });
  expect(await http.ok('GET', '/i/_setting/nothing')).toEqual({});
  expect(await http.error('PUT', '/i/_settings', '{"settings":{}}')).toBe(
    '400 ActionRequestValidationException[Validation Failed: 1: no settings to update;]',
  );
  expect(await http.error('PUT', '/i/_settings', { foo: 1 })).toBe(
    "400 ElasticsearchIllegalArgumentException[Can't update non dynamic settings[[index.foo]] for open indices [[i]]]",
  );
});

test.each(['_refresh', '_flush', '_optimize'])('%s counts shards', async (operation) => {
  await http.ok('PUT', '/i', { settings: { number_of_shards: 2, number_of_replicas: 1 } });
  await http.ok('PUT', '/j');
  const shards = (total: number, successful: number) => ({
    _shards: { total, successful, failed: 0 },
  });
  expect(await http.ok('POST', `/${operation}`)).toEqual(shards(5, 3));
  expect(await http.ok('GET', `/j/${operation}`)).toEqual(shards(1, 1));
  expect(await http.ok('POST', `/none*/${operation}`)).toEqual(shards(0, 0));
  expect(await http.error('POST', `/none/${operation}`)).toBe(
    '404 IndexMissingException[[none] missing]',
  );
});

test('flush and optimize show what was written', async () => {
  await http.ok('PUT', '/i', { settings: { 'index.refresh_interval': '-1' } });
  const count = async () => ((await http.ok('GET', '/i/_count')) as { count: number }).count;
  await http.ok('PUT', '/i/t/1', { a: 1 });
  expect(await count()).toBe(0);
  await http.ok('POST', '/i/_flush');
  expect(await count()).toBe(1);
  await http.ok('PUT', '/i/t/2', { a: 1 });
  await http.ok('POST', '/i/_optimize');
  expect(await count()).toBe(2);
});

test.each([
  ['PUT', '/i/_search', 400, 'No handler found for uri [/i/_search] and method [PUT]'],
  ['PUT', '/', 400, 'No handler found for uri [/] and method [PUT]'],
  ['GET', '/i/t/1/_nosuch', 400, 'No handler found for uri [/i/t/1/_nosuch] and method [GET]'],
])('%s %s has no handler', async (method, path, code, text) => {
  const answer = await http.send(method, path);
  expect([answer.status, answer.text]).toEqual([code, text]);
});

test.each([
  [
    'PUT',
    '/_search',
    "400 InvalidIndexNameException[[_search] Invalid index name [_search], must not start with '_']",
  ],
  [
    'POST',
    '/i/_nosuch',
    "400 MapperParsingException[mapping [_nosuch]]; nested: InvalidTypeNameException[mapping type name [_nosuch] can't start with '_']; ",
  ],
  ['DELETE', '/_search', '404 IndexMissingException[[_search] missing]'],
  ['GET', '/_nosuch/x/y', '404 IndexMissingException[[_nosuch] missing]'],
])('%s %s falls through to the placeholder routes', async (method, path, expected) => {
  expect(await http.error(method, path, method === 'POST' ? {} : undefined)).toBe(expected);
});

test('opening and closing need an index', async () => {
  for (const path of [
    '/none/_close?ignore_unavailable&allow_no_indices',
    '/n*/_open?allow_no_indices',
  ]) {
    expect(await http.error('POST', path)).toBe(
      '400 ElasticsearchIllegalArgumentException[Index name is required]',
    );
  }
});

test('descriptions of rivers are kept', async () => {
  expect(await status('PUT', '/_river/r/_meta')).toBe(400);
  await http.ok('PUT', '/_river/r/_meta', { type: 'couchdb' });
  expect(await http.ok('GET', '/_river/r/_meta')).toMatchObject({ _source: { type: 'couchdb' } });
  await http.ok('DELETE', '/_river');
});
