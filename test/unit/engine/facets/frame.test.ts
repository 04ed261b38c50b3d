// What all facets share: scope, filters, nested objects, order, modes, several indices.

import { writeJson } from '../../../../engine/json/write';
import { SearchNode } from '../../../support/search-node';
import { entries, errorOf, facet, MAPPING, shop } from '../../../support/facets/shop';

describe('the frame around facets', () => {
  test('global ignores the query, facet_filter narrows either scope', async () => {
    const body = { query: { term: { color: 'green' } } };
    const terms = { terms: { field: 'color' } };
    expect(await entries(terms, body)).toEqual(['green', 1]);
    expect(await entries({ ...terms, global: 'true' }, body)).toEqual([
      'red',
      2,
      'green',
      1,
      'blue',
      1,
    ]);
    expect(await entries({ ...terms, global: 'off' }, body)).toEqual(['green', 1]);
    const filtered = { ...terms, global: true, facet_filter: { term: { ok: 'true' } } };
    expect(await entries(filtered, body)).toEqual(['red', 1, 'blue', 1]);
    expect(await entries({ ...terms, facetFilter: {} })).toEqual(['red', 2, 'green', 1, 'blue', 1]);
    expect(
      await entries({ ...terms, facet_filter: [{ term: { qty: 1 } }, { term: { qty: 2 } }] }),
    ).toEqual(['red', 1, 'green', 1]);
    expect(await facet({ ...terms, facet_filter: { term: { color: 'zz' } } })).toBe(
      '{"_type":"terms","missing":0,"total":0,"other":0,"terms":[]}',
    );
  });

  test('the definition of a facet may stand in a list', async () => {
    const node = new SearchNode();
    node.createIndex('i', MAPPING);
    node.add('i', '1', { color: 'red', qty: 1 });
    node.refresh('i');
    const terms = { terms: { field: 'color' } };
    const search = (...x: unknown[]) => node.search('i', { size: 0, facets: { x } });
    const expected = writeJson((await search(terms)).facets!);
    expect(expected).toContain('"term":"red"');
    expect(writeJson((await search(null, 5, [terms], 'x')).facets!)).toBe(expected);
    await expect(search(terms, terms)).rejects.toThrow('facet [x] has more than one definition');
  });

  test('global stays within types and alias filters', async () => {
    const node = new SearchNode();
    const filter = new Map([['term', new Map([['color', 'red']])]]);
    node.createIndex('i', MAPPING, { aliases: { reds: { filter } } });
    node.add('i', '1', { color: 'red', qty: 1 });
    node.add('i', '2', { color: 'red', qty: 2 }, 'other');
    node.add('i', '3', { color: 'blue', qty: 3 });
    node.refresh('i');
    const facets = { x: { terms: { field: 'qty' }, global: true } };
    const body = { size: 0, query: { term: { qty: 9 } }, facets };
    const counted = async (index: string, types: string[]) =>
      writeJson((await node.search(index, body, { types })).facets!).match(/"term":\d/g);
    expect(await counted('i', [])).toHaveLength(3);
    expect(await counted('reds', [])).toHaveLength(2);
    expect(await counted('reds', ['doc'])).toHaveLength(1);
  });

  test('nested facets count nested objects of matching roots', async () => {
    const offers = { terms: { field: 'offers.color' }, nested: 'offers' };
    expect(await facet(offers)).toBe(
      '{"_type":"terms","missing":0,"total":6,"other":0,"terms":[{"term":"blue","count":3},{"term":"red","count":2},{"term":"green","count":1}]}',
    );
    expect(await facet({ terms: { field: 'offers.color' } })).toContain('"missing":4,"total":0');
    expect(await facet({ terms: { field: 'color' }, nested: 'offers' })).toContain(
      '"missing":5,"total":0',
    );
    expect(await entries(offers, { query: { term: { color: 'red' } } })).toEqual([
      'blue',
      2,
      'red',
      1,
      'green',
      1,
    ]);
    const filtered = (filter: object) => entries({ ...offers, facet_filter: filter });
    expect(await filtered({ term: { 'offers.color': 'blue' } })).toEqual(['blue', 3, 'red', 1]);
    expect(await filtered({ term: { color: 'red' } })).toEqual([]);
    const parts = { terms: { field: 'offers.parts.pn' }, nested: 'offers.parts' };
    expect(await entries(parts)).toEqual(['x', 2, 'y', 1]);
    expect(
      await entries({ ...parts, global: true }, { query: { term: { color: 'green' } } }),
    ).toEqual(['x', 2, 'y', 1]);
    expect(await entries(parts, { query: { term: { color: 'green' } } })).toEqual([]);
  });

  test('facets stand in request order; none asked for, none answered', async () => {
    const node = shop();
    const terms = { terms: { field: 'qty' } };
    const response = await node.search(
      'shop',
      '{"facets":{"b":{"terms":{"field":"qty"}},"0":{"terms":{"field":"qty"}},"y":5}}',
    );
    expect([...(response.facets as ReadonlyMap<string, unknown>).keys()]).toEqual(['b', '0']);
    expect((await node.search('shop', { facets: {} })).facets).toBeUndefined();
    const counted = await node.search('shop', { facets: { x: terms } }, { searchType: 'count' });
    expect(counted).toMatchObject({ total: 4, maxScore: 0, hits: [] });
    expect(counted.facets).toBeDefined();
  });

  const parse = (message: string) =>
    `SearchParseException[[shop][0]: from[-1],size[0]: Parse Failure [${message}]]`;
  const cases: [unknown, string][] = [
    [{ nofacettype: {} }, parse('No facet type found for [nofacettype]')],
    [{ Terms: {} }, parse('No facet type found for [Terms], did you mean [terms]?')],
    [{ terms: { field: 'color' }, junk: [{}] }, parse('No facet type found for [junk]')],
    [{ global: true }, parse('no facet type found for facet named [x]')],
    [{ terms: 'color' }, parse('no facet type found for facet named [x]')],
    [
      { terms: {} },
      'ElasticsearchParseException[terms facet [x] must have a field, fields or script parameter]',
    ],
    [
      { terms: { field: null } },
      'ElasticsearchParseException[terms facet [x] must have a field, fields or script parameter]',
    ],
    [
      { terms: { field: 'color', order: 'COUNT' } },
      'ElasticsearchIllegalArgumentException[No type argument match for terms facet comparator [COUNT]]',
    ],
    [
      { terms: { field: 'color', bogus: 1 } },
      'ElasticsearchParseException[unknown parameter [bogus] while parsing terms facet [x]]',
    ],
    [
      { terms: { field: 'color', exclude: 'red' } },
      'ElasticsearchParseException[unknown parameter [exclude] while parsing terms facet [x]]',
    ],
    [
      { terms: { field: ['color'] } },
      'ElasticsearchParseException[unknown parameter [field] while parsing terms facet [x]]',
    ],
    [
      { terms: { fields: 'color' } },
      'ElasticsearchParseException[unknown parameter [fields] while parsing terms facet [x]]',
    ],
    [
      { terms: { field: 'color', size: 'many' } },
      'NumberFormatException[For input string: "many"]',
    ],
    [
      { terms: { field: 'color', size: -1 } },
      'FacetPhaseExecutionException[Facet [x]: [size] must not be negative]',
    ],
    [{ terms: { field: 'qty', exclude: ['x'] } }, 'NumberFormatException[For input string: "x"]'],
    [
      { terms: { field: 'color', script_id: 'term' } },
      'ElasticsearchIllegalArgumentException[Unable to find script [.scripts/groovy/term]]',
    ],
    [
      { terms: { field: 'color', regex: 'a', regex_flags: 'BOGUS' } },
      'ElasticsearchIllegalArgumentException[Unknown regex flag [BOGUS]]',
    ],
    [
      { terms: { field: 'color' }, scope: 'main' },
      parse('the [scope] support in facets have been removed'),
    ],
    [
      { terms: { field: 'color' }, scope: ['main'] },
      parse('the [scope] support in facets have been removed'),
    ],
    [
      { terms: { field: 'color' }, mode: 'bogus' },
      'ElasticsearchIllegalArgumentException[failed to parse facet mode [bogus]]',
    ],
    [
      { terms: { field: 'color' }, facet_filter: { nofilter: {} } },
      'QueryParsingException[[shop] No filter registered for [nofilter]]',
    ],
    [{ terms: { field: 'color' }, nested: 'nope' }, parse('facet nested path [nope] not found')],
    [{ terms: { field: 'color' }, nested: 'o' }, parse('facet nested path [o] is not nested')],
    [{ terms: { field: 'color' }, nested: {} }, parse('No facet type found for [nested]')],
  ];
  test.each(cases)('%j is refused', async (definition, cause) => {
    expect(await errorOf(definition)).toBe(cause);
  });

  test('what is ignored', async () => {
    const terms = {
      terms: {
        field: 'color',
        bogus: null,
        lang: 'x',
        execution_hint: 'map',
        shard_size: 50,
        params: {},
      },
    };
    const ignored = {
      ...terms,
      cache_filter: true,
      mode: 'post',
      junk: 5,
      more: [1],
      scope: null,
      nested: null,
    };
    expect(await entries(ignored)).toEqual(['red', 2, 'green', 1, 'blue', 1]);
  });
});

describe('mode post', () => {
  test('feels the filter of hits, and what is remembered does not mix', async () => {
    const node = shop();
    const body = { query: { exists: { field: 'qty' } }, post_filter: { term: { color: 'blue' } } };
    const asked = { terms: { field: 'color' } };
    const search = { ...body, query: { constant_score: { filter: body.query } } };
    const all = ['red', 2, 'green', 1, 'blue', 1];
    for (let time = 0; time < 3; time++) {
      expect(await entries({ ...asked, mode: 'collector' }, search, node)).toEqual(all);
      expect(await entries({ ...asked, mode: 'post' }, search, node)).toEqual([
        'red',
        1,
        'blue',
        1,
      ]);
      // Also of nested objects, and not where it is global.
      expect(await entries({ ...asked, mode: 'post', global: true }, search, node)).toEqual(all);
      const nested = { terms: { field: 'offers.color' }, nested: 'offers', mode: 'post' };
      expect(await entries(nested, search, node)).toEqual(['green', 1, 'blue', 1]);
    }
    const rest = { query: { filtered: { filter: { term: { qty: 2, _name: 'two' } } } } };
    const both = { ...asked, mode: 'post', exclude_filter: 'two' };
    expect(await entries(both, { ...search, ...rest }, node)).toEqual(['red', 1, 'blue', 1]);
  });
});

describe('several indices', () => {
  function two(type: 'string' | 'integer' | 'long' | 'double', value: string | number): SearchNode {
    const node = shop();
    node.createIndex('b', { qty: type });
    node.add('b', '1', { qty: value });
    node.refresh('b');
    node.createIndex('c', {});
    node.add('c', '1', {});
    node.refresh('c');
    return node;
  }

  test('add up; an index without the field counts as missing', async () => {
    const facets = { x: { terms: { field: 'qty' } }, y: { terms: { field: '_index' } } };
    const response = await two('long', 2).search('shop,b,c', { size: 0, facets });
    expect(writeJson(response.facets!)).toBe(
      '{"x":{"_type":"terms","missing":2,"total":5,"other":0,"terms":[{"term":2,"count":3},{"term":1,"count":2}]},' +
        '"y":{"_type":"terms","missing":0,"total":6,"other":0,"terms":[{"term":"shop","count":4},{"term":"c","count":1},{"term":"b","count":1}]}}',
    );
  });

  test.each([
    ['string', 'a'],
    ['double', 2],
  ] as const)('refuse to add integers and %s', async (type, value) => {
    const node = two(type, value);
    const facets = { x: { terms: { field: 'qty' } } };
    await expect(node.search('shop,b', { size: 0, facets })).rejects.toMatchObject({
      status: 503,
      wireName: 'ReduceSearchPhaseException',
      message: 'Failed to execute phase [fetch], [reduce] ',
    });
    for (const [searchType, phase] of [
      ['count', 'query'],
      ['query_and_fetch', 'merge'],
      ['dfs_query_then_fetch', 'merge'],
    ] as const) {
      await expect(node.search('shop,b', { facets }, { searchType })).rejects.toMatchObject({
        message: `Failed to execute phase [${phase}], [reduce] `,
      });
    }
    // Where there is nothing to add, or only what the first index has, types do not matter.
    for (const [terms, filter, shown] of [
      [{ size: 0 }, {}, '"total":5,"other":5,"terms":[]'],
      [{}, { term: { color: 'none' } }, '"total":0,"other":0,"terms":[]'],
      [{}, { missing: { field: 'color' } }, '"total":1,"other":0,"terms":[{"term":'],
    ] as const) {
      const x = { terms: { field: 'qty', ...terms }, facet_filter: filter };
      const response = await node.search('shop,b', { size: 0, facets: { x } });
      expect(writeJson(response.facets!)).toContain(shown);
    }
    const merged = { x: { terms: { fields: ['qty', 'nope'] } } };
    expect((await node.search('shop,b', { size: 0, facets: merged })).facets).toBeDefined();
    expect(node.held).toBe(0);
  });
});
