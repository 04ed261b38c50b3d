// What analysis makes of a text is counted before it is made, and synonym rules take what their text takes.

import { OffsetMap } from '../../../../engine/analysis/char-filters/offset-map';
import { ReplacedText } from '../../../../engine/analysis/char-filters/replaced-text';
import { parseSynonyms } from '../../../../engine/analysis/chain/synonym-rules';
import { SizeBudget } from '../../../../engine/analysis/chain/token-budget';
import { builtinTokenizer } from '../../../../engine/analysis/builtin';
import { atOnce } from '../../../../engine/common/index';
import { Random } from '../../../support/random';
import { errorOf, registryOf, terms } from './support';

const LONGER = { type: 'pattern_replace', pattern: 'a', replacement: 'a'.repeat(1000) };
const GRAMS = { type: 'nGram', min_gram: 1, max_gram: 500 };
const words = (count: number): string[] => Array.from({ length: count }, (_, n) => `w${n}`);

const registry = registryOf({
  char_filter: {
    longer: LONGER,
    twice: { type: 'pattern_replace', pattern: '(a+)', replacement: '$1$1' },
    mapped: { type: 'mapping', mappings: [`a=>${'a'.repeat(1000)}`] },
    shorter: { type: 'pattern_replace', pattern: '[ab]', replacement: '$0' },
  },
  tokenizer: { gram_tokens: GRAMS, paths: { type: 'path_hierarchy' } },
  filter: {
    longer: LONGER,
    grams: GRAMS,
    edges: { ...GRAMS, type: 'edgeNGram' },
    shingles: { type: 'shingle', max_shingle_size: 50 },
    letters: { type: 'pattern_capture', patterns: ['(.)', '(..)'] },
    parts: { type: 'word_delimiter', preserve_original: true },
    pairs: { type: 'common_grams', common_words: ['a'] },
    subwords: {
      type: 'dictionary_decompounder',
      word_list: Array.from({ length: 100 }, (_, n) => 'a'.repeat(n + 1)),
      max_subword_size: 100,
    },
    same: { type: 'synonym', synonyms: [words(500).join(',')] },
  },
  analyzer: {
    longer: { tokenizer: 'keyword', char_filter: ['longer', 'longer', 'longer'] },
    twice: { tokenizer: 'keyword', char_filter: new Array(60).fill('twice') },
    mapped: { tokenizer: 'standard', char_filter: ['mapped', 'mapped', 'mapped'] },
    longer_terms: { tokenizer: 'keyword', filter: ['longer', 'longer', 'longer'] },
    longer_and_stopped: { tokenizer: 'keyword', filter: ['longer', 'longer', 'unique'] },
    gram_tokens: { tokenizer: 'gram_tokens' },
    paths: { tokenizer: 'paths' },
    grams: { tokenizer: 'keyword', filter: ['grams'] },
    edges: { tokenizer: 'keyword', filter: ['edges', 'edges', 'edges'] },
    shingles: { tokenizer: 'whitespace', filter: ['shingles'] },
    letters: { tokenizer: 'keyword', filter: ['letters'] },
    parts: { tokenizer: 'keyword', filter: ['parts'] },
    pairs: { tokenizer: 'whitespace', filter: ['pairs'] },
    subwords: { tokenizer: 'keyword', filter: ['subwords'] },
    same: { tokenizer: 'whitespace', filter: ['same'] },
    cjk: { tokenizer: 'standard', filter: ['cjk_bigram'] },
    shorter: { tokenizer: 'whitespace', char_filter: ['shorter'], filter: ['lowercase'] },
  },
});

const LIMIT = 20_000;

/** Counts up to the limit; what is asked for at once is in it. */
function counted(): { asked: number; budget: SizeBudget } {
  const counts = { asked: 0, budget: new SizeBudget(() => undefined) };
  counts.budget = new SizeBudget((bytes) => {
    counts.asked += bytes;
    if (counts.asked > LIMIT) throw new RangeError('the limit');
  });
  return counts;
}

const TEXTS: Readonly<Record<string, string>> = {
  longer: 'aaa',
  twice: 'aaa',
  mapped: 'aaa',
  longer_terms: 'aaa',
  longer_and_stopped: 'aaa',
  gram_tokens: 'x'.repeat(400),
  paths: '/a'.repeat(400),
  grams: 'x'.repeat(400),
  edges: 'x'.repeat(400),
  shingles: 'x '.repeat(100),
  letters: 'x'.repeat(400),
  parts: 'a1'.repeat(400),
  pairs: 'a '.repeat(200),
  subwords: 'a'.repeat(200),
  same: 'w1 w2',
  cjk: '字'.repeat(200),
};

describe.each(Object.entries(TEXTS))('%s', (name, text) => {
  test('stops at the limit', () => {
    const counts = counted();
    expect(() => registry.analyzer(name)!.analyze(text, counts.budget)).toThrow('the limit');
    expect(counts.asked).toBeLessThan(4 * LIMIT);
    expect(() =>
      registry.analyzer(name)!.forEachTerm(text, () => undefined, counted().budget),
    ).toThrow('the limit');
  });
});

describe('steps of regular expressions', () => {
  const large = '[a-z]+'.repeat(300);
  const patterns = registryOf({
    char_filter: { large: { type: 'pattern_replace', pattern: large } },
    tokenizer: { large: { type: 'pattern', pattern: large } },
    filter: {
      large: { type: 'pattern_replace', pattern: large },
      groups: { type: 'pattern_capture', patterns: [`(${large})`] },
      looks: { type: 'pattern_replace', pattern: `(?=${large})x` },
    },
    analyzer: {
      text: { tokenizer: 'keyword', char_filter: ['large'] },
      tokens: { tokenizer: 'large' },
      terms: { tokenizer: 'keyword', filter: ['large'] },
      groups: { tokenizer: 'keyword', filter: ['groups'] },
      looks: { tokenizer: 'keyword', filter: ['looks'] },
    },
  });

  test.each(['text', 'tokens', 'terms', 'groups', 'looks'])('are counted: %s', (name) => {
    const text = 'a'.repeat(1000);
    const analyzer = patterns.analyzer(name)!;
    expect(() => analyzer.analyze(text, counted().budget)).toThrow('the limit');
    expect(() => analyzer.forEachTerm(text, () => undefined, counted().budget)).toThrow(
      'the limit',
    );
    // Of documents they are not: they take time where nobody waits.
    expect(analyzer.sizeOf?.(text, 5000)).not.toBe(Infinity);
  });
});

describe('the size of a document', () => {
  test.each(['longer', 'twice', 'mapped', 'longer_terms', 'longer_and_stopped'])(
    'of %s is known without making it',
    (name) => {
      expect(registry.analyzer(name)!.sizeOf?.('aaa', 100_000)).toBe(Infinity);
    },
  );

  test('nothing for filters that make nothing longer', () => {
    expect(registry.analyzer('shorter')!.sizeOf?.('ab '.repeat(100_000), 1)).toBe(0);
  });

  test('of words that no rule has does not go by the largest rule', () => {
    const same = registry.analyzer('same')!;
    const text = 'other '.repeat(500);
    expect(same.largestSize?.(text.length)).toBeGreaterThan(10_000_000);
    expect(same.sizeOf?.(text, 1_000_000)).toBeLessThan(100_000);
    expect(same.sizeOf?.('w1 '.repeat(500), 1_000_000)).toBe(Infinity);
  });

  test('of subwords goes by the list', () => {
    const subwords = registry.analyzer('subwords')!;
    expect(subwords.sizeOf?.('a'.repeat(10_000), 1_000_000)).toBe(Infinity);
    expect(registryOf({ filter: {} }).safeLength(1_000_000)).toBeGreaterThan(1000);
  });
});

describe('offsets of what was replaced', () => {
  test('are as if each unit had its own', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const random = new Random(seed);
      const text = 'x'.repeat(60);
      const replaced = new ReplacedText(text);
      const single = new OffsetMap();
      let [end, length] = [0, 0];
      while (end < 50) {
        const start = end + random.below(4);
        const matched = random.below(4);
        const put = 'y'.repeat(random.below(6));
        length += start - end;
        replaced.replace(start, start + matched, put);
        if (put.length < matched) {
          single.add(length + put.length, single.lastDifference + matched - put.length);
        }
        for (let i = matched; i < put.length; i++) {
          single.add(length + i, single.lastDifference - 1);
        }
        length += put.length;
        end = start + matched;
        if (matched === 0) end = start;
        if (start === 50) break;
      }
      const result = replaced.result();
      const offsets = Array.from({ length: result.text.length + 1 }, (_, i) => i);
      expect(offsets.map((i) => result.originalOffset(i))).toEqual(
        offsets.map((i) => single.toOriginal(i)),
      );
    }
  });
});

describe('synonym rules', () => {
  const options = {
    format: 'solr',
    expand: true,
    ignoreCase: false,
    tokenizer: builtinTokenizer('whitespace')!,
  } as const;

  test('have one list for all words of a rule', () => {
    const root = atOnce(parseSynonyms([words(5000).join(',')], options));
    const lists = new Set([...root.next.values()].map(({ outputs }) => outputs));
    expect([root.next.size, lists.size]).toEqual([5000, 1]);
    expect([...lists][0]!.length).toBe(5000);
    const mapped = atOnce(parseSynonyms([`${words(5000).join(',')} => x,y,x`], options));
    expect(new Set([...mapped.next.values()].map(({ outputs }) => outputs)).size).toBe(1);
    expect(mapped.next.get('w1')!.outputs).toEqual([['x'], ['y']]);
  });

  test('do not change what words of other rules stand for', () => {
    const rules = ['a,b,b', 'b,c', 'a,b', 'c => d', 'e => a'];
    const root = atOnce(parseSynonyms(rules, options));
    const outputs = [...root.next].map(
      ([word, node]) => `${word}: ${node.outputs.map((output) => output.join(' ')).join(',')}`,
    );
    expect(outputs).toEqual(['a: a,b', 'b: a,b,c', 'c: b,c,d', 'e: a']);
  });

  test('that repeat the words of others without end are refused', () => {
    const rules = Array.from({ length: 5 }, (_, n) => `${words(600).join(',')},x${n}`);
    const synonyms = { filter: { s: { type: 'synonym', synonyms: rules } } };
    expect(errorOf(() => registryOf(synonyms))).toContain(
      'more than [1000000] synonyms of phrases that other rules have as well',
    );
    expect(() => atOnce(parseSynonyms(rules.slice(0, 2), options))).not.toThrow();
  });

  test('of phrases that are very long are read', () => {
    const deep = { type: 'synonym', synonyms: [`${'p '.repeat(100_000)}q => r`] };
    const analyzer = { a: { tokenizer: 'whitespace', filter: ['deep'] } };
    expect(terms(registryOf({ filter: { deep }, analyzer }).analyzer('a'), 'p q')).toBe('p@1 q@2');
  });
});
