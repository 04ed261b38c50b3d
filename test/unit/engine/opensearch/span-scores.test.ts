// Which spans are counted before they are asked for, and how their scores come along.

import { listedScores, uncountedSpans } from '../../../../engine/opensearch/queries/span-scores';
import type { Query, SpanTree } from '../../../../engine/query/index';
import { scoringOf, STANDARD_SIMILARITY } from '../../../../engine/similarity/index';

const field = { id: 33 };
const term = (text: string): SpanTree => ({ type: 'term', field, term: text });
const near = (slop: number, isOrdered: boolean, ...clauses: SpanTree[]): SpanTree => {
  return { type: 'near', field, clauses, slop, isOrdered };
};
const or = (...clauses: SpanTree[]): SpanTree => ({ type: 'or', field, clauses });
const pair = near(0, true, term('a'), term('b'));

const COUNTED: readonly [name: string, tree: SpanTree, isCounted: boolean][] = [
  ['a word', term('a'), false],
  ['words beside one another', pair, false],
  ['words with a place between them', near(1, true, term('a'), term('b')), true],
  ['words in any order', near(0, false, term('a'), term('b')), true],
  ['one clause alone', near(3, false, term('a')), false],
  ['words or words', or(term('a'), term('b')), false],
  ['a word or two', or(term('a'), pair), true],
  ['the first of two lengths', { type: 'first', match: or(term('a'), pair), end: 3 }, true],
  [
    'a word without others near it',
    { type: 'not', include: term('a'), exclude: near(2, true, term('a'), pair), pre: 0, post: 0 },
    false,
  ],
];

const spans = (tree: SpanTree): Query => ({ kind: 'spans', tree, boost: 1 });

test.each(COUNTED)('%s', (_, tree, isCounted) => {
  expect(uncountedSpans(spans(tree))).toHaveLength(isCounted ? 1 : 0);
});

test('they are found where scores count, but not in nested objects', () => {
  const query = spans(or(term('a'), pair));
  const filtered = (part: Query, filter: Query): Query => {
    return { kind: 'filtered', query: part, filter, boost: 1 };
  };
  const all: Query = { kind: 'matchAll', boost: 1 };
  expect(uncountedSpans(filtered(query, all))).toEqual([query]);
  expect(uncountedSpans(filtered(all, query))).toEqual([]);
  expect(
    uncountedSpans({
      kind: 'nested',
      path: 'p',
      query,
      scoreMode: 'avg',
      boost: 1,
      parentPath: null,
    }),
  ).toEqual([]);
});

test('documents have the scores of their figures', () => {
  const scoring = scoringOf(STANDARD_SIMILARITY, {
    field: { maxDoc: 10, sumTotalTermFreq: -1 },
    terms: [{ docFreq: 1, totalTermFreq: -1 }],
    boost: 1,
  });
  scoring.normalize(1, 1);
  const figures = new Map([[7, { freq: 0.25, norm: 120 }]]);
  const filter = { match_all: {} };
  expect(listedScores(filter, figures, scoring)).toMatchObject({
    script_score: {
      query: { bool: { filter: [filter] } },
      script: { params: { scores: { 7: scoring.scorePhrase(0.25, 120) } } },
    },
  });
});
