// Parts of the language that scripts of real applications use, with the results of the reference server.

import { EngineError } from '../../../../engine/errors';
import { writeJson } from '../../../../engine/json/write';
import { toOutput } from '../../../../engine/script/values';
import { scriptOf } from './support';

const valueOf = (source: string): string => writeJson(toOutput(scriptOf(source).value(0)));

test.each([
  // Going over nothing.
  ['null.collect { it.q }', '[]'],
  ['_source.missing.findAll { it.q > 2 }', '[]'],
  ['_source.missing.find { it.id == 2 }?.q', 'null'],
  ['null.any { it > 3 }', 'false'],
  ['null.every { it > 3 }', 'true'],
  ['null.inject(0) { a, v -> a + v }', '0'],
  ['def n = 0; null.each { n++ }; n', '0'],
  // Counting.
  ['def z = 0; 3.times { z += it }; z', '3'],
  ['def z = 0; 1.upto(3) { z += it }; z', '6'],
  ['def z = []; 3.downto(1) { z << it }; z', '[3,2,1]'],
  ['def z = []; 0.step(10, 4) { z << it }; z', '[0,4,8]'],
  // Parameters that a loop assigns to.
  ['for (i in 1..3) { p = p + 1 }; p', '6'],
  ['[1, 2].each { if (it == 2) { str = str + it } else { str = str * 2 } }; str', '"abcabc2"'],
  // Maps by closures.
  ['[b: 1, a: 3].sort { -it.value }', '{"a":3,"b":1}'],
  ['[b: 1, a: 3].sort { x, y -> x.key <=> y.key }', '{"a":3,"b":1}'],
  ['[b: 1, a: 3].max { it.value }.key', '"a"'],
  ['[b: 1, a: 3].sum { k, v -> v }', '4'],
  // Operators by name.
  ['10.div(3)', '"3.3333333333"'],
  ['5.power(2)', '25'],
  ['5.plus(2)', '7'],
  // Texts.
  ["'a b'.split(' ').length", '2'],
  ["'abc'.collect { it }", '["a","b","c"]'],
  ["'Foo' =~ /o+/ ? 1 : 2", '1'],
  ["'Foo' ==~ /F.*/", 'true'],
  ["'a/b'.split(/\\//)[1]", '"b"'],
  ['6 / 2 / 3', '"1"'],
  ["String.format('%05d', 42)", '"00042"'],
  ["String.format('%.2f', 1.234d)", '"1.23"'],
  ["String.format('%.2f', 1.005d)", '"1.01"'],
  ["String.format('%.0f', 2.5d)", '"3"'],
  [
    "String.format('%.1f|%8.3f|%-6s|%,d', -0.05d, 3.14159d, 'ab', 1234567)",
    '"-0.1|   3.142|ab    |1,234,567"',
  ],
  ["String.format('%x %X %s %b %%', 255, -1, null, true)", '"ff FFFFFFFF null true %"'],
  // Lists and maps.
  ['[1,2,3,4].collate(2)', '[[1,2],[3,4]]'],
  ["['a','b'].withIndex()", '[["a",0],["b",1]]'],
  ['[b:1,a:2].sort()', '{"a":2,"b":1}'],
  ["def t = ['x','y']; t.removeAll(Collections.singleton('x')); t", '["y"]'],
  ['Arrays.asList(1, 2).size()', '2'],
  // Declarations.
  ['def a = 1, b = 2; a + b', '3'],
  ['int s = 0; for (int i = 0, n = 3; i < n; i++) { s += i }; s', '3'],
])('%s', (source, expected) => {
  expect(valueOf(source)).toBe(expected);
});

test.each([
  ["String.format('%d', 1.5d)", 'IllegalFormatConversionException[d != java.lang.Double]'],
  ["String.format('%s %s', 1)", "MissingFormatArgumentException[Format specifier '%s']"],
  ["String.format('%q', 1)", "UnknownFormatConversionException[Conversion = 'q']"],
  ["String.format('%999999d' * 3, 1, 2, 3)", 'IllegalFormatException'],
  ['null.collect(1)', 'NullPointerException'],
  ['2000000000.times { }', 'ScriptLimitException'],
])('%s fails', (source, exception) => {
  let error: unknown = null;
  try {
    scriptOf(source).value(0);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(EngineError);
  expect((error as EngineError).toWireString()).toContain(exception);
});
