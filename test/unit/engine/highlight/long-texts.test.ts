// Work and memory must grow with the text, not with its square: counted, so that no machine's speed matters.

import type { Analyzer } from '../../../../engine/analysis/chain/analyzer';
import { STANDARD_ANALYZER } from '../../../../engine/analysis/builtin';
import { bestFragments } from '../../../../engine/highlight/plain/fragments';
import { PlainQuery } from '../../../../engine/highlight/plain/weighted-terms';
import { bestPassages } from '../../../../engine/highlight/postings/passages';
import type { FlatQuery } from '../../../../engine/highlight/vector/flat-queries';
import { VectorQuery } from '../../../../engine/highlight/vector/phrase-list';
import type { Query } from '../../../../engine/query/ast/query';

/** Counts the tokens that it hands over. */
class Counting implements Analyzer {
  readonly name = 'counting';
  readonly positionGap = 0;
  tokens = 0;

  analyze = STANDARD_ANALYZER.analyze.bind(STANDARD_ANALYZER);
  forEachTerm = STANDARD_ANALYZER.forEachTerm.bind(STANDARD_ANALYZER);

  forEachToken(...[text, visit]: Parameters<NonNullable<Analyzer['forEachToken']>>): number {
    return STANDARD_ANALYZER.forEachToken!(text, (...token) => {
      this.tokens++;
      visit(...token);
    });
  }
}

const phrase: Query = {
  kind: 'phrase',
  field: 1,
  slots: [
    { terms: ['a'], position: 0 },
    { terms: ['b'], position: 1 },
  ],
  slop: 3,
  boost: 1,
};

const CUTTING = { kind: 'span', size: 10, count: 5 } as const;

test('the plain highlighter reads a text twice at most and keeps the best fragments only', () => {
  const text = 'a b c '.repeat(50_000);
  const analyzer = new Counting();
  const query = new PlainQuery(phrase, null);
  const found = bestFragments(text, analyzer, query.termsOf(text, analyzer), CUTTING);
  expect(found.map(({ start }) => start)).toHaveLength(5);
  expect(analyzer.tokens).toBe(2 * 150_000);
});

test('a query of terms alone reads it once', () => {
  const text = 'a b c '.repeat(1000);
  const analyzer = new Counting();
  const term: Query = { kind: 'term', field: 1, term: 'a', boost: 1, scored: true };
  const query = new PlainQuery(term, null);
  bestFragments(text, analyzer, query.termsOf(text, analyzer), CUTTING);
  expect(analyzer.tokens).toBe(3000);
});

test('a text without terms of the query is not read at all for its fragments', () => {
  const analyzer = new Counting();
  expect(bestFragments('x y', analyzer, new Map(), CUTTING)).toEqual([]);
  expect(analyzer.tokens).toBe(0);
});

test('phrases that begin everywhere and end nowhere are given up', () => {
  const long: FlatQuery = { field: 1, terms: [...'a'.repeat(400), 'z'], slop: 0, boost: 1 };
  const short: FlatQuery = { field: 1, terms: ['a', 'a'], slop: 0, boost: 1 };
  const query = new VectorQuery([long, short], true);
  const tokens = Array.from({ length: 200_000 }, (_, i) => {
    return { term: 'a', start: 2 * i, end: 2 * i + 1, position: i };
  });
  const found = query.phrasesIn(1, tokens, Infinity);
  expect(found[0]).toEqual({ offsets: [0, 3], boost: 1, number: 1 });
  // Four million tokens looked at, about four hundred for each.
  expect(found.length).toBeLessThan(12_000);
});

test('the best of many passages are kept', () => {
  const ends = Array.from({ length: 100_000 }, (_, i) => 10 * (i + 1));
  const occurrences = ends.map((end) => ({ start: end - 5, end: end - 3, term: 0 }));
  const source = { length: 1_000_000, ends, offset: 0, occurrences };
  const found = bestPassages(source, [1], 3);
  expect(found.map(({ start }) => start)).toEqual([0, 10, 20]);
});
