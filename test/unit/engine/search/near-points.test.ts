// Documents with a term and a point near by are found the same whether each is asked for its place or the set
// of all near ones is made, which is decided by how many have the term.

import { distanceFrom } from '../../../../engine/geo/index';
import { idsOf, SearchNode } from '../../../support/search-node';
import { Random, testSeed } from '../../../support/random';

const DOCS = 3000;
const CENTER = { latitude: 52.5, longitude: 13.4 };
/** Words, with the share of the documents that have them. */
const WORDS = { frequent: 0.3, usual: 0.05, less: 0.02, rare: 0.004 };

const random = new Random(testSeed(20261125));
const docs = Array.from({ length: DOCS }, (_, i) => ({
  id: String(i),
  words: Object.entries(WORDS).flatMap(([word, share]) => (random.chance(share) ? [word] : [])),
  place: [40 + random.next() * 20, random.next() * 30] as const,
}));

const node = new SearchNode();
node.createIndex('i', { text: 'text', place: 'geo_point' });
for (const { id, words, place } of docs) node.add('i', id, { text: words.join(' '), place });
node.refresh('i');

test.each(Object.keys(WORDS))('%s', async (word) => {
  const meters = distanceFrom(CENTER, 'arc', 1);
  for (const kilometers of [20, 200, 350, 900]) {
    const near = docs.filter(
      ({ words, place: [latitude, longitude] }) =>
        words.includes(word) && meters(latitude, longitude) <= kilometers * 1000,
    );
    const query = {
      filtered: {
        query: { match: { text: word } },
        filter: {
          geo_distance: {
            distance: `${kilometers}km`,
            distance_type: 'arc',
            place: { lat: CENTER.latitude, lon: CENTER.longitude },
          },
        },
      },
    };
    for (let time = 0; time < 3; time++) {
      const found = await node.search('i', { query, size: DOCS });
      expect(found.total).toBe(near.length);
      expect(idsOf(found).sort()).toEqual(near.map(({ id }) => id).sort());
    }
  }
});
