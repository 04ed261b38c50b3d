import { builtinTokenFilter } from '../../../../engine/analysis/builtin';
import { ChainAnalyzer } from '../../../../engine/analysis/chain/chain-analyzer';
import type { TokenFilter } from '../../../../engine/analysis/chain/components';
import { WHITESPACE_TOKENIZER } from '../../../../engine/analysis/tokenizers/runs';
import { errorOf, registryOf, terms } from './support';

const afterWhitespace = (filter: TokenFilter | null, text: string): string =>
  terms(new ChainAnalyzer('a', { tokenizer: WHITESPACE_TOKENIZER, tokenFilters: [filter!] }), text);

const configured = (settings: object, text: string): string =>
  afterWhitespace(registryOf({ filter: { f: settings } }).tokenFilter('f'), text);

describe('token filters by bare name', () => {
  test.each([
    ['lowercase', 'Foo BAR', 'foo@1 bar@2'],
    ['uppercase', 'straße ŉ ǆ ﬁ', 'STRASSE@1'.replace('SS', 'ß') + ' ŉ@2 Ǆ@3 ﬁ@4'],
    ['stop', 'the a x the', 'x@3'],
    ['unique', 'a b a c b', 'a@1 b@2 c@3'],
    ['reverse', '\u{10400}bc ab\u0301', 'cb\u{10400}@1 \u0301ba@2'],
    ['truncate', 'truncate0123456789 x', 'truncate01@1 x@2'],
    ['limit', 'a b c', 'a@1'],
    ['common_grams', 'the a', 'the@1 a@2'],
    ['length', 'a bb', 'a@1 bb@2'],
    ['standard', "a's b", "a's@1 b@2"],
    ['edgeNGram', 'ab abc a', 'a@1 a@2 a@3'],
    ['nGram', 'ab abc a', 'a@1 ab@1 b@1 a@2 ab@2 b@2 bc@2 c@2 a@3'],
  ])('%s', (name, text, expected) => {
    expect(afterWhitespace(builtinTokenFilter(name), text)).toBe(expected);
  });

  test('trim works on both ends of a term', () => {
    const trim = registryOf({ analyzer: { a: { tokenizer: 'keyword', filter: 'trim' } } });
    expect(terms(trim.analyzer('a'), ' \t a b ')).toBe('a b@1');
  });

  test('unknown names give null', () => {
    expect(builtinTokenFilter('nosuch')).toBeNull();
    expect(builtinTokenFilter('__proto__')).toBeNull();
  });
});

describe('stop filter options', () => {
  const text = 'The a b a, x foo Foo _zz_ the _none_ THE the a';

  test.each([
    // Blanks around commas belong to the words of a text.
    [{ stopwords: 'a, b,_english_' }, 'The@1 b@3 a,@4 x@5 foo@6 Foo@7 _zz_@8 _none_@10 THE@11'],
    [
      { stopwords: ['a, b', '_english_', '_zz_'] },
      'The@1 b@3 a,@4 x@5 foo@6 Foo@7 _none_@10 THE@11',
    ],
    [
      { stopwords: ['_none_', 'x'] },
      'The@1 a@2 b@3 a,@4 foo@6 Foo@7 _zz_@8 the@9 THE@11 the@12 a@13',
    ],
    [
      { stopwords: '_none_' },
      'The@1 a@2 b@3 a,@4 x@5 foo@6 Foo@7 _zz_@8 the@9 _none_@10 THE@11 the@12 a@13',
    ],
    [{ ignore_case: true }, 'The@1 b@3 a,@4 x@5 foo@6 Foo@7 _zz_@8 _none_@10 THE@11'],
    [
      { ignore_case: true, stopwords: ['Foo'] },
      'The@1 a@2 b@3 a,@4 x@5 _zz_@8 the@9 _none_@10 THE@11 the@12 a@13',
    ],
    [{ ignore_case: true, stopwords: ['_english_'] }, 'b@3 a,@4 x@5 foo@6 Foo@7 _zz_@8 _none_@10'],
    [{ remove_trailing: false }, 'The@1 b@3 a,@4 x@5 foo@6 Foo@7 _zz_@8 _none_@10 THE@11 a@13'],
    [{ stopwords: [] }, 'The@1 b@3 a,@4 x@5 foo@6 Foo@7 _zz_@8 _none_@10 THE@11'],
    [
      { stopwords: '' },
      'The@1 a@2 b@3 a,@4 x@5 foo@6 Foo@7 _zz_@8 the@9 _none_@10 THE@11 the@12 a@13',
    ],
  ])('%j', (settings, expected) => {
    expect(configured({ type: 'stop', ...settings }, text)).toBe(expected);
  });

  test('a trailing stop word stays only at the very end', () => {
    expect(configured({ type: 'stop', remove_trailing: false }, 'the a of')).toBe('of@3');
    expect(configured({ type: 'stop', remove_trailing: false }, 'the a x')).toBe('x@3');
  });

  test('positions without holes are refused', () => {
    const error = errorOf(() =>
      configured({ type: 'stop', enable_position_increments: false }, ''),
    );
    expect(error).toContain('[enable_position_increments: false] is not supported anymore');
  });
});

describe('token filters with settings', () => {
  test.each([
    [
      { type: 'nGram', min_gram: 3, max_gram: 5 },
      'ab abcdef \u{10400}bcd',
      'abc@2 abcd@2 abcde@2 bcd@2 bcde@2 bcdef@2 cde@2 cdef@2 def@2 \u{10400}bc@3 \u{10400}bcd@3 bcd@3',
    ],
    [{ type: 'edgeNGram' }, 'ab abc', 'a@1 ab@1 a@2 ab@2'],
    [{ type: 'edge_ngram', side: 'back', max_gram: 3 }, 'ab abcd', 'b@1 ab@1 d@2 cd@2 bcd@2'],
    [{ type: 'edgeNGram', min_gram: 3, max_gram: 3 }, 'ab abcd', 'abc@2'],
    [{ type: 'truncate', length: 3 }, 'abcdef ab\u{10400}', 'abc@1 ab@2'],
    [{ type: 'unique', only_on_same_position: true }, 'a a b', 'a@1 a@2 b@3'],
    [{ type: 'length', min: 2, max: 3 }, 'a ab abc abcd ab', 'ab@2 abc@3 ab@5'],
    [{ type: 'limit', max_token_count: 2 }, 'a b c', 'a@1 b@2'],
    [{ type: 'lowercase', language: 'greek' }, 'ΆΊΣς Ϋ ΐ', 'αισσ@1 υ@2 ι@3'],
    [
      { type: 'lowercase', language: 'irish' },
      'nAthair tUa nathair nÁth',
      'n-athair@1 t-ua@2 nathair@3 n-áth@4',
    ],
    [{ type: 'lowercase', language: 'Turkish' }, 'I İ Iİi I\u0307x', 'ı@1 i@2 ıii@3 ix@4'],
  ])('%j on %s', (settings, text, expected) => {
    expect(configured(settings, text)).toBe(expected);
  });

  test.each([
    [
      { type: 'nGram', min_gram: 3, max_gram: 2 },
      'IllegalArgumentException[minGram must not be greater than maxGram]',
    ],
    [{ type: 'nGram', min_gram: 0 }, 'IllegalArgumentException[minGram must be greater than zero]'],
    [
      { type: 'lowercase', language: 'zz' },
      'ElasticsearchIllegalArgumentException[language [zz] not support for lower case]',
    ],
  ])('of an older index %j fails when it is used, not before', (settings, expected) => {
    const filter = registryOf({ filter: { f: settings } }).tokenFilter('f');
    expect(errorOf(() => afterWhitespace(filter, 'abc'))).toBe(expected);
  });
});

describe('tokenizers and analyzers with settings', () => {
  const text = "abcdefg-'hij' a1b 'k'-";

  test.each([
    [{ type: 'standard', max_token_length: 5 }, 'abcde@1 fg@2 hij@3 a1b@4 k@5'],
    [{ type: 'pattern', pattern: '-' }, "abcdefg@1 'hij' a1b 'k'@2"],
    [{ type: 'pattern', pattern: "'([^']*)'", group: 1 }, 'hij@1 k@2'],
    [{ type: 'pattern', pattern: "'[^']*'", group: 0 }, "'hij'@1 'k'@2"],
  ])('tokenizer %j', (settings, expected) => {
    const registry = registryOf({
      tokenizer: { t: settings },
      analyzer: { a: { tokenizer: 't' } },
    });
    expect(terms(registry.analyzer('a'), text)).toBe(expected);
  });

  test.each([
    [{ type: 'standard', stopwords: '_english_' }, 'The fox, a Dog', 'fox@2 dog@4'],
    [{ type: 'standard', maxTokenLength: 2 }, 'abc', 'ab@1 c@2'],
    [{ type: 'stop', stopwords: '_none_' }, 'the a1', 'the@1 a@2'],
    [{ type: 'stop', stopwords: ['x', 'y'] }, 'The x a', 'the@1 a@3'],
    [{ type: 'pattern', pattern: '[A-Z]', stopwords: 'bc' }, 'fooXbcYz', 'foo@1 z@3'],
    [
      { type: 'pattern', lowercase: false, pattern: 'x', flags: 'CASE_INSENSITIVE|DOTALL' },
      'AXbxC',
      'A@1 b@2 C@3',
    ],
  ])('analyzer %j', (settings, text, expected) => {
    expect(terms(registryOf({ analyzer: { a: settings } }).analyzer('a'), text)).toBe(expected);
  });

  test('lists may be numbered settings', () => {
    const registry = registryOf({
      filter: { f: { type: 'stop', 'stopwords.0': 'x', 'stopwords.1': 'y' } },
    });
    expect(afterWhitespace(registry.tokenFilter('f'), 'x y z')).toBe('z@3');
  });
});

describe('mapping character filter', () => {
  const mapped = (mappings: readonly string[], text: string): string => {
    const registry = registryOf({
      char_filter: { m: { type: 'mapping', mappings } },
      analyzer: { a: { tokenizer: 'whitespace', char_filter: 'm' } },
    });
    return registry
      .analyzer('a')!
      .analyze(text)
      .map((t) => `${t.term}[${t.startOffset}-${t.endOffset}]`)
      .join(' ');
  };

  test('takes the longest match and maps offsets back', () => {
    expect(
      mapped(['ph=>f', 'qu=>q', 'x=>', '& => and ', 'abc=>Z', 'a=>b'], 'phone quick x& abcabc a'),
    ).toBe('fone[0-5] qick[6-11] and[13-14] ZZ[15-21] b[22-23]');
  });

  test('understands escapes', () => {
    expect(mapped(['\\u0041=>\\u0042', '\\\\=>\\n'], 'A a\\b')).toBe('B[0-1] a[2-3] b[4-5]');
  });
});
