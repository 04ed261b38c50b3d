// Scripts of the update API: they see `ctx` and their parameters, and may change what is in `ctx`.

import { EngineError, illegalArgument } from '../errors';
import { compile } from './compiler';
import { Frame } from './frame';
import { StepBudget, UPDATE_STEPS } from './limits';
import type { ScriptLibrary, ScriptRequest } from './library';
import { languageOf, parseScript, templatesOnly } from './plan';
import { objectFromJson, type ScriptMap, type ScriptValue } from './values';

/**
 * Runs a script on `ctx`, which it changes.
 *
 * @param now epoch milliseconds
 * @throws EngineError ElasticsearchIllegalArgumentException (400) `failed to execute script`, with the reason
 */
export function runUpdateScript(
  request: ScriptRequest,
  scripts: ScriptLibrary,
  ctx: ScriptMap,
  now: number,
): void {
  try {
    const script = scripts.resolve(request);
    const lang = languageOf(script.lang);
    if (lang === 'expression') {
      throw new EngineError('UnsupportedOperationException', 'Cannot use expressions for updates');
    }
    if (lang === 'mustache') throw templatesOnly();
    const frame = new Frame(new StepBudget(UPDATE_STEPS, script.steps), new Map(), now);
    const names = new Map<string, ScriptValue>();
    if (script.params !== null) {
      for (const [name, value] of objectFromJson(script.params)) names.set(name, value);
    }
    names.set('ctx', ctx);
    const rules = { integerDivision: lang === 'mvel' };
    compile(parseScript(script.source), { frame, rules, names })();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw illegalArgument('failed to execute script', error);
  }
}
