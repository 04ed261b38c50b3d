// Hashes of 64 bits, as two halves of 32: what distinct values are told apart by. Hot: once per value, or
// once per term of a segment.

/** The halves that the last call of a function of this file left. */
export const hashed = { high: 0, low: 0 };

/** Hashes 64 bits; different ones never have the same hash. */
export function hashBits(high: number, low: number): void {
  // Four rounds of a Feistel network, which is a permutation.
  low ^= mixed(high, 0x9e3779b9);
  high ^= mixed(low, 0x7f4a7c15);
  low ^= mixed(high, 0x85ebca6b);
  high ^= mixed(low, 0xc2b2ae35);
  hashed.high = high >>> 0;
  hashed.low = low >>> 0;
}

/** Hashes the bytes[from .. to) of a text. */
export function hashText(bytes: Uint8Array, from: number, to: number): void {
  let high = 0x243f6a88;
  let low = 0x85a308d3;
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!;
    high = Math.imul(high ^ byte, 0x9e3779b1);
    low = Math.imul(low ^ byte ^ (high >>> 16), 0x85ebca77);
    high ^= low >>> 13;
  }
  hashBits(high, low ^ (to - from));
}

const doubles = new Float64Array(2);
const words = new Uint32Array(doubles.buffer);

/** Hashes a double by its bits. */
export function hashDouble(value: number): void {
  doubles[0] = value;
  hashBits(words[1]!, words[0]!);
}

/** Hashes an integer that a double holds exactly, as all 64 bits of it. */
export function hashInteger(value: number): void {
  hashBits(Math.floor(value / 0x100000000), value | 0);
}

/** Hashes a point. */
export function hashPoint(latitude: number, longitude: number): void {
  doubles[0] = latitude;
  doubles[1] = longitude;
  hashBits(words[1]!, words[0]!);
  hashBits(hashed.high ^ words[3]!, hashed.low ^ words[2]!);
}

function mixed(value: number, salt: number): number {
  let h = Math.imul(value ^ salt, 0xcc9e2d51);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  h ^= h >>> 12;
  h = Math.imul(h, 0x297a2d39);
  return h ^ (h >>> 15);
}
