// The hits that top_hits shows of buckets are those that sorting all documents of each gives.

import { writeJson } from '../../../../engine/json/index';
import { SearchNode } from '../../../support/search-node';
import { Random, testSeed } from '../../../support/random';

const DOCS = 3000;
const TAGS = ['a', 'b', 'c', 'd', 'e'];

interface Doc {
  readonly id: string;
  readonly tag: string | null;
  readonly n: number | null;
}

const random = new Random(testSeed(20261124));
const docs: Doc[] = Array.from({ length: DOCS }, (_, i) => ({
  id: String(i),
  tag: random.chance(0.1) ? null : random.pick(TAGS),
  // Few values, so that many are equal, and the page ends among them.
  n: random.chance(0.1) ? null : random.below(40) - 20,
}));

const node = new SearchNode();
node.createIndex('i', { tag: 'string', n: 'long', i: 'long' });
for (const [at, { id, tag, n }] of docs.entries()) {
  node.add('i', id, { i: at, ...(tag === null ? {} : { tag }), ...(n === null ? {} : { n }) });
  if (at === 1000) node.refresh('i');
}
node.refresh('i');

/** Documents by value, those without one where they belong, equal ones as they were written. */
function sorted(tag: string, order: string, missing: string, first: number): Doc[] {
  const placed = ({ n }: Doc): number => {
    if (n === null) return missing === '_last' ? Infinity : -Infinity;
    return order === 'asc' ? n : -n;
  };
  const own = docs.filter((doc, i) => doc.tag === tag && i >= first);
  return own.sort((a, b) => placed(a) - placed(b) || 0);
}

/** What stands beside decides whether documents are offered by their slots or in windows. */
const BESIDE = [{}, { e: { extended_stats: { field: 'n' } } }];

test.each([
  ['asc', '_last', 0, 3],
  ['desc', '_last', 0, 3],
  ['asc', '_first', 2, 5],
  ['desc', '_first', 0, 150],
  ['asc', '_last', 0, 0],
])('by %s, missing %s, from %d, size %d', async (order, missing, from, size) => {
  const hits = { sort: [{ n: { order, missing } }], from, size };
  for (const [first, beside] of [0, 700, 2990].flatMap((i) => BESIDE.map((b) => [i, b] as const))) {
    const { aggregations } = await node.search('i', {
      size: 0,
      query: { range: { i: { gte: first } } },
      aggs: { t: { terms: { field: 'tag' }, aggs: { h: { top_hits: hits }, ...beside } } },
    });
    const { t: shown } = JSON.parse(writeJson(aggregations!)) as {
      t: { buckets: { key: string; h: { hits: { total: number; hits: { _id: string }[] } } }[] };
    };
    const tags = TAGS.filter((tag) => sorted(tag, order, missing, first).length > 0);
    expect(shown.buckets.map(({ key }) => key).sort()).toEqual(tags);
    for (const { key, h } of shown.buckets) {
      const all = sorted(key, order, missing, first);
      expect(h.hits.total).toBe(all.length);
      const page = all.slice(from, from + size);
      expect(h.hits.hits.map(({ _id }) => _id)).toEqual(page.map(({ id }) => id));
    }
  }
});
