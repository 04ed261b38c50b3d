// Terms facets: terms by type, sizes, several fields, scripts, patterns.

import { entries, errorOf, facet } from '../../../support/facets/shop';

describe('terms facets', () => {
  test('print terms by type', async () => {
    expect(await facet({ terms: { field: 'color' } })).toBe(
      '{"_type":"terms","missing":1,"total":4,"other":0,"terms":[{"term":"red","count":2},{"term":"green","count":1},{"term":"blue","count":1}]}',
    );
    expect(await facet({ terms: { field: 'qty' } })).toContain(
      '"terms":[{"term":2,"count":2},{"term":1,"count":2}]',
    );
    expect(await facet({ terms: { field: 'price' } })).toContain(
      '"terms":[{"term":1.5,"count":2},{"term":2.0,"count":1}]',
    );
    expect(await facet({ terms: { field: 'w' } })).toContain(
      '[{"term":0.10000000149011612,"count":1}]',
    );
    expect(await facet({ terms: { field: 'ok' } })).toContain(
      '[{"term":"T","count":1},{"term":"F","count":1}]',
    );
    expect(await facet({ terms: { field: 'made' } })).toContain(
      '[{"term":1367402400000,"count":1}]',
    );
    expect(await facet({ terms: { field: 'pin' } })).toContain('[{"term":"[1.0, 2.5]","count":1}]');
    expect(await facet({ terms: { field: '_type' } })).toContain('[{"term":"doc","count":4}]');
    expect(await facet({ terms: { field: '_index' } })).toContain('[{"term":"shop","count":4}]');
    expect(await facet({ terms: { field: '_uid', size: 1 } })).toContain(
      '"total":4,"other":3,"terms":[{"term":"doc#4","count":1}]',
    );
  });

  test('sizes, and what is left over', async () => {
    expect(await facet({ terms: { field: 'color', size: 1 } })).toContain(
      '"total":4,"other":2,"terms":[{"term":"red","count":2}]',
    );
    expect(await facet({ terms: { field: 'color', size: 0 } })).toContain(
      '"total":4,"other":4,"terms":[]',
    );
    expect(await facet({ terms: { field: 'color', size: '2' } })).toContain('"other":1');
    expect(await facet({ terms: { field: 'nope', all_terms: true } })).toBe(
      '{"_type":"terms","missing":4,"total":0,"other":0,"terms":[]}',
    );
  });

  test('several fields count as text, each on its own', async () => {
    expect(await facet({ terms: { fields: ['qty', 'price'], order: 'term' } })).toBe(
      '{"_type":"terms","missing":3,"total":7,"other":0,"terms":[{"term":"1","count":2},{"term":"1.5","count":2},{"term":"2","count":2},{"term":"2.0","count":1}]}',
    );
    expect(await facet({ terms: { fields: ['qty', 'nope'] } })).toContain(
      '"missing":1,"total":4,"other":0,"terms":[{"term":"2","count":2}',
    );
    expect(await facet({ terms: { fields: ['no', 'nope'] } })).toContain('"missing":4,"total":0');
    expect(await facet({ terms: { fields: ['qty'], field: 'color' } })).toContain(
      '{"term":2,"count":2}',
    );
    expect(await facet({ terms: { fields: [] } })).toContain('"missing":4,"total":0');
    expect(await facet({ terms: { fields: ['_index', 'qty'], exclude: ['2'] } })).toContain(
      '"total":8,"other":2,"terms":[{"term":"shop","count":4},{"term":"1","count":2}]',
    );
  });

  test('scripts keep, drop and replace terms, or make them', async () => {
    const mapped = (field: string, script: string, more: object = {}): Promise<string> =>
      facet({ terms: { field, script, ...more } });
    expect(await mapped('color', "term + '!'", { exclude: ['red'] })).toBe(
      '{"_type":"terms","missing":1,"total":4,"other":2,"terms":[{"term":"green!","count":1},{"term":"blue!","count":1}]}',
    );
    expect(await mapped('color', "term == 'red' ? false : true")).toContain(
      '"total":4,"other":2,"terms":[{"term":"green","count":1},{"term":"blue","count":1}]',
    );
    expect(await mapped('qty', 'term * f', { params: { f: 10 }, order: 'term' })).toContain(
      '"terms":[{"term":10,"count":2},{"term":20,"count":2}]',
    );
    expect(await facet({ terms: { script: "doc['color'].values", size: 1 } })).toBe(
      '{"_type":"terms","missing":1,"total":4,"other":2,"terms":[{"term":"red","count":2}]}',
    );
    expect(await errorOf({ terms: { field: 'color', script: 'term +' } })).toContain('Exception');
    expect(await errorOf({ terms: { field: 'pin', script: 'term' } })).toContain('points');
  });

  test('regex and exclude leave totals alone', async () => {
    expect(await facet({ terms: { field: 'color', regex: 're.*' } })).toContain(
      '"total":4,"other":2,"terms":[{"term":"red","count":2}]',
    );
    expect(
      await facet({
        terms: { field: 'color', regex: 'RED', regex_flags: 'case_insensitive|DOTALL' },
      }),
    ).toContain('"terms":[{"term":"red"');
    expect(await entries({ terms: { field: 'color', regex: '.*e.*', exclude: ['blue'] } })).toEqual(
      ['red', 2, 'green', 1],
    );
    expect(await entries({ terms: { field: 'qty', regex: 'x', exclude: ['2'] } })).toEqual([1, 2]);
    expect(await entries({ terms: { field: 'color', regex: 5 } })).toEqual([]);
  });

  test('all_terms looks beyond the query', async () => {
    const body = { query: { term: { color: 'green' } } };
    expect(await entries({ terms: { field: 'color', all_terms: true } }, body)).toEqual([
      'green',
      1,
      'red',
      0,
      'blue',
      0,
    ]);
    expect(
      await entries({ terms: { field: 'qty', allTerms: 'yes', order: 'term' } }, body),
    ).toEqual([1, 0, 2, 1]);
    const none = { query: { term: { color: 'none' } } };
    expect(await entries({ terms: { field: 'color', all_terms: true } }, none)).toEqual([
      'red',
      0,
      'green',
      0,
      'blue',
      0,
    ]);
  });
});
