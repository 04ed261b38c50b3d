// The walk over query trees, and what trees are by the traits of their nodes.

import { children, mapChildren, scoredChildren } from '../../../../engine/query/ast/children';
import {
  hasConstantScore,
  isSegmentLocal,
  isWorthKeeping,
  readsOf,
  runsScripts,
} from '../../../../engine/query/ast/facts';
import { MATCH_ALL, MATCH_NONE, type Query } from '../../../../engine/query/ast/query';

const term = (text: string): Query => ({
  kind: 'term',
  field: 1,
  term: text,
  boost: 1,
  scored: true,
});
const [a, b, c] = [term('a'), term('b'), term('c')];

/** Every kind with parts, these in order, and those of them that are scored. */
const COMPOUNDS: readonly (readonly [Query, readonly Query[], readonly Query[]])[] = [
  [
    {
      kind: 'bool',
      must: [a],
      should: [b],
      mustNot: [c],
      minimumShouldMatch: 0,
      disableCoord: false,
      boost: 1,
    },
    [a, b, c],
    [a, b],
  ],
  [{ kind: 'disMax', queries: [b, a], tieBreaker: 0, boost: 1 }, [b, a], [b, a]],
  [{ kind: 'constantScore', query: a, boost: 1 }, [a], []],
  [{ kind: 'filtered', query: a, filter: b, boost: 1 }, [a, b], [a]],
  [{ kind: 'boosting', positive: a, negative: b, negativeBoost: 0.5 }, [a, b], [a, b]],
  [{ kind: 'nested', path: 'p', query: a, scoreMode: 'avg', boost: 1, parentPath: null }, [a], [a]],
  [{ kind: 'named', name: 'n', query: a }, [a], [a]],
  [
    {
      kind: 'functionScore',
      query: a,
      functions: [
        { filter: b, function: { kind: 'constant' }, weight: 2 },
        { filter: null, function: { kind: 'constant' }, weight: 3 },
        { filter: c, function: { kind: 'constant' }, weight: null },
      ],
      scoreMode: 'sum',
      boostMode: 'sum',
      maxBoost: 1,
      minScore: null,
      boost: 1,
    },
    [a, b, c],
    [a],
  ],
];

test('a walk meets all parts in order, and tells which of them score', () => {
  for (const [query, parts, scored] of COMPOUNDS) {
    expect(children(query)).toEqual(parts);
    expect(scoredChildren(query)).toEqual(scored);
  }
  expect(children(a)).toEqual([]);
});

test('parts are changed in place, and all else stays', () => {
  expect(mapChildren(a, () => MATCH_NONE)).toBe(a);
  for (const [query, parts] of COMPOUNDS) {
    expect(mapChildren(query, (part) => part)).toEqual(query);
    const changed = mapChildren(query, () => MATCH_ALL);
    expect(children(changed)).toEqual(parts.map(() => MATCH_ALL));
    expect(mapChildren(changed, (_part) => _part)).toEqual(changed);
    expect(Object.keys(changed)).toEqual(Object.keys(query));
  }
});

test('facts of a tree depend on its parts', () => {
  const prefix = (method: 'constant' | 'scoringBoolean'): Query => ({
    kind: 'prefix',
    field: 1,
    prefix: 'a',
    boost: 1,
    rewrite: method === 'constant' ? { method } : { method, limit: 1024 },
  });
  const limit: Query = { kind: 'limit', count: 1 };
  const script = { kind: 'script', boost: 1 } as unknown as Query;
  const filtered = (query: Query, filter: Query): Query => ({
    kind: 'filtered',
    query,
    filter,
    boost: 1,
  });
  const named = (query: Query): Query => ({ kind: 'named', name: 'n', query });
  const disMax = (...queries: Query[]): Query => ({
    kind: 'disMax',
    queries,
    tieBreaker: 0,
    boost: 1,
  });

  expect(isSegmentLocal(filtered(a, prefix('constant')))).toBe(true);
  expect(isSegmentLocal(filtered(a, prefix('scoringBoolean')))).toBe(false);
  expect(isSegmentLocal(disMax(a, named(b)))).toBe(true);
  expect(isSegmentLocal(disMax(a, named(limit)))).toBe(false);

  expect(hasConstantScore(a)).toBe(false);
  expect(hasConstantScore(filtered(MATCH_ALL, a))).toBe(true);
  expect(hasConstantScore(named(filtered(a, MATCH_ALL)))).toBe(false);

  expect(isWorthKeeping(named({ kind: 'constantScore', query: a, boost: 1 }))).toBe(false);
  expect(isWorthKeeping(named(disMax(a, b)))).toBe(true);

  expect(runsScripts(named(filtered(a, script)))).toBe(true);
  expect(runsScripts(disMax(a, script))).toBe(false);

  expect(readsOf(prefix('constant'))).toBe('column');
  expect(readsOf(prefix('scoringBoolean'))).toBe('unknown');
});
