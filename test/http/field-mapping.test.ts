import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  await http.ok('PUT', '/i', {
    mappings: {
      d: {
        _all: { enabled: false },
        properties: {
          t: {
            type: 'string',
            fields: { raw: { type: 'string', index: 'not_analyzed' } },
          },
          o: { properties: { f: { type: 'integer' } } },
        },
      },
      e: { properties: { t: { type: 'long' } } },
    },
  });
});
afterAll(() => http.close());

const get = async (path: string): Promise<unknown> => http.ok('GET', path);
const leaf = (fullName: string, type: string) => ({
  full_name: fullName,
  mapping: { [fullName.slice(fullName.lastIndexOf('.') + 1)]: { type } },
});

test('fields are found by path, by last part and by pattern, in every type', async () => {
  expect(await get('/i/_mapping/e/field/t')).toEqual({
    i: { mappings: { e: { t: leaf('t', 'long') } } },
  });
  expect(await get('/i/_mapping/field/f')).toEqual({
    i: { mappings: { d: { f: leaf('o.f', 'integer') } } },
  });
  expect(await get('/i/d/_mapping/field/o.*')).toEqual({
    i: { mappings: { d: { 'o.f': leaf('o.f', 'integer') } } },
  });
  expect(await get('/i/_mapping/field/t.raw')).toEqual({
    i: {
      mappings: {
        d: {
          't.raw': {
            full_name: 't.raw',
            mapping: { raw: { type: 'string', index: 'not_analyzed' } },
          },
        },
      },
    },
  });
});

test('metadata fields show what is configured of them', async () => {
  expect(await get('/i/_mapping/field/_all')).toEqual({
    i: {
      mappings: {
        d: { _all: { full_name: '_all', mapping: { _all: { enabled: false } } } },
        e: { _all: { full_name: '_all', mapping: {} } },
      },
    },
  });
});

test('what is missing', async () => {
  expect(await get('/i/_mapping/field/zz')).toEqual({ i: { mappings: {} } });
  expect(await get('/i/_mapping/field/o')).toEqual({ i: { mappings: {} } });
  expect(await http.pair('GET', '/i/_mapping/zz/field/t')).toEqual([404, {}]);
  expect(await http.error('GET', '/zz/_mapping/field/t')).toBe(
    '404 IndexMissingException[[zz] missing]',
  );
});

test('include_defaults shows all attributes', async () => {
  expect(await get('/i/_mapping/field/o.f?include_defaults=true')).toMatchObject({
    i: {
      mappings: {
        d: {
          'o.f': { mapping: { f: { type: 'integer', index_analyzer: '_int/8', coerce: true } } },
        },
      },
    },
  });
});

test('the shards of a search', async () => {
  await http.ok('PUT', '/r', {
    settings: { number_of_shards: 5 },
    aliases: { routed: { search_routing: '1' } },
  });
  const shards = async (path: string): Promise<number> =>
    ((await get(path)) as { shards: unknown[] }).shards.length;
  expect(await shards('/r/_search_shards')).toBe(5);
  expect(await shards('/r/_search_shards?routing=1,2')).toBe(2);
  expect(await shards('/routed/_search_shards')).toBe(1);
  expect(await get('/zz/_search_shards')).toEqual({ nodes: {}, shards: [] });
});

describe('names under which fields are indexed', () => {
  let http: HttpClient;
  beforeAll(async () => {
    http = await HttpClient.start();
    const text = { type: 'string' };
    await http.ok('PUT', '/names', {
      mappings: {
        d: {
          properties: {
            bare: { path: 'just_name', properties: { x: text, y: { ...text, index_name: 'yy' } } },
            full: { properties: { x: { type: 'integer' }, z: { ...text, index_name: 'zz' } } },
          },
        },
      },
    });
  });
  afterAll(() => http.close());

  test.each([
    // Full names come first, then names in the index, then the last parts; a name is shown once.
    ['x', { x: 'bare.x' }],
    ['x*', { x: 'bare.x' }],
    ['yy', { yy: 'bare.y' }],
    ['y*', { yy: 'bare.y' }],
    ['zz', {}],
    ['full.zz', { 'full.zz': 'full.z' }],
    ['z*', { z: 'full.z' }],
    ['full.*', { 'full.x': 'full.x', 'full.z': 'full.z' }],
  ])('%s', async (name, expected) => {
    const { names } = (await http.ok('GET', `/names/_mapping/*/field/${name}`)) as {
      names: { mappings: { d?: Record<string, { full_name: string }> } };
    };
    const shown = Object.entries(names.mappings.d ?? {});
    expect(Object.fromEntries(shown.map(([key, field]) => [key, field.full_name]))).toEqual(
      expected,
    );
  });
});
