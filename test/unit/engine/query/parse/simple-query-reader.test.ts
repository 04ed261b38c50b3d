import { MATCH_ALL_DOCS, type Query } from '../../../../../engine/query/ast/query';
import {
  ALL_FLAGS,
  FLAG,
  parseFlags,
} from '../../../../../engine/query/parse/simple-query-string/flags';
import {
  readSimpleQuery,
  type WordQueries,
} from '../../../../../engine/query/parse/simple-query-string/reader';

/** Stands for a query with this text. */
const leaf = (text: string): Query => ({ kind: 'uids', uids: [text], boost: 1 });

const WORDS: WordQueries = {
  word: (text) => (text === 'the' ? null : leaf(text)),
  phrase: (text, slop) => leaf(`"${text}"${slop === 0 ? '' : `~${slop}`}`),
  prefix: (text) => leaf(`${text}*`),
  fuzzy: (text, edits) => leaf(`${text}~${edits}`),
  checkClauses: () => undefined,
};

function show(query: Query | null): string {
  if (query === null) return 'nothing';
  if (query === MATCH_ALL_DOCS) return '*:*';
  if (query.kind === 'uids') return query.uids[0]!;
  if (query.kind !== 'bool') return query.kind;
  const clauses = [
    ...query.must.map((clause) => `+${show(clause)}`),
    ...query.should.map(show),
    ...query.mustNot.map((clause) => `-${show(clause)}`),
  ];
  return `(${clauses.join(' ')})`;
}

const read = (text: string, flags = ALL_FLAGS, occur: 'must' | 'should' = 'should') =>
  show(readSimpleQuery(text, flags, occur, WORDS));

test.each([
  ['a', 'a'],
  ['a b', '(a b)'],
  ['a + b | c', '((+a +b) c)'],
  ['a | b + c', '(+(a b) +c)'],
  ['a b + c', '(+(a b) +c)'],
  ['-a', '(*:* -a)'],
  ['--a', 'a'],
  ['- a', 'a'],
  ['a -b + c', '(+(a (*:* -b)) +c)'],
  ['-(a b) c', '((*:* -(a b)) c)'],
  ['a + (b | c)', '(+a +(b c))'],
  ['"a b"~2 c', '("a b"~2 c)'],
  ['"a b"~ c', '("a b" c)'],
  ['"a b"~x', '"a b"'],
  ['"a b', '(a b)'],
  ['a "" + b', '(+a +b)'],
  ['a | () b', '(a b)'],
  ['a~1', 'a~1'],
  ['a~9', 'a~2'],
  ['a~', 'a'],
  ['a~x', 'a'],
  ['~a', '~a'],
  ['ab*', 'ab*'],
  ['*', '*'],
  ['a*b', 'a*b'],
  ['a\\*', 'a*'],
  ['a\\ b', 'a b'],
  ['"a \\" b"', '"a " b"'],
  ['a) b (c', '(a b c)'],
  ['((a)', 'a'],
  ['\\(a', '(a'],
  ['', 'nothing'],
  [' + | - ', 'nothing'],
  ['the', 'nothing'],
  ['a + the b', '(+a +b)'],
  ['a\\', 'a'],
])('%s', (text, expected) => {
  expect(read(text)).toBe(expected);
});

test('the default operator joins what no operator does', () => {
  expect(read('a b | c', ALL_FLAGS, 'must')).toBe('((+a +b) c)');
  expect(read('a b c', ALL_FLAGS, 'must')).toBe('(+a +b +c)');
});

test('characters of operators that are off are text', () => {
  expect(read('a+b "c d" -e f*', FLAG.whitespace)).toBe('(a+b "c d" -e f*)');
  expect(read('a b', 0)).toBe('a b');
  expect(read('(a b)', FLAG.whitespace | FLAG.and)).toBe('((a b))');
  expect(parseFlags('AND|or')).toBe(FLAG.and | FLAG.or);
  expect([parseFlags(''), parseFlags('AND|ALL'), parseFlags('NONE')]).toEqual([-1, -1, 0]);
  expect(() => parseFlags('AND|MAYBE')).toThrow('MAYBE');
});

test('texts of nothing but parentheses and quotes take linear time', () => {
  const calls = { count: 0 };
  const counting: WordQueries = {
    ...WORDS,
    word: (text) => {
      calls.count += text.length;
      return leaf(text);
    },
  };
  const length = 200_000;
  for (const text of [
    '('.repeat(length),
    `${'('.repeat(length)}"`,
    '")'.repeat(length),
    ')'.repeat(length),
  ]) {
    readSimpleQuery(text, ALL_FLAGS, 'should', counting);
  }
  expect(calls.count).toBeLessThan(4 * length);
  const nested = '('.repeat(300) + 'a' + ')'.repeat(300);
  expect(() => readSimpleQuery(nested, ALL_FLAGS, 'should', WORDS)).toThrow();
});
