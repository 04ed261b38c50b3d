// Keys of completions: tokens joined, holes and tails kept, several where tokens share a place.

import { buildAnalysis } from '../../../../engine/analysis/index';
import { completionPaths } from '../../../../engine/mapping/types/completion-paths';

const registry = buildAnalysis(
  new Map<string, string | readonly string[]>([
    ['index.analysis.filter.st.type', 'stop'],
    ['index.analysis.filter.st.stopwords', ['the', 'of']],
    ['index.analysis.filter.sy.type', 'synonym'],
    ['index.analysis.filter.sy.synonyms', ['wifi,wlan']],
    ['index.analysis.filter.sh.type', 'shingle'],
    ['index.analysis.analyzer.stopped.tokenizer', 'standard'],
    ['index.analysis.analyzer.stopped.filter', ['lowercase', 'st']],
    ['index.analysis.analyzer.synonyms.tokenizer', 'standard'],
    ['index.analysis.analyzer.synonyms.filter', ['lowercase', 'sy']],
    ['index.analysis.analyzer.shingles.tokenizer', 'standard'],
    ['index.analysis.analyzer.shingles.filter', ['sh']],
  ]),
);
const KEEP = { preserveSeparators: true, preservePositionIncrements: true };

test.each([
  ['simple', 'Green Day', KEEP, ['green|day']],
  ['simple', 'green ', KEEP, ['green|']],
  ['simple', ' -green', KEEP, ['green']],
  ['simple', ' - ', KEEP, []],
  ['simple', '', KEEP, []],
  ['simple', 'green day', { ...KEEP, preserveSeparators: false }, ['greenday']],
  ['stopped', 'the lord of rings', KEEP, ['|lord||rings']],
  ['stopped', 'the lord of rings', { ...KEEP, preservePositionIncrements: false }, ['lord|rings']],
  ['stopped', 'lord of the', KEEP, ['lord|']],
  ['synonyms', 'wifi net', KEEP, ['wifi|net', 'wlan|net']],
  ['shingles', 'a b c', KEEP, ['a b|c', 'a|b c', 'a|b|c']],
])('%s: %j %j', (name, text, options, keys) => {
  const found = completionPaths(registry.analyzer(name)!, text, options);
  expect(found.map((key) => key.replaceAll('\u001f', '|')).sort()).toEqual(keys);
});

test('there are at most 256 of them', () => {
  const text = Array.from({ length: 12 }, () => 'wifi').join(' ');
  expect(completionPaths(registry.analyzer('synonyms')!, text, KEEP)).toHaveLength(256);
});
