// The hits that top_hits shows of buckets are those that sorting all documents of each gives.

import { writeJson } from '../../../../engine/json/index';
import { SearchNode } from '../../../support/search-node';
import { Random, testSeed } from '../../../support/random';

const DOCS = 3000;
const TAGS = ['a', 'b', 'c', 'd', 'e'];

interface Doc {
  readonly id: string;
  readonly tag: string;
  readonly n: number | null;
}

const random = new Random(testSeed(20261124));
const docs: Doc[] = Array.from({ length: DOCS }, (_, i) => ({
  id: String(i),
  tag: random.pick(TAGS),
  // Few values, so that many are equal, and the page ends among them.
  n: random.chance(0.1) ? null : random.below(40) - 20,
}));

const node = new SearchNode();
node.createIndex('i', { tag: 'string', n: 'long' });
for (const [at, { id, tag, n }] of docs.entries()) {
  node.add('i', id, n === null ? { tag } : { tag, n });
  if (at === 1000) node.refresh('i');
}
node.refresh('i');

/** Documents by value, those without one where they belong, equal ones as they were written. */
function sorted(tag: string, order: string, missing: string): Doc[] {
  const placed = ({ n }: Doc): number => {
    if (n === null) return missing === '_last' ? Infinity : -Infinity;
    return order === 'asc' ? n : -n;
  };
  return docs.filter((doc) => doc.tag === tag).sort((a, b) => placed(a) - placed(b) || 0);
}

test.each([
  ['asc', '_last', 0, 3],
  ['desc', '_last', 0, 3],
  ['asc', '_first', 2, 5],
  ['desc', '_first', 0, 150],
  ['asc', '_last', 0, 0],
])('by %s, missing %s, from %d, size %d', async (order, missing, from, size) => {
  const hits = { sort: [{ n: { order, missing } }], from, size };
  const { aggregations } = await node.search('i', {
    size: 0,
    aggs: { t: { terms: { field: 'tag' }, aggs: { h: { top_hits: hits } } } },
  });
  const { t: shown } = JSON.parse(writeJson(aggregations!)) as {
    t: { buckets: { key: string; h: { hits: { total: number; hits: { _id: string }[] } } }[] };
  };
  expect(shown.buckets).toHaveLength(TAGS.length);
  for (const { key, h } of shown.buckets) {
    const all = sorted(key, order, missing);
    expect(h.hits.total).toBe(all.length);
    expect(h.hits.hits.map(({ _id }) => _id)).toEqual(
      all.slice(from, from + size).map(({ id }) => id),
    );
  }
});
