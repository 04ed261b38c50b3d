// Odd forms of aggregations over a real index, with the answers of the reference server: what scripts may
// give, types of values, paths of orders, bounds, and filters of children.

import { HttpClient } from '../support/http-client';

const MAPPINGS = {
  t: {
    properties: {
      q: { type: 'integer' },
      k: { type: 'string', index: 'not_analyzed' },
      d: { type: 'date' },
      w: { type: 'double' },
      text: { type: 'string' },
    },
  },
  kid: { _parent: { type: 't' }, properties: { v: { type: 'integer' } } },
};

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  await http.ok('PUT', '/i', { settings: { number_of_shards: 1 }, mappings: MAPPINGS });
  const texts = ['', 'x', undefined];
  const docs = [3, 12, 7].map((q, i) => ({
    q,
    k: 'abb'[i],
    d: `201${i}-01-01`,
    w: 1.5,
    text: texts[i],
  }));
  for (const [i, doc] of docs.entries()) await http.ok('PUT', `/i/t/${i}`, doc);
  for (const v of [5, -1, 8]) await http.ok('PUT', `/i/kid/${v}?parent=0`, { v });
  await http.ok('POST', '/i/_refresh');
});
afterAll(() => http.close());

async function asked(aggregation: object): Promise<unknown> {
  const body = { size: 0, aggs: { it: aggregation } };
  const answer = (await http.ok('POST', '/i/t/_search', body)) as {
    readonly aggregations: { readonly it: unknown };
  };
  return answer.aggregations.it;
}

const NAN = { script: "doc['q'].value > 5 ? Double.NaN : doc['q'].value" };
const INFINITE = { script: "doc['q'].value > 5 ? Double.POSITIVE_INFINITY : 1" };
const V = (gt: number) => ({ range: { v: { gt } } });

test.each<[object, object]>([
  [{ max: NAN }, { value: 'NaN' }],
  [{ min: NAN }, { value: 'NaN' }],
  [{ stats: NAN }, { count: 3, min: 'NaN', max: 'NaN', avg: 'NaN', sum: 'NaN' }],
  [{ histogram: { ...NAN, interval: 5 } }, { buckets: [{ key: 0, doc_count: 3 }] }],
  [
    { histogram: { field: 'w', script: '_value * 2', interval: 2 } },
    { buckets: [{ key: 2, doc_count: 3 }] },
  ],
  [
    {
      histogram: { field: 'q', interval: 2, min_doc_count: 0 },
      aggs: { top: { top_hits: { size: 1, sort: ['q'] } } },
    },
    {
      buckets: [
        { key: 2, top: { hits: { total: 1, max_score: null } } },
        { key: 4, top: { hits: { total: 0, max_score: 0 } } },
        ...[6, 8, 10, 12].map((key) => ({ key })),
      ],
    },
  ],
  [{ max: INFINITE }, { value: null }],
  [{ min: INFINITE }, { value: 1 }],
  [
    { terms: { field: '_index', script: "_value + 'x'" } },
    { buckets: [{ key: 'ix', doc_count: 3 }] },
  ],
  [{ cardinality: { field: '_index', script: "_value + 'x'" } }, { value: 1 }],
  [
    { terms: { script: "doc['q'].value", value_type: 'number' } },
    { buckets: [{ key: '12' }, {}, {}] },
  ],
  [
    { histogram: { field: 'q', interval: 10, min_doc_count: 0, extended_bounds: { max: '20' } } },
    { buckets: [{ key: 0 }, { key: 10 }, { key: 20, doc_count: 0 }] },
  ],
  [{ missing: { field: 'text' } }, { doc_count: 2 }],
  [{ value_count: { field: 'd' } }, { value: 3, value_as_string: '1970-01-01T00:00:00.003Z' }],
  // Filters know the fields of the children, though the types of the URL are those of the parents.
  ...[{ filter: V(0) }, { filter: { and: [V(0), { exists: { field: 'v' } }] } }].map(
    (below) =>
      [
        { children: { type: 'kid' }, aggs: { below } },
        { doc_count: 3, below: { doc_count: 2 } },
      ] as [object, object],
  ),
])('%j', async (aggregation, answer) => {
  expect(await asked(aggregation)).toMatchObject(answer);
});

const ORDERED = (path: string) => ({
  terms: { field: 'k', order: { [path]: 'asc' } },
  aggs: { p: { percentiles: { field: 'q', percents: [50, 99.5] } } },
});

test.each<[object, RegExp]>([
  [{ percentiles: NAN }, /^500 .*IllegalArgumentException\[Cannot add NaN\]/],
  [{ max: { field: 'q', value_type: 'string' } }, /^400 .*incompatible value type \[string\]/],
  [{ max: { field: 'q', value_type: 'bogus' } }, /^400 .*incompatible value type \[bogus\]/],
  [{ value_count: { field: 'q', format: '0' } }, /^400 .*Unknown key .*\[format\]/],
  [ORDERED('p.99.5'), /^500 .*Unknown aggregation \[p\.99\]/],
  [{ range: { field: 'q', ranges: [{ from: [1] }] } }, /^400 .*START_ARRAY for \[from\]/],
  [{ date_range: { field: 'd', ranges: [{ bogus: 1 }] } }, /^400 .*VALUE_NUMBER in \[it\]/],
  [
    { histogram: { field: 'q', interval: 1, extended_bounds: { least: 1 } } },
    /^400 .*Unknown extended_bounds key for a VALUE_NUMBER in aggregation \[it\]: \[least\]/,
  ],
])('refuses %j', async (aggregation, error) => {
  expect(await http.error('POST', '/i/_search', { aggs: { it: aggregation } })).toMatch(error);
});

test('an order by a percentile', async () => {
  expect(await asked(ORDERED('p.50'))).toMatchObject({ buckets: [{ key: 'a' }, { key: 'b' }] });
  expect(await asked(ORDERED('p[99.5]'))).toMatchObject({ buckets: [{ key: 'a' }, { key: 'b' }] });
});
