import { encodeNorm, fieldNorm, NORM_FACTORS } from '../../../../engine/similarity/contract/norms';

describe('norms', () => {
  // Factors by field length as the reference's explanations print them.
  test.each([
    [1, 1],
    [2, 0.625],
    [3, 0.5],
    [4, 0.5],
    [5, 0.4375],
    [7, 0.375],
    [10, 0.3125],
    [16, 0.25],
    [40, 0.15625],
    [64, 0.125],
    [163, 0.078125],
    [1024, 0.03125],
    [5349, 0.013671875],
  ])('a field of %i tokens counts %d', (length, factor) => {
    expect(NORM_FACTORS[fieldNorm(length, 1)]).toBe(factor);
  });

  test('boosts multiply in before encoding', () => {
    expect(NORM_FACTORS[fieldNorm(4, 2)]).toBe(1);
    expect(fieldNorm(1, 0)).toBe(0);
    expect(fieldNorm(0, 1)).toBe(255);
  });

  test('every byte but 0 stands for a factor that encodes to it, and factors ascend', () => {
    for (let byte = 1; byte < 256; byte++) {
      expect(encodeNorm(NORM_FACTORS[byte]!)).toBe(byte);
      expect(NORM_FACTORS[byte]).toBeGreaterThan(NORM_FACTORS[byte - 1]!);
    }
    expect(encodeNorm(0)).toBe(0);
    expect(encodeNorm(-1)).toBe(0);
    expect(encodeNorm(1e-30)).toBe(1);
    expect(encodeNorm(Infinity)).toBe(255);
  });
});
