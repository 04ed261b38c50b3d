import { analyzeText } from '../../../../engine/analysis/analyze-text';
import type { AnalyzeRequest } from '../../../../engine/api/admin';
import { registryOf } from './support';

const registry = registryOf({
  'filter.grams.type': 'nGram',
  'filter.grams.min_gram': '1',
  'filter.grams.max_gram': '32766',
  'filter.edges.type': 'edgeNGram',
  'filter.edges.max_gram': '32766',
  'filter.shingles.type': 'shingle',
  'filter.shingles.max_shingle_size': '1024',
  'filter.words.type': 'synonym',
  'filter.words.synonyms': [`a => ${Array.from({ length: 500 }, (_, i) => `w${i}`).join(',')}`],
  'tokenizer.gram_tokens.type': 'nGram',
  'tokenizer.gram_tokens.max_gram': '30',
});

function analyze(text: string, request: Partial<AnalyzeRequest>): unknown {
  return analyzeText(
    {
      index: null,
      text,
      analyzer: undefined,
      tokenizer: undefined,
      tokenFilters: [],
      charFilters: [],
      field: undefined,
      ...request,
    },
    { registry, fieldAnalyzer: null },
  );
}

describe('_analyze refuses', () => {
  test('a text that is too long', () => {
    expect(() => analyze('a'.repeat(65_537), { analyzer: 'keyword' })).toThrow(
      'text of [65537] characters is longer than the allowed maximum of [65536]',
    );
    expect(() => analyze('a'.repeat(65_536), { analyzer: 'keyword' })).not.toThrow();
  });

  test.each([
    ['words', 'a '.repeat(30_000), { tokenizer: 'whitespace' }],
    ['grams of the tokenizer', 'x'.repeat(60_000), { tokenizer: 'gram_tokens' }],
    ['grams', 'x'.repeat(60_000), { tokenizer: 'keyword', tokenFilters: ['grams'] }],
    ['edge grams', 'x'.repeat(60_000), { tokenizer: 'keyword', tokenFilters: ['edges'] }],
    ['shingles', 'x '.repeat(9_000), { tokenizer: 'whitespace', tokenFilters: ['shingles'] }],
    ['synonyms', 'a '.repeat(9_000), { tokenizer: 'whitespace', tokenFilters: ['words'] }],
    ['paths', 'a/'.repeat(30_000), { tokenizer: 'path_hierarchy' }],
  ])('too many %s, before they are made', (_, text, request) => {
    const started = performance.now();
    expect(() => analyze(text, request)).toThrow(
      /^The number of (tokens|characters) produced by calling _analyze has exceeded the allowed maximum of/,
    );
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
