// The `script` filter: documents for which a script gives something true.

import { planScript, ScriptMembers } from '../../../script/index';
import { named, type KindParser } from '../scope/parse-scope';
import { isCacheOption, members, optionName, textOf } from '../scope/members';

/** `{script, params, lang}`. */
export const parseScriptFilter: KindParser = (body, scope) => {
  const script = new ScriptMembers();
  let filterName: string | null = null;
  for (const member of members(body, 'object')) {
    const { name, value } = member;
    // compat: elsewhere a number is a script as well.
    const isNoScript = name === 'script' && typeof value !== 'string';
    if (!isNoScript && script.read(name, value)) continue;
    if (member.sort === 'value' && name === '_name') filterName = textOf(member.value);
    else if (member.sort === 'object' || !isCacheOption(optionName(name))) {
      throw scope.error(`[script] filter does not support [${name}]`);
    }
  }
  const source = script.result(scope.context.scripts());
  if (source === null) throw scope.error('script must be provided with a [script] filter');
  const { mapping, indexName, types, now } = scope.context;
  scope.context.meter.add('scripts', 1);
  const plan = planScript(source, { mapping, indexName, types });
  return named(filterName, { kind: 'script', script: plan, now: now(), boost: 1 });
};
