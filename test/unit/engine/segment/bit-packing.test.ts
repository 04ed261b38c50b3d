import { bitsNeeded, pack } from '../../../../engine/segment/postings/bit-packing';
import { unpack, warmUnpack } from '../../../../engine/segment/postings/unpack';
import { repeatable } from '../../../support/repeatable';

const KEEP = -1;

describe('bit packing', () => {
  test.each(Array.from({ length: 33 }, (_, width) => width))('%i bits', (width) => {
    const next = repeatable(width);
    const limit = 2 ** width;
    for (let round = 0; round < 20; round++) {
      const values = Uint32Array.from({ length: 128 }, () => Math.floor(next() * limit));
      if (round % 2 === 0) values[127] = limit - 1;
      if (round % 2 === 0) expect(bitsNeeded(values)).toBe(width);
      // What lay in the words before does not matter, nor what follows is touched.
      const words = new Uint32Array(140).fill(0xdeadbeef);
      pack(width, values, words, 3);
      expect(words[2]).toBe(0xdeadbeef);
      expect(words[3 + width * 4]).toBe(0xdeadbeef);
      const out = new Uint32Array(128);
      unpack(width, words, 3, out, 0, 0);
      expect(out).toEqual(values.map((value) => value + 1));
      unpack(width, words, 3, out, 41, KEEP);
      let sum = 41;
      expect(out).toEqual(values.map((value) => (sum = (sum + value + 1) >>> 0)));
    }
  });

  test('a warm-up leaves nothing behind', () => {
    expect(() => warmUnpack()).not.toThrow();
  });
});
