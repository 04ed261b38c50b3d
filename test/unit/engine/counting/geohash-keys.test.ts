import { GeohashKeys } from '../../../../engine/counting/geohash-keys';
import { textAt } from '../../../../engine/counting/key-lists';
import { encodeGeohash } from '../../../../engine/geo/index';
import { repeatable } from '../../../support/repeatable';
import { testSeed } from '../../../support/random';

it.each([1, 2, 5, 11, 12])('cells are those of geohashes of %i characters', (length) => {
  const roll = repeatable(testSeed(length));
  const n = 200;
  // Two points for each document; some on borders of cells.
  const coordinate = (limit: number) =>
    roll() < 0.2 ? limit * (Math.floor(roll() * 9) / 4 - 1) : limit * (2 * roll() - 1);
  const latitudes = Float64Array.from({ length: n }, () => coordinate(90));
  const longitudes = Float64Array.from({ length: n }, () => coordinate(180));
  const docCount = n / 2;
  const offsets = Uint32Array.from({ length: docCount + 1 }, (_, doc) => 2 * doc);
  const keys = new GeohashKeys({ docCount, offsets, latitudes, longitudes }, length);
  const words = new Uint32Array(Math.ceil(docCount / 32)).fill(0xffffffff);
  words[words.length - 1] = 2 ** (docCount % 32) - 1;
  const pairs = keys.load(words, 0, words.length);
  const list = keys.keys();
  if (list.type !== 'string') throw new Error('keys are texts');
  const found: string[][] = Array.from({ length: docCount }, () => []);
  for (let i = 0; i < pairs; i++) found[keys.docs[i]!]!.push(textAt(list, keys.buckets[i]!));
  for (let doc = 0; doc < docCount; doc++) {
    const hashes = [2 * doc, 2 * doc + 1].map((point) =>
      encodeGeohash({ latitude: latitudes[point]!, longitude: longitudes[point]! }, length),
    );
    expect(found[doc]).toEqual([...new Set(hashes)]);
  }
});
