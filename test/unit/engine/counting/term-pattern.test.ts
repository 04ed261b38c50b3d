import { EngineError } from '../../../../engine/errors';
import { compileTermPattern, parseTermPattern } from '../../../../engine/counting/term-pattern';

function matches(pattern: string, flags: string | null, ...terms: string[]): boolean[] {
  const test = compileTermPattern(parseTermPattern(pattern, flags));
  return terms.map((term) => test(term));
}

describe('term patterns', () => {
  test('match whole terms', () => {
    expect(matches('re.*', null, 'red', 'are', 're')).toEqual([true, false, true]);
    expect(matches('a|bc', null, 'a', 'bc', 'abc')).toEqual([true, true, false]);
    expect(matches('', null, '', 'a')).toEqual([true, false]);
    expect(matches('[a-z&]+', null, 'a&b', 'A')).toEqual([true, false]);
    expect(matches('[]a]+', null, 'a]', '[')).toEqual([true, false]);
  });

  test('flags, in any case and with empty parts', () => {
    expect(matches('RED|Green', 'CASE_INSENSITIVE', 'red', 'GREEN', 'blue')).toEqual([
      true,
      true,
      false,
    ]);
    expect(matches('É', 'case_insensitive', 'É', 'é')).toEqual([true, false]);
    expect(matches('É', '|CASE_INSENSITIVE|UNICODE_CASE|', 'É', 'é')).toEqual([true, true]);
    expect(matches('a.b', null, 'a\nb', 'axb', 'a\u2028b', 'a\rb')).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect(matches('a.b', 'UNIX_LINES', 'a\nb', 'a\rb')).toEqual([false, true]);
    expect(matches('a.b', 'DOTALL', 'a\nb')).toEqual([true]);
    expect(matches('a.*[ b]', 'LITERAL', 'a.*[ b]', 'ab')).toEqual([true, false]);
    expect(matches('a b # c', 'COMMENTS', 'ab', 'a b')).toEqual([true, false]);
    expect(() => parseTermPattern('a', 'BOGUS')).toThrow('Unknown regex flag [BOGUS]');
    expect(matches('e\u0301', 'CANON_EQ', '\u00e9', 'e\u0301', 'e')).toEqual([true, true, false]);
    expect(matches('\\w+\\s\\d', 'UNICODE_CHAR_CLASS', 'né\u2003٣', 'ne 3')).toEqual([true, true]);
    expect(matches('\\w+', null, 'né')).toEqual([false]);
    expect(matches('\\p{Upper}[\\p{Lower}-]\\W', 'UNICODE_CHAR_CLASS', 'Éé!')).toEqual([true]);
    expect(matches('(?U)\\p{Punct}\\S', null, '…x')).toEqual([true]);
  });

  test('flags switched inside the pattern hold to the end of their group', () => {
    expect(matches('(?s)a.b', null, 'a\nb', 'a\u2028b')).toEqual([true, true]);
    expect(matches('(?s:a.)b.', null, 'a\nbc', 'a\nb\n')).toEqual([true, false]);
    expect(matches('(a(?s).)b.', null, 'a\nbc', 'a\nb\n')).toEqual([true, false]);
    expect(matches('(?-s)a.', 'DOTALL', 'a\n', 'ab')).toEqual([false, true]);
    expect(matches('(?i)fooé', null, 'FOOé', 'FOOÉ')).toEqual([true, false]);
    expect(matches('(?iu)fooé', null, 'FOOÉ')).toEqual([true]);
    expect(matches('(?d).', null, '\r', '\n')).toEqual([true, false]);
    expect(matches('(?x) a b # c', null, 'ab')).toEqual([true]);
    expect(matches('(?i-s)A(?:b|c)', 'DOTALL', 'aC')).toEqual([true]);
  });

  test("Java's own spellings", () => {
    expect(matches('\\Qa.b\\E+', null, 'a.b', 'a.bb', 'axb')).toEqual([true, true, false]);
    expect(matches('\\p{Upper}\\p{Alnum}*', null, 'Ab1', 'ab1')).toEqual([true, false]);
    expect(matches('[\\p{Lower}_]+', null, 'a_b', 'A')).toEqual([true, false]);
    expect(matches('\\P{Upper}', null, 'a', 'A')).toEqual([true, false]);
    expect(matches('\\u00e9\\x41', null, 'éA', 'eA')).toEqual([true, false]);
    expect(matches('\\p{IsGreek}+', null, 'αβ', 'ab')).toEqual([true, false]);
    expect(matches('\\s', null, '\u000b', ' ', 'x')).toEqual([true, true, false]);
    expect(matches('\\w+\\.\\d', null, 'ab.1', 'ab1')).toEqual([true, false]);
  });

  test.each([
    '[',
    '(',
    'a++',
    'a{2}+',
    '(?=a)b',
    '(?<!a)b',
    '(a)\\1',
    '[a-z&&[^b]]',
    '[a[b]]',
    '\\h',
    '\\u12',
    '*a',
    'a\\',
    '(?t)a',
  ])('%s is refused', (pattern) => {
    expect(() => parseTermPattern(pattern, null)).toThrow(EngineError);
    try {
      parseTermPattern(pattern, null);
    } catch (error) {
      expect(error).toMatchObject({ wireName: 'PatternSyntaxException', status: 400 });
    }
  });

  test('takes linear time where backtracking would not', () => {
    // Backtracking would take longer than any time limit.
    expect(matches('(a*)*b', null, 'a'.repeat(5000))).toEqual([false]);
  });
});
