// Parents and children over HTTP: over shards, segments and workers, in every place where a query may stand.

import { HttpClient } from '../support/http-client';

interface Found {
  hits: { total: number; hits: { _id: string; _score: number | null }[] };
  facets: Record<string, { count: number }>;
}

const MAPPINGS = {
  par: { properties: { k: { type: 'string' }, n: { type: 'integer' } } },
  kid: { _parent: { type: 'par' }, properties: { c: { type: 'string' }, v: { type: 'integer' } } },
};
const RED = { has_child: { type: 'kid', query: { term: { c: 'red' } } } };
const OF_EVEN = { has_parent: { parent_type: 'par', query: { term: { k: 'even' } } } };

describe.each([0, 2])('%i workers', (workers) => {
  let http: HttpClient;
  beforeAll(async () => {
    http = await HttpClient.start({ 'node.workers': String(workers) });
    for (const shards of [1, 4]) {
      await http.ok('PUT', `/s${shards}`, {
        settings: { number_of_shards: shards },
        mappings: MAPPINGS,
        aliases: { [`red${shards}`]: { filter: RED }, [`even${shards}`]: { filter: OF_EVEN } },
      });
      // Parents in two segments, their children in others: one, two or three each, every third red.
      for (const [from, to] of [
        [0, 20],
        [20, 40],
      ] as const) {
        const parents = range(from, to).flatMap((n) => [
          { index: { _type: 'par', _id: `p${n}` } },
          { n, k: n % 2 === 0 ? 'even' : 'odd' },
        ]);
        const children = range(from, to).flatMap((n) =>
          range(0, 1 + (n % 3)).flatMap((i) => [
            { index: { _type: 'kid', _id: `k${n}-${i}`, _parent: `p${n}` } },
            { v: i, c: i === 2 ? 'red' : 'blue' },
          ]),
        );
        for (const lines of [children, parents]) {
          const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
          await http.ok('POST', `/s${shards}/_bulk?refresh=true`, body);
        }
      }
      await http.ok('DELETE', `/s${shards}/par/p2?refresh=true`);
    }
  });
  afterAll(() => http.close());

  const search = (index: string, body: object): Promise<Found> =>
    http.ok('POST', `/${index}/_search`, { size: 100, ...body }) as Promise<Found>;

  const ids = async (index: string, query: object): Promise<string[]> =>
    (await search(index, { query })).hits.hits.map(({ _id }) => _id).sort();

  const redParents = range(0, 40)
    .filter((n) => n % 3 === 2 && n !== 2)
    .map((n) => `p${n}`)
    .sort();
  const childrenOfEven = range(0, 40)
    .filter((n) => n % 2 === 0 && n !== 2)
    .flatMap((n) => range(0, 1 + (n % 3)).map((i) => `k${n}-${i}`))
    .sort();

  test.each([1, 4])('%i shards: as query, filter, alias filter and post filter', async (shards) => {
    const index = `s${shards}`;
    expect(await ids(index, RED)).toEqual(redParents);
    expect(await ids(index, OF_EVEN)).toEqual(childrenOfEven);
    expect(await ids(index, { constant_score: { filter: RED } })).toEqual(redParents);
    expect(await ids(`red${shards}`, { match_all: {} })).toEqual(redParents);
    expect(await ids(`even${shards}`, { match_all: {} })).toEqual(childrenOfEven);
    const post = await search(index, { post_filter: OF_EVEN });
    expect(post.hits.total).toBe(childrenOfEven.length);
    expect(await http.ok('POST', `/${index}/_count`, { query: RED })).toMatchObject({
      count: redParents.length,
    });
    expect((await search(`${index}/kid`, { query: RED })).hits.total).toBe(0);
  });

  test.each([1, 4])('%i shards: numbers of children, and their scores', async (shards) => {
    const index = `s${shards}`;
    const by = (options: object) => ({
      has_child: {
        type: 'kid',
        query: {
          function_score: {
            query: { match_all: {} },
            functions: [{ field_value_factor: { field: 'v' } }],
            boost_mode: 'replace',
          },
        },
        ...options,
      },
    });
    expect(await ids(index, by({ min_children: 3 }))).toEqual(redParents);
    expect((await ids(index, by({ max_children: 2 }))).length).toBe(39 - redParents.length);
    for (const [mode, scores] of [
      ['sum', [3, 1, 0]],
      ['avg', [1, 0.5, 0]],
      ['max', [2, 1, 0]],
      ['min', [0, 0, 0]],
    ] as const) {
      const { hits } = await search(index, { query: by({ score_mode: mode }) });
      expect(hits.total).toBe(39);
      for (const { _id, _score } of hits.hits) {
        expect(_score).toBe(scores[2 - (Number(_id.slice(1)) % 3)]);
      }
    }
    const top = { type: 'kid', score: 'sum', query: by({}).has_child.query };
    expect((await search(index, { query: { top_children: top } })).hits.hits[0]!._score).toBe(3);
  });

  test.each([1, 4])('%i shards: facets count them', async (shards) => {
    const { facets } = await search(`s${shards}`, {
      query: { match_all: {} },
      facets: {
        red: { filter: RED },
        even: { query: OF_EVEN, global: true },
        both: { filter: { has_child: { type: 'kid', filter: OF_EVEN } } },
      },
    });
    expect(facets).toMatchObject({
      red: { count: redParents.length },
      even: { count: childrenOfEven.length },
      both: { count: 19 },
    });
  });

  test.each([1, 4])('%i shards: relatives are shown below hits', async (shards) => {
    interface Shown {
      _id: string;
      inner_hits: Record<
        string,
        { hits: { total: number; hits: { _id: string; sort?: number[] }[] } }
      >;
    }
    const shown = async (query: object): Promise<Shown[]> =>
      (await search(`s${shards}`, { query })).hits.hits as unknown as Shown[];
    const options = { name: 'young', size: 2, sort: [{ v: 'desc' }], _source: false };
    const all = { match_all: {} };
    const parents = await shown({
      has_child: { type: 'kid', query: all, min_children: 3, inner_hits: options },
    });
    expect(parents.map(({ _id }) => _id).sort()).toEqual(redParents);
    for (const { _id, inner_hits: below } of parents) {
      const id = _id.slice(1);
      expect(below).toMatchObject({
        young: {
          hits: {
            total: 3,
            max_score: null,
            hits: [
              { _id: `k${id}-2`, sort: [2] },
              { _id: `k${id}-1`, sort: [1] },
            ],
          },
        },
      });
    }
    const children = await shown({
      has_parent: { type: 'par', query: { term: { k: 'even' } }, inner_hits: {} },
    });
    expect(children.map(({ _id }) => _id).sort()).toEqual(childrenOfEven);
    for (const { _id, inner_hits: below } of children) {
      const id = `p${_id.slice(1, _id.indexOf('-'))}`;
      expect(below).toMatchObject({ par: { hits: { total: 1, hits: [{ _id: id }] } } });
    }
  });

  test('inner hits refuse what they do not know, and what has none', async () => {
    const refused = async (query: object): Promise<string> => {
      const answer = await http.send('POST', '/s1/_search', { query });
      expect(answer.status).toBe(400);
      return answer.text;
    };
    const below = (options: object) => ({ has_child: { ...RED.has_child, inner_hits: options } });
    expect(await refused(below({ bogus: 1 }))).toContain(
      'QueryParsingException[[s1] Failed to parse [_inner_hits]]; nested: ElasticsearchIllegalArgumentException[Unknown key for a VALUE_NUMBER for nested query: [bogus].]',
    );
    expect(await refused({ top_children: below({}).has_child })).toContain(
      '[top_children] query does not support [inner_hits]',
    );
  });

  test('a document that is percolated has no relatives', async () => {
    await http.ok('PUT', '/s1/.percolator/1', { query: RED });
    await http.ok('PUT', '/s1/.percolator/2', {
      query: { filtered: { filter: { not: RED } } },
    });
    await http.ok('PUT', '/s1/.percolator/3', { query: OF_EVEN });
    expect(await http.ok('POST', '/s1/par/_percolate', { doc: { k: 'even' } })).toMatchObject({
      total: 1,
      matches: [{ _id: '2' }],
    });
    for (const id of [1, 2, 3]) await http.ok('DELETE', `/s1/.percolator/${id}`);
  });

  test('deleting by relatives is refused, and allowed behind an alias', async () => {
    for (const [kind, query] of [
      ['has_child', RED],
      ['has_parent', { filtered: { filter: OF_EVEN } }],
      ['top_children', { top_children: RED.has_child }],
    ] as const) {
      const answer = await http.send('DELETE', '/s1/_query', { query });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(
        `QueryParsingException[[s1] [${kind}] query and filter unsupported in delete_by_query api]`,
      );
    }
    const answer = await http.send('DELETE', '/red1/_query', { query: { term: { n: 5 } } });
    expect(answer.status).toBe(200);
    expect(await ids('s1', RED)).toEqual(redParents.filter((id) => id !== 'p5'));
  });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
