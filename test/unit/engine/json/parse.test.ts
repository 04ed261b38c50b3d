import * as fc from 'fast-check';
import { JsonNumber, type JsonValue } from '../../../../engine/json/json';
import { decodeUtf8, parseJson, parseJsonObject } from '../../../../engine/json/parse';
import { JsonSyntaxError } from '../../../../engine/json/syntax-error';
import { writeJson } from '../../../../engine/json/write';

/** What JSON.parse would have made of it. */
function plain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return value.value;
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return Object.fromEntries([...value].map(([k, v]) => [k, plain(v)]));
  return value;
}

test('agrees with JSON.parse on any JSON text, and its output parses to the same again', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      const parsed = parseJson(text);
      expect(plain(parsed)).toEqual(JSON.parse(text));
      expect(JSON.parse(writeJson(parsed))).toEqual(JSON.parse(text));
    }),
  );
});

test('never throws anything but a syntax error', () => {
  const fragments = fc.constantFrom(...'{}[]:,"\\u/*- 0123abctruefalsenull.eE\n\té');
  fc.assert(
    fc.property(fc.array(fragments, { maxLength: 30 }), (parts) => {
      const text = parts.join('');
      try {
        parseJson(text);
      } catch (error) {
        expect(error).toBeInstanceOf(JsonSyntaxError);
      }
    }),
    { numRuns: 2000 },
  );
});

test('refuses strict-JSON errors wherever JSON.parse does, apart from the lenient dialect', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, seed) => {
      const cut = text.slice(0, seed % text.length);
      let strict = true;
      try {
        JSON.parse(cut);
      } catch {
        strict = false;
      }
      if (strict) expect(() => parseJson(cut)).not.toThrow();
    }),
  );
});

test('keeps member order, integer-like names included, and the last of duplicates', () => {
  const value = parseJsonObject('{"b":1,"10":2,"2":3,"b":4}');
  expect([...value.keys()]).toEqual(['b', '10', '2']);
  expect(writeJson(value)).toBe('{"b":4,"10":2,"2":3}');
});

test('user-chosen names are data', () => {
  const value = parseJsonObject('{"__proto__":{"x":1},"constructor":2,"toString":3}');
  expect(writeJson(value)).toBe('{"__proto__":{"x":1},"constructor":2,"toString":3}');
  expect(Object.getPrototypeOf({})).not.toHaveProperty('x');
});

test('64-bit integers survive', () => {
  expect(writeJson(parseJson('[9007199254740993,-9223372036854775808]'))).toBe(
    '[9007199254740993,-9223372036854775808]',
  );
});

test('depth is limited, never by the call stack', () => {
  const deep = '['.repeat(1000) + ']'.repeat(1000);
  expect(() => parseJson(deep)).toThrow('nesting deeper than [250]');
  expect(writeJson(parseJson(deep, 1000))).toBe(deep);
});

test.each(['', '  ', '[1]', '12', '"x"', '---\na: 1'])('%j is no object', (text) => {
  expect(() => parseJsonObject(text)).toThrow('Failed to derive xcontent');
});

test('decodes UTF-8 strictly', () => {
  expect(decodeUtf8(Buffer.from('aé😀'))).toBe('aé😀');
  expect(decodeUtf8(Buffer.from('\ufeffé'))).toBe('é');
  expect(decodeUtf8(Buffer.from('plain'))).toBe('plain');
  expect(() => decodeUtf8(Buffer.from([0x22, 0xff, 0x22]))).toThrow(JsonSyntaxError);
  expect(() => decodeUtf8(Buffer.from([0xed, 0xa0, 0x80]))).toThrow(JsonSyntaxError);
});
