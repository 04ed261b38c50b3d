// Measures of likeness, with the figures of the reference server.

import { DISTANCES } from '../../../../engine/suggest/words/string-distance';
import figures from './distances.json';

test.each(figures as [keyof typeof DISTANCES, string, string, number][])(
  '%s of %s and %s',
  (name, word, candidate, score) => {
    expect(DISTANCES[name](word, candidate)).toBe(Math.fround(score));
  },
);

test.each(Object.keys(DISTANCES) as (keyof typeof DISTANCES)[])('%s of equal words', (name) => {
  expect(DISTANCES[name]('word', 'word')).toBe(1);
});
