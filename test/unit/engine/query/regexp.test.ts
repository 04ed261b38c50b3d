import { DfaMatcher } from '../../../../engine/query/automaton/dfa';
import { compileRegexp } from '../../../../engine/query/automaton/regexp';
import { REGEXP_FLAG } from '../../../../engine/query/automaton/regexp-parser';
import { EngineError } from '../../../../engine/errors';

const { ALL, NONE } = REGEXP_FLAG;

function accepts(pattern: string, term: string, flags: number = ALL): boolean {
  return new DfaMatcher(compileRegexp(pattern, flags)).accepts(term);
}

function errorOf(pattern: string, flags: number = ALL): string {
  try {
    compileRegexp(pattern, flags);
  } catch (error) {
    if (error instanceof EngineError) return error.toWireString();
    throw error;
  }
  return 'no error';
}

describe('regular expressions', () => {
  test.each([
    ['ab*c', 'abbbc', true],
    ['ab*c', 'xabbbc', false],
    ['', '', true],
    ['', 'a', false],
    ['a{2}', 'aa', true],
    ['a{2}', 'aaa', false],
    ['a{2,}', 'aaaaa', true],
    ['a{1,2}b', 'aab', true],
    ['a{2,1}', 'aa', false],
    ['(ab|cd)+', 'abcdab', true],
    ['[a-c]x', 'bx', true],
    ['[^a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['[a-cx-z_]', '_', true],
    ['\\[x\\]', '[x]', true],
    ['"a.b"', 'a.b', true],
    ['"a.b"', 'axb', false],
    ['()a', 'a', true],
    ['~(ab)', 'ab', false],
    ['~(ab)', 'abc', true],
    ['~ab.*', 'xb', true],
    ['~ab.*', 'ab', false],
    ['~~a', 'a', true],
    ['@', 'anything', true],
    ['#', '', false],
    ['a#|b', 'b', true],
    ['.*foo.*&.*bar.*', 'barfoo', true],
    ['.*foo.*&.*bar.*', 'foo', false],
    ['.', '😀', true],
    ['😀+', '😀😀', true],
    ['[😀-😂]', '😁', true],
    ['\\d', 'd', true],
    ['^a$', '^a$', true],
  ])('%s against %j: %s', (pattern, term, expected) => {
    expect(accepts(pattern, term)).toBe(expected);
  });

  test('without flags the optional operators are ordinary characters', () => {
    expect(accepts('~a', '~a', NONE)).toBe(true);
    expect(accepts('a&b', 'a&b', NONE)).toBe(true);
    expect(accepts('@#', '@#', NONE)).toBe(true);
    expect(accepts('<1-5>', '<1-5>', NONE)).toBe(true);
  });

  test.each([
    ['<1-20>', 0],
    ['<0-7>', 1],
    ['<5-123>', 0],
    ['<120-129>', 3],
    ['<07-23>', 2],
    ['<23-07>', 2],
    ['<99-1000>', 0],
    ['<100-100>', 3],
    ['<0-0>', 1],
    ['<0-100>', 0],
  ])('interval %s', (pattern, digits) => {
    const [a, b] = pattern.slice(1, -1).split('-').map(Number) as [number, number];
    const [min, max] = [Math.min(a, b), Math.max(a, b)];
    for (let n = 0; n <= 1200; n++) {
      const inside = n >= min && n <= max;
      const plain = String(n);
      if (digits > 0) {
        expect([n, accepts(pattern, plain.padStart(digits, '0'))]).toEqual([
          n,
          inside && plain.length <= digits,
        ]);
        expect(accepts(pattern, `0${plain.padStart(digits, '0')}`)).toBe(false);
      } else {
        expect([n, accepts(pattern, plain)]).toEqual([n, inside]);
        expect([n, accepts(pattern, `000${plain}`)]).toEqual([n, inside]);
      }
    }
    expect(accepts(pattern, '')).toBe(false);
    expect(accepts(pattern, '1x')).toBe(false);
  });

  test.each([
    ['a{', 'integer expected at position 2'],
    ['a{2', "expected '}' at position 3"],
    ['[z-a]', 'invalid range: from (122) cannot be > to (97)'],
    ['[a', "expected ']' at position 2"],
    ['(a', "expected ')' at position 2"],
    ['"a', "expected '\"' at position 2"],
    ['a)', 'end-of-string expected at position 1'],
    ['a|', 'unexpected end-of-string'],
    ['a\\', 'unexpected end-of-string'],
    ['<x>', "'x' not found"],
    ['<a-b>', 'interval syntax error at position 4'],
    ['<1-2', "expected '>' at position 4"],
  ])('%s fails', (pattern, message) => {
    expect(errorOf(pattern)).toBe(`IllegalArgumentException[${message}]`);
  });

  test.each([
    '.*a.{20}',
    '(a{1000}){1000}',
    '(.*a){900}b.{30}',
    '((((a{50}){50}){50}){50}){50}',
    '~(.*a.{18})',
    '(.*x.{9})&(.*y.{9})&(.*z.{9})',
    '([a-z]*[0-9]){300}.*[xyz].{200}',
  ])('%s is refused quickly', (pattern) => {
    const start = process.hrtime.bigint();
    expect(errorOf(pattern)).toBe(
      `TooComplexToDeterminizeException[Determinizing ${pattern} would result in more than 10000 states.]; ` +
        'nested: TooComplexToDeterminizeException[Determinizing automaton would result in more than 10000 states.]; ',
    );
    expect(Number(process.hrtime.bigint() - start) / 1e6).toBeLessThan(5000);
  });

  test('patterns that defeat backtracking run in linear time', () => {
    const start = process.hrtime.bigint();
    expect(accepts('(a*)*b', 'a'.repeat(20_000))).toBe(false);
    expect(accepts('(a|aa)+b', 'a'.repeat(20_000))).toBe(false);
    expect(Number(process.hrtime.bigint() - start) / 1e6).toBeLessThan(1000);
  });

  test('patterns over 1,000 characters are refused', () => {
    expect(errorOf('a'.repeat(1001))).toContain('exceeded the allowed maximum of [1000]');
    expect(accepts('a'.repeat(1000), 'a'.repeat(1000))).toBe(true);
  });

  test('deep nesting neither overflows the stack nor is misread', () => {
    expect(accepts(`${'('.repeat(450)}a${')'.repeat(450)}`, 'a')).toBe(true);
    expect(accepts(`${'~('.repeat(200)}a${')'.repeat(200)}`, 'a')).toBe(true);
  });

  test('the common prefix is what every match starts with', () => {
    expect(compileRegexp('linux-[0-9]+', ALL).commonPrefix()).toBe('linux-');
    expect(compileRegexp('ab?', ALL).commonPrefix()).toBe('a');
    expect(compileRegexp('.*', ALL).commonPrefix()).toBe('');
    expect(compileRegexp('abc', ALL).commonPrefix()).toBe('abc');
    expect(compileRegexp('#', ALL).commonPrefix()).toBe('');
  });
});
