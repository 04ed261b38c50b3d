import { JsonScanner, JsonToken } from '../../../../engine/json/scanner';
import { JsonSyntaxError } from '../../../../engine/json/syntax-error';

const NAMES = Object.entries(JsonToken);
function tokens(text: string, maxDepth?: number): string[] {
  const scanner = new JsonScanner(text, maxDepth);
  const found: string[] = [];
  for (let token = scanner.next(); token !== JsonToken.End; token = scanner.next()) {
    const name = NAMES.find(([, value]) => value === token)?.[0] ?? '?';
    found.push(`${name} ${scanner.text} ${scanner.depth}`);
  }
  return found;
}

test('reports tokens with their text and depth', () => {
  expect(tokens(' {"a":[1,true,{"b":"x"}],"c":null,"d":false} ')).toEqual([
    'ObjectStart { 1',
    'Name a 1',
    'ArrayStart [ 2',
    'Number 1 2',
    'True true 2',
    'ObjectStart { 3',
    'Name b 3',
    'String x 3',
    'ObjectEnd } 2',
    'ArrayEnd ] 1',
    'Name c 1',
    'Null null 1',
    'Name d 1',
    'False false 1',
    'ObjectEnd } 0',
  ]);
});

test('offsets cover the token as written', () => {
  const text = '{ "na\\u0041me" : -1.5e3 }';
  const scanner = new JsonScanner(text);
  scanner.next();
  scanner.next();
  expect(text.slice(scanner.start, scanner.end)).toBe('"na\\u0041me"');
  expect(scanner.text).toBe('naAme');
  scanner.next();
  expect(text.slice(scanner.start, scanner.end)).toBe('-1.5e3');
});

test('keeps the spelling of numbers beyond 53 bits', () => {
  expect(tokens('[9007199254740993,1.50,1e2,-0,1E+5]')).toContain('Number 9007199254740993 1');
  expect(tokens('[9007199254740993,1.50,1e2,-0,1E+5]')).toContain('Number 1.50 1');
});

test.each([
  ['{"a":"x\\"\\\\\\/\\b\\f\\n\\r\\ty"}', 'x"\\/\b\f\n\r\ty'],
  ['{"a":"\\u00e9\\ud83d\\ude00"}', 'é😀'],
  ['{"a":"\\\\\\\\"}', '\\\\'],
  ['{"a":"\\\\u0041"}', '\\u0041'],
])('decodes the escapes of %s', (text, value) => {
  expect(tokens(text)[2]).toBe(`String ${value} 1`);
});

test.each([4000, 32_766, 32_767, 32_768, 70_000])(
  'decodes escapes in strings of %d characters and more',
  (length) => {
    const plain = 'x'.repeat(length);
    for (const text of [
      `${plain}"\\/\b\f\n\r\t\u0000é😀${plain}\ud800`,
      '\n'.repeat(length),
      `${plain}😀😀${plain}\n`,
    ]) {
      const escaped = [...text].map((unit) => (unit === 'x' ? unit : escapedIn(unit))).join('');
      for (const json of [JSON.stringify(text), `"${escaped}"`]) {
        expect(tokens(`{"a":${json}}`)[2] === `String ${text} 1`).toBe(true);
      }
    }
  },
);

/** As four hex digits, of either case. */
function escapedIn(character: string): string {
  return Array.from({ length: character.length }, (_, i) => {
    const hex = character.charCodeAt(i).toString(16).padStart(4, '0');
    return `\\u${i % 2 === 0 ? hex : hex.toUpperCase()}`;
  }).join('');
}

test.each([
  ['{a:1}', 'Name a 1'],
  ['{a-b:1}', 'Name a-b 1'],
  ['{$x:1}', 'Name $x 1'],
  ['{@x:1}', 'Name @x 1'],
  ['{1a:1}', 'Name 1a 1'],
  ['{*a:1}', 'Name *a 1'],
  ['{a#:1}', 'Name a# 1'],
  ['{größe:1}', 'Name größe 1'],
  ['{/* x */"a"/**/:// y\n1}', 'Name a 1'],
  ['\ufeff  {"a":1//\n}', 'Name a 1'],
  ['{"a":1} trailing }{', 'Name a 1'],
  ['{"__proto__":1}', 'Name __proto__ 1'],
])('accepts the lenient text %j', (text, name) => {
  const found = tokens(text);
  expect(found[1]).toBe(name);
  expect(found[found.length - 1]).toBe('ObjectEnd } 0');
});

// The messages are the reference's own, without the object hash in the location.
test.each([
  ['{"a":01}', 'Invalid numeric value: Leading zeroes not allowed'],
  [
    '{"a":1.}',
    "Unexpected character ('}' (code 125)) in numeric value: Decimal point not followed by a digit",
  ],
  ['{"a":.5}', "Unexpected character ('.' (code 46)): expected a valid value"],
  ['{"a":-}', 'expected digit (0-9) to follow minus sign'],
  ['{"a":1e}', 'Exponent indicator not followed by a digit'],
  ['{"a":truex}', "Unrecognized token 'truex': was expecting 'null', 'true', 'false' or NaN"],
  ['{"a":nul}', "Unrecognized token 'nul'"],
  ['{"a":NaN}', "Unrecognized token 'NaN'"],
  ['{a b:1}', "Unexpected character ('b' (code 98)): was expecting a colon"],
  ['{a.b:1}', "Unexpected character ('.' (code 46)): was expecting a colon"],
  ['{"a":"\\x"}', "Unrecognized character escape 'x' (code 120)"],
  ['{"a":"\\u12"}', 'expected a hex-digit for character escape sequence'],
  ['{"a":1,}', "Unexpected character ('}' (code 125)): was expecting either valid name character"],
  ['{"a":[1,]}', "Unexpected character (']' (code 93)): expected a value"],
  ['{"a":[1 2]}', "Unexpected character ('2' (code 50)): was expecting comma to separate ARRAY"],
  ["{'a':1}", "Unexpected character (''' (code 39)): was expecting either valid name character"],
  ['{"a" 1}', "Unexpected character ('1' (code 49)): was expecting a colon"],
  ['{"a":1x}', "Unexpected character ('x' (code 120)): was expecting comma to separate OBJECT"],
  ['{"a":"b\tc"}', 'Illegal unquoted character ((CTRL-CHAR, code 9))'],
  ['{"a":1]', "Unexpected close marker ']': expected '}'"],
  ['{"a":1/}', "was expecting either '*' or '/' for a comment"],
  ['{"a":1', 'Unexpected end-of-input: expected close marker for OBJECT'],
  ['{"a":{', 'Unexpected end-of-input'],
  ['{"a', 'Unexpected end-of-input in field name'],
  ['{"a":"x', 'Unexpected end-of-input in VALUE_STRING'],
  ['{"a"', 'Unexpected end-of-input within/between OBJECT entries'],
  ['{"a":', 'Unexpected end-of-input within/between OBJECT entries'],
  ['{"a":1,', 'Unexpected end-of-input within/between OBJECT entries'],
  ['[1,', 'Unexpected end-of-input within/between ARRAY entries'],
  ['[', 'Unexpected end-of-input: expected close marker for ARRAY'],
  ['{"a":"x\\', 'Unexpected end-of-input'],
  ['{"a":/* x', 'Unexpected end-of-input in a comment'],
  ['{"a":1/', 'Unexpected end-of-input'],
])('refuses %j', (text, message) => {
  expect(() => tokens(text)).toThrow(JsonSyntaxError);
  expect(() => tokens(text)).toThrow(message);
});

test('errors name line and column', () => {
  expect(() => tokens('{"a":1,\n "b":?}')).toThrow('at [Source: line: 2, column: 6]');
});

test('End comes again and again, for blank text too', () => {
  const scanner = new JsonScanner(' \n');
  expect([scanner.next(), scanner.next()]).toEqual([JsonToken.End, JsonToken.End]);
});

test('skipChildren moves to the matching end', () => {
  const scanner = new JsonScanner('{"a":{"b":[1,{"c":2}]},"d":3}');
  scanner.next();
  scanner.next();
  scanner.next();
  scanner.skipChildren();
  expect(scanner.token).toBe(JsonToken.ObjectEnd);
  expect(scanner.depth).toBe(1);
  scanner.next();
  expect(scanner.text).toBe('d');
});

test('refuses nesting beyond the limit, and only beyond it', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(() => tokens(nested(250))).not.toThrow();
  expect(() => tokens(nested(251))).toThrow('nesting deeper than [250]');
  expect(() => tokens(nested(100_000), 100_000)).not.toThrow();
});
