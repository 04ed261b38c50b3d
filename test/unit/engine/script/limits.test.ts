// What a script may not do: take for ever, grow without end, reach out of its language, or break the
// server by being malformed.

import { EngineError } from '../../../../engine/errors';
import { REQUEST_STEPS, requestSteps } from '../../../../engine/script/limits';
import { toOutput } from '../../../../engine/script/values';
import { propertyRuns, Random } from '../../../support/random';
import groovy from './groovy-results.json';
import { withoutStacks } from '../../../support/without-stacks';
import { scriptOf } from './support';

function failureOf(source: string): string {
  try {
    scriptOf(source).value(0);
  } catch (error) {
    if (error instanceof EngineError) return error.toWireString();
    throw error;
  }
  throw new Error('the script succeeded');
}

test.each([
  ['while (true) { }'],
  ['for (;;) { }'],
  ['def x = 0; while (true) { x++ }'],
  ['(1..5000).collect { a -> (1..5000).collect { b -> a * b } }'],
  ["def s = 'x'; for (i in 1..60) { s = s + s }"],
  ["'x' * 100000000"],
  ['[1, 2, 3] * 100000'],
  ['1..100000000'],
  ['def x = [1]; for (i in 1..60) { x = x + x }'],
  ['def x = [1]; for (i in 1..60) { x.addAll(x) }'],
  ['def x = []; x[2000000000] = 1'],
  ...['(l as String)', '"${l}"', 'l == k', 'l.equals(k)', '[l].contains(k)', '[l, k].unique()'].map(
    (use) => [`def l = [1]; def k = [1]; (1..60).each { l = [l, l]; k = [k, k] }; ${use}`],
  ),
  ['def l = [a: 1]; (1..60).each { l = [a: l, b: l] }; l.toString()'],
  ['def l = [a: 1]; def k = [a: 1]; (1..60).each { l = [a: l, b: l]; k = [a: k, b: k] }; l == k'],
  ["def s = 'x' * 100000; def l = [s] * 1000; (1..1000).each { l.toString() }"],
  ['def l = (1..9000).collect { it }; def k = (0..9000).collect { -it }; l.removeAll(k)'],
  ['def l = (1..9000).collect { [it] }; l.unique()'],
  ['def x = []; x.add(x); x.toString()'],
  ['def x = []; x.add(x); def y = []; y.add(y); x == y'],
  ['2 ** 1000000'],
  ['def x = 3g; for (i in 1..100) { x = x * x }'],
  ["'x'.padLeft(2000000000)"],
])('is stopped: %s', (source) => {
  expect(failureOf(source)).toContain('ScriptLimitException[script exceeded');
});

test.each([
  ['class A {}', '[class]'],
  ['import java.io.File', '[import]'],
  ["new File('/etc/passwd')", '[new File]'],
  ['new java.net.URL("x")', '[new URL]'],
  ['try { 1 } catch (e) { 2 }', '[try]'],
  ['switch (p) { case 1: 2 }', '[switch]'],
  ['def f(x) { x }', 'a method declaration'],
  ['def f = { it }', 'a closure outside of a method call'],
  ['throw new Exception()', '[throw]'],
  ['int[] x = [1]', 'an array type'],
  ['Foo x = 1', 'type [Foo]'],
  ['x.@y', 'operator [.@]'],
])('is refused by name: %s', (source, construct) => {
  expect(failureOf(source)).toContain(`${construct} is not supported in scripts`);
});

test.each([
  ["''.class.forName('java.lang.Runtime')", 'MissingMethodException'],
  ['System.exit(0)', 'MissingMethodException'],
  ['Runtime.getIndex()', 'MissingPropertyException'],
  ['process.exit(1)', 'MissingPropertyException'],
  ["constructor.constructor('x')", 'MissingPropertyException'],
  ["''.constructor", 'MissingPropertyException'],
  ["'cat'.execute()", 'MissingMethodException'],
  ["''.getClass()", 'MissingMethodException'],
])('finds nothing of the machine: %s', (source, exception) => {
  expect(failureOf(source)).toContain(exception);
});

test.each([
  ['a list', 'def l = [1]; (1..60).each { l = [l, l] }; l'],
  ['a map', 'def l = [a: 1]; (1..60).each { l = [a: l, b: l] }; l'],
  ['a long string', "def s = 'x' * 1000000; def l = [s, s]; (1..12).each { l = [l, l] }; l"],
])('%s that is in a result again and again is written only so often', (_, source) => {
  const value = scriptOf(source).value(0);
  expect(() => toOutput(value)).toThrow('script exceeded');
});

test('what is in a result a few times is written each time', () => {
  const value = scriptOf('def l = (1..5000).collect { it }; [l, l, l]').value(0);
  expect(toOutput(value)).toHaveLength(3);
});

test('names of members are data', () => {
  expect(scriptOf('def m = [:]; m.__proto__ = 1; m.constructor = 2; m.size()').value(0)).toBe(2);
});

test('nesting and length are bounded', () => {
  expect(failureOf('('.repeat(5000) + '1' + ')'.repeat(5000))).toContain('nesting deeper');
  expect(failureOf('-'.repeat(5000) + '1')).toContain('nesting deeper');
  expect(failureOf('!'.repeat(5000) + '1')).toContain('nesting deeper');
  expect(failureOf('{'.repeat(5000))).toContain('nesting deeper');
  expect(failureOf('if (1) '.repeat(2000) + '1')).toContain('nesting deeper');
  expect(failureOf('x = '.repeat(4000) + '1')).toContain('nesting deeper');
  expect(failureOf('1 ? '.repeat(4000) + '1')).toContain('nesting deeper');
  expect(failureOf('1'.repeat(20000))).toContain('longer than');
  expect(failureOf('1' + '+1'.repeat(5000))).toContain('too long');
  expect(failureOf('p' + '.a'.repeat(5000))).toContain('too long');
});

test('the scripts of a request share its steps', () => {
  const left = 2_000_000;
  const steps = requestSteps();
  // All but these were spent by others.
  expect(new Int32Array(steps)[0]).toBe(REQUEST_STEPS);
  new Int32Array(steps)[0] = left;
  const source = 'def x = 0; for (i in 1..9000) { x += i }; x';
  const scripts = [1, 2].map(() => scriptOf(source, null, new Map(), steps));
  let runs = 0;
  const runAll = () => {
    for (; ; runs++) scripts[runs % 2]!.value(0);
  };
  expect(runAll).toThrow('script exceeded [50000000] steps in one request');
  // Each may keep some of the steps it has taken.
  expect(runs).toBeGreaterThanOrEqual(Math.floor(left / 9600) - 1);
  expect(runs).toBeLessThanOrEqual(Math.ceil(left / 9000));
  // Another request has steps of its own; a copy for another thread is the same.
  expect(scriptOf(source).number(0)).toBe(40_504_500);
  expect(() => scriptOf(source, null, new Map(), structuredClone(steps)).value(0)).toThrow();
});

const MUTATIONS = propertyRuns(20_000);

test(`${MUTATIONS} mutated scripts fail with nothing but typed errors`, () =>
  withoutStacks(() => {
    const seed = 20141103;
    const random = new Random(seed);
    const sources = groovy.map(([source]) => source!);
    const pieces = [
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '$',
      '.',
      '?.',
      '*.',
      '+',
      '-',
      '/',
      '**',
      '->',
      ';',
      '\n',
      ' in ',
      ' as ',
      'if ',
      'for ',
      'return ',
      'def ',
      '0',
      '9223372036854775807',
      '1e400',
      'null',
      'doc',
      '_source',
      'it',
      '\u0000',
      '\ud800',
      '\\',
      ':',
      ',',
      '=',
      '<<',
      '>>>',
    ];
    for (let i = 0; i < MUTATIONS; i++) {
      let source = sources[random.below(sources.length)]!;
      for (let n = random.below(3); n >= 0; n--) {
        const at = random.below(source.length + 1);
        const until = Math.min(source.length, at + random.below(4));
        const piece =
          random.below(3) === 0
            ? sources[random.below(sources.length)]!.slice(0, random.below(12))
            : pieces[random.below(pieces.length)]!;
        source = source.slice(0, at) + piece + source.slice(until);
      }
      const lang = random.below(8) === 0 ? 'expression' : null;
      try {
        const script = scriptOf(source, lang);
        script.value(0);
        script.number(0);
      } catch (error) {
        if (!(error instanceof EngineError))
          throw new Error(`seed ${seed}, ${lang ?? 'groovy'}: ${source}`, { cause: error });
      }
    }
  }));
