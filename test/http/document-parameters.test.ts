// Parameters of the document APIs in combinations that the reference has opinions about.

import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
});
afterAll(() => http.close());
beforeEach(() =>
  http.ok('PUT', '/i', {
    settings: { number_of_shards: 3 },
    aliases: { a: {} },
    mappings: { t: {}, child: { _parent: { type: 't' } } },
  }),
);
afterEach(() => http.reset());

const conflict = (provided: number): string =>
  `409 VersionConflictEngineException[[i][1] [t][1]: version conflict, current [1], provided [${provided}]]`;

test.each([
  ['version=5', conflict(5)],
  ['version=1&version_type=external', conflict(1)],
  ['version=0&version_type=external_gte', conflict(0)],
  ['version=1', '409 DocumentAlreadyExistsException[[i][1] [t][1]: document already exists]'],
  [
    'version=9&version_type=external',
    '409 DocumentAlreadyExistsException[[i][1] [t][1]: document already exists]',
  ],
])('a create is a matter of versions first: %s', async (parameters, expected) => {
  await http.ok('PUT', '/i/t/1', {});
  expect(await http.error('PUT', `/i/t/1/_create?${parameters}`, {})).toBe(expected);
});

describe('a delete that goes to all shards for want of routing', () => {
  beforeEach(() => http.ok('PUT', '/i/child/c?parent=1', {}));

  test('deletes the version that was asked for, wherever it is', async () => {
    expect(await http.pair('DELETE', '/i/child/c?version=3')).toMatchObject([
      404,
      { found: false, _version: -3 },
    ]);
    expect((await http.send('GET', '/i/child/c?parent=1')).status).toBe(200);
    expect(await http.pair('DELETE', '/i/child/c?version=1')).toMatchObject([
      200,
      { found: true, _version: 2 },
    ]);
    expect((await http.send('GET', '/i/child/c?parent=1')).status).toBe(404);
  });

  test('has no external version', async () => {
    expect(await http.error('DELETE', '/i/child/c?version=3&version_type=external')).toBe(
      '400 ElasticsearchIllegalArgumentException[routing value is required for deleting documents of type [child] while using version_type [EXTERNAL]]',
    );
  });

  test('is answered in bulk by the shard that had the document', async () => {
    const ids = Array.from({ length: 12 }, (_, i) => `c${i}`);
    for (const id of ids) await http.ok('PUT', `/i/child/${id}?parent=${id}`, {});
    const lines = ids.map(
      (_id) => `{"delete":{"_index":"i","_type":"child","_id":"${_id}","_version":1}}\n`,
    );
    expect(await http.ok('POST', '/_bulk', lines.join(''))).toMatchObject({
      errors: false,
      items: ids.map((_id) => ({ delete: { _id, status: 200, found: true, _version: 2 } })),
    });
  });
});

test('a get asks for a version that there can be', async () => {
  await http.ok('PUT', '/i/t/1', {});
  for (const [given, name] of [
    ['version=-1', 'INTERNAL'],
    ['version=-1&version_type=external_gt', 'EXTERNAL'],
    ['version=-1&version_type=force', 'FORCE'],
  ] as const) {
    expect(await http.error('GET', `/nowhere/t/1?${given}`)).toBe(
      `400 ActionRequestValidationException[Validation Failed: 1: illegal version value [-1] for version type [${name}];]`,
    );
  }
  for (const given of ['version=-3', 'version=0', 'version=1']) {
    expect((await http.send('GET', `/i/t/1?${given}`)).status).toBe(200);
  }
});

test('the ttl of an update is one of a document', async () => {
  await http.ok('PUT', '/i/t/1', { n: 1 });
  expect(
    await http.error('POST', '/i/t/1/_update?ttl=bogus', { script: 'ctx._source.n += 1' }),
  ).toBe('200 ');
  for (const body of [{ doc: {} }, { script: 'ctx._source.n += 1', upsert: {} }]) {
    expect(await http.error('POST', '/i/t/1/_update?ttl=bogus', body)).toMatch(
      /^400 ElasticsearchParseException\[Failed to parse \[bogus\]\]/,
    );
  }
});

test('null is no name of a multi-get', async () => {
  await http.ok('PUT', '/i/t/1', {});
  const docs = [
    { _id: '1', _type: null },
    { _id: '1', _index: null },
    { _id: 'none', _type: null },
  ];
  expect(await http.ok('GET', '/i/t/_mget', { docs })).toMatchObject({
    docs: [{ found: true }, { found: true }, { _type: 't', found: false }],
  });
});

test('errors of a bulk name the index behind an alias', async () => {
  const body =
    '{"index":{"_index":"a","_type":"child","_id":"1"}}\n{}\n' +
    '{"delete":{"_index":"a","_type":"_bad","_id":"1"}}\n' +
    '{"update":{"_index":"a","_type":"t","_id":"none"}}\n{"doc":{}}\n';
  expect(await http.ok('POST', '/_bulk', body)).toMatchObject({
    items: [
      { index: { _index: 'i', status: 400 } },
      { delete: { _index: 'i', status: 400 } },
      { update: { _index: 'i', status: 404 } },
    ],
  });
});
