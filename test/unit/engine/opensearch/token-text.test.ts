import { TokenText } from '../../../../engine/opensearch/layout/token-text';
import { fieldNorm } from '../../../../engine/similarity/contract/norms';

/** A length as Lucene keeps it in a byte (SmallFloat.intToByte4). */
function kept(length: number): number {
  if (length < 40) return length;
  const more = length - 24;
  const shift = 28 - Math.clz32(more);
  return 24 + ((more >>> shift) << shift);
}

function textOf(tokens: number): TokenText {
  const text = new TokenText();
  for (let i = 0; i < tokens; i++) text.add('x', 1);
  return text;
}

describe('the tokens of a text', () => {
  test('become as many as it takes for the norm to be that of the embedded engine', () => {
    for (let length = 1; length < 3000; length++) {
      const text = textOf(length);
      text.fill(false);
      const filled = text.toString().split('\u0001').length;
      expect([length, fieldNorm(kept(filled), 1)]).toEqual([length, fieldNorm(length, 1)]);
      expect(filled).toBeLessThan(1.15 * length + 1);
    }
  });

  test('those at one place count where the similarity says so', () => {
    const text = textOf(3);
    for (let i = 0; i < 20; i++) text.add('y', 0);
    text.skip(2);
    text.fill(false);
    const [, , last] = text.toString().split('\u0001');
    expect(last!.split('\u0002')).toHaveLength(21);
    expect(text.toString().split('\u0001')).toHaveLength(5);
    text.fill(true);
    const places = text.toString().split('\u0001').length - 2;
    expect(fieldNorm(places, 1)).toBe(fieldNorm(23, 1));
  });
});
