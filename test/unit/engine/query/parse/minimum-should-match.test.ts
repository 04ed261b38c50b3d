// The minimum_should_match grammar with the worked examples of the reference.

import {
  applyMinimumShouldMatch,
  minimumShouldMatch,
} from '../../../../../engine/query/ast/minimum-should-match';
import { MATCH_ALL } from '../../../../../engine/query/ast/query';
import { failure } from './support';

test.each<[number, string, number]>([
  [4, '75%', 3],
  [4, '-25%', 3],
  [4, '30%', 1],
  [4, '1%', 0],
  [4, '-1', 3],
  [4, '10', 4],
  [4, '-10', 0],
  [4, ' 2 ', 2],
  [4, '3<5', 4],
  [4, '2<-1 3<90%', 3],
  [2, '2<75%', 2],
  [3, '2<75%', 2],
  [2, '1<2 3', 2],
  [4, '2 < 3', 3],
  [5, '2<-1 4<50%', 2],
  [0, '50%', 0],
  [10, '33%', 3],
  [3, '100%', 3],
])('%d clauses, %s', (optional, spec, expected) => {
  expect(minimumShouldMatch(optional, spec)).toBe(expected);
});

test.each(['x', '1.5', '50.5%', '', '1<x', '1<', '%'])('%j is no number', (spec) => {
  expect(failure(() => minimumShouldMatch(4, spec))).toContain('NumberFormatException[');
});

test('garbage behind a bound that holds is not looked at', () => {
  expect(minimumShouldMatch(2, '2<x')).toBe(2);
});

test('only bool queries take a minimum', () => {
  expect(applyMinimumShouldMatch(MATCH_ALL, 'x')).toBe(MATCH_ALL);
});
