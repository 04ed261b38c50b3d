// CRC-32 as zlib computes it. Keys and id entries are a few bytes long: for them calling zlib costs more than
// the sum does.

import { crc32 } from 'node:zlib';

/** Up to so many bytes are summed up here. */
const SHORT = 32;

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++)
    rest = (rest & 1) !== 0 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/**
 * The checksum of the first `length` bytes, 0 to 2^32 - 1.
 * @param before the checksum of the bytes that come before them.
 */
export function checksum(bytes: Buffer, length: number, before = 0): number {
  if (length > SHORT) return crc32(bytes.subarray(0, length), before);
  let sum = ~before;
  for (let i = 0; i < length; i++) sum = TABLE[(sum ^ bytes[i]!) & 0xff]! ^ (sum >>> 8);
  return ~sum >>> 0;
}
