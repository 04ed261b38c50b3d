import { scriptFailure } from '../../../../engine/opensearch/transport/script-failure';
import {
  painlessScript,
  type ScriptResult,
  WITH_SCORE,
} from '../../../../engine/opensearch/scripts/painless';
import type { ScriptField } from '../../../../engine/script/index';
import { requestSteps } from '../../../../engine/script/limits';

const FIELDS: readonly ScriptField[] = [
  { name: 'n', field: 7, kind: 'long', path: 'n', type: 'long', stored: false, constant: null },
  { name: 'h', field: 8, kind: 'double', path: 'h', type: 'double', stored: false, constant: null },
  { name: 's', field: 9, kind: 'string', path: 's', type: 'string', stored: false, constant: null },
];

interface Options {
  readonly lang?: 'groovy' | 'mvel' | 'expression';
  readonly params?: string;
  readonly result?: ScriptResult;
  readonly path?: string;
}

function translated(source: string, options: Options = {}) {
  const { lang = 'groovy', params = '{}', result = 'number', path = null } = options;
  const plan = {
    lang,
    source,
    params,
    fields: FIELDS,
    mappedSource: new Map(),
    steps: requestSteps(),
  };
  const { source: code, params: given } = painlessScript(
    { plan, now: 5 },
    result,
    { path },
    WITH_SCORE,
  );
  const lines = code.trim().split('\n');
  return { code, last: lines.at(-1)!, given: Object.fromEntries(given as Map<string, unknown>) };
}

describe('scripts as Painless', () => {
  test('what a request gives is a parameter, and nothing of it stands in the script', () => {
    const text = "x'); throw new Error('";
    const { code, given } = translated(`doc['s'].value == word && "${text}" != word ? n : 1`, {
      params: `{"n": 3000000000, "word": ${JSON.stringify(text)}}`,
    });
    expect(code).not.toContain('Error');
    expect(Object.values(given)).toEqual(expect.arrayContaining(['f9k', text, 3_000_000_000n, 1]));
  });

  test('scripts that differ by constants and fields are one script', () => {
    const { code } = translated("doc['n'].value * 1.5 + 2");
    expect(translated("doc['n'].value * 2.5 + 7").code).toBe(code);
    expect(translated("doc['n'].value * 2.5 + 7", { path: 'n61' }).code).toBe(code);
  });

  test('types that are known need no rules for values of any class', () => {
    const { last } = translated("doc['h'].value * 2 + doc['n'].value");
    expect(last).toBe(
      'return ofDouble(ofDouble(ofDouble(doubleAt(doc, params.c0) * intOf(params.c1)) + longAt(doc, params.c2)));',
    );
  });

  test('integers divided by integers are decimals, in mvel integers', () => {
    expect(translated("doc['n'].value / 2").last).toContain('quotient(');
    expect(translated("doc['n'].value / 2", { lang: 'mvel' }).last).not.toContain('uotient(');
  });

  test('beside integers a score is an integer, in mvel it never is', () => {
    expect(translated('_score * 2').last).toContain('wholeScore(_score)');
    expect(translated('_score * 2.0').last).toContain('ofDouble(_score * doubleOf(');
    expect(translated('_score * 2', { lang: 'mvel' }).last).toContain('ofDouble(_score * intOf(');
  });

  test('nothing stands in parentheses: Painless keeps what it reads of these for ever', () => {
    const source = '((1 + 2) * (_score ?: 3)) > 2 ? (n ? (int) 2.5 : -(4)) : !(n && 5)';
    const { last } = translated(source, { params: '{"n": 1}' });
    expect(last).not.toMatch(/(?<!\w)\(/);
  });

  test('only functions that are called are sent', () => {
    expect(translated('1 + 2').code).not.toContain('concat');
    expect(translated('"a" + 2', { result: 'text' }).code).toContain('String concat(');
  });

  test('nothing follows what ends a script: Painless refuses what nothing leads to', () => {
    const { code } = translated('if (1 > 0) { return 1 } else { return 2 }; 3');
    expect(code).not.toContain('return result');
    expect(code.trim().endsWith('}')).toBe(true);
  });

  test('a name that is assigned later fails where it is read before', () => {
    const { code, given } = translated('def a = b; b = 2; a');
    expect(code).toContain('known(');
    expect(JSON.stringify(given)).toContain('No such property: b for class: ');
  });

  test('turns of loops are counted', () => {
    expect(translated('while (true) { }').code).toContain('if (++steps > 10000)');
  });

  test.each([
    ['_source.a', '[_source]'],
    ["doc[doc['s'].value].value", 'a field that only running it names'],
    ['[1].collect { it }', 'a closure'],
    ['[a: 1]', 'a map'],
    ["'a' =~ 'b'", 'a regular expression'],
    ["doc['s'].value.reverse()", 'the method [reverse]'],
    ["doc['n'].date", 'a date as a value'],
  ])('%s is refused by name', (source, what) => {
    expect(() => translated(source)).toThrow(
      `${what} in a script that OpenSearch runs is not supported by the OpenSearch backend`,
    );
  });

  test('formulas are of doubles throughout', () => {
    const { last } = translated("doc['n'].value > 1 ? ln(_score) : p", {
      lang: 'expression',
      params: '{"p": 2}',
    });
    expect(last).toBe(
      'return ofDouble(ofBoolean(ofDouble(ofDouble(longAt(doc, params.c1)) > doubleOf(params.c2) ? ' +
        '1.0 : 0.0) != 0) ? Math.log(ofDouble(_score)) : doubleOf(params.c0));',
    );
  });
});

test('failures of scripts have the names of the embedded engine', () => {
  const wire = (type: string, reason: string): string => scriptFailure(type, reason).toWireString();
  const argument = 'illegal_argument_exception';
  expect(wire(argument, 'facetd:GroovyScriptExecutionException:NullPointerException[a]')).toBe(
    'GroovyScriptExecutionException[NullPointerException[a]]',
  );
  expect(wire(argument, 'facetd:ClassCastException:b')).toBe('ClassCastException[b]');
  expect(wire('arithmetic_exception', '/ by zero')).toBe(
    'GroovyScriptExecutionException[ArithmeticException[/ by zero]]',
  );
  expect(wire(argument, 'facetd:StorageFailureException:no name of scripts')).toContain(
    'GroovyScriptExecutionException[IllegalArgumentException[facetd:Storage',
  );
});
