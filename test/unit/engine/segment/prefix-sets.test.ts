import { docsBetween, markOrder } from '../../../../engine/segment/sets/prefix-sets';
import { Random, testSeed } from '../../../support/random';

const SEED = testSeed(7);

describe('documents between two places of an order', () => {
  test.each([0, 1, 31, 33, 500, 5000])('of %d documents, not all of which stand in it', (size) => {
    const random = new Random(SEED + size);
    const docs = shuffled(size, random).slice(0, Math.ceil(size * (0.5 + random.next() / 2)));
    const order = { docs, docCount: size, marks: () => markOrder(docs, size) };
    for (let round = 0; round < 60; round++) {
      const a = random.below(docs.length + 1);
      const b = random.below(docs.length + 1);
      const first = round === 0 ? 0 : Math.min(a, b);
      const end = round === 0 ? docs.length : Math.max(a, b);
      const found = docsBetween(order, first, end);
      const expected = new Set(docs.subarray(first, end));
      expect({ SEED, first, end, size: found.size, count: found.count() }).toEqual({
        SEED,
        first,
        end,
        size,
        count: expected.size,
      });
      expect([...expected].filter((doc) => !found.has(doc))).toEqual([]);
    }
  });
});

function shuffled(size: number, random: Random): Uint32Array {
  const docs = Uint32Array.from({ length: size }, (_, doc) => doc);
  for (let i = size - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [docs[i], docs[j]] = [docs[j]!, docs[i]!];
  }
  return docs;
}
