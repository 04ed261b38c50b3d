// Settings that a component cannot work with: refused for new indices, loaded for older ones.

import { buildAnalysis } from '../../../../engine/analysis/registry';
import { flattenIndexSettings } from '../../../../engine/metadata/settings';
import { errorOf, fastTerms, registryOf } from './support';
import { json } from '../metadata/support';

function refusal(analysis: object): string {
  const settings = flattenIndexSettings(json({ analysis }));
  return errorOf(() => buildAnalysis(settings, { isNew: true }));
}

const wrong = (setting: string, kind: string, cause: string): string =>
  `ElasticsearchIllegalArgumentException[[${setting}] of ${kind} [x] does not work]; nested: ${cause.replace(/; $/, '')}; `;

const illegal = (reason: string): string => `IllegalArgumentException[${reason}]`;

describe('token filters', () => {
  test.each([
    [
      { type: 'nGram', min_gram: 3, max_gram: 2 },
      'min_gram',
      illegal('minGram must not be greater than maxGram'),
    ],
    [{ type: 'edgeNGram', min_gram: -1 }, 'min_gram', illegal('minGram must be greater than zero')],
    [{ type: 'nGram', max_gram: 1e9 }, 'max_gram', illegal('maxGram must not exceed 32766')],
    [
      { type: 'shingle', max_shingle_size: 1 },
      'max_shingle_size',
      illegal('Max shingle size must be >= 2'),
    ],
    [
      { type: 'shingle', min_shingle_size: 3 },
      'min_shingle_size',
      illegal('Min shingle size must be <= max shingle size'),
    ],
    [
      { type: 'shingle', max_shingle_size: 100_000 },
      'max_shingle_size',
      illegal('Max shingle size must be <= 1024'),
    ],
    [
      { type: 'snowball', language: 'Klingon' },
      'language',
      `${illegal('Invalid stemmer class specified: Klingon')}; nested: ` +
        'ClassNotFoundException[org.tartarus.snowball.ext.KlingonStemmer]; ',
    ],
    [
      { type: 'stemmer', language: 'Klingon' },
      'language',
      `${illegal('Invalid stemmer class specified: Klingon')}; nested: ` +
        'ClassNotFoundException[org.tartarus.snowball.ext.KlingonStemmer]; ',
    ],
    [
      { type: 'lowercase', language: 'zz' },
      'language',
      'ElasticsearchIllegalArgumentException[language [zz] not support for lower case]',
    ],
    [{ type: 'elision' }, 'articles', 'NullPointerException[null]'],
    [
      { type: 'pattern_replace', pattern: '(a)', replacement: '$3' },
      'replacement',
      'IndexOutOfBoundsException[No group 3]',
    ],
    [
      { type: 'pattern_replace', pattern: 'a', replacement: '${x}' },
      'replacement',
      illegal('Illegal group reference'),
    ],
    [
      { type: 'pattern_replace', pattern: 'a', replacement: 'b\\' },
      'replacement',
      illegal('character to be escaped is missing'),
    ],
    [
      { type: 'dictionary_decompounder', word_list: ['a'], min_subword_size: -1e9 },
      'min_subword_size',
      illegal('minSubwordSize cannot be negative'),
    ],
  ])('%j', (settings, setting, cause) => {
    expect(refusal({ filter: { x: settings } })).toBe(wrong(setting, 'filter', cause));
    // What older indices have is loaded, and fails with each text or does without the setting.
    const analyzer = registryOf({
      filter: { x: settings },
      analyzer: { a: { tokenizer: 'whitespace', filter: ['x'] } },
    }).analyzer('a')!;
    const { fault } = analyzer;
    expect(fault?.setting).toBe(setting);
    if (fault!.isHarmless === true) {
      expect(fastTerms(analyzer, "l'aab").split(' ')).toHaveLength(
        analyzer.analyze("l'aab").length,
      );
    } else {
      expect(errorOf(() => fastTerms(analyzer, "l'aab"))).toBe(cause);
      expect(errorOf(() => analyzer.analyze("l'aab"))).toBe(cause);
    }
  });
});

describe('tokenizers, character filters and analyzers', () => {
  test.each([
    [
      { tokenizer: { x: { type: 'nGram', min_gram: 0 } } },
      wrong('min_gram', 'tokenizer', illegal('minGram must be greater than zero')),
    ],
    [
      { tokenizer: { x: { type: 'pattern', pattern: 'a', group: 1 } } },
      wrong(
        'group',
        'tokenizer',
        illegal('invalid group specified: pattern only has: 0 capturing groups'),
      ),
    ],
    [
      { tokenizer: { x: { type: 'path_hierarchy', skip: -1 } } },
      wrong('skip', 'tokenizer', illegal('skip cannot be negative')),
    ],
    [
      { char_filter: { x: { type: 'pattern_replace', pattern: 'a', replacement: '$' } } },
      wrong(
        'replacement',
        'char_filter',
        illegal('Illegal group reference: group index is missing'),
      ),
    ],
    [
      { analyzer: { x: { type: 'snowball', language: 'Klingon' } } },
      wrong(
        'language',
        'analyzer',
        `${illegal('Invalid stemmer class specified: Klingon')}; nested: ` +
          'ClassNotFoundException[org.tartarus.snowball.ext.KlingonStemmer]; ',
      ),
    ],
  ])('%j', (analysis, expected) => {
    expect(refusal(analysis)).toBe(expected);
    expect(() => registryOf(analysis)).not.toThrow();
  });

  test('an edge gram tokenizer has no back', () => {
    const tokenizer = { x: { type: 'edgeNGram', side: 'back' } };
    expect(refusal({ tokenizer })).toContain('[side] of tokenizer [x] does not work');
  });
});

test('long runs of a tokenizer without a limit are no arguments of a call', () => {
  const analyzer = registryOf({
    tokenizer: { long: { type: 'standard', max_token_length: 1_000_000 } },
    analyzer: { a: { tokenizer: 'long', filter: ['cjk_bigram'] } },
  }).analyzer('a')!;
  expect(analyzer.analyze('カ'.repeat(300_000))).toHaveLength(299_999);
});

test.each(['filter', 'char_filter'])('an analyzer with too many of %s', (group) => {
  const type = group === 'filter' ? 'lowercase' : 'html_strip';
  const analysisOf = (count: number) => ({
    analyzer: {
      x: { tokenizer: 'whitespace', [group]: Array.from({ length: count }, () => type) },
    },
  });
  expect(refusal(analysisOf(257))).toBe(
    wrong(group, 'analyzer', illegal('an analyzer can have [256] of them, not [257]')),
  );
  const allowed = flattenIndexSettings(json({ analysis: analysisOf(256) }));
  buildAnalysis(allowed, { isNew: true });
  // An older index keeps what it has.
  expect(fastTerms(registryOf(analysisOf(257)).analyzer('x')!, 'A b')).toBe(
    fastTerms(registryOf(analysisOf(256)).analyzer('x')!, 'A b'),
  );
});
