import fc from 'fast-check';
import {
  builtinAnalyzer,
  KEYWORD_ANALYZER,
  STANDARD_ANALYZER,
} from '../../../../engine/analysis/builtin';
import { errorOf, fastTerms, registryOf, terms } from './support';

describe('built-in analyzers', () => {
  const text = "The Quick-brown fox's 12 AND it a,b";

  test.each([
    ['standard', "the@1 quick@2 brown@3 fox's@4 12@5 and@6 it@7 a@8 b@9"],
    ['default', "the@1 quick@2 brown@3 fox's@4 12@5 and@6 it@7 a@8 b@9"],
    ['simple', 'the@1 quick@2 brown@3 fox@4 s@5 and@6 it@7 a@8 b@9'],
    ['whitespace', "The@1 Quick-brown@2 fox's@3 12@4 AND@5 it@6 a,b@7"],
    ['stop', 'quick@2 brown@3 fox@4 s@5 b@9'],
    ['pattern', 'the@1 quick@2 brown@3 fox@4 s@5 and@6 it@7 a@8 b@9'],
    ['keyword', `${text}@1`],
  ])('%s', (name, expected) => {
    expect(terms(builtinAnalyzer(name), text)).toBe(expected);
  });

  test('names are case-sensitive and not inherited', () => {
    expect(builtinAnalyzer('Standard')).toBeNull();
    expect(builtinAnalyzer('constructor')).toBeNull();
  });

  test('lower case is per code point', () => {
    expect(terms(STANDARD_ANALYZER, 'ΑΣ İI Iİ ẞ ǅ')).toBe('ασ@1 ii@2 ii@3 ß@4 ǆ@5');
  });

  test('white space is what Java takes for it', () => {
    expect(terms(builtinAnalyzer('whitespace'), 'a\u00a0b\u3000c\u2007d\u2003e\u001cf')).toBe(
      'a\u00a0b@1 c\u2007d@2 e@3 f@4',
    );
  });

  test('pattern splits at anything but ASCII words once it is configured', () => {
    const text = 'aéb c_d 12';
    expect(terms(builtinAnalyzer('pattern'), text)).toBe('aéb@1 c@2 d@3');
    const configured = registryOf({ analyzer: { p: { type: 'pattern' } } });
    expect(terms(configured.analyzer('p'), text)).toBe('a@1 b@2 c_d@3 12@4');
  });

  test('runs of letters and of anything but blanks are cut at 255 units, whole texts are not', () => {
    const long = 'a'.repeat(256);
    for (const name of ['whitespace', 'simple']) {
      expect(
        builtinAnalyzer(name)!
          .analyze(long)
          .map(({ term }) => term.length),
      ).toEqual([255, 1]);
    }
    expect(
      builtinAnalyzer('whitespace')!
        .analyze('a'.repeat(254) + '𐐀b')
        .map(({ term }) => term.length),
    ).toEqual([256, 1]);
    expect(KEYWORD_ANALYZER.analyze(long)).toHaveLength(1);
  });

  test('the empty text has no tokens', () => {
    for (const name of ['standard', 'whitespace', 'pattern']) {
      expect(builtinAnalyzer(name)!.analyze('')).toEqual([]);
    }
  });

  test('the keyword analyzer makes the empty text a token', () => {
    expect(KEYWORD_ANALYZER.analyze('')).toMatchObject([
      { term: '', startOffset: 0, endOffset: 0 },
    ]);
  });
});

describe('analysis chains', () => {
  const registry = registryOf({
    filter: {
      long: { type: 'length', min: 2, max: 5 },
      grams: { type: 'nGram', min_gram: 2, max_gram: 3 },
      trailing: { type: 'stop', remove_trailing: false },
    },
    char_filter: { map: { type: 'mapping', mappings: ['ph=>f', 'a=>bbb', 'x=>'] } },
    analyzer: {
      terms: { tokenizer: 'whitespace', filter: ['lowercase', 'stop', 'long', 'reverse'] },
      stream: { tokenizer: 'standard', filter: ['lowercase', 'trailing', 'unique', 'grams'] },
      mapped: { tokenizer: 'standard', filter: 'lowercase,stop', char_filter: ['map'] },
      plain: { tokenizer: 'letter' },
    },
  });
  const analyzers = ['terms', 'stream', 'mapped', 'plain', 'standard', 'stop', 'pattern'];
  const word = fc.oneof(
    fc.constantFrom('the', 'The', 'a', 'alpha', 'x', 'it', 'phonex', 'IS', 'Σ', 'straße'),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
  );
  const sentence = fc
    .array(fc.tuple(word, fc.constantFrom(' ', '-', ', ', '  ')), { maxLength: 12 })
    .map((parts) => parts.flat().join(''));

  test('forEachTerm gives the terms and positions of analyze', () => {
    fc.assert(
      fc.property(fc.constantFrom(...analyzers), sentence, (name, text) => {
        const analyzer = registry.analyzer(name)!;
        expect(fastTerms(analyzer, text)).toBe(terms(analyzer, text));
      }),
      { numRuns: 500 },
    );
  });

  test('positions of stop words at the end are reported', () => {
    const skipped = (name: string, text: string): number | undefined =>
      registry.analyzer(name)!.forEachTerm(text, () => {});
    expect(skipped('stop', 'the fox is a')).toBe(2);
    expect(skipped('stop', 'the fox')).toBe(0);
    expect(skipped('stop', 'a the')).toBe(2);
    expect(skipped('standard', 'the fox is a')).toBe(0);
    const mixed = registryOf({
      analyzer: { a: { tokenizer: 'standard', filter: ['unique', 'stop'] } },
    });
    expect(mixed.analyzer('a')!.forEachTerm('fox the a', () => {})).toBe(2);
  });

  test('offsets lie within the text and never go back; the first position is 1 or more', () => {
    fc.assert(
      fc.property(fc.constantFrom(...analyzers), sentence, (name, text) => {
        let start = 0;
        let position = 0;
        for (const token of registry.analyzer(name)!.analyze(text)) {
          expect(token.startOffset).toBeGreaterThanOrEqual(start);
          expect(token.endOffset).toBeGreaterThanOrEqual(token.startOffset);
          expect(token.endOffset).toBeLessThanOrEqual(text.length);
          position += token.positionIncrement;
          expect(position).toBeGreaterThanOrEqual(1);
          start = token.startOffset;
        }
      }),
      { numRuns: 500 },
    );
  });

  test('offsets refer to the text before character filters', () => {
    const tokens = registry.analyzer('mapped')!.analyze('a xphone xx b');
    expect(tokens.map((t) => [t.term, t.startOffset, t.endOffset])).toEqual([
      ['bbb', 0, 1],
      ['fone', 3, 8],
      ['b', 12, 13],
    ]);
  });

  test('the position gap comes from the settings of the analyzer', () => {
    const gapped = registryOf({
      analyzer: { a: { tokenizer: 'standard', position_offset_gap: 100 } },
    });
    expect(gapped.analyzer('a')!.positionGap).toBe(100);
    expect(STANDARD_ANALYZER.positionGap).toBe(0);
  });

  test('an index chooses its default analyzers', () => {
    const defaults = registryOf({
      analyzer: { default: { type: 'keyword' }, default_search: { type: 'simple' } },
    });
    expect(terms(defaults.defaultIndex, 'A b')).toBe('A b@1');
    expect(terms(defaults.defaultSearch, 'A b')).toBe('a@1 b@2');
    const own = registryOf({ analyzer: { default_index: { type: 'whitespace' } } });
    expect(terms(own.defaultIndex, 'A b')).toBe('A@1 b@2');
    expect(terms(own.defaultSearch, 'A b')).toBe('a@1 b@2');
  });

  test('an alias names an analyzer a second time, but replaces none', () => {
    const aliased = registryOf({
      analyzer: { a: { type: 'simple', alias: ['zeta', 'b', 'default'] }, b: { type: 'keyword' } },
    });
    expect(terms(aliased.analyzer('zeta'), 'A 1')).toBe('a@1');
    expect(terms(aliased.analyzer('b'), 'A 1')).toBe('A 1@1');
    expect(terms(aliased.defaultIndex, 'A 1')).toBe('a@1 1@2');
  });
});

describe('analysis settings that cannot be used', () => {
  const missing = 'ElasticsearchIllegalArgumentException';
  test.each([
    [
      { analyzer: { a: { type: 'custom' } } },
      'IllegalArgumentException[Custom Analyzer [a] must be configured with a tokenizer]',
    ],
    [
      { analyzer: { a: { tokenizer: 'nosuch' } } },
      'IllegalArgumentException[Custom Analyzer [a] failed to find tokenizer under name [nosuch]]',
    ],
    [
      { analyzer: { a: { tokenizer: 'standard', filter: 'lowercase, nosuch' } } },
      'IllegalArgumentException[Custom Analyzer [a] failed to find filter under name [nosuch]]',
    ],
    [
      { analyzer: { a: { tokenizer: 'standard', char_filter: ['nosuch'] } } },
      'IllegalArgumentException[Custom Analyzer [a] failed to find char_filter under name [nosuch]]',
    ],
    [
      { analyzer: { a: { type: 'my_type' } } },
      `${missing}[failed to find analyzer type [my_type] or tokenizer for [a]]; nested: NoClassSettingsException[Failed to load class setting [type] with value [my_type]]; nested: ClassNotFoundException[org.elasticsearch.index.analysis.mytype.MyTypeAnalyzerProvider]; `,
    ],
    [
      { analyzer: { a: { stopwords: 'x' } } },
      `${missing}[failed to find analyzer type [null] or tokenizer for [a]]`,
    ],
    [
      { analyzer: { _a: { type: 'standard' } } },
      'IllegalArgumentException[analyzer name must not start with \'_\'. got "_a"]',
    ],
    [
      { tokenizer: { a: { type: 'nosuch' } } },
      `${missing}[failed to find tokenizer type [nosuch] for [a]]; nested: NoClassSettingsException[Failed to load class setting [type] with value [nosuch]]; nested: ClassNotFoundException[org.elasticsearch.index.analysis.nosuch.NosuchTokenizerFactory]; `,
    ],
    [
      { tokenizer: { a: { max: 1 } } },
      `${missing}[token filter [a] must have a type associated with it]`,
    ],
    [
      { filter: { a: { max: 1 } } },
      `${missing}[token filter [a] must have a type associated with it]`,
    ],
    [
      { char_filter: { a: { m: 'x' } } },
      `${missing}[Char Filter [a] must have a type associated with it]`,
    ],
    [{ filter: { a: { type: 'truncate' } } }, `${missing}[length parameter must be provided]`],
    [
      { filter: { a: { type: 'length', min: 'x' } } },
      'SettingsException[Failed to parse int setting [min] with value [x]]; nested: NumberFormatException[For input string: "x"]; ',
    ],
    [
      { analyzer: { a: 'x' } },
      "SettingsException[Failed to get setting group for [index.analysis.analyzer.] setting prefix and setting [index.analysis.analyzer.a] because of a missing '.']",
    ],
    [
      { char_filter: { a: { type: 'mapping', mappings: ['bad'] } } },
      'RuntimeException[Invalid Mapping Rule : [bad]]',
    ],
    [
      { analyzer: { a: { type: 'stop', stopwords_path: '/etc/passwd' } } },
      `${missing}[[stopwords_path] is not supported, give the entries in the settings instead]`,
    ],
  ])('%j', (analysis, expected) => {
    expect(errorOf(() => registryOf(analysis))).toBe(expected);
  });

  test('a pattern outside the linear-time dialect is refused', () => {
    const error = errorOf(() =>
      registryOf({ tokenizer: { a: { type: 'pattern', pattern: '(' } } }),
    );
    expect(error).toMatch(/^PatternSyntaxException\[/);
    expect(() => registryOf({ analyzer: { a: { type: 'pattern', pattern: '(a)\\1' } } })).toThrow();
  });
});
