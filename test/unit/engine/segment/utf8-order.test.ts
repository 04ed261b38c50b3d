import fc from 'fast-check';
import {
  compareBytes,
  compareUtf8,
  maxUtf8Length,
  readUtf8,
  writeUtf8,
} from '../../../../engine/segment/dictionary/utf8-order';

const TEXT = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        'a',
        '\u007f',
        '\u0080',
        '\u07ff',
        '\u0800',
        '\ud800',
        '\udc00',
        '\udbff',
        '\ufffd',
        '\uffff',
        '\u{10000}',
        '\u{10ffff}',
      ),
      { maxLength: 5 },
    )
    .map((parts) => parts.join('')),
);

describe('the order of terms', () => {
  test('is that of their UTF-8 bytes', () => {
    fc.assert(
      fc.property(TEXT, TEXT, (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });

  test('puts code points above the surrogates last', () => {
    expect(compareUtf8('\uffff', '\u{1f600}')).toBeLessThan(0);
    // oxlint-disable-next-line no-constant-binary-expression -- it shows what the order differs from
    expect('\uffff' < '\u{1f600}').toBe(false);
  });

  test('writes and reads what Buffer does', () => {
    fc.assert(
      fc.property(TEXT, fc.nat(3), (text, at) => {
        const bytes = new Uint8Array(maxUtf8Length(text) + at);
        const end = writeUtf8(text, bytes, at);
        const expected = Buffer.from(text);
        expect(Buffer.from(bytes.subarray(at, end)).equals(expected)).toBe(true);
        expect(readUtf8(bytes, at, end)).toBe(expected.toString());
      }),
    );
  });

  test('puts a prefix before its extensions', () => {
    const bytes = Buffer.from('foofoobar');
    expect(compareBytes(bytes, 0, 3, bytes, 3, 9)).toBeLessThan(0);
    expect(compareBytes(bytes, 0, 3, bytes, 3, 6)).toBe(0);
    expect(compareBytes(bytes, 0, 0, bytes, 3, 4)).toBeLessThan(0);
  });
});
