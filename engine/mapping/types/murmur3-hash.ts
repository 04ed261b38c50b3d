// MurmurHash3, the 128-bit variant for 64-bit machines with seed 0, of which the first half is kept.

const C1 = 0x87c37b91114253d5n;
const C2 = 0x4cf5ad432745937fn;
const BLOCK_BYTES = 16;
const MASK = 2n ** 64n - 1n;

function rotated(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & MASK;
}

function mixedLow(word: bigint): bigint {
  return (rotated((word * C1) & MASK, 31n) * C2) & MASK;
}

function mixedHigh(word: bigint): bigint {
  return (rotated((word * C2) & MASK, 33n) * C1) & MASK;
}

function finished(value: bigint): bigint {
  let h = value ^ (value >> 33n);
  h = (h * 0xff51afd7ed558ccdn) & MASK;
  h ^= h >> 33n;
  h = (h * 0xc4ceb9fe1a85ec53n) & MASK;
  return h ^ (h >> 33n);
}

/** The first 64 bits of the hash of a text's UTF-8 bytes, as a signed integer. */
export function murmur3(text: string): bigint {
  const length = Buffer.byteLength(text);
  const whole = length - (length % BLOCK_BYTES);
  // The rest is filled up with zeros, which change nothing.
  const bytes = Buffer.alloc(whole + BLOCK_BYTES);
  bytes.write(text);
  let h1 = 0n;
  let h2 = 0n;
  for (let at = 0; at < whole; at += BLOCK_BYTES) {
    h1 ^= mixedLow(bytes.readBigUInt64LE(at));
    h1 = ((rotated(h1, 27n) + h2) * 5n + 0x52dce729n) & MASK;
    h2 ^= mixedHigh(bytes.readBigUInt64LE(at + 8));
    h2 = ((rotated(h2, 31n) + h1) * 5n + 0x38495ab5n) & MASK;
  }
  h2 ^= mixedHigh(bytes.readBigUInt64LE(whole + 8)) ^ BigInt(length);
  h1 ^= mixedLow(bytes.readBigUInt64LE(whole)) ^ BigInt(length);
  h1 = (h1 + h2) & MASK;
  h2 = (h2 + h1) & MASK;
  return BigInt.asIntN(64, finished(h1) + finished(h2));
}
