// The fields that aggregations count.

import type { ValuesSpec } from '../../aggregations/index';
import { type Aggs, type CountContext, fieldAt } from '../counting/count-context';
import { scripted, scriptNumbers } from '../facets/origin';

/**
 * The name of the field of some values, for OpenSearch; null: it is not there.
 *
 * @param what has the values, for the message
 * @throws EngineError ElasticsearchIllegalArgumentException for a script
 */
export function fieldOfValues(
  { field, fieldKind, script }: ValuesSpec,
  context: CountContext,
  what: string,
): string | null {
  if (script !== null) throw scripted(what);
  return field === null || fieldKind === null ? null : fieldAt(context, field, fieldKind);
}

/**
 * What a metric of OpenSearch is told to count: a field, or a script that gives one number; null: it is not
 * there.
 *
 * @param what has the values, for the message
 * @throws EngineError ElasticsearchIllegalArgumentException for other scripts
 */
export function numbersOfValues(
  values: ValuesSpec,
  context: CountContext,
  what: string,
): Aggs | null {
  const { script, hasField } = values;
  if (script !== null && !hasField) return scriptNumbers(script, 'known', context);
  const field = fieldOfValues(values, context, what);
  return field === null ? null : { field };
}

/** How an aggregation is called in messages. */
export function named(type: string): string {
  return `a [${type}] aggregation`;
}
