import { crc32 } from 'node:zlib';

import { checksum } from '../../../storage/checksum';
import { seededRandom } from './support';

test('sums of all lengths are those of zlib, one part after the other', () => {
  const random = seededRandom(11);
  for (let length = 0; length < 200; length++) {
    const bytes = Buffer.from(Array.from({ length: length + 3 }, () => random() * 256));
    const before = Math.floor(random() * 2 ** 32);
    const part = bytes.subarray(0, length);
    expect(checksum(bytes, length)).toBe(crc32(part));
    expect(checksum(bytes, length, before)).toBe(crc32(part, before));
  }
});
