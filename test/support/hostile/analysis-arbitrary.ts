// Random settings of analysis, sensible and not, and texts to go with them.

import {
  ANALYZER_TYPES,
  CHAR_FILTER_TYPES,
  TOKEN_FILTER_TYPES,
  TOKENIZER_TYPES,
} from '../../../engine/analysis/builtin';
import type { Random } from '../random';

type Settings = Record<string, unknown>;

const NUMBERS = [0, 1, 2, 3, 5, 7, 20, 255, 1000, 32_766, 1e9, -1, '2', 'x', 1.5];
const FLAGS = [true, false, 'true', 'no', 1, ''];
const WORDS = [
  ['a', 'b c', 'é'],
  ['', ' ', '\0'],
  ['the', 'The', 'THE'],
  ['\ud800', '😀'],
  [],
  '_none_',
  '_english_',
  'a,b , c',
];
const PATTERNS = ['\\W+', '(.)', '(a+)+$', '', '[', '(?=a)', '(\\w)(\\d)?', '.', '\\p{L}+', 'é|ü'];
const TEXTS_OF_SETTINGS = ['', ' ', '/', '_', '\0', '\ud800', 'x', '😀', '$1$2-', '\\'];

/** What settings may be called, and what they may be. A component ignores those of others. */
const VALUES: readonly (readonly [names: string, values: readonly unknown[]])[] = [
  [
    'min_gram max_gram min_shingle_size max_shingle_size min max length group max_token_count',
    NUMBERS,
  ],
  [
    'max_token_length buffer_size skip min_word_size min_subword_size max_subword_size max_size',
    NUMBERS,
  ],
  [
    'output_unigrams output_unigrams_if_no_shingles preserve_original ignore_case expand reverse',
    FLAGS,
  ],
  ['lowercase query_mode dedup only_longest_match consume_all_tokens only_on_same_position', FLAGS],
  ['generate_word_parts generate_number_parts catenate_words catenate_numbers catenate_all', FLAGS],
  [
    'split_on_case_change split_on_numerics stem_english_possessive remove_trailing enable_position_increments',
    FLAGS,
  ],
  ['han hiragana katakana hangul remove_duplicates update_offsets', FLAGS],
  [
    'stopwords stem_exclusion words common_words keywords keep_words articles word_list types',
    WORDS,
  ],
  ['protected_words ignored_scripts escaped_tags token_chars', WORDS],
  ['pattern', PATTERNS],
  ['patterns', [['(a)', '(.)(.)'], ['(\\w+)'], [], PATTERNS]],
  ['replacement delimiter token_separator filler_token encoding', TEXTS_OF_SETTINGS],
  ['flags', ['', 'CASE_INSENSITIVE', 'COMMENTS|UNICODE_CASE', 'X']],
  ['side', ['front', 'back', 'middle']],
  ['synonyms', [['a, b c, d', 'x => y z'], ['=>'], ['a => a a'], ['a b, b a'], [], ['é,e']]],
  ['format', ['solr', 'wordnet', 'x']],
  ['mappings', [['a=>b', 'é => e'], ['=>'], ['aa=>', '😀=>:)'], [], ['\\u0000=>x']]],
  ['rules', [['running => run', 'a=>b'], [], ['=>']]],
  ['type_table', [['$ => DIGIT', '- => ALPHA'], ['x'], []]],
  [
    'language',
    ['English', 'German2', 'light_french', 'Russian', 'possessive_english', 'Kp', 'x', ''],
  ],
  ['name', ['porter2', 'minimal_german', 'arabic', 'lovins', 'x']],
  ['tokenizer', ['standard', 'whitespace', 'keyword', 'nGram', 'none']],
  ['version', ['3.6', '4.10', 'x']],
];
const NAMED = VALUES.flatMap(([names, values]) =>
  names.split(' ').map((name) => [name, values] as const),
);

/** Each type of a kind in turn, then again. */
function turn(types: ReadonlyMap<string, unknown>, n: number): string {
  return [...types.keys()][n % types.size]!;
}

function component(random: Random, type: string): Settings {
  const settings: Settings = { type };
  for (let count = random.below(9); count > 0; count--) {
    const [name, values] = random.pick(NAMED);
    settings[name] = random.pick(values);
  }
  return settings;
}

/**
 * Settings with an analyzer `a`. Of each kind of component that tables know the n-th is in the n-th one, so
 * that a few hundred of them have all.
 */
export function analysisSettings(random: Random, n: number): Settings {
  if (n % 4 === 3) {
    return { analyzer: { a: component(random, turn(ANALYZER_TYPES, n >> 2)) } };
  }
  const filters: Settings = { f0: component(random, turn(TOKEN_FILTER_TYPES, n)) };
  while (random.chance(0.4)) {
    filters[`f${Object.keys(filters).length}`] = component(
      random,
      random.pick([...TOKEN_FILTER_TYPES.keys()]),
    );
  }
  const tokenizer = random.chance(0.5) ? random.pick(['standard', 'whitespace', 'keyword']) : 't';
  const charFilter = random.chance(0.3) ? ['c'] : [];
  return {
    filter: filters,
    tokenizer: { t: component(random, turn(TOKENIZER_TYPES, n >> 1)) },
    char_filter: { c: component(random, turn(CHAR_FILTER_TYPES, n >> 1)) },
    analyzer: {
      a: { type: 'custom', tokenizer, filter: Object.keys(filters), char_filter: charFilter },
    },
  };
}

const PIECES = [
  ...['a', 'B', ' ', 'the ', 'running ', "l'avion ", 'Wi-Fi ', '500-42 ', '/x/y/z', 'a_b', '\t\n'],
  ...[
    '\0',
    '\ud800',
    '\udc00',
    '\ufeff',
    '\u200d',
    '\u0301',
    '\u202e',
    '\uffff',
    '😀',
    '👩‍👩‍👧',
    'ß',
    'İ',
    'ﬁ',
  ],
  ...[
    '日本語',
    'カタ',
    '한국어',
    'ไทย',
    'हिन्दी',
    'كتاب',
    'русский',
    'ελληνικά',
    '<b>&amp;</b>',
    '&#0;',
    '&#x110000;',
  ],
];

/** A text of pieces, some of them repeated `most` times. */
export function hostileText(random: Random, most: number): string {
  let text = '';
  for (let count = random.between(0, 30); count > 0; count--) {
    const times = random.chance(0.05) ? random.below(most) : 1;
    text += random.pick(PIECES).repeat(times);
  }
  return text;
}
