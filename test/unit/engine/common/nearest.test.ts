import { didYouMean, nearest } from '../../../../engine/common/nearest';

const NAMES = ['match', 'match_phrase', 'term', 'terms', 'range', 'geo_distance', 'in'];

test.each([
  ['mtach', 'match'],
  ['matchPhrase', 'match_phrase'],
  ['match-phrse', 'match_phrase'],
  ['ternm', 'term'],
  ['termss', 'terms'],
  ['rnage', 'range'],
  ['geodistance', 'geo_distance'],
  ['geo_distnace', 'geo_distance'],
])('%s is %s', (word, name) => {
  expect(nearest(word, NAMES)).toBe(name);
});

test.each(['', 'x', 'ix', 'no', 'constructor', '__proto__', 'nosuch', 'm'.repeat(1e6)])(
  '%.20s is nothing',
  (word) => {
    expect(nearest(word, NAMES)).toBeNull();
    expect(didYouMean(word, NAMES)).toBe('');
  },
);

test('of two the nearer one is meant, and of equals the first', () => {
  expect(nearest('number_of_shard', ['number_of_replicas', 'number_of_shards'])).toBe(
    'number_of_shards',
  );
  expect(nearest('abcX', ['abcd', 'abce'])).toBe('abcd');
  expect(didYouMean('mtach', NAMES)).toBe(', did you mean [match]?');
});
