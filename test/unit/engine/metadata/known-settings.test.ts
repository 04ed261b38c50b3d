import {
  isKnownIndexSetting,
  knownIndexSettings,
  nearestIndexSetting,
} from '../../../../engine/metadata/known-settings';

test.each([
  'index.number_of_shards',
  'index.refresh_interval',
  'index.analysis.analyzer.mine.type',
  'index.analysis.filter.f.synonyms.0',
  'index.similarity.mine.type',
  'index.routing.allocation.include.rack',
  'index.translog.flush_threshold_ops',
  'index.query.default_field',
  'index.mapper.dynamic',
])('%s is known', (name) => expect(isKnownIndexSetting(name)).toBe(true));

test.each([
  ['index.number_of_shard', 'index.number_of_shards'],
  ['index.numbr_of_replicas', 'index.number_of_replicas'],
  ['index.refesh_interval', 'index.refresh_interval'],
  ['index.analysys.analyzer.mine.type', 'index.analysis.analyzer.mine.type'],
  ['index.similarty.mine.type', 'index.similarity.mine.type'],
  ['index.routing.allocation.includ.rack', 'index.routing.allocation.include.rack'],
  ['index.colour', null],
  ['index.analysis', null],
  ['index.', null],
])('%s is not, %s was meant', (name, meant) => {
  expect(isKnownIndexSetting(name)).toBe(false);
  expect(nearestIndexSetting(name)).toBe(meant);
});

test('every name that the engine reads is known', () => {
  const names = knownIndexSettings();
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(isKnownIndexSetting(name.replace(/\*+$/, 'x'))).toBe(true);
});
