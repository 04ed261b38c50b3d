// Packs blocks of 128 values for postings; unpack.ts is the other direction.

import { POSTINGS_BLOCK } from '../format/format';

/** Bits needed for the largest of `values[0 .. 128)`: 0 to 32. */
export function bitsNeeded(values: Uint32Array): number {
  let any = 0;
  for (let i = 0; i < POSTINGS_BLOCK; i++) any |= values[i]!;
  return 32 - Math.clz32(any);
}

/**
 * Packs 128 values of `width` bits into 4 * width words of `out` from `at`.
 * The words need not be cleared before.
 */
export function pack(width: number, values: Uint32Array, out: Uint32Array, at: number): void {
  let word = at;
  let bits = 0;
  let used = 0;
  for (let i = 0; i < POSTINGS_BLOCK && width > 0; i++) {
    const value = values[i]!;
    bits |= value << used;
    used += width;
    if (used >= 32) {
      out[word++] = bits;
      used -= 32;
      // The rest of the value; a shift by 32 would be one by 0.
      bits = used === 0 ? 0 : value >>> (width - used);
    }
  }
}
