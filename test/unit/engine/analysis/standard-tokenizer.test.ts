import fc from 'fast-check';
import data from '../../../../engine/analysis/data/word-break.json';
import { StandardTokenizer } from '../../../../engine/analysis/tokenizers/standard';
import { tokenizeByRules } from './word-rules';

function tokenize(text: string, maxTokenLength?: number): [string, number, string][] {
  const tokens: [string, number, string][] = [];
  new StandardTokenizer(maxTokenLength).scan(text, (term, start, end, increment, type) => {
    expect(text.slice(start, end)).toBe(term);
    expect(increment).toBe(1);
    tokens.push([term, start, type]);
  });
  return tokens;
}

const words = (text: string): string =>
  tokenize(text)
    .map(([term]) => term)
    .join('|');

describe('standard tokenizer', () => {
  test.each([
    ["don't", "don't"],
    ['’tis', 'tis'],
    ["O'Neil's", "O'Neil's"],
    ['foo.bar', 'foo.bar'],
    ['U.S.A.', 'U.S.A'],
    ['a.1', 'a|1'],
    ['1a2', '1a2'],
    ['x1.5y', 'x1.5y'],
    ['3.14 1,000,000 192.168.1.1', '3.14|1,000,000|192.168.1.1'],
    ['2014-01-01', '2014|01|01'],
    ['a:b 12:30', 'a:b|12|30'],
    ['foo_bar __ _x', 'foo_bar|_x'],
    ['C++ AT&T wi-fi', 'C|AT|T|wi|fi'],
    ['user@example.com', 'user|example.com'],
    ['a\u200bb', 'a|b'],
    ['co\u00adop', 'co\u00adop'],
    ['\u0301a', 'a'],
    ['\ufeffa', 'a'],
    ['☃ ½ ² ① 😀', ''],
    ['Ⅳ ⓐ', 'Ⅳ|ⓐ'],
    ['', ''],
  ])('%s gives %s', (text, expected) => {
    expect(words(text)).toBe(expected);
  });

  test.each([
    ['abc', '<ALPHANUM>'],
    ['12', '<NUM>'],
    ['１２', '<NUM>'],
    ['_1_', '<NUM>'],
    ['日', '<IDEOGRAPHIC>'],
    ['々', '<ALPHANUM>'],
    ['テスト', '<KATAKANA>'],
    ['ひ', '<HIRAGANA>'],
    ['한국어', '<HANGUL>'],
    ['한a', '<ALPHANUM>'],
    ['ไทยภาษา', '<SOUTHEAST_ASIAN>'],
  ])('%s has the type %s', (text, type) => {
    expect(tokenize(text)).toEqual([[text, 0, type]]);
  });

  test('ideographs and Hiragana stand alone, Katakana runs do not', () => {
    expect(words('日本語ひらテスト')).toBe('日|本|語|ひ|ら|テスト');
  });

  test('flags are skipped in pairs, and the letters between them are not', () => {
    expect(words('🇩🇪🇫🇷a🇩')).toBe('a');
    expect(tokenize('🇩🇪\u0e31')).toEqual([]);
    expect(tokenize('🇩\u0e31')).toEqual([['\u0e31', 2, '<SOUTHEAST_ASIAN>']]);
  });

  test('Hebrew abbreviations keep their quotation marks', () => {
    expect(words('צה"ל')).toBe('צה"ל');
    expect(words('א"ב"ג')).toBe('א"ב|ג');
    expect(words("ג' a")).toBe("ג'|a");
    expect(words('a.א"ב')).toBe('a.א|ב');
    expect(words("א'1")).toBe("א'1");
  });

  test('lone surrogates separate words', () => {
    expect(words('a\ud800b\udc00c')).toBe('a|b|c');
  });

  describe('long tokens', () => {
    const lengths = (text: string, max?: number): [number, number, string][] =>
      tokenize(text, max).map(([term, start, type]) => [start, term.length, type]);

    test('are cut after 255 UTF-16 units, and the rest is read afresh', () => {
      expect(lengths('a'.repeat(255) + '123')).toEqual([
        [0, 255, '<ALPHANUM>'],
        [255, 3, '<NUM>'],
      ]);
      expect(lengths('a'.repeat(255) + '.b')).toEqual([
        [0, 255, '<ALPHANUM>'],
        [256, 1, '<ALPHANUM>'],
      ]);
      expect(lengths('a'.repeat(254) + '.b')).toEqual([
        [0, 254, '<ALPHANUM>'],
        [255, 1, '<ALPHANUM>'],
      ]);
    });

    test('never halve a character', () => {
      expect(lengths('a'.repeat(254) + '𐐀b')).toEqual([
        [0, 254, '<ALPHANUM>'],
        [254, 3, '<ALPHANUM>'],
      ]);
    });

    test('are cut at another length when asked', () => {
      expect(tokenize('abcdefg', 5).map(([term]) => term)).toEqual(['abcde', 'fg']);
      expect(() => new StandardTokenizer(0)).toThrow('maxTokenLength must be greater than zero');
    });

    test('of connectors take linear time and lose no word behind them', () => {
      const text = '_'.repeat(1_000_000) + 'x';
      expect(tokenize(text)).toEqual([['_'.repeat(254) + 'x', 999_746, '<ALPHANUM>']]);
    });
  });

  const boundaries = Object.values(data.classes).map((classes) =>
    classes.split(' ').flatMap((range) => range.split('-').map((code) => parseInt(code, 16))),
  );
  const character = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...'aZ1_.,:;\'" -日アひ한אבไั') },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(...boundaries)
        .chain((codes) => fc.constantFrom(...codes))
        .map((code) => String.fromCodePoint(code)),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
  );

  test('agrees with its rules on any text', () => {
    fc.assert(
      fc.property(fc.array(character, { maxLength: 16 }), (characters) => {
        const text = characters.join('');
        expect(tokenize(text)).toEqual(tokenizeByRules(text));
      }),
      { numRuns: 1500 },
    );
  });
});
