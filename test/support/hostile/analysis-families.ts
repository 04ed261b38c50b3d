// Analysis that makes much of little.

import { family, post, put, get, list, type Family } from './family';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const word = (length: number): string =>
  LETTERS.repeat(length / LETTERS.length + 1).slice(0, length);
const words = (count: number): string => list(count, (n) => `w${n}`).replaceAll(',', ' ');

/** An index with an analyzer `a` for the field `f`, a document, and a look at both. */
function* tried(name: string, analysis: object, texts: readonly string[]) {
  const mappings = { t: { properties: { f: { type: 'string', analyzer: 'a' } } } };
  yield put(`/${name}`, JSON.stringify({ settings: { analysis }, mappings }));
  for (const [n, text] of texts.entries()) {
    const quoted = JSON.stringify({ f: text });
    yield put(`/${name}/t/${n}`, quoted);
    yield post(`/${name}/_analyze?analyzer=a`, text);
    yield post(`/${name}/_search`, `{"query":{"match":${quoted}}}`);
  }
  yield post(`/${name}/_refresh`);
}

const chain = (filters: Record<string, object>, tokenizer = 'whitespace'): object => ({
  filter: filters,
  analyzer: { a: { type: 'custom', tokenizer, filter: Object.keys(filters) } },
});

const HUGE = [2_147_483_647, 1e9, 1e6, 30_000, 255];

export const ANALYSIS_FAMILIES: readonly Family[] = [
  family('grams and shingles of huge sizes', function* (size) {
    const texts = [word(size(30_000)), words(size(5000))];
    // Short texts have the same grams by all sizes beyond their length.
    const sizes = size(100) === 100 ? HUGE : [HUGE[0]!, HUGE.at(-1)!];
    for (const [n, most] of sizes.entries()) {
      for (const type of ['nGram', 'edgeNGram']) {
        const grams = { type, min_gram: 1, max_gram: most };
        yield* tried(`h-${type.toLowerCase()}-${n}`, chain({ g: grams }, 'keyword'), texts);
        const analysis = { tokenizer: { g: grams }, analyzer: { a: { tokenizer: 'g' } } };
        yield* tried(`h-t-${type.toLowerCase()}-${n}`, analysis, texts);
      }
      const shingle = { type: 'shingle', min_shingle_size: 2, max_shingle_size: most };
      yield* tried(`h-shingle-${n}`, chain({ s: shingle }), texts);
    }
  }),
  family('filters that each make more of what the one before made', function* (size) {
    const grams = { type: 'nGram', min_gram: 1, max_gram: 20 };
    const shingle = { type: 'shingle', max_shingle_size: 10 };
    const parts = { type: 'word_delimiter', catenate_all: true, preserve_original: true };
    const capture = { type: 'pattern_capture', patterns: ['(.)', '(..)', '(...)', '(.+)'] };
    const texts = [word(size(2000)), words(size(1000))];
    yield* tried('h-gg', chain({ one: grams, two: grams, three: grams }), texts);
    yield* tried('h-gs', chain({ one: grams, two: shingle }), texts);
    yield* tried('h-ss', chain({ one: shingle, two: shingle, three: shingle }), texts);
    yield* tried('h-pc', chain({ one: parts, two: capture, three: capture }), texts);
  }),
  family('_analyze of 300 KB under nGram 1-30', function* () {
    yield* tried('h-a', chain({ g: { type: 'nGram', min_gram: 1, max_gram: 30 } }, 'keyword'), []);
    const text = word(300_000);
    for (const [name, body] of [
      ['one word', text],
      ['short words', words(50_000)],
      ['marks', '\u0301'.repeat(100_000)],
    ] as const) {
      for (const format of ['', '&format=text', '&pretty&format=yaml']) {
        yield post(`/h-a/_analyze?analyzer=a&name=${encodeURIComponent(name)}${format}`, body);
      }
      yield post('/_analyze?tokenizer=nGram&filters=lowercase,nGram,nGram,shingle', body);
      yield post('/_analyze?analyzer=standard', body);
    }
    yield get(`/_analyze?tokenizer=nGram&text=${word(12_000)}`);
  }),
  family('word lists of hundreds of thousands', function* (size) {
    const many = (count: number, item: (n: number) => string): string[] =>
      Array.from({ length: size(count) }, (_, n) => item(n));
    const synonym = { type: 'synonym', synonyms: many(100_000, (n) => `a${n}, b${n} c${n} => d`) };
    yield* tried('h-syn', chain({ s: synonym }), ['a1 b2 c2']);
    const prefix = many(3000, (n) => `${'p '.repeat(n % 1000)}q${n} => r`);
    yield* tried('h-long', chain({ s: { type: 'synonym', synonyms: prefix } }), [
      'p '.repeat(3000),
    ]);
    const stop = { type: 'stop', stopwords: many(500_000, (n) => `s${n}`) };
    yield* tried('h-stop', chain({ s: stop }), ['s1 s2']);
    const parts = { type: 'dictionary_decompounder', word_list: many(100_000, (n) => `d${n}`) };
    yield* tried('h-dict', chain({ d: parts }), [word(size(30_000))]);
    const mapping = { type: 'mapping', mappings: many(100_000, (n) => `m${n}=>n`) };
    const mapped = {
      char_filter: { m: mapping },
      analyzer: { a: { tokenizer: 'keyword', char_filter: ['m'] } },
    };
    yield* tried('h-map', mapped, [list(1000, (n) => `m${n}`)]);
  }),
  family('patterns that explode and replacements that grow', function* (size) {
    const text = `${'a'.repeat(size(100_000))}!`;
    const patterns = [
      '(a+)+$',
      '(a|a)*b',
      '(.*)*x',
      '(a|aa)+$',
      'a{1,1000}{1,1000}',
      '((a{0,100}){0,100}){0,100}b',
      '(?=(a+))b',
      '('.repeat(5000) + 'a' + ')'.repeat(5000),
      '[a-z&&[^b]]+'.repeat(300),
    ];
    for (const [n, pattern] of patterns.entries()) {
      const tokenizer = { p: { type: 'pattern', pattern } };
      yield* tried(`h-p-${n}`, { tokenizer, analyzer: { a: { tokenizer: 'p' } } }, [text]);
      yield* tried(`h-q-${n}`, chain({ c: { type: 'pattern_capture', patterns: [pattern] } }), [
        text,
      ]);
    }
    const replaced = {
      type: 'pattern_replace',
      pattern: '(.)',
      replacement: '$1'.repeat(size(2000)),
    };
    yield* tried('h-r', chain({ one: replaced, two: replaced }, 'keyword'), [text]);
  }),
  family('character filters that each make a text longer, also that of a query', function* (size) {
    const text = 'a'.repeat(size(100_000));
    const type = 'pattern_replace';
    const replaced = { type, pattern: '(.)', replacement: '$1'.repeat(size(2000)) };
    const filtered = {
      char_filter: { r: replaced },
      analyzer: { a: { tokenizer: 'keyword', char_filter: ['r', 'r', 'r'] } },
    };
    yield* tried('h-s', filtered, [text]);
  }),
  family('one synonym rule of thousands of words', function* (size) {
    const one = { type: 'synonym', synonyms: [list(size(50_000), (n) => `x${n}`)] };
    yield* tried('h-one', chain({ s: one }), [words(100), list(500, (n) => `x${n}`)]);
  }),
  family('thousands of analyzers', function* (size) {
    const analyzer = Object.fromEntries(
      Array.from({ length: size(20_000) }, (_, n) => [
        `a${n}`,
        { tokenizer: 'standard', filter: ['lowercase'] },
      ]),
    );
    yield put('/h-many', JSON.stringify({ settings: { analysis: { analyzer } } }));
    yield put('/h-many/t/1?refresh', '{"f":"x"}');
    const filter = Array.from({ length: size(20_000) }, () => 'lowercase');
    yield* tried('h-filters', { analyzer: { a: { tokenizer: 'standard', filter } } }, [
      words(1000),
    ]);
  }),
];
