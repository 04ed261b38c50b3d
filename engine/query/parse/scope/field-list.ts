// Lists of field names with boosts, as queries over several fields have them.

import type { ParseScope } from './parse-scope';
import { parseDouble } from '../../../common/index';

/**
 * Adds a field name with its boost (`name^2`; null: none given); patterns stand for all fields they match.
 *
 * @throws EngineError NumberFormatException for a boost that is no number
 */
export function addFields(
  text: string,
  types: readonly string[],
  fields: Map<string, number | null>,
  scope: ParseScope,
): void {
  const caret = text.indexOf('^');
  const name = caret < 0 ? text : text.slice(0, caret);
  const boost = caret < 0 ? null : Math.fround(parseDouble(text.slice(caret + 1)));
  scope.context.meter.add('fields', 1);
  if (!name.includes('*')) {
    fields.set(name, boost);
    return;
  }
  const { mapping, meter } = scope.context;
  meter.patterns.add(mapping.fieldCount);
  for (const field of mapping.match(name, types)) fields.set(field.indexName, boost);
}
