// Parts of a query of which only the documents count, but whose scores decide which these are: the same
// documents whatever segments and shards they are in.

import { SearchNode } from '../../../support/search-node';

const TEXTS = ['red', 'red fox', 'red red fox dog', 'fox', 'dog dog', 'red dog fox cat'];

async function found(shards: number, minScore: number, body: (part: object) => object) {
  const node = new SearchNode();
  node.createIndex('i', { s: 'text' }, { shards });
  TEXTS.forEach((s, n) => {
    node.add('i', String(n), { s });
    if (n % 2 === 0) node.refresh('i');
  });
  node.refresh('i');
  const part = {
    function_score: { query: { match: { s: 'red' } }, boost_factor: 1, min_score: minScore },
  };
  const request = { searchType: 'dfs_query_then_fetch' } as const;
  const { hits } = await node.search('i', { query: body(part), size: 20 }, request);
  return hits.map((hit) => (JSON.parse(hit.toString()) as { _id: string })._id).sort();
}

describe.each([1, 3])('%i shards', (shards) => {
  test.each<[string, boolean, (part: object) => object]>([
    ['itself', true, (part) => part],
    ['a constant score', true, (query) => ({ constant_score: { query } })],
    ['a filter', true, (query) => ({ constant_score: { filter: { query } } })],
    [
      'a clause',
      true,
      (part) => ({
        filtered: { filter: { bool: { must: [{ query: part }, { match_all: {} }] } } },
      }),
    ],
    ['no filter', false, (query) => ({ filtered: { filter: { not: { query } } } })],
  ])('as %s', async (_, isKept, body) => {
    for (const [least, ids] of [
      [0.01, ['0', '1', '2', '5']],
      [0.65, ['0', '1', '2']],
      [0.8, ['0', '2']],
      [1, ['0']],
      [5, []],
    ] as const) {
      const expected = isKept ? [...ids] : TEXTS.map((_text, n) => `${n}`);
      const without = expected.filter((id) => isKept || !(ids as readonly string[]).includes(id));
      expect(await found(shards, least, body)).toEqual(without);
    }
  });

  test('as what is prohibited, with scores normed together with the whole', async () => {
    for (const [least, ids] of [
      [0.01, ['3', '4']],
      [0.7, ['3', '4', '5']],
      [0.9, ['1', '3', '4', '5']],
      [1.1, ['1', '2', '3', '4', '5']],
      [5, ['0', '1', '2', '3', '4', '5']],
    ] as const) {
      const prohibited = (part: object) => ({ bool: { must_not: part } });
      expect(await found(shards, least, prohibited)).toEqual(ids);
    }
  });
});
