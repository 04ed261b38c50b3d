// Leaving named parts out of a query.

import { MATCH_ALL, type Query } from '../../../../engine/query/ast/query';
import { withoutNamed } from '../../../../engine/query/ast/without-named';

const term = (text: string): Query => ({
  kind: 'term',
  field: 1,
  term: text,
  boost: 1,
  scored: true,
});
const named = (name: string, query = term(name)): Query => ({ kind: 'named', name, query });
const bool = (
  clauses: { must?: Query[]; should?: Query[]; mustNot?: Query[] },
  least = 0,
): Query => ({
  kind: 'bool',
  must: clauses.must ?? [],
  should: clauses.should ?? [],
  mustNot: clauses.mustNot ?? [],
  minimumShouldMatch: least,
  disableCoord: false,
  boost: 1,
});
const without = (query: Query, ...names: string[]) => withoutNamed(query, new Set(names));

test('takes named parts out wherever they stand', () => {
  expect(without(named('a'), 'a')).toBeNull();
  expect(without(named('a'), 'b')).toEqual(named('a'));
  expect(without(bool({ must: [named('a'), named('b')] }), 'a')).toEqual(
    bool({ must: [named('b')] }),
  );
  expect(without(bool({ must: [named('a')], mustNot: [named('b')] }), 'a', 'b')).toBeNull();
  const filtered = (query: Query, filter: Query): Query => ({
    kind: 'filtered',
    query,
    filter,
    boost: 1,
  });
  expect(without(filtered(term('q'), named('a')), 'a')).toEqual(term('q'));
  expect(without(filtered(named('a'), term('f')), 'a')).toEqual(filtered(MATCH_ALL, term('f')));
  expect(without({ kind: 'constantScore', query: named('a'), boost: 2 }, 'a')).toBeNull();
});

test('keeps the meaning of what is left', () => {
  // Optional clauses beside a required one stay optional.
  expect(without(bool({ must: [named('a')], should: [term('s')] }), 'a')).toEqual(
    bool({ must: [MATCH_ALL], should: [term('s')] }),
  );
  // What is only prohibited is taken off everything.
  expect(without(bool({ should: [named('a')], mustNot: [term('n')] }), 'a')).toEqual(
    bool({ must: [MATCH_ALL], mustNot: [term('n')] }),
  );
  expect(without(bool({ should: [named('a'), term('b'), term('c')] }, 3), 'a')).toEqual(
    bool({ should: [term('b'), term('c')] }, 2),
  );
  // A query that matches nothing of its own accord still does.
  expect(without(bool({}), 'a')).toEqual(bool({}));
});
