import { fieldsOf, titleField } from '../../../../server/explorer/model/fields';
import { readTerms, readTree } from '../../../../server/explorer/model/facet-results';
import { proposedFacets, separatorOf } from '../../../../server/explorer/model/proposals';
import { addressOf, routeAt } from '../../../../server/explorer/model/route';
import { planSearch } from '../../../../server/explorer/model/search-request';
import { newSearch, NO_VALUE } from '../../../../server/explorer/model/search-state';
import type { Survey } from '../../../../server/explorer/model/survey';

const KEYWORD = { type: 'string', index: 'not_analyzed' };
const MAPPINGS = JSON.parse(`{
  "a": {"mappings": {"doc": {"properties": {
    "title": {"type": "string", "fields": {"raw": ${JSON.stringify(KEYWORD)}}},
    "brand": ${JSON.stringify(KEYWORD)},
    "id": ${JSON.stringify(KEYWORD)},
    "path": ${JSON.stringify(KEYWORD)},
    "price": {"type": "double"},
    "mixed": {"type": "long"},
    "__proto__": ${JSON.stringify(KEYWORD)},
    "parts": {"type": "nested", "properties": {"maker": ${JSON.stringify(KEYWORD)}}},
    "secret": {"type": "string", "index": "no"}
  }}}},
  "b": {"mappings": {"doc": {"properties": {
    "title": {"type": "string"},
    "mixed": {"type": "string"}
  }}}}
}`) as Parameters<typeof fieldsOf>[0];
const ONE = Object.fromEntries(Object.entries(MAPPINGS).slice(0, 1));
const words = (cardinality: number, ...samples: string[]) => ({ cardinality, missing: 0, samples });
const SURVEY: Survey = {
  total: 1000,
  words: new Map([
    ['brand', words(12, 'acme', 'hill')],
    ['id', words(1000, 'x1', 'x2')],
    ['path', words(40, 'food/fruit', 'food/bread', 'tools/saw')],
    ['__proto__', words(3, 'constructor')],
  ]),
  figures: new Map([['price', { count: 900, min: 0.5, max: 99.5, mean: 20, deviation: 30 }]]),
  places: new Map(),
};

test('fields are found by path, with nested objects, second forms, and what differs between indices', () => {
  const fields = new Map(fieldsOf(MAPPINGS).map((field) => [field.path, field]));
  expect(fields.get('title')).toMatchObject({ kind: 'text', isPartial: false });
  expect(fields.get('title.raw')).toMatchObject({
    kind: 'keyword',
    formOf: 'title',
    isPartial: true,
  });
  expect(fields.get('parts.maker')).toMatchObject({ kind: 'keyword', nested: 'parts' });
  expect(fields.get('mixed')?.kind).toBe('other');
  expect(fields.get('secret')?.kind).toBe('other');
  expect(fields.get('__proto__')?.kind).toBe('keyword');
  expect(titleField([...fields.values()])).toBe('title');
});

test('facets are proposed of few values first, paths as trees, and none of ids', () => {
  expect(proposedFacets(fieldsOf(ONE), SURVEY)).toEqual([
    { kind: 'terms', field: '__proto__' },
    { kind: 'terms', field: 'brand' },
    { kind: 'tree', field: 'path', separator: '/' },
    { kind: 'histogram', field: 'price' },
  ]);
});

test('separators are those of nearly all values, and not of addresses or dates', () => {
  expect(separatorOf({ samples: ['a::b', 'c::d', 'e::f', 'g::h', 'i'] })).toBe('::');
  expect(separatorOf({ samples: ['http://a/b', 'http://c/d', 'http://e/f'] })).toBeNull();
  expect(separatorOf({ samples: ['1/2/2003', '2/2/2003', '3/2/2003'] })).toBeNull();
  expect(separatorOf({ samples: ['Thriller/Suspense', 'Drama', 'Comedy'] })).toBeNull();
});

test('an address says all of a search, whatever names and values are', () => {
  const search = {
    ...newSearch('a~b, c/%2F'),
    text: 'x & y=#"?~',
    conditions: [
      { kind: 'in', field: '__proto__', values: ['~', '', NO_VALUE, 'ä/ö+ü %'] },
      { kind: 'under', field: 'path', separator: '::', values: ['a::b'] },
      { kind: 'range', field: 'price', from: -0.5, to: null },
      {
        kind: 'near',
        field: 'place',
        origin: '1.5,-2',
        rings: [
          { from: null, to: 10 },
          { from: 10, to: null },
        ],
      },
    ],
    facets: [
      { kind: 'terms', field: 'a~b', size: 32, find: 'x~y' },
      { kind: 'tree', field: 'path', separator: '::', open: ['a', 'a::b~'] },
      { kind: 'rings', field: 'place', origin: '1.5,-2' },
    ],
    sort: { field: 'price', isDescending: true },
    page: 3,
    size: 50,
    layout: 'table',
    document: { index: 'i', type: 't', id: '~/#?' },
  } as const;
  expect(routeAt(addressOf({ view: 'search', search }))).toEqual({ view: 'search', search });
  const none = { ...newSearch('a'), facets: [] };
  expect(routeAt(addressOf({ view: 'search', search: none }))).toEqual({
    view: 'search',
    search: none,
  });
});

test('an address that makes no sense shows something', () => {
  expect(routeAt('#/nowhere')).toEqual({ view: 'home' });
  expect(routeAt('#/search/a?w=in&w=what~x~y&f=terms&page=-3&size=1e9&sort=&doc=x')).toEqual({
    view: 'search',
    search: { ...newSearch('a'), facets: [], size: 200 },
  });
  expect(routeAt('#/search/%E0%A4%A')).toMatchObject({ search: { target: '%E0%A4%A' } });
});

test('a facet leaves its own ticks out and feels those of the others', () => {
  const search = {
    ...newSearch('a'),
    text: 'red',
    conditions: [
      { kind: 'in', field: 'brand', values: ['acme', NO_VALUE] },
      { kind: 'range', field: 'price', from: 1, to: 5 },
    ],
  } as const;
  const fields = fieldsOf(ONE);
  const { body } = planSearch(
    search,
    [
      { kind: 'terms', field: 'brand' },
      { kind: 'terms', field: '__proto__' },
      { kind: 'terms', field: 'parts.maker' },
    ],
    fields,
    SURVEY,
  );
  expect(body['query']).toEqual({
    filtered: {
      query: { query_string: { query: 'red', default_operator: 'and', lenient: true } },
      filter: {
        and: [
          {
            and: {
              filters: [{ or: [{ terms: { brand: ['acme'] } }, { missing: { field: 'brand' } }] }],
              _name: 'in brand',
            },
          },
          { and: { filters: [{ range: { price: { gte: 1, lt: 5 } } }], _name: 'range price' } },
        ],
      },
    },
  });
  const facets = body['facets'] as Record<string, object>;
  expect(facets['brand']).toMatchObject({ exclude_filter: ['in brand'] });
  expect(facets['brand: acme']).toEqual({
    filter: { term: { brand: 'acme' } },
    exclude_filter: ['in brand'],
  });
  expect(Object.keys(facets)).toContain('__proto__');
  expect(Object.getOwnPropertyDescriptor(facets, '__proto__')?.value).not.toHaveProperty(
    'exclude_filter',
  );
  expect(facets['parts.maker']).toMatchObject({ nested: 'parts' });
});

test('ticked values keep their count where they are not among the first', () => {
  const search = {
    ...newSearch('a'),
    conditions: [{ kind: 'in', field: 'brand', values: ['rare'] }],
  } as const;
  const plan = planSearch(search, [{ kind: 'terms', field: 'brand' }], fieldsOf(ONE), SURVEY);
  const answer = {
    brand: {
      cardinality: 12,
      terms: [
        { term: 'acme', count: 7 },
        { term: null, count: 2 },
      ],
    },
    'brand: rare': { count: 1 },
  };
  expect(readTerms(plan.facets[0]!, answer)).toEqual({
    rows: [
      { value: 'rare', count: 1, isTicked: true },
      { value: 'acme', count: 7, isTicked: false },
      { value: NO_VALUE, count: 2, isTicked: false },
    ],
    further: 11,
  });
});

test('opened levels of a tree have their children', () => {
  const facet = { kind: 'tree', field: 'path', separator: '/', open: ['food'] } as const;
  const plan = planSearch(newSearch('a'), [facet], fieldsOf(ONE), SURVEY);
  const answer = {
    path: {
      terms: [
        { term: 'food', count: 3 },
        { term: 'tools', count: 1 },
      ],
    },
    'path below food': { terms: [{ term: 'food/fruit', count: 2 }] },
  };
  expect(readTree(plan.facets[0]!, answer)).toMatchObject([
    {
      label: 'food',
      children: [{ value: 'food/fruit', label: 'fruit', count: 2, children: null }],
    },
    { label: 'tools', children: null },
  ]);
});
