import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
});
afterAll(() => http.close());
afterEach(() => http.reset());

const lines = (...all: (object | string)[]) =>
  all.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)) + '\n').join('');

test('each action has its own outcome', async () => {
  const body = lines(
    { index: { _id: '1' } },
    { a: 5 },
    { create: { _id: 'c1' } },
    { a: 5 },
    { create: { _id: 'c1' } },
    { a: 5 },
    { update: { _id: 'zz' } },
    { doc: { b: 2 } },
    { delete: { _id: 'gone' } },
    { index: { _index: 'B1', _id: '3' } },
    { a: 1 },
    { update: { _id: '1' } },
    { doc: { b: 2 } },
    { index: { _id: '1' } },
    { a: 6 },
  );
  const at = { _index: 'i', _type: 't' };
  expect(await http.ok('POST', '/i/t/_bulk', body)).toEqual({
    took: expect.any(Number) as number,
    errors: true,
    items: [
      { index: { ...at, _id: '1', _version: 1, status: 201 } },
      { create: { ...at, _id: 'c1', _version: 1, status: 201 } },
      {
        create: {
          ...at,
          _id: 'c1',
          status: 409,
          error: 'DocumentAlreadyExistsException[[i][0] [t][c1]: document already exists]',
        },
      },
      {
        update: {
          ...at,
          _id: 'zz',
          status: 404,
          error: expect.stringMatching(
            /^DocumentMissingException\[\[i\]\[-?\d\] \[t\]\[zz\]: document missing\]$/,
          ) as string,
        },
      },
      { delete: { ...at, _id: 'gone', _version: 1, status: 404, found: false } },
      {
        index: {
          _index: 'B1',
          _type: 't',
          _id: '3',
          status: 400,
          error: 'InvalidIndexNameException[[B1] Invalid index name [B1], must be lowercase]',
        },
      },
      { update: { ...at, _id: '1', _version: 2, status: 200 } },
      { index: { ...at, _id: '1', _version: 3, status: 200 } },
    ],
  });
});

test('a missing document to delete is no error, and auto ids are created', async () => {
  const body = lines({ delete: { _id: 'gone' } }, { index: {} }, { a: 1 });
  const answer = (await http.ok('PUT', '/i/t/_bulk', body)) as {
    errors: boolean;
    items: Record<string, { _id: string }>[];
  };
  expect(answer.errors).toBe(false);
  expect(Object.keys(answer.items[1] ?? {})).toEqual(['create']);
  expect(answer.items[1]?.['create']?._id).toMatch(/^[A-Za-z0-9_-]{20}$/);
});

test('refresh makes the documents searchable', async () => {
  await http.ok(
    'POST',
    '/_bulk?refresh',
    lines({ index: { _index: 'i', _type: 't', _id: '1' } }, {}),
  );
  expect(await http.ok('GET', '/i/_count')).toMatchObject({ count: 1 });
});

test.each([
  ['', '400 ElasticsearchParseException[Failed to derive xcontent]'],
  [
    '{"BOGUS":{}}\n{}\n',
    '400 ActionRequestValidationException[Validation Failed: 1: no requests added;]',
  ],
  [
    '{"index":{}}\n{}\n{"delete":{"_index":"i"}}\n',
    '400 ActionRequestValidationException[Validation Failed: 1: index is missing;2: type is missing;3: type is missing;4: id is missing;]',
  ],
])('%j fails as a whole', async (body, expected) => {
  expect(await http.error('POST', '/_bulk', body)).toBe(expected);
});

test('there is no GET', async () => {
  expect((await http.send('GET', '/i/t/_bulk')).status).toBe(404);
});

test('thousands of actions keep their order', async () => {
  const all = Array.from({ length: 3000 }, (_, i) => [{ index: { _id: String(i) } }, { i }]).flat();
  const answer = (await http.ok('POST', '/i/t/_bulk?refresh=true', lines(...all))) as {
    errors: boolean;
    items: { index: { _id: string } }[];
  };
  expect(answer.errors).toBe(false);
  expect(answer.items.map((item) => item.index._id)).toEqual(
    all.filter((_, i) => i % 2 === 0).map((_, i) => String(i)),
  );
  expect(await http.ok('GET', '/i/t/_count')).toMatchObject({ count: 3000 });
});

describe('what is wrong with one envelope refuses the whole request', () => {
  beforeEach(() =>
    http.ok('PUT', '/i', {
      settings: { number_of_shards: 1 },
      mappings: { t: {}, r: { _routing: { required: true, path: 'k' } } },
    }),
  );

  test.each([
    [{ _parent: 'p' }, /^400 ElasticsearchIllegalArgumentException\[Can't specify parent if no/],
    [{ _timestamp: 'zz' }, /^500 TimestampParsingException\[failed to parse timestamp \[zz\]\]$/],
    [{ _ttl: 'zz' }, /^400 ElasticsearchParseException\[Failed to parse \[zz\]\]/],
    [{ _ttl: 0 }, /^400 ElasticsearchIllegalArgumentException\[TTL value must be > 0/],
    [
      { _type: 'r', _routing: 'zz' },
      /^400 MapperParsingException\[The provided routing value \[zz\] doesn't match/,
    ],
    [
      { _version_type: 'external' },
      /^400 ActionRequestValidationException\[Validation Failed: 1: illegal version value \[-3\]/,
    ],
    [{ _version: '9007199254740993' }, /^500 NumberFormatException/],
  ])('%j', async (metadata, expected) => {
    const body = lines({ index: { _id: '1' } }, { a: 1 }, { index: metadata }, { k: 'a' });
    expect(await http.error('POST', '/i/t/_bulk', body)).toMatch(expected);
    expect(await http.pair('GET', '/i/t/1')).toEqual([
      404,
      { _index: 'i', _type: 't', _id: '1', found: false },
    ]);
  });

  test('missing routing concerns its item, which is no create yet', async () => {
    const body = lines({ create: { _type: 'r', _id: '5' } }, {}, { index: { _id: '1' } }, {});
    expect(await http.ok('POST', '/i/t/_bulk', body)).toMatchObject({
      items: [
        { index: { error: 'RoutingMissingException[routing is required for [i]/[r]/[5]]' } },
        { index: { status: 201 } },
      ],
    });
  });
});

test('an empty id is an id', async () => {
  const body = lines({ update: { _id: '' } }, { doc: { a: 1 }, doc_as_upsert: 'true' });
  expect(await http.ok('POST', '/i/t/_bulk', body)).toMatchObject({
    errors: false,
    items: [{ update: { _id: '', status: 201 } }],
  });
});

test('what fails for its index is no create yet', async () => {
  await http.ok('PUT', '/closed', {});
  await http.ok('POST', '/closed/_close');
  const body = lines(
    { create: { _index: 'closed', _type: 't', _id: '1' } },
    {},
    { create: { _index: 'UPPER', _type: 't', _id: '1' } },
    {},
  );
  expect(await http.ok('POST', '/_bulk', body)).toMatchObject({
    items: [{ index: { status: 403 } }, { index: { status: 400 } }],
  });
});

test('an index that cannot be created is the outcome of all its items', async () => {
  await http.ok('PUT', '/_template/strict', {
    template: 'x*',
    aliases: { a: { filter: { term: { unmapped: 1 } } } },
  });
  const body = lines(
    { index: { _index: 'x1', _type: 't', _id: '1' } },
    {},
    { delete: { _index: 'x1', _type: 't', _id: '1' } },
    { index: { _index: 'y', _type: 't', _id: '1' } },
    {},
    { index: { _index: 'z', _type: 't', _id: '1' } },
    {},
    { index: { _index: 'z', _type: '_t', _id: '1' } },
    {},
  );
  const filter = expect.stringMatching(
    /^Elastic\w+\[failed to parse filter for alias \[a\]\]/,
  ) as string;
  const type = expect.stringMatching(/^MapperParsingException\[mapping \[_t\]\]; nested/) as string;
  expect(await http.ok('POST', '/_bulk', body)).toMatchObject({
    items: [
      { index: { status: 400, error: filter } },
      { delete: { status: 400, error: filter } },
      { index: { status: 201 } },
      { index: { _type: 't', status: 400, error: type } },
      { index: { _type: '_t', status: 400, error: type } },
    ],
  });
  expect(Object.keys((await http.ok('GET', '/_aliases')) as object)).toEqual(['y']);
  await http.ok('DELETE', '/_template/strict');
});

test('a bulk request declares types before it is refused, and a closed alias concerns its items', async () => {
  await http.ok('PUT', '/a', { aliases: { both: {}, shut: {} } });
  await http.ok('PUT', '/b', { aliases: { both: {} } });
  const refused = lines(
    { delete: { _index: 'new', _type: 't', _id: '1' } },
    { index: { _index: 'both', _type: 't' } },
    {},
  );
  expect(await http.error('POST', '/_bulk', refused)).toMatch(/^400 .*more than one indices/);
  expect(await http.ok('GET', '/new/_mapping')).toEqual({
    new: { mappings: { t: { properties: {} } } },
  });
  await http.ok('POST', '/a/_close');
  const body = lines(
    { index: { _index: 'shut', _type: 't', _id: '1' } },
    {},
    { index: { _index: 'b', _type: 't', _id: '1' } },
    {},
  );
  expect(await http.ok('POST', '/_bulk', body)).toMatchObject({
    items: [
      { index: { status: 403, error: 'IndexClosedException[[a] closed]' } },
      { index: { status: 201 } },
    ],
  });
});

test('very many actions are checked together and carried out in pieces', async () => {
  const many = (count: number, last: string) =>
    '{"create":{"_id":"1"}}\n{}\n'.repeat(count - 1) + last;
  // What is wrong with the last one refuses them all, although others are carried out before it is planned.
  for (const [last, problem] of [
    ['{"update":{"_id":"1"}}\n{}\n', 'script or doc is missing'],
    ['{}\n{}\n', 'Malformed action/metadata line [65999]'],
  ] as const) {
    expect(await http.error('POST', '/many/t/_bulk', many(33_000, last))).toContain(problem);
    expect((await http.send('HEAD', '/many')).status).toBe(404);
  }
  const { errors, items } = (await http.ok(
    'POST',
    '/many/t/_bulk',
    many(33_000, '{"index":{"_id":"2"}}\n{}\n'),
  )) as { errors: boolean; items: Record<string, { status: number; _id: string }>[] };
  expect(errors).toBe(true);
  expect(items).toHaveLength(33_000);
  expect(items[0]).toMatchObject({ create: { status: 201, _id: '1' } });
  expect(items[32_998]).toMatchObject({ create: { status: 409 } });
  expect(items[32_999]).toMatchObject({ index: { status: 201, _id: '2' } });
});
