// Scripts against the results that the reference server gave for the same document, by script_fields.

import { EngineError } from '../../../../engine/errors';
import { writeJson } from '../../../../engine/json/write';
import { scriptClass } from '../../../../engine/script/errors';
import { toOutput, type ScriptValue, isNumber, toDouble } from '../../../../engine/script/values';
import expression from './expression-results.json';
import groovy from './groovy-results.json';
import { scriptOf } from './support';

/** Names that the reference gives script_fields no value for. */
const NOT_IN_SCRIPT_FIELDS = new Set(['_score', '_value']);

function resultOf(source: string, lang: string | null): string {
  try {
    return writeJson(toOutput(scriptOf(source, lang).value(0)));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return `!${error.toWireString().replace(scriptClass(source), 'CLASS')}`;
  }
}

describe.each([
  ['groovy', null, groovy],
  ['expression', 'expression', expression],
] as const)('%s', (_name, lang, table) => {
  const rows = table.filter(([source]) => !NOT_IN_SCRIPT_FIELDS.has(source!));
  test.each(rows)('%s', (source, expected) => {
    expect(resultOf(source, lang)).toBe(expected);
  });
});

test('computing numbers only gives what the general way gives', () => {
  for (const [source] of groovy) {
    let value: ScriptValue;
    try {
      value = scriptOf(source!).value(0);
    } catch {
      continue;
    }
    if (isNumber(value))
      expect([source, scriptOf(source!).number(0)]).toEqual([source, toDouble(value)]);
  }
});
