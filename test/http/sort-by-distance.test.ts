// Sorting by `_geo_distance`: values and errors as recorded from the reference server.

import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  await http.ok('PUT', '/g', {
    settings: { number_of_shards: 2 },
    mappings: {
      t: {
        properties: {
          loc: { type: 'geo_point' },
          n: { type: 'integer' },
          o: { type: 'nested', properties: { p: { type: 'geo_point' } } },
        },
      },
    },
  });
  const documents = [
    { loc: [13.4, 52.5] },
    {
      loc: [
        [0, 0],
        [13, 52],
        [-70, 40],
      ],
      o: [{ p: [1, 1] }, { p: [20, 50] }],
    },
    { n: 3 },
    { loc: '48.85,2.35', o: { p: [5, 5] } },
  ];
  for (const [i, document] of documents.entries()) await http.ok('PUT', `/g/t/${i + 1}`, document);
  await http.ok('POST', '/g/_refresh');
});
afterAll(() => http.close());

const NONE = 1.7976931348623157e308;
const center = [13, 52];
const two = [center, [0, 0]];

test.each<[object, [string, number][]]>([
  [
    { loc: center },
    [
      ['2', 0],
      ['1', 61847.52450762344],
      ['4', 830027.2028155812],
      ['3', NONE],
    ],
  ],
  [
    { loc: '52,13', order: 'desc' },
    [
      ['3', NONE],
      ['2', 6186147.93549588],
      ['4', 830027.2028155812],
      ['1', 61847.52450762344],
    ],
  ],
  [
    { loc: { lat: 52, lon: 13 }, unit: 'mi', distance_type: 'arc' },
    [
      ['2', 0],
      ['1', 38.43027004022971],
      ['4', 515.7549926029371],
      ['3', NONE],
    ],
  ],
  [
    { loc: 'u33d' },
    [
      ['1', 9704.888032458184],
      ['2', 63715.22244916979],
      ['4', 883185.9600066],
      ['3', NONE],
    ],
  ],
  [
    { loc: two, order: 'desc' },
    [
      ['3', NONE],
      ['2', 8324679.608552297],
      ['1', 5972571.614258903],
      ['4', 5439545.549654963],
    ],
  ],
  [
    { loc: center, mode: 'avg' },
    [
      ['1', 61847.52450762344],
      ['4', 830027.2028155812],
      ['2', 4032572.4631455108],
      ['3', NONE],
    ],
  ],
  [
    { loc: [13, 92] },
    [
      ['1', 4384077.839421271],
      ['2', 4439622.054229795],
      ['4', 4785843.263848855],
      ['3', NONE],
    ],
  ],
])('%j', async (key, expected) => {
  const body = { sort: [{ _geo_distance: key }] };
  const { hits } = (await http.ok('POST', '/g/_search', body)) as {
    hits: { hits: { _id: string; sort: [number] }[] };
  };
  expect(hits.hits.map(({ _id, sort }) => [_id, sort[0]])).toEqual(expected);
});

test('points of nested objects', async () => {
  const values = async (key: object): Promise<unknown> => {
    const body = { sort: [{ _geo_distance: { 'o.p': center, ...key } }], size: 3 };
    const { hits } = (await http.ok('POST', '/g/_search', body)) as {
      hits: { hits: { sort: [number] }[] };
    };
    return hits.hits.map(({ sort }) => sort[0]);
  };
  expect(await values({})).toEqual([537183.7204102224, 5279875.930747696, NONE]);
  expect(await values({ nested_path: 'o' })).toEqual([537183.7204102224, 5279875.930747696, NONE]);
});

test.each([
  [{ zzz: center }, 'failed to find mapper for [zzz] for geo distance based sort'],
  [{ loc: center, bogus: 1 }, 'failed to find mapper for [bogus] for geo distance based sort'],
  [{ n: center }, 'PackedArrayIndexFieldData cannot be cast to'],
  [{ loc: center, mode: 'sum' }, "sort_mode [sum] isn't supported for sorting by geo distance"],
  [{ loc: center, mode: 'median' }, 'Illegal sort_mode median'],
  [{ loc: center, unit: 'zz' }, 'No distance unit match [zz]'],
  [{ loc: center, distance_type: 'zz' }, 'No geo distance for [zz]'],
  [{ 'o.p': center, nested_path: 'zz' }, 'failed to find nested object under path [zz]'],
  [{}, 'NullPointerException'],
])('%j is refused', async (key, text) => {
  const error = await http.error('POST', '/g/_search', { sort: { _geo_distance: key } });
  expect(error).toContain('400 SearchPhaseExecutionException');
  expect(error).toContain(text);
});
