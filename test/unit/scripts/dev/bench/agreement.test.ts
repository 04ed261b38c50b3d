// What counts as the same answer of two servers.

import { compareAnswers } from '../../../../../scripts/dev/bench/agreement';

const hit = (id: string, score: number, source: object = { id }) => ({
  _id: id,
  _score: score,
  _source: source,
});
const answer = (total: number, hits: object[]) => ({ took: 1, hits: { total, hits } });
const termsFacet = (...terms: [string, number][]) => ({
  facets: {
    it: {
      _type: 'terms',
      total: 9,
      terms: terms.map(([term, count]) => ({ term, count })),
    },
  },
});

const difference = (a: object, b: object) => compareAnswers(a, b).difference;

test('answers that differ in nothing but time agree', () => {
  const a = { ...answer(1, [hit('a', 2)]), took: 5, _shards: { total: 1 } };
  expect(compareAnswers(a, { ...answer(1, [hit('a', 2.000001)]), took: 7 })).toEqual({
    difference: null,
    loose: [],
  });
});

test('totals, numbers of hits, sort values and sources must agree', () => {
  expect(difference(answer(1, []), answer(2, []))).toMatch(/^total: 1 and 2/);
  expect(difference(answer(1, [hit('a', 1)]), answer(1, []))).toMatch(/^hits/);
  expect(difference(answer(1, [hit('a', 1)]), answer(1, [hit('a', 2)]))).toMatch(/^sort values/);
  expect(difference(answer(1, [hit('a', 1, { x: 1 })]), answer(1, [hit('a', 1, { x: 2 })]))).toBe(
    'source of a',
  );
});

test('of hits that are equal at the cut either may stand there; its source is still to be compared', () => {
  const a = answer(9, [hit('a', 3), hit('b', 2), hit('c', 1)]);
  const b = answer(9, [hit('a', 3), hit('b', 2), hit('d', 1)]);
  expect(compareAnswers(a, b)).toEqual({
    difference: null,
    loose: [{ id: 'c', source: { id: 'c' } }],
  });
});

test('another hit in the middle is a difference on either side', () => {
  const a = answer(9, [hit('a', 3), hit('b', 2), hit('c', 1)]);
  const b = answer(9, [hit('a', 3), hit('x', 2), hit('c', 1)]);
  expect(difference(a, b)).toMatch(/^hit b/);
  expect(difference(b, a)).toMatch(/^hit x/);
});

test('facet entries of equal count are interchangeable at the cut only', () => {
  const facet = termsFacet(['a', 3], ['b', 2], ['c', 1]);
  expect(difference(facet, termsFacet(['a', 3], ['b', 2], ['d', 1]))).toBeNull();
  expect(difference(facet, termsFacet(['a', 3], ['x', 2], ['c', 1]))).toMatch(/term "b"/);
  expect(difference(facet, termsFacet(['a', 3], ['b', 2], ['c', 2]))).toMatch(/^facet it: count 2/);
});

test('stats of a facet may differ by rounding, entries and their order may not', () => {
  const facet = (mean: number, counts: number[]) => ({
    facets: { it: { mean, entries: counts.map((count, key) => ({ key, count })) } },
  });
  expect(difference(facet(0.1 + 0.2, [1]), facet(0.3, [1]))).toBeNull();
  expect(difference(facet(0.3, [1]), facet(0.31, [1]))).toMatch(/^facet it/);
  expect(difference(facet(0.3, [1, 2]), facet(0.3, [2, 1]))).toMatch(/^facet it/);
  expect(difference({ facets: {} }, facet(0.3, []))).toBe('facet it: only one has it');
});

test('counts and writes are compared member by member', () => {
  expect(difference({ count: 3 }, { count: 3 })).toBeNull();
  expect(difference({ count: 3 }, { count: 4 })).toBe('count: 3 and 4');
  expect(difference({ created: true, _version: 1 }, { _version: 1 })).toMatch(/^created/);
});
