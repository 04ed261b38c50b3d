// Terms without documents (`min_doc_count` 0) do not depend on which segments and shards hold which terms.

import { SearchNode } from '../../../support/search-node';
import { withEveryKey } from '../../../../engine/aggregations/buckets/every-key';
import { parseJson } from '../../../../engine/json/index';
import { writeJson } from '../../../../engine/json/write';

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Documents 0 to 5 have the n-th key each; numbers as well. */
function filled(shards: number, isRefreshedOften: boolean): SearchNode {
  const node = new SearchNode();
  node.createIndex('i', { k: 'string', n: 'integer' }, { shards });
  KEYS.forEach((k, n) => {
    node.add('i', String(n), { k, n });
    if (isRefreshedOften) node.refresh('i');
  });
  node.refresh('i');
  return node;
}

async function aggregated(node: SearchNode, body: object): Promise<unknown> {
  const { aggregations } = await node.search('i', { size: 0, ...body });
  return parseJson(writeJson(aggregations as never));
}

const term = (k: string) => ({ term: { k } });
const all = (field: string, options: object = {}) => ({
  terms: { field, min_doc_count: 0, ...options },
});

const BODIES: readonly (readonly [string, object])[] = [
  ['at the top', { aggs: { t: all('k') } }],
  ['of what a query finds', { query: term('b'), aggs: { t: all('k') } }],
  ['in buckets of some segments', { aggs: { h: histogram(1, { t: all('k') }) } }],
  ['of numbers', { aggs: { h: histogram(2, { t: all('n') }) } }],
  [
    'where a query leaves few buckets',
    { query: term('e'), aggs: { h: histogram(1, { t: all('k') }) } },
  ],
  [
    'in one another',
    { query: term('c'), aggs: { s: { ...all('k', { min_doc_count: 1 }), aggs: { t: all('k') } } } },
  ],
  ['without some', { aggs: { h: histogram(3, { t: all('k', { exclude: 'a|f' }) }) } }],
  [
    'in another order',
    { aggs: { h: histogram(3, { t: all('k', { order: { _term: 'desc' }, size: 4 }) }) } },
  ],
  [
    'by what is below them',
    {
      aggs: {
        h: histogram(3, {
          t: {
            ...all('k', { order: { m: 'desc' } }),
            aggs: { m: { value_count: { field: 'n' } } },
          },
        }),
      },
    },
  ],
];

function histogram(interval: number, aggs: object) {
  return { histogram: { field: 'n', interval }, aggs };
}

test.each(BODIES)('%s', async (_, body) => {
  const expected = await aggregated(filled(1, false), body);
  for (const [shards, isRefreshedOften] of [
    [1, true],
    [3, false],
    [3, true],
  ] as const) {
    expect(await aggregated(filled(shards, isRefreshedOften), body)).toEqual(expected);
  }
});

test('each bucket has all terms', async () => {
  const body = { query: term('e'), aggs: { h: histogram(1, { t: all('k') }) } };
  const buckets = KEYS.map((key) => [key, key === 'e' ? 1 : 0]);
  buckets.sort(([a, m], [b, n]) => Number(n) - Number(m) || String(a).localeCompare(String(b)));
  const node = filled(3, true);
  const { aggregations } = await node.search('i', { size: 0, ...body });
  const { h } = JSON.parse(writeJson(aggregations as never)) as {
    h: { buckets: { t: { buckets: { key: string; doc_count: number }[] } }[] };
  };
  expect(h.buckets).toHaveLength(1);
  expect(h.buckets[0]!.t.buckets.map(({ key, doc_count }) => [key, doc_count])).toEqual(buckets);
});

test('very many missing ones are refused, very many that are there are not', () => {
  const keys = { type: 'double', values: Float64Array.of(1, 2) } as const;
  /** Both keys of so many buckets. */
  const buckets = (owners: number) => ({
    keys,
    owners: Uint32Array.from({ length: 2 * owners }, (_, i) => i >> 1),
    keyOf: Uint32Array.from({ length: 2 * owners }, (_, i) => i & 1),
    counts: new Float64Array(2 * owners).fill(1),
  });
  expect(withEveryKey(buckets(600_000), null, 600_000).counts).toHaveLength(1_200_000);
  expect(withEveryKey(buckets(1), null, 1000).counts).toHaveLength(2000);
  expect(() => withEveryKey(buckets(1), null, 600_000)).toThrow('more than [1000000] buckets');
});
