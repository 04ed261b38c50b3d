// Lists of words may be long, so what was built of settings is used again while they say the same.

import { buildAnalysis, buildInSteps } from '../../../../engine/analysis/registry';
import { flattenIndexSettings } from '../../../../engine/metadata/settings';
import { errorOf } from './support';
import { json } from '../metadata/support';

const settingsOf = (filter: object, others: object = {}) =>
  flattenIndexSettings(
    json({
      ...others,
      analysis: { filter, analyzer: { a: { tokenizer: 'standard', filter: ['x'] } } },
    }),
  );
const synonyms = (...rules: string[]) => ({ x: { type: 'synonym', synonyms: rules } });

test('the same settings are built once', () => {
  const settings = settingsOf(synonyms('a, b'));
  expect(buildAnalysis(settings)).toBe(buildAnalysis(settings));
});

test('other settings with the same components take over what was built', () => {
  const before = settingsOf(synonyms('a, b'));
  const registry = buildAnalysis(before);
  const after = settingsOf(synonyms('a, b'), { refresh_interval: '5s' });
  expect(buildAnalysis(after, { before })).toBe(registry);
  expect(buildAnalysis(after)).toBe(registry);
});

test.each([
  ['another list', settingsOf(synonyms('a, c'))],
  ['a longer list', settingsOf(synonyms('a, b', 'c, d'))],
  ['an option more', settingsOf({ x: { ...synonyms('a, b').x, expand: false } })],
  ['a component more', settingsOf({ ...synonyms('a, b'), y: { type: 'lowercase' } })],
])('%s is built', (_what, after) => {
  const before = settingsOf(synonyms('a, b'));
  expect(buildAnalysis(after, { before })).not.toBe(buildAnalysis(before));
});

test('a component less is built', () => {
  const before = settingsOf({ ...synonyms('a, b'), y: { type: 'lowercase' } });
  expect(buildAnalysis(settingsOf(synonyms('a, b')), { before })).not.toBe(buildAnalysis(before));
});

test('what an older index may have is still refused in a new one', () => {
  const settings = settingsOf({ x: { type: 'nGram', min_gram: 3, max_gram: 2 } });
  buildAnalysis(settings);
  expect(errorOf(() => buildAnalysis(settings, { isNew: true }))).toContain('does not work');
});

test.each([
  ['synonym', 'synonyms', (n: number) => `a${n}, b${n} => c`],
  ['stemmer_override', 'rules', (n: number) => `a${n} => b`],
])('a long list of %s is read in steps, in which others get their turn', (type, option, rule) => {
  const rules = Array.from({ length: 1000 }, (_, n) => rule(n));
  const steps = buildInSteps(settingsOf({ x: { type, [option]: rules } }));
  let count = 0;
  while (steps.next().done !== true) count++;
  expect(count).toBeGreaterThan(1000);
});

test('a long list of mappings is read in steps', () => {
  const mappings = Array.from({ length: 1000 }, (_, n) => `a${n}=>b`);
  const analysis = { char_filter: { x: { type: 'mapping', mappings } } };
  const steps = buildInSteps(flattenIndexSettings(json({ analysis })));
  let count = 0;
  while (steps.next().done !== true) count++;
  expect(count).toBeGreaterThan(1000);
});
