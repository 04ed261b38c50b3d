// Norms: the length of a field in a document and its boosts, as the one-byte float of the reference
// (3 bits of mantissa, exponent zero point 15). Lossy by design; equal bytes are what make scores equal. All
// similarities read the same bytes.

const floatView = new Float32Array(1);
const intView = new Int32Array(floatView.buffer);

/** The byte for a factor >= 0: rounded down to what the byte can hold, at least the smallest one above 0. */
export function encodeNorm(factor: number): number {
  floatView[0] = factor;
  const bits = intView[0]!;
  const small = bits >> 21;
  if (small <= 384) return bits <= 0 ? 0 : 1;
  return small >= 640 ? 255 : small - 384;
}

/** Stands in the place of a norm byte where a field has no norms. */
export const NO_NORM = 256;

/** The factor of each norm byte, and 1 for {@link NO_NORM}. */
export const NORM_FACTORS: Float32Array = Float32Array.from({ length: 257 }, (_, byte) => {
  if (byte === 0) return 0;
  if (byte === NO_NORM) return 1;
  intView[0] = (byte << 21) + (48 << 24);
  return floatView[0]!;
});

/** The length that each norm byte stands for, and 1 for {@link NO_NORM}; boosts make texts shorter. */
export const NORM_LENGTHS: Float32Array = NORM_FACTORS.map(
  (factor) => 1 / Math.fround(factor * factor),
);

/**
 * The norm byte of a field in one document.
 *
 * @param length tokens, as the similarity counts them
 * @param boost product of the index-time boosts (float32)
 */
export function fieldNorm(length: number, boost: number): number {
  return encodeNorm(Math.fround(Math.fround(boost) * Math.fround(1 / Math.sqrt(length))));
}
