import { spansOf } from '../../../../engine/highlight/plain/spans';
import { SpanIndex } from '../../../../engine/highlight/plain/span-index';
import { Random, testSeed } from '../../../support/random';

const positions = (text: string): Map<string, number[]> => {
  const found = new Map<string, number[]>();
  [...text].forEach((term, at) => found.set(term, [...(found.get(term) ?? []), at]));
  return found;
};

const field = { id: 1 } as const;
const term = (name: string) => ({ type: 'term', field, term: name }) as const;

const spans = (phrase: string, slop: number, isOrdered: boolean, text: string) => {
  const clauses = [...phrase].map(term);
  return spansOf({ type: 'near', field, clauses, slop, isOrdered }, positions(text));
};

test.each([
  ['ab', 0, true, 'xabab', [1, 2, 3, 4]],
  ['aba', 0, true, 'ababa', [0, 2, 2, 4]],
  ['ab', 1, true, 'a-b', [0, 2]],
  ['ab', 0, true, 'ba', []],
  ['ab', 0, false, 'ba', [0, 1]],
  ['ab', 1, false, 'b-a', [0, 2]],
  ['ab', 0, false, 'b-a', []],
  ['aa', 0, true, 'aa', [0, 1]],
  ['abc', 2, false, 'c-a-b', [0, 4]],
])('%s with slop %i, in order %s, in %s', (phrase, slop, isOrdered, text, expected) => {
  expect(spans(phrase, slop, isOrdered, text)).toEqual(expected);
});

test('phrases without slop are found wherever they stand', () => {
  const random = new Random(testSeed(7));
  for (let run = 0; run < 500; run++) {
    const letters = (length: number) =>
      Array.from({ length }, () => 'abc'[random.below(3)]).join('');
    const text = letters(30);
    const phrase = letters(1 + random.below(3));
    const expected: number[] = [];
    for (let at = 0; at + phrase.length <= text.length; at++) {
      if (text.startsWith(phrase, at)) expected.push(at, at + phrase.length - 1);
    }
    const found = { phrase, text, spans: spans(phrase, 0, true, text) };
    expect(found).toEqual({ phrase, text, spans: expected });
  }
});

test('a span index tells what spans cover, and the end of the first that starts somewhere', () => {
  const index = new SpanIndex([
    [3, 5, 10, 12],
    [3, 4, 11, 20],
  ]);
  const covered = Array.from({ length: 22 }, (_, at) => at).filter((at) => index.covers(at));
  expect(covered).toEqual([3, 4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
  expect([3, 4, 11].map((at) => index.endFrom(at))).toEqual([5, -1, 20]);
});

test('trees of span queries: near, or, first, not', () => {
  const found = positions('ab-cab-dab');
  const pair = {
    type: 'near',
    field,
    clauses: [term('a'), { type: 'or', field, clauses: [term('b'), term('c')] }],
    slop: 0,
    isOrdered: true,
  } as const;
  expect(spansOf(pair, found)).toEqual([0, 1, 4, 5, 8, 9]);
  expect(spansOf({ type: 'first', match: pair, end: 6 }, found)).toEqual([0, 1, 4, 5]);
  const around = {
    type: 'near',
    field,
    clauses: [pair, term('d')],
    slop: 1,
    isOrdered: true,
  } as const;
  expect(spansOf(around, found)).toEqual([4, 7]);
  expect(spansOf({ type: 'not', include: pair, exclude: around, pre: 0, post: 0 }, found)).toEqual([
    0, 1, 8, 9,
  ]);
});
