import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
});
afterAll(() => http.close());
beforeEach(async () => {
  const mappings = { t: { properties: { user: { type: 'string', index: 'not_analyzed' } } } };
  await http.ok('PUT', '/a1', { mappings });
  await http.ok('PUT', '/a2', { mappings });
});
afterEach(() => http.reset());

const actions = (...list: object[]) => http.send('POST', '/_aliases', { actions: list });
const aliases = async (path = '/_aliases') => http.ok('GET', path);

test('actions add, remove and replace', async () => {
  const filter = { term: { user: 'kim' } };
  await actions(
    { add: { index: 'a1', alias: 'x', filter, routing: 1 } },
    { add: { index: 'a*', alias: 'y', index_routing: '2', search_routing: '2,3' } },
  );
  const y = { index_routing: '2', search_routing: '2,3' };
  expect(await aliases()).toEqual({
    a1: { aliases: { x: { filter, index_routing: '1', search_routing: '1' }, y } },
    a2: { aliases: { y } },
  });
  await actions({ remove: { index: 'a1', alias: 'y' } }, { add: { index: 'a1', alias: 'x' } });
  expect(await aliases()).toEqual({ a1: { aliases: { x: {} } }, a2: { aliases: { y } } });
});

test('one failing action changes nothing', async () => {
  const answer = await actions(
    { add: { index: 'a1', alias: 'x' } },
    { add: { index: 'none', alias: 'x' } },
  );
  expect([answer.status, answer.body]).toEqual([
    404,
    { error: 'IndexMissingException[[none] missing]', status: 404 },
  ]);
  expect(await aliases()).toEqual({ a1: { aliases: {} }, a2: { aliases: {} } });
});

test('parser laxities of real clients', async () => {
  // Several actions in one object, any key around the array, scalars as names, arrays whose last element
  // counts.
  const body =
    '{"whatever":[{"add":{"index":["a2","a1"],"alias":7,"other":{"x":"none"}},"add":{"index":"a2","alias":"x","filter":null,"routing":null}},null,"add"]}';
  await http.ok('POST', '/_aliases', body);
  expect(await aliases()).toEqual({ a1: { aliases: { '7': {} } }, a2: { aliases: { x: {} } } });
});

test.each([
  ['{}', '1: Must specify at least one alias action;'],
  ['{"actions":[]}', '1: Must specify at least one alias action;'],
  [
    '{"actions":[{"add":{}},{"remove":{"index":"a1"}}]}',
    '1: Alias action [add] requires an [alias] to be set;2: Alias action [add]: [index] may not be empty string;3: Alias action [remove]: [alias] may not be empty string;',
  ],
])('%s fails validation', async (body, text) => {
  expect(await http.error('POST', '/_aliases', body)).toBe(
    `400 ActionRequestValidationException[Validation Failed: ${text}]`,
  );
});

test.each([
  [
    '{"actions":[{"foo":{}}]}',
    '400 ElasticsearchIllegalArgumentException[Alias action [foo] not supported]',
  ],
  ['', '400 ElasticsearchParseException[Failed to derive xcontent]'],
  [
    '{"actions":[{"add":{"index":"a1","alias":"a2"}}]}',
    '400 InvalidAliasNameException[[a1] Invalid alias name [a2], an index exists with the same name as the alias]',
  ],
  [
    '{"actions":[{"remove":{"index":"a1","alias":"x"}}]}',
    '404 AliasesMissingException[aliases [[x]] missing]',
  ],
])('%s is refused', async (body, expected) => {
  expect(await http.error('POST', '/_aliases', body)).toBe(expected);
});

test('single forms put, override by body, and delete', async () => {
  await http.ok('PUT', '/a1/_alias/x');
  await http.ok('POST', '/a1,a2/_aliases/y', { routing: 'r' });
  await http.ok('PUT', '/_alias/z', { index: 'a2' });
  await http.ok('PUT', '/a1/_alias', { alias: 'w', index: 'a2' });
  const y = { index_routing: 'r', search_routing: 'r' };
  expect(await aliases()).toEqual({
    a1: { aliases: { x: {}, y } },
    a2: { aliases: { y, z: {}, w: {} } },
  });
  expect(await http.error('PUT', '/_alias/x')).toBe(
    '400 ActionRequestValidationException[Validation Failed: 1: Alias action [add]: Property [index] was either missing or null;]',
  );
  expect(await http.error('PUT', '/_alias')).toBe(
    '400 ActionRequestValidationException[Validation Failed: 1: Alias action [add] requires an [alias] to be set;2: Alias action [add]: Property [index] was either missing or null;]',
  );
  await http.ok('DELETE', '/_all/_alias/y,nosuch');
  await http.ok('DELETE', '/a2/_aliases/*');
  expect(await aliases()).toEqual({ a1: { aliases: { x: {} } }, a2: { aliases: {} } });
  expect(await http.error('DELETE', '/a1/_alias/nosuch')).toBe(
    '404 AliasesMissingException[aliases [[nosuch]] missing]',
  );
});

test('reads differ by path', async () => {
  await http.ok('PUT', '/a1/_alias/x');
  const found = { a1: { aliases: { x: {} } } };
  expect(await aliases('/_alias/x')).toEqual(found);
  expect(await aliases('/a1/_alias/*')).toEqual(found);
  expect(await aliases('/x/_alias/_all')).toEqual(found);
  expect(await http.pair('GET', '/_alias/nosuch,other')).toEqual([
    404,
    { error: 'alias [nosuch,other] missing', status: 404 },
  ]);
  expect(await http.pair('GET', '/a2/_alias/*')).toEqual([200, {}]);
  expect(await http.pair('GET', '/a1/_alias/nosuch')).toEqual([200, {}]);
  expect(await http.error('GET', '/none/_alias/x')).toBe(
    '404 IndexMissingException[[none] missing]',
  );
  expect(await aliases('/none/_alias')).toEqual({});
  expect(await aliases('/a*/_alias')).toEqual({ a1: { aliases: { x: {} } }, a2: { aliases: {} } });
  expect(await aliases('/_aliases/nosuch')).toEqual({ a1: { aliases: {} }, a2: { aliases: {} } });
  expect(await aliases('/none/_aliases/x')).toEqual({});
  await http.ok('POST', '/a1/_close');
  expect((await http.send('GET', '/_alias/x')).status).toBe(404);
  expect(await aliases('/_alias')).toEqual({ a1: { aliases: { x: {} } }, a2: { aliases: {} } });
});

test.each([
  ['/_alias/x', 200],
  ['/_alias/*', 200],
  ['/a1/_alias/x', 200],
  ['/x', 200],
  ['/_alias/nosuch', 404],
  ['/_alias/_all', 404],
  ['/a1/_alias', 404],
  ['/a2/_alias/x', 404],
  ['/none/_alias/x', 404],
  ['/a1/_aliases/x', 404],
])('HEAD %s is %d', async (path, status) => {
  await http.ok('PUT', '/a1/_alias/x');
  expect((await http.send('HEAD', path)).status).toBe(status);
});

test('search through a filtered alias sees its documents only', async () => {
  await http.ok('PUT', '/a1/t/1', { user: 'kim' });
  await http.ok('PUT', '/a1/t/2', { user: 'lee' });
  await http.ok('POST', '/a1/_refresh');
  await http.ok('PUT', '/a1/_alias/kims', { filter: { term: { user: 'kim' } } });
  expect(await http.ok('GET', '/kims/_count')).toMatchObject({ count: 1 });
  expect(await http.ok('GET', '/kims,a1/_count')).toMatchObject({ count: 2 });
});

test('a timeout of zero acknowledges nothing, but the change is made', async () => {
  expect(await http.ok('PUT', '/a1/_alias/x?timeout=0')).toEqual({ acknowledged: false });
  expect(await aliases('/_alias/x')).toEqual({ a1: { aliases: { x: {} } } });
});

// The actions are read token by token: what ends an object ends the action, whichever object it is.
test.each([
  ['{"actions":[[{"add":{"index":"a1","alias":"x"}}]]}', '200 '],
  ['{"actions":[{"add":[{"index":"a1","alias":"x"}]}]}', '200 '],
  ['{"actions":[{"add":null,"remove":{"index":"a1","alias":"x"}}]}', '200 '],
  ['{"actions":[{"add":{"index":"a1","alias":"x","odd":{}}}]}', '200 '],
  [
    '{"actions":[{"add":{"odd":{},"index":"a1","alias":"x"}}]}',
    '400 ElasticsearchIllegalArgumentException[Alias action [index] not supported]',
  ],
  [
    '[{"add":{"index":"a1","alias":"x"}}]',
    '400 ActionRequestValidationException[Validation Failed: 1: Must specify at least one alias action;]',
  ],
  [
    '{"actions":[{"add":{"index":"a1","alias":"x"}}',
    expect.stringContaining(
      '500 JsonParseException[Unexpected end-of-input: expected close marker',
    ),
  ],
])('actions %s', async (body, answer) => {
  expect(await http.error('POST', '/_aliases', body)).toEqual(answer);
  const isAdded = answer === '200 ';
  expect(await aliases('/a1/_alias')).toEqual({ a1: { aliases: isAdded ? { x: {} } : {} } });
});

test('a change that changes nothing is acknowledged without waiting', async () => {
  const put = () => http.ok('PUT', '/a1/_alias/x?timeout=0');
  expect(await put()).toEqual({ acknowledged: false });
  expect(await put()).toEqual({ acknowledged: true });
});

test('the terms of a filter are looked up when it is added', async () => {
  const filter = { terms: { user: { index: 'users', type: 't', id: '1', path: 'names' } } };
  const text =
    '400 ElasticsearchIllegalArgumentException[failed to parse filter for alias [x]]; nested: UncheckedExecutionException[org.elasticsearch.indices.IndexMissingException: [users] missing]; nested: IndexMissingException[[users] missing]; ';
  expect(await http.error('PUT', '/a1/_alias/x', { filter })).toBe(text);
  await http.ok('PUT', '/users');
  await http.ok('PUT', '/a1/_alias/x', { filter });
});
