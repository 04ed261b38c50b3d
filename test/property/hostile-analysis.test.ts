// Accepted analysis and hostile texts: what is acknowledged is indexed, by a refresh and by a start.

import { flattenIndexSettings } from '../../engine/metadata/settings';
import { parseJsonObject } from '../../engine/json/parse';
import { buildAnalysis } from '../../engine/analysis/registry';

const FILTERS: Record<string, object> = {
  grams: { type: 'nGram', min_gram: 1, max_gram: 30 },
  edges: { type: 'edgeNGram', min_gram: 2, max_gram: 32_766, side: 'back' },
  shingles: { type: 'shingle', max_shingle_size: 50 },
  words: { type: 'word_delimiter', catenate_all: true, preserve_original: true },
  replaced: { type: 'pattern_replace', pattern: '(.)', replacement: '$1$1-' },
  captured: { type: 'pattern_capture', patterns: ['(\\w)', '(..)'] },
  synonyms: { type: 'synonym', synonyms: ['a, b c d, e'] },
  compounds: { type: 'dictionary_decompounder', word_list: ['aa', 'a'], max_subword_size: 1e9 },
  bigrams: { type: 'cjk_bigram', output_unigrams: true },
  snow: { type: 'snowball', language: 'German2' },
  light: { type: 'stemmer', language: 'light_french' },
};
const TOKENIZERS: Record<string, object> = {
  long: { type: 'standard', max_token_length: 1e9 },
  gram: { type: 'nGram', min_gram: 1, max_gram: 5 },
  path: { type: 'path_hierarchy', reverse: true },
  split: { type: 'pattern', pattern: '\\W+' },
};
const LENGTH = 60_000;
const TEXTS: readonly string[] = [
  '',
  '\0',
  '\ud800',
  'a\udc00b\ud83d',
  '\u0301'.repeat(1000),
  'e\u0301\u0323'.repeat(500),
  'a'.repeat(LENGTH),
  'カ'.repeat(LENGTH),
  'a b '.repeat(LENGTH / 4),
  '/a'.repeat(LENGTH / 2),
  'a-B1'.repeat(LENGTH / 4),
  '\ud800'.repeat(5000),
];

const analyzers = Object.keys(TOKENIZERS)
  .concat('keyword', 'whitespace')
  .flatMap((tokenizer) =>
    [...Object.keys(FILTERS).map((filter) => [filter]), []].map((filter) => ({
      tokenizer,
      filter,
    })),
  );
const analysis = {
  tokenizer: TOKENIZERS,
  filter: FILTERS,
  analyzer: Object.fromEntries(analyzers.map((one, i) => [`a${i}`, one])),
};

test('no analyzer fails over a text that it does not find too large', () => {
  const settings = flattenIndexSettings(parseJsonObject(JSON.stringify({ analysis })));
  const registry = buildAnalysis(settings, { isNew: true });
  // So that the test is quick.
  const enough = 1_000_000;
  const failed: unknown[] = [];
  for (const [i, one] of analyzers.entries()) {
    const analyzer = registry.analyzer(`a${i}`)!;
    for (const text of TEXTS) {
      const size = analyzer.sizeOf?.(text, enough) ?? 0;
      if (size > enough || text.length > 4000) continue;
      try {
        let units = 0;
        analyzer.forEachTerm(text, (term) => (units += term.length));
        if (size > 0 && units > size) failed.push({ ...one, text: text.slice(0, 10), units, size });
      } catch (error) {
        failed.push({ ...one, text: text.slice(0, 10), error: String(error) });
      }
    }
  }
  expect(failed).toEqual([]);
});
