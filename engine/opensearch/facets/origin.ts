// Where facets and aggregations get their numbers from.

import type { NumberOrigin } from '../../counting/index';
import type { FieldId } from '../../metadata/index';
import { unsupported } from '../layout/unsupported';
import { type Aggs, type CountContext, numbersAt } from '../counting/count-context';
import { painlessScript, type ScriptResult, type TimedScript } from '../scripts/painless';

/**
 * The field of numbers; null: it indexes nothing.
 *
 * @param what has the numbers, for the message
 * @throws EngineError ElasticsearchIllegalArgumentException for a script
 */
export function fieldOf(origin: NumberOrigin, what: string): FieldId | null {
  if (origin.kind === 'script') throw scripted(what);
  return origin.field;
}

/** @param what has a script */
export function scripted(what: string): Error {
  return unsupported(`${what} with a script`, 'scripts do not run there');
}

/**
 * What a metric of OpenSearch is told to count: a field or a script; null: it indexes nothing.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException for a script that is not translated
 */
export function numbersOf(origin: NumberOrigin, context: CountContext): Aggs | null {
  if (origin.kind === 'script') return scriptNumbers(origin.script, 'number', context);
  return origin.field === null ? null : { field: numbersAt(context, origin.field) };
}

/**
 * A number of each document by a script.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException for a script that is not translated
 */
export function scriptNumbers(
  script: TimedScript,
  result: ScriptResult,
  context: CountContext,
): Aggs {
  if (script.plan.source.includes('_score')) {
    throw unsupported('counting by a script with [_score]', 'scores are not known where it counts');
  }
  return { script: painlessScript(script, result, context) };
}
