// The `_script` sort key (reference server).

import { booleanOf, ElementFailure, type SearchContext } from '../../query/index';
import { isJsonObject, isScalar, type JsonObject } from '../../json/index';
import { ScriptMembers } from '../../script/index';
import { scriptRun } from './parse-script-fields';
import { NO_SCRIPT_VALUE, type SortKey } from '../plan/search-plan';
import { nestedPathOption, setOrder, sortMode, type SortOptions } from './sort-options';

const NO_FIELD = -1;

/**
 * Reads `{script, type, params, lang, order, reverse, mode, nested_path}`; what is read into `options` is
 * `nested_filter`, besides. Other members are passed over.
 *
 * @throws ElementFailure without script or type; EngineError for a script that does not compile, a mode or
 *   nested object that does not exist
 */
export function parseScriptSort(
  body: JsonObject,
  options: SortOptions,
  context: SearchContext,
): SortKey {
  const members = new ScriptMembers();
  let type: string | null = null;
  for (const [name, value] of body) {
    if (isJsonObject(value) && (name === 'nested_filter' || name === 'nestedFilter')) {
      options.nestedFilter = value;
    } else if (!members.read(name, value) && value !== null && isScalar(value)) {
      if (name === 'type') type = String(value);
      else if (name === 'order') setOrder(options, '_script', String(value));
      else if (name === 'reverse') options.reverse = booleanOf(value);
      else if (name === 'mode') options.mode = sortMode(String(value));
      else if (name === 'nested_path' || name === 'nestedPath') {
        options.nestedPath = nestedPathOption(String(value), context);
      }
    }
  }
  const script = members.result(context.services.scripts());
  if (script === null)
    throw new ElementFailure('_script sorting requires setting the script to sort by');
  if (type === null) {
    throw new ElementFailure('_script sorting requires setting the type of the script');
  }
  const run = scriptRun(script, context);
  if (type !== 'number' && type !== 'string') {
    throw new ElementFailure(`custom script sort type [${type}] not supported`);
  }
  const isNumber = type === 'number';
  const { mode } = options;
  if (!isNumber && (mode === 'sum' || mode === 'avg')) {
    throw new ElementFailure(`type [string] doesn't support mode [${mode.toUpperCase()}]`);
  }
  return {
    kind: 'script',
    script: run,
    field: NO_FIELD,
    fieldKind: isNumber ? 'double' : 'string',
    descending: options.reverse,
    missing: isNumber && options.nestedPath !== null ? NO_SCRIPT_VALUE : '_last',
    mode: mode ?? (options.reverse ? 'max' : 'min'),
    nestedPath: options.nestedPath,
    nestedFilter: null,
  };
}
