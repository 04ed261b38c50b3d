// Field statistics over HTTP, with and without workers, over several segments and shards.

import { HttpClient } from '../support/http-client';

describe.each([0, 3])('%i workers', (workers) => {
  let http: HttpClient;
  beforeAll(async () => {
    http = await HttpClient.start({ 'node.workers': String(workers) });
    const properties = {
      t: { type: 'string' },
      k: { type: 'string', index: 'not_analyzed' },
      i: { type: 'integer' },
      l: { type: 'long' },
      d: { type: 'double' },
      day: { type: 'date', format: 'yyyy/MM/dd' },
      b: { type: 'boolean' },
      ip: { type: 'ip' },
      g: { type: 'geo_point' },
      unused: { type: 'integer' },
      o: { properties: { x: { type: 'integer' } } },
    };
    for (const shards of [1, 3]) {
      await http.ok('PUT', `/s${shards}`, {
        settings: { number_of_shards: shards },
        mappings: { d: { properties } },
      });
    }
    const docs = [
      { t: 'one two one', k: ['b', 'a'], i: [5, -7], l: '9007199254740993', d: 2.25 },
      { t: 'two', k: 'é', i: 12, l: -3, day: '2014/02/03', b: true, ip: '10.0.0.9' },
      { d: 1e10, day: '2013/12/31', b: false, ip: '10.0.0.200', g: '1.5,-2', o: { x: 4 } },
    ];
    for (const [n, doc] of docs.entries()) {
      for (const shards of [1, 3]) await http.ok('PUT', `/s${shards}/d/${n}?refresh=true`, doc);
    }
    await http.ok('PUT', '/other', { mappings: { d: { properties: { i: { type: 'string' } } } } });
    await http.ok('PUT', '/other/d/1?refresh=true', { i: 'text' });
  });
  afterAll(() => http.close());

  const EXPECTED: Record<string, object> = {
    t: {
      doc_count: 2,
      sum_doc_freq: 3,
      sum_total_term_freq: 4,
      min_value: 'one',
      max_value: 'two',
    },
    k: { doc_count: 2, sum_doc_freq: 3, sum_total_term_freq: -1, min_value: 'a', max_value: 'é' },
    i: { doc_count: 2, sum_total_term_freq: -1, min_value: -7, max_value: 12 },
    d: { doc_count: 2, sum_doc_freq: 8, min_value: 2.25, max_value: 1e10 },
    day: { doc_count: 2, min_value: '2013/12/31', max_value: '2014/02/03' },
    b: { doc_count: 2, min_value: 'F', max_value: 'T' },
    ip: { doc_count: 2, min_value: '10.0.0.9', max_value: '10.0.0.200' },
    g: { doc_count: 1, min_value: '1.5,-2.0', max_value: '1.5,-2.0' },
    'o.x': { doc_count: 1, min_value: 4, max_value: 4 },
  };

  test.each(['s1', 's3'])('%s: every type', async (index) => {
    const fields = Object.keys(EXPECTED);
    const path = `/${index}/_field_stats?level=indices&fields=${fields.join()},unused,_parent`;
    const answer = (await http.ok('GET', path)) as {
      _shards: { failed: number };
      indices: Record<string, { fields: Record<string, object> }>;
    };
    expect(answer._shards.failed).toBe(0);
    expect(answer.indices[index]!.fields).toMatchObject(EXPECTED);
    expect(Object.keys(answer.indices[index]!.fields).sort()).toEqual(fields.sort());
  });

  test('longs that doubles do not hold are exact', async () => {
    const { text } = await http.send('GET', '/s1,s3/_field_stats?fields=l');
    expect(text).toContain('"min_value":-3,"max_value":9007199254740993');
  });

  test('density, and all indices together', async () => {
    expect(await http.ok('GET', '/s1/_field_stats?fields=t')).toEqual({
      _shards: { total: 1, successful: 1, failed: 0 },
      indices: { _all: { fields: { t: { ...EXPECTED['t'], max_doc: 3, density: 66 } } } },
    });
    expect(await http.ok('GET', '/s1/_field_stats')).toMatchObject({
      indices: { _all: { fields: {} } },
    });
  });

  test('a shard that does not know a field has failed', async () => {
    expect(await http.ok('GET', '/s1,other/_field_stats?fields=day')).toMatchObject({
      _shards: { total: expect.any(Number) as number, failures: [{ index: 'other', status: 400 }] },
      indices: { _all: { fields: { day: EXPECTED['day'] } } },
    });
    expect(await http.ok('GET', '/other/_field_stats?fields=o')).toMatchObject({ indices: {} });
  });

  test('what is refused', async () => {
    expect(await http.pair('GET', '/s1/_field_stats?fields=i&level=shards')).toMatchObject([
      400,
      { error: expect.stringContaining('1: invalid level option [shards];') as string },
    ]);
    expect(await http.pair('GET', '/s1,other/_field_stats?fields=i')).toMatchObject([
      500,
      { error: expect.stringContaining('but the field type is incompatible') as string },
    ]);
    expect(await http.pair('GET', '/nope/_field_stats?fields=i')).toMatchObject([404, {}]);
  });
});
