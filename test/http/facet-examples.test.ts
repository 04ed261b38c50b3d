// The examples of docs/facets.md and docs/facet-types.md are carried out as they stand there, over documents
// that give the answers shown; and what the pages say of multi-select in words.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { HttpClient } from '../support/http-client';

type Json = Record<string, unknown>;
interface Facet extends Json {
  readonly terms: readonly { readonly term: string; readonly count: number }[];
}

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start({ 'index.number_of_shards': '2' });
});
afterAll(() => http.close());
afterEach(() => http.reset());

/** The JSON blocks of a page in order. */
function examples(page: string): Json[] {
  const text = readFileSync(resolve(__dirname, '../../docs', page), 'utf8');
  return Array.from(text.matchAll(/^```json\n(.*?)^```$/gms), ([, block]) => {
    return JSON.parse(block!) as Json;
  });
}

async function load(documents: readonly object[]): Promise<void> {
  const keyword = { type: 'string', index: 'not_analyzed' };
  const properties = {
    ...{ brand: keyword, color: keyword, category: keyword, tags: keyword },
    ...{ place: { type: 'geo_point' }, day: { type: 'date' }, price: { type: 'double' } },
    ...{ weight: { type: 'integer' }, year: { type: 'integer' } },
  };
  await http.ok('PUT', '/shop', { mappings: { item: { properties } } });
  const lines = documents.flatMap((one) => ['{"index":{}}', JSON.stringify(one)]);
  await http.ok('POST', '/shop/item/_bulk?refresh=true', lines.join('\n') + '\n');
}

async function facets(body: object): Promise<Record<string, Facet>> {
  const answer = (await http.ok('POST', '/shop/_search', body)) as { facets: Json };
  return answer.facets as Record<string, Facet>;
}

const repeated = (count: number, one: object): object[] => new Array<object>(count).fill(one);

test('finding, paging and counting terms', async () => {
  const [request, answer] = examples('facets.md') as [Json, Json];
  // 20 brands with more items come first, 35 with fewer behind; none but these begin like this.
  const before = Array.from({ length: 20 }, (_, i) => repeated(31, { brand: `MÜ${i}` }));
  const after = Array.from({ length: 35 }, (_, i) => repeated(2, { brand: `mu-${i}` }));
  const shown = [...repeated(30, { brand: 'Müller' }), ...repeated(22, { brand: 'Mumm' })];
  const rest = [...repeated(1, { brand: 'mu once' }), ...repeated(170, { brand: 'other' })];
  await load([...before.flat(), ...shown, ...after.flat(), ...rest, ...repeated(4, { year: 1 })]);
  // Of the entries behind the two shown only the first eight fit onto the page.
  const { brands } = await facets(request);
  expect(Object.keys(brands!)).toEqual(Object.keys(answer));
  expect(brands).toMatchObject({ missing: 4, total: 913, cardinality: 57 });
  expect(brands!.terms.slice(0, 2)).toEqual((answer as Facet).terms.slice(0, 2));
  expect(brands!.terms.at(-1)).toEqual((answer as Facet).terms.at(-1));
  expect(brands!.terms).toHaveLength(11);
});

test('levels of paths', async () => {
  const [, , request, answer] = examples('facets.md') as [Json, Json, Json, Json];
  await load([
    ...repeated(3, { category: ['food/fruit/apple', 'food/fruit'] }),
    { category: ['food/fruit/pear', 'food/bread'] },
    ...repeated(2, { category: 'food/bread/rye' }),
    { category: 'drink' },
    { brand: 'none' },
  ]);
  expect(await facets({ facets: { x: request } })).toEqual({ x: answer });
});

describe('multi-select', () => {
  const items = [
    ...repeated(3, { brand: 'acme', color: 'red', title: 'tin' }),
    ...repeated(2, { brand: 'acme', color: 'blue', title: 'tin' }),
    ...repeated(4, { brand: 'bolt', color: 'red', title: 'tin tin tin' }),
    { brand: 'bolt', color: 'blue', title: 'tin' },
  ];
  const counts = (facet: Facet | undefined) => facet?.terms.map(({ term, count }) => [term, count]);

  test('a facet leaves the filters out that it names', async () => {
    const request = examples('facets.md')[4]!;
    await load(items);
    const { brand, color } = await facets(request);
    expect(counts(brand)).toEqual([['bolt', 4], ['acme', 3]]); // prettier-ignore
    expect(counts(color)).toEqual([['red', 3], ['blue', 2]]); // prettier-ignore
  });

  test('min_score goes by what is left of the query', async () => {
    await load(items);
    const named = { term: { brand: 'acme', _name: 'brand' } };
    const body = (query: object, minScore: number) => ({
      query,
      min_score: minScore,
      facets: { brand: { terms: { field: 'brand' }, exclude_filter: ['brand'] } },
    });
    const text = { match: { title: 'tin' } };
    const params = '?search_type=dfs_query_then_fetch&size=20';
    const hits = (await http.ok('POST', `/shop/_search${params}`, { query: text })) as {
      hits: { hits: { _score: number; _source: { brand: string } }[] };
    };
    const scores = [...new Set(hits.hits.hits.map(({ _score }) => _score))].sort((a, b) => a - b);
    expect(scores.length).toBeGreaterThan(1);
    for (const least of scores) {
      const enough = hits.hits.hits.filter(({ _score }) => _score >= least);
      const brands = enough.map(({ _source }) => _source.brand);
      const expected = ['acme', 'bolt'].flatMap((brand) => {
        const count = brands.filter((each) => each === brand).length;
        return count === 0 ? [] : [[brand, count]];
      });
      const request = body({ filtered: { query: text, filter: named } }, least);
      const answer = (await http.ok('POST', `/shop/_search${params}`, request)) as {
        facets: { brand: Facet };
      };
      expect(counts(answer.facets.brand)!.sort()).toEqual(expected);
    }
  });
});

test('every other type answers its example', async () => {
  const all = examples('facet-types.md');
  await load([
    { brand: 'acme', tags: ['misc', 'new'], year: 2012, price: 20, weight: 3, day: '2012-05-31T23:00:00Z', place: '52.5,13.4' },
    { brand: 'acme', tags: 'old', year: 2011, price: 70, weight: 1, day: '2011-02-03', place: '53,13.4' },
    { brand: 'bolt', price: 5, weight: 2 },
  ]); // prettier-ignore
  const answers: Json[] = [];
  for (const x of all) answers.push((await facets({ facets: { x } }))['x']!);
  expect(answers).toMatchObject([
    { terms: [{ term: 'OLD', count: 1 }, { term: 'NEW', count: 1 }], total: 3, missing: 1 },
    { terms: [{ term: 'bolt/0' }, { term: 'acme/2012' }, { term: 'acme/2011' }] },
    { count: 3, total: 95, min: 5, max: 70 },
    { terms: [{ term: 'acme', total: 90 }, { term: 'bolt', total: 5 }] },
    { entries: [{ key: 0, count: 2, total: 5 }, { key: 50, count: 1, total: 1 }] },
    // In Berlin it was June already.
    { entries: [{ time: Date.UTC(2011, 1) }, { time: Date.UTC(2012, 5) }] },
    { ranges: [{ to_str: '2012', count: 1 }, { from_str: '2012', count: 1 }] },
    { count: 2 },
    { ranges: [{ to: 10, count: 1 }, { from: 10, count: 1 }] },
  ]); // prettier-ignore
});

test('scripts know the score of the document', async () => {
  await load([{ title: 'tin' }, { title: 'tin tin box' }, { title: 'box', brand: 'none' }]);
  const query = { match: { title: 'tin' } };
  const found = (await http.ok('POST', '/shop/_search', {
    query,
    facets: {
      own: { statistical: { script: '_score' } },
      all: { statistical: { script: '_score' }, global: true },
      years: { histogram: { field: 'year', interval: 1, value_script: '_score' } },
      halves: { terms: { script: '_score < 1 ? "low" : "high"' } },
    },
  })) as { hits: { hits: { _score: number }[] }; facets: Record<string, Json> };
  const scores = found.hits.hits.map(({ _score }) => _score);
  const { own, all, years, halves } = found.facets;
  expect(own).toMatchObject({ count: 2 });
  expect(own!['max']).toBeCloseTo(Math.max(...scores), 6);
  expect(own!['min']).toBeCloseTo(Math.min(...scores), 6);
  expect(all).toMatchObject({ count: 3, total: 3, max: 1 });
  expect(years).toMatchObject({ entries: [] });
  const low = scores.filter((score) => score < 1).length;
  const counts = { low, high: scores.length - low };
  const { terms } = halves as Facet;
  expect(terms).toHaveLength(low === 1 ? 2 : 1);
  for (const { term, count } of terms) expect(count).toBe(counts[term as 'low' | 'high']);
});
