import { sentenceEnds } from '../../../../engine/highlight/postings/sentences';

function sentences(text: string): string[] {
  let start = 0;
  return sentenceEnds(text).map((end) => text.slice(start, (start = end)));
}

// Told by the sentence iterator that the reference uses.
test.each([
  ['Hello world. Foo bar', ['Hello world. ', 'Foo bar']],
  ['Hello world. foo bar', ['Hello world. foo bar']],
  ['Hello.World. A', ['Hello.World. ', 'A']],
  ['Hello! foo? bar', ['Hello! ', 'foo? ', 'bar']],
  ['a.\n\nB c', ['a.\n\n', 'B c']],
  ['a\nb\u2029c\u2029\u2029d', ['a\nb\u2029', 'c\u2029', '\u2029', 'd']],
  ['Mr. "X" said. (Foo) bar.', ['Mr. ', '"X" said. ', '(Foo) bar.']],
  ['Go 3.4 now. 5 things. x', ['Go 3.4 now. 5 things. x']],
  ['a?) b!! c...D e... F', ['a?) ', 'b!! ', 'c...D e... ', 'F']],
  ['A.<b> c', ['A.', '<b> c']],
  ['a.- b', ['a.- b']],
  ['a."B', ['a."', 'B']],
  ['a.,b', ['a.,b']],
  ['a. 5B', ['a. 5B']],
  ['foo!\u2029 bar', ['foo!\u2029', ' bar']],
  ['中文。中文', ['中文。', '中文']],
  ['a. \u0301B', ['a. \u0301', 'B']],
  ['a.\u{1f600}b', ['a.', '\u{1f600}b']],
  ['http://a.b/c?d=e!f', ['http://a.b/c?', 'd=e!', 'f']],
  ['क। ख', ['क। ', 'ख']],
  ['x.y. $', ['x.y', '.', ' $']],
  ['a...$', ['a', '.', '.', '.', '$']],
  ['', []],
])('%j', (text, expected) => {
  expect(sentences(text)).toEqual(expected);
});

test('a long run of periods is read once', () => {
  const text = '.'.repeat(200_000);
  expect(sentenceEnds(`${text} a`)).toEqual([text.length + 2]);
  expect(sentenceEnds(`a${text}$`).length).toBe(text.length + 2);
});
