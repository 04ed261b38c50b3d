import * as fc from 'fast-check';
import { Double, Float, JsonNumber, RawJson } from '../../../../engine/json/json';
import { formatDouble, formatFloat, writeJson } from '../../../../engine/json/write';
import { prettyJson } from '../../../../engine/json/pretty';
import { propertyRuns } from '../../../support/random';

test.each([
  [0, '0.0'],
  [-0, '-0.0'],
  [4, '4.0'],
  [-5, '-5.0'],
  [0.001, '0.001'],
  [123456.789, '123456.789'],
  [9999999, '9999999.0'],
  [1e7, '1.0E7'],
  [1.325376e12, '1.325376E12'],
  [9.999e-4, '9.999E-4'],
  [1e-5, '1.0E-5'],
  [1e21, '1.0E21'],
  [Number.MAX_VALUE, '1.7976931348623157E308'],
  [Number.MIN_VALUE, '5.0E-324'],
  [1.100000023841858, '1.100000023841858'],
  [NaN, '"NaN"'],
  [Infinity, '"Infinity"'],
  [-Infinity, '"-Infinity"'],
])('formatDouble(%p) is %s', (value, text) => {
  expect(formatDouble(value)).toBe(text);
});

test.each([
  [Math.fround(0.6115717887878418), '0.6115718'],
  [Math.fround(8.019413e-7), '8.019413E-7'],
  [1, '1.0'],
  [Math.fround(0.30685282), '0.30685282'],
  [16777216, '1.6777216E7'],
  [-0, '-0.0'],
  [NaN, '"NaN"'],
  [Math.fround(3.4028235e38), '3.4028235E38'],
])('formatFloat(%p) is %s', (value, text) => {
  expect(formatFloat(value)).toBe(text);
});

test('formatDouble reads back exactly and always shows a point', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(Number(formatDouble(value))).toBe(value);
      expect(formatDouble(value)).toMatch(/^-?\d+\.\d+(E-?\d+)?$/);
    }),
  );
});

test('formatDouble shows large numbers by the digits that JavaScript shows them by', () => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 10, noNaN: true }), fc.nat(20), (digits, power) => {
      for (const size of [digits * 10 ** power, Math.trunc(digits * 10 ** power)]) {
        if (size < 1e7) continue;
        const [mantissa, exponent] = size.toExponential().split('e+');
        const text = `${mantissa}${mantissa!.includes('.') ? '' : '.0'}E${exponent}`;
        expect([formatDouble(size), formatDouble(-size)]).toEqual([text, `-${text}`]);
      }
    }),
  );
});

test('formatFloat reads back to the same float', () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(Math.fround(Number(formatFloat(value)))).toBe(value);
    }),
  );
});

test('formatFloat shows the nearest decimal of the fewest digits', () => {
  const nearest = (float: number): number => {
    for (let digits = 6; ; digits++) {
      const decimal = Number(float.toPrecision(digits));
      if (Math.fround(decimal) === float) return decimal;
    }
  };
  const floats = fc.oneof(
    fc.float({ noNaN: true, min: Math.fround(1e-4), max: 1e7 }),
    fc.float({ noNaN: true, min: Math.fround(1e4), max: Math.fround(1e16) }),
    fc.integer({ min: 1, max: 2 ** 31 - 1 }).map((n) => Math.fround(n)),
    // Around the middle between two decimals of six digits, and powers of ten.
    fc.integer({ min: 100_000, max: 999_999 }).map((n) => Math.fround((n + 0.5) / 1e5)),
    fc.integer({ min: -4, max: 16 }).map((n) => Math.fround(Number(`1e${n}`))),
  );
  fc.assert(
    fc.property(floats, (value) => {
      expect(Number(formatFloat(value))).toBe(nearest(value));
      expect(Number(formatFloat(-value))).toBe(-nearest(value));
    }),
    { numRuns: propertyRuns(2000) },
  );
});

test('writes every kind of value', () => {
  const output = {
    a: null,
    b: [true, false, 1, 10n, new Double(2), new Float(0.5)],
    c: new Map([['__proto__', new JsonNumber('1.50')]]),
    d: undefined,
    e: new RawJson('{"x": 1}'),
    f: new RawJson(Buffer.from('["é"]')),
    g: {},
    h: 'quote " and \u0001 and \ud800',
    i: 2 ** 70,
  };
  expect(writeJson(output)).toBe(
    '{"a":null,"b":[true,false,1,10,2.0,0.5],"c":{"__proto__":1.50},"e":{"x": 1},"f":["é"],"g":{},' +
      '"h":"quote \\" and \\u0001 and \\ud800","i":1180591620717411303424}',
  );
});

test('pretty spacing is the reference’s', () => {
  expect(prettyJson('{"a":[1,{"b":[],"c":{}},[[1],[]]],"z":{"q":"x:y"}}')).toBe(
    `{
  "a" : [ 1, {
    "b" : [ ],
    "c" : { }
  }, [ [ 1 ], [ ] ] ],
  "z" : {
    "q" : "x:y"
  }
}
`,
  );
  expect(prettyJson('{}')).toBe('{ }\n');
  expect(prettyJson('[]')).toBe('[ ]\n');
});

test('pretty splices the named member as it stands', () => {
  expect(prettyJson('{"_id":"1","_source":{"a": [1 ]},"n":[{"_source":1}]}', '_source')).toBe(
    `{
  "_id" : "1",
  "_source":{"a": [1 ]},
  "n" : [ {
    "_source":1
  } ]
}
`,
  );
});

test('pretty changes spacing only', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(prettyJson(text))).toEqual(JSON.parse(text));
    }),
  );
});
