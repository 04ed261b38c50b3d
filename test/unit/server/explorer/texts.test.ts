import fc from 'fast-check';
import { layOut, parseExact } from '../../../../server/explorer/model/exact-json';
import { fieldsOf } from '../../../../server/explorer/model/fields';
import { piecesOf, unmarked } from '../../../../server/explorer/model/marks';
import {
  asPlainWords,
  innermostReason,
  mistakesIn,
  nearest,
  oddities,
} from '../../../../server/explorer/model/query-text';
import { curlOf, refusalOf } from '../../../../server/explorer/model/requests';

test('laying JSON out keeps every literal', () => {
  expect(layOut('{"a":[1.0,12345678901234567890,"x\\"{,"],"b":{},"c":[]}')).toBe(
    '{\n  "a": [\n    1.0,\n    12345678901234567890,\n    "x\\"{,"\n  ],\n  "b": {},\n  "c": []\n}',
  );
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(layOut(text))).toEqual(JSON.parse(text));
    }),
  );
});

test('members called __proto__ stay members', () => {
  const parsed = parseExact('{"__proto__":{"x":1},"n":12345678901234567}') as object;
  expect(Object.keys(parsed)).toEqual(['__proto__', 'n']);
  expect('x' in parsed).toBe(false);
});

test('marks are cut out, and nothing of the text is lost', () => {
  expect(piecesOf('a \uE000<b>\uE001 c')).toEqual([
    { text: 'a ', isMarked: false },
    { text: '<b>', isMarked: true },
    { text: ' c', isMarked: false },
  ]);
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(
        piecesOf(text)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(unmarked(text));
    }),
  );
});

test.each([
  ['love AND', 'A word is missing behind “AND”.', 'love'],
  ['(love', '“(” is not closed.', '(love)'],
  ['"love', 'A quotation mark is not closed.', '"love"'],
  ['love)', '“)” at position 5 closes nothing.', 'love'],
  ['year:[1990 TO', '“[” is not closed.', 'year:[1990 TO]'],
  ['title:', 'A value is missing behind “title:”. To search for a colon write “\\:”.', 'title'],
  ['a/b', 'A single “/” begins a regular expression. To search for it write “\\/”.', 'a\\/b'],
  ['OR love', 'A word is missing before “OR”.', 'love'],
])('what is wrong with %s is told', (text, message, correction) => {
  expect(mistakesIn(text)).toContainEqual({ text: message, correction });
});

test.each([
  'love night',
  '"a (phrase"',
  'year:[1990 TO 1999}',
  'a\\(b',
  '/re(g)ex/',
  'title:love OR x',
])('nothing is wrong with %s', (text) => expect(mistakesIn(text)).toEqual([]));

test('unknown fields and small operators are odd', () => {
  const fields = fieldsOf({
    a: { mappings: { t: { properties: { title: { type: 'string' } } } } },
  });
  expect(oddities('titel:x', fields)).toEqual([
    { text: 'There is no field “titel”; did you mean “title”?', correction: 'title:x' },
  ]);
  expect(oddities('title:x _exists_:title http\\://x', fields)).toEqual([]);
  expect(oddities('a or b', fields)[0]?.correction).toBe('a OR b');
  expect(nearest('xyz', ['title'])).toBeNull();
});

test('plain words have no signs of the language', () => {
  expect(asPlainWords('(a AND "b:c')).toBe('\\(a and \\"b\\:c');
  fc.assert(fc.property(fc.string(), (text) => mistakesIn(asPlainWords(text)).length === 0));
});

test('the innermost reason of an error is found', () => {
  expect(innermostReason('IndexMissingException[[x] missing]')).toBe('[x] missing');
  expect(
    innermostReason(
      'A[b; shardFailures {[n][i][0]: X[y]; nested: QueryParsingException[[i] No field]; }]',
    ),
  ).toBe('[i] No field');
  expect(innermostReason('plain')).toBe('plain');
});

test('curl is quoted for the shell, and has no key in it', () => {
  const request = { method: 'POST', path: '/a/_search', body: '{"q":"it\'s \uE000"}' };
  expect(curlOf(request, 'http://localhost:9200', true)).toBe(
    `curl -XPOST 'http://localhost:9200/a/_search' \\\n  -H "Authorization: ApiKey $KEY" \\\n  -d '{"q":"it'\\''s \\ue000"}'`,
  );
});

test.each([
  ['GET', '/a/_mapping', true],
  ['POST', '/a/_search?size=1', true],
  ['POST', '/_validate/query', true],
  ['POST', '/a/t/1', false],
  ['POST', '/a/t/1/_update', false],
  ['POST', '/_aliases', false],
  ['GET', '/a/_optimize', false],
  ['DELETE', '/a/_search', false],
  ['POST', '//other.host/_search?x=/_bulk', true],
])('%s %s is run: %s', (method, path, isRun) => {
  expect(refusalOf({ method, path }) === null).toBe(isRun);
});
