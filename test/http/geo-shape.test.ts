// Shapes: what is refused before a document is taken, and what a search may ask for. What matches is recorded
// from the reference server (test/conformance/cases/query-geo-shape.json).

import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  await http.ok('PUT', '/g', {
    settings: { number_of_shards: 1 },
    mappings: {
      t: {
        properties: {
          g: { type: 'geo_shape', tree: 'quadtree' },
          fine: { type: 'geo_shape', tree: 'quadtree', tree_levels: 26, distance_error_pct: 0 },
          far: { type: 'geo_shape', distance_error_pct: 0.7 },
        },
      },
    },
  });
});
afterAll(() => http.close());

const square = (x: number, y: number, size: number): object => ({
  type: 'polygon',
  coordinates: [
    [
      [x, y],
      [x + size, y],
      [x + size, y + size],
      [x, y + size],
      [x, y],
    ],
  ],
});

test('a shape that is refused leaves no document behind', async () => {
  const bowTie = { type: 'polygon', coordinates: [[[0, 0], [10, 10], [10, 0], [0, 10], [0, 0]]] }; // prettier-ignore
  expect(await http.pair('PUT', '/g/t/bad', { g: bowTie })).toEqual([
    400,
    {
      error:
        'MapperParsingException[failed to parse [g]]; nested: InvalidShapeException[Self-intersection at or near point (5.0, 5.0, NaN)]; ',
      status: 400,
    },
  ]);
  expect((await http.send('GET', '/g/t/bad')).status).toBe(404);
});

test('a shape of too many points or cells is refused, and one within the limit is found', async () => {
  const points = Array.from({ length: 50_001 }, (_, i) => [i / 1000, 0]);
  const line = { type: 'linestring', coordinates: points };
  const many = await http.send('PUT', '/g/t/many', { g: line });
  expect([many.status, many.text]).toEqual([
    400,
    expect.stringContaining(
      'shapes of the document have more than [50000] points (index.max_shape_points)',
    ),
  ]);
  const large = await http.send('PUT', '/g/t/large', { fine: square(0, 0, 5) });
  expect([large.status, large.text]).toEqual([
    400,
    expect.stringContaining('cells at its precision'),
  ]);
  await http.ok('PUT', '/g/t/small?refresh=true', { fine: square(0, 0, 0.01) });
  const count = (x: number): Promise<unknown> =>
    http.ok('POST', '/g/_count', {
      query: { geo_shape: { fine: { shape: { type: 'point', coordinates: [x, 0.005] } } } },
    });
  expect(await count(0.01)).toMatchObject({ count: 1 });
  expect(await count(0.0101)).toMatchObject({ count: 0 });
});

test('an error beyond a half of the shape is refused with the document', async () => {
  const { status, text } = await http.send('PUT', '/g/t/far', { far: square(0, 0, 1) });
  expect([status, text]).toEqual([400, expect.stringContaining('must be between [0 to 0.5]')]);
});

test('a look-up by cells is bounded', async () => {
  const { status, text } = await http.send('POST', '/g/_search', {
    query: { geo_shape: { fine: { shape: square(0, 0, 1), strategy: 'term' } } },
  });
  expect([status, text]).toEqual([400, expect.stringContaining('would look up')]);
});

test('the points of all shapes of a document count together, as far as its index allows', async () => {
  const line = (count: number): object => ({
    type: 'linestring',
    coordinates: Array.from({ length: count }, (_, i) => [i / 1000, 0]),
  });
  await http.send('PUT', '/few', {
    settings: { 'index.max_shape_points': 100 },
    mappings: { t: { properties: { a: { type: 'geo_shape' }, b: { type: 'geo_shape' } } } },
  });
  const put = async (id: string, a: unknown, b?: unknown): Promise<unknown> => {
    const { status, text } = await http.send('PUT', `/few/t/${id}`, { a, b });
    return status < 300 ? status : text;
  };
  expect(await put('1', line(50), line(50))).toBe(201);
  expect(await put('2', [line(40), line(40), line(40)])).toContain('more than [100] points');
  expect(await put('3', line(60), line(60))).toContain('failed to parse [b]');
  await http.send('PUT', '/few/_settings', { 'index.max_shape_points': 120 });
  expect(await put('3', line(60), line(60))).toBe(201);
  // What was taken once is indexed, whatever is allowed now.
  await http.send('PUT', '/few/_settings', { 'index.max_shape_points': 10 });
  await http.send('POST', '/few/_refresh');
  expect(await http.ok('GET', '/few/_count')).toMatchObject({ count: 2 });
  const refused = await http.send('PUT', '/few/_settings', { 'index.max_shape_points': 0 });
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('positive integer'),
  ]);
});
