// The `_script` sort key (reference server).

import { type JsonObject, isScalar } from '../../json/index';
import { ScriptMembers } from '../../script/index';
import { scriptRun } from './parse-script-fields';
import type { SortKey } from '../plan/search-plan';
import { type SearchContext, ElementFailure } from '../../query/index';
import { defaultOptions, setOrder } from './sort-options';

const NO_FIELD = -1;

/**
 * `{script, type, params, lang, order}`; other members are passed over.
 *
 * @throws ElementFailure without script or type; EngineError for a script that does not compile
 */
export function parseScriptSort(body: JsonObject, context: SearchContext): SortKey {
  const members = new ScriptMembers();
  const options = defaultOptions();
  let type: string | null = null;
  for (const [name, value] of body) {
    if (members.read(name, value) || value === null || !isScalar(value)) continue;
    if (name === 'type') type = String(value);
    else if (name === 'order') setOrder(options, '_script', String(value));
    else if (name === 'reverse') options.reverse = value === true;
  }
  const script = members.result(context.services.scripts);
  if (script === null)
    throw new ElementFailure('_script sorting requires setting the script to sort by');
  if (type === null) {
    throw new ElementFailure('_script sorting requires setting the type of the script');
  }
  const run = scriptRun(script, context);
  if (type !== 'number' && type !== 'string') {
    throw new ElementFailure(`custom script sort type [${type}] not supported`);
  }
  return {
    kind: 'script',
    script: run,
    field: NO_FIELD,
    fieldKind: type === 'number' ? 'double' : 'string',
    descending: options.reverse,
    missing: '_last',
    mode: 'min',
    nestedPath: null,
    nestedFilter: null,
  };
}
