import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
});
afterAll(() => http.close());
afterEach(() => http.reset());

test('index, replace and create report version and creation', async () => {
  const path = { _index: 'i', _type: 't', _id: '1' };
  expect(await http.pair('PUT', '/i/t/1', { a: 1 })).toEqual([
    201,
    { ...path, _version: 1, created: true },
  ]);
  expect(await http.pair('POST', '/i/t/1', { a: 2 })).toEqual([
    200,
    { ...path, _version: 2, created: false },
  ]);
  expect(await http.error('PUT', '/i/t/1/_create', { a: 3 })).toMatch(
    /^409 DocumentAlreadyExistsException\[\[i\]\[0\] \[t\]\[1\]: document already exists\]$/,
  );
  expect(await http.error('PUT', '/i/t/1?op_type=create', { a: 3 })).toMatch(/^409 /);
  expect(await http.pair('PUT', '/i/t/1?op_type=bogus', {})).toEqual([
    400,
    { error: 'opType [bogus] not allowed, either [index] or [create] are allowed' },
  ]);
});

test('a missing id is made up: 20 URL-safe characters', async () => {
  const [status, body] = await http.pair('POST', '/i/t', { a: 1 });
  expect(status).toBe(201);
  expect((body as { _id: string })._id).toMatch(/^[A-Za-z0-9_-]{20}$/);
});

test('get returns the source byte for byte', async () => {
  const source = '{ "a" : 1.50, "n":9007199254740993,"__proto__":{"x":1} }';
  await http.ok('PUT', '/i/t/1', source);
  const answer = await http.send('GET', '/i/t/1');
  expect(answer.text).toBe(
    `{"_index":"i","_type":"t","_id":"1","_version":1,"found":true,"_source":${source}}`,
  );
  expect((await http.send('GET', '/i/t/1/_source')).text).toBe(source);
  expect(await http.pair('GET', '/i/_all/1?_source=false')).toEqual([
    200,
    { _index: 'i', _type: 't', _id: '1', _version: 1, found: true },
  ]);
});

test('misses are 404 in their several forms', async () => {
  await http.ok('PUT', '/i/t/1', {});
  expect(await http.pair('GET', '/i/t/2')).toEqual([
    404,
    { _index: 'i', _type: 't', _id: '2', found: false },
  ]);
  expect(await http.error('GET', '/none/t/1')).toBe('404 IndexMissingException[[none] missing]');
  const source = await http.send('GET', '/i/t/2/_source');
  expect([source.status, source.text]).toEqual([404, '']);
  expect((await http.send('HEAD', '/i/t/1')).status).toBe(200);
  expect((await http.send('HEAD', '/i/t/2')).status).toBe(404);
  expect((await http.send('HEAD', '/none/t/2')).status).toBe(404);
  expect(await http.error('GET', '/i/t/1/_source?_source=false')).toBe(
    '400 ActionRequestValidationException[Validation Failed: 1: fetching source can not be disabled;]',
  );
});

test('sources are filtered by URL', async () => {
  await http.ok('PUT', '/i/t/1', { o: { p: 1, q: 2 }, x: 3 });
  const source = async (query: string) =>
    ((await http.ok('GET', `/i/t/1?${query}`)) as { _source?: unknown })._source;
  expect(await source('_source=o.p')).toEqual({ o: { p: 1 } });
  expect(await source('_source_include=o&_source_exclude=*.q')).toEqual({ o: { p: 1 } });
  expect(await source('_source=no')).toBeUndefined();
  expect(await source('fields=x')).toBeUndefined();
  expect(await source('fields=x,_source')).toEqual({ o: { p: 1, q: 2 }, x: 3 });
});

test('delete answers with a version even when nothing was there', async () => {
  await http.ok('PUT', '/i/t/1', {});
  const path = { _index: 'i', _type: 't', _id: '1' };
  expect(await http.pair('DELETE', '/i/t/1')).toEqual([200, { found: true, ...path, _version: 2 }]);
  expect(await http.pair('DELETE', '/i/t/1')).toEqual([
    404,
    { found: false, ...path, _version: 3 },
  ]);
  expect(await http.pair('PUT', '/i/t/1', {})).toEqual([
    201,
    { ...path, _version: 4, created: true },
  ]);
});

test('versions are compared and set', async () => {
  await http.ok('PUT', '/i/t/1?version=5&version_type=external', {});
  expect(await http.error('PUT', '/i/t/1?version=5&version_type=external', {})).toBe(
    '409 VersionConflictEngineException[[i][0] [t][1]: version conflict, current [5], provided [5]]',
  );
  expect(await http.error('GET', '/i/t/1?version=4')).toMatch(
    /^409 VersionConflictEngineException/,
  );
  expect(await http.error('PUT', '/i/t/1?version_type=bogus', {})).toBe(
    '400 ElasticsearchIllegalArgumentException[No version type match [bogus]]',
  );
  expect(await http.error('PUT', '/i/t/1?version=x', {})).toMatch(
    /^400 ElasticsearchIllegalArgumentException\[Failed to parse int parameter \[version\]/,
  );
});

test('update merges, creates by upsert and shows fields', async () => {
  await http.ok('PUT', '/i/t/1', { a: { b: 1 }, c: 2 });
  expect(
    await http.pair('POST', '/i/t/1/_update?fields=_source', { doc: { a: { d: 3 } } }),
  ).toEqual([
    200,
    {
      _index: 'i',
      _type: 't',
      _id: '1',
      _version: 2,
      get: { found: true, _source: { a: { b: 1, d: 3 }, c: 2 } },
    },
  ]);
  expect(await http.pair('POST', '/i/t/2/_update', { doc: {}, upsert: { x: 1 } })).toEqual([
    201,
    { _index: 'i', _type: 't', _id: '2', _version: 1 },
  ]);
  expect(await http.error('POST', '/i/t/3/_update', { doc: {} })).toMatch(
    /^404 DocumentMissingException\[\[i\]\[0\] \[t\]\[3\]: document missing\]$/,
  );
  expect(await http.error('POST', '/i/t/1/_update', '')).toBe(
    '400 ActionRequestValidationException[Validation Failed: 1: script or doc is missing;]',
  );
});

test.each([
  ['', '400 MapperParsingException[failed to parse, document is empty]'],
  [
    '[]',
    '400 MapperParsingException[failed to parse]; nested: ElasticsearchParseException[Failed to derive xcontent]; ',
  ],
])('the body %j is no document', async (body, expected) => {
  expect(await http.error('PUT', '/i/t/1', body)).toBe(expected);
});

test('ineffective parameters are checked all the same', async () => {
  expect(await http.error('PUT', '/i/t/1?consistency=bogus', {})).toBe(
    '400 ElasticsearchIllegalArgumentException[No write consistency match [bogus]]',
  );
  expect(await http.error('PUT', '/i/t/1?timeout=bogus', {})).toMatch(
    /^400 ElasticsearchParseException\[Failed to parse \[bogus\]\]; nested: /,
  );
  expect(
    (await http.send('PUT', '/i/t/1?consistency=one&replication=async&timeout=1m', {})).status,
  ).toBe(201);
});

describe('mget', () => {
  beforeEach(async () => {
    await http.ok('PUT', '/i/t/1', { a: 1 });
    await http.ok('PUT', '/i/t/2', { a: 2 });
  });

  test('answers each item in order', async () => {
    const docs = [
      { _index: 'i', _type: 't', _id: 1 },
      { _index: 'i', _type: 't', _id: 'x' },
      { _index: 'none', _type: 't', _id: '1' },
      { _index: 'i', _id: '2', _source: false },
    ];
    expect(await http.ok('POST', '/_mget', { docs })).toEqual({
      docs: [
        { _index: 'i', _type: 't', _id: '1', _version: 1, found: true, _source: { a: 1 } },
        { _index: 'i', _type: 't', _id: 'x', found: false },
        { _index: 'none', _type: 't', _id: '1', error: '[none] missing' },
        { _index: 'i', _type: 't', _id: '2', _version: 1, found: true },
      ],
    });
  });

  test('takes ids, a source parameter, and prints an unknown type as null', async () => {
    const source = encodeURIComponent('{"ids":["2","x"]}');
    expect(await http.ok('GET', `/i/_mget?source=${source}&_source=false`)).toEqual({
      docs: [
        { _index: 'i', _type: 't', _id: '2', _version: 1, found: true },
        { _index: 'i', _type: null, _id: 'x', found: false },
      ],
    });
  });

  test.each([
    ['/_mget', '{"docs":[{}]}', '1: index is missing for doc 0;2: id is missing for doc 0;'],
    ['/i/_mget', '{}', '1: no documents to get;'],
  ])('%s %s fails validation', async (path, body, text) => {
    expect(await http.error('POST', path, body)).toBe(
      `400 ActionRequestValidationException[Validation Failed: ${text}]`,
    );
  });

  test.each([
    [
      '{"docs":["1"]}',
      'ElasticsearchIllegalArgumentException[docs array element should include an object]',
    ],
    [
      '{"ids":[{}]}',
      'ElasticsearchIllegalArgumentException[ids array element should only contain ids]',
    ],
    ['', 'ElasticsearchParseException[Failed to derive xcontent]'],
    [
      '{"docs":[{"_id":"1","_source":{"bogus":[]}}]}',
      'ElasticsearchParseException[Source definition may not contain bogus]',
    ],
  ])('%s is refused', async (body, text) => {
    expect(await http.error('POST', '/i/_mget', body)).toBe(`400 ${text}`);
  });
});

describe('metadata', () => {
  beforeEach(() =>
    http.ok('PUT', '/i', {
      settings: { number_of_shards: 1 },
      mappings: {
        kept: { _ttl: { enabled: true }, _timestamp: { enabled: true, store: true } },
        plain: { _timestamp: { enabled: true } },
        c: { _parent: { type: 'kept' } },
      },
    }),
  );
  const fields = async (path: string) =>
    ((await http.ok('GET', path)) as { fields?: Record<string, unknown> }).fields;

  test('an update leaves the time to live as it was', async () => {
    await http.ok('PUT', '/i/kept/1?ttl=1d', { a: 1 });
    await http.ok('POST', '/i/kept/1/_update', { doc: { b: 1 } });
    const left = (await fields('/i/kept/1?fields=_ttl'))?.['_ttl'];
    expect(left).toBeGreaterThan(86_000_000);
    expect(left).toBeLessThanOrEqual(86_400_000);
    await http.ok('POST', '/i/kept/1/_update?ttl=2d', { doc: { b: 2 } });
    expect((await fields('/i/kept/1?fields=_ttl'))?.['_ttl']).toBeGreaterThan(86_400_000);
  });

  test('an update may give another parent', async () => {
    await http.ok('PUT', '/i/c/1?parent=p&routing=r', { a: 1 });
    await http.ok('POST', '/i/c/1/_update?parent=q&routing=r', { doc: { b: 1 } });
    await http.ok('POST', '/i/c/1/_update?routing=r', { doc: { b: 2 } });
    expect(await fields('/i/c/1?routing=r&fields=_parent,_routing')).toEqual({
      _parent: 'q',
      _routing: 'r',
    });
  });

  test('a timestamp is returned when the mapping stores it', async () => {
    for (const type of ['kept', 'plain']) {
      await http.ok('PUT', `/i/${type}/1?timestamp=5&refresh=true`, { a: 1 });
    }
    expect(await fields('/i/kept/1?fields=_timestamp')).toEqual({ _timestamp: 5 });
    expect(await fields('/i/plain/1?fields=_timestamp')).toBeUndefined();
    const found = (await http.ok('POST', '/i/_search', {
      fields: ['_timestamp'],
      sort: '_type',
    })) as { hits: { hits: { fields?: object }[] } };
    expect(found.hits.hits.map((hit) => hit.fields)).toEqual([{ _timestamp: 5 }, undefined]);
  });
});

test('the values of an update’s answer stand in one list more', async () => {
  await http.ok('PUT', '/i/t/1?routing=r', { l: [1, 2], o: [{ x: 1 }, { x: 2 }], n: 5 });
  expect(
    await http.ok('POST', '/i/t/1/_update?routing=r&fields=l,o.x,n,o,zz,_routing', { doc: {} }),
  ).toMatchObject({
    get: {
      found: true,
      fields: { l: [[1, 2]], 'o.x': [[1, 2]], n: [5], o: [[{ x: 1 }, { x: 2 }]] },
    },
  });
});

test('what a method does not know is not checked', async () => {
  await http.ok('PUT', '/i/t/1', { a: 1 });
  expect((await http.send('HEAD', '/i/t/1/_source?_source=no')).status).toBe(200);
  expect((await http.send('GET', '/i/t/1/_source?version=7')).text).toBe('{"a":1}');
  expect((await http.send('DELETE', '/i/t/1?ttl=-5&timestamp=zz')).status).toBe(200);
});

test('an impossible type is refused by deletes, too', async () => {
  await http.ok('PUT', '/i/t/1', {});
  expect(await http.error('DELETE', '/i/_x/1')).toBe(
    "400 InvalidTypeNameException[mapping type name [_x] can't start with '_']",
  );
});

test('a create with an external version type needs its version', async () => {
  expect(await http.error('PUT', '/i/t/1/_create?version_type=external', {})).toBe(
    '400 ActionRequestValidationException[Validation Failed: 1: illegal version value [-3] for version type [EXTERNAL];]',
  );
});
