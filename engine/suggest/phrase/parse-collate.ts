// `collate` of a phrase suggestion: a template of a query that corrections are checked by (reference server).

import { explicitBoolean } from '../../common/index';
import { illegalArgument } from '../../errors';
import {
  isJsonObject,
  JsonNumber,
  scalarText,
  writeJson,
  type JsonObject,
  type JsonValue,
} from '../../json/index';
import type { Collate } from '../contract/phrase-spec';
import type { SuggestScope } from '../contract/suggest-scope';

/**
 * @returns null without a query or filter
 * @throws EngineError
 */
export function parseCollate(body: JsonObject, scope: SuggestScope): Collate | null {
  let template: Pick<Collate, 'template' | 'isFilter'> | null = null;
  let params = '{}';
  let prune = false;
  for (const [name, value] of body) {
    if (name === 'query' || name === 'filter') {
      // compat: the end of a list is taken for a second one.
      const before = template ?? (Array.isArray(value) ? { isFilter: name === 'filter' } : null);
      if (before !== null) {
        const given = before.isFilter ? 'filter' : 'query';
        throw illegalArgument(
          `suggester[phrase][collate] ${given} already set, doesn't support additional [${name}]`,
        );
      }
      const text = isJsonObject(value) ? writeJson(value) : (scalarText(value) ?? 'null');
      template = { template: text, isFilter: name === 'filter' };
      // Says what is wrong with it.
      scope.services
        .scripts()
        .renderTemplate({ name: { kind: 'inline', text }, params: new Map() });
    } else if (name === 'params') params = isJsonObject(value) ? writeJson(value) : '{}';
    else if (name === 'prune') prune = readPrune(value);
    else throw illegalArgument(`suggester[phrase][collate] doesn't support field [${name}]`);
  }
  return template === null ? null : { ...template, params, prune };
}

function readPrune(value: JsonValue): boolean {
  if (typeof value === 'boolean') return value;
  if (value instanceof JsonNumber && value.isInteger) return value.value !== 0;
  const said = typeof value === 'string' ? explicitBoolean(value) : null;
  if (said !== null) return said;
  throw illegalArgument("suggester[phrase][collate] prune must be either 'true' or 'false'");
}
