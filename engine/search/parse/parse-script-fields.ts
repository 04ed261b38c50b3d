// `script_fields` and `partial_fields` (reference server).

import { EngineError, incompleteSource } from '../../errors';
import { isJsonObject, type JsonValue, lenientBoolean } from '../../json/index';
import { ScriptMembers, planScript } from '../../script/index';
import { parseSourceFilter } from './parse-source';
import type { PartialField, ScriptField, ScriptRun } from '../plan/search-plan';
import type { SearchContext } from '../../query/index';

/** Prepares a script of a search for its index. @throws EngineError when it does not compile */
export function scriptRun(
  script: Parameters<typeof planScript>[0],
  { mapping, index, types, services, meter }: SearchContext,
): ScriptRun {
  meter.add('scripts', 1);
  return {
    plan: planScript(script, { mapping, indexName: index.name, types }),
    now: services.now(),
  };
}

/**
 * `{name: {script, params, lang, ignore_failure}}`; what is no object in it is passed over.
 *
 * @throws EngineError ElasticsearchParseException for what is no object itself
 */
export function parseScriptFields(
  value: JsonValue,
  context: SearchContext,
): readonly ScriptField[] {
  if (!isJsonObject(value)) throw incompleteSource();
  const fields: ScriptField[] = [];
  for (const [name, body] of value) {
    if (!isJsonObject(body)) continue;
    const members = new ScriptMembers();
    let ignoreFailure = false;
    for (const [member, content] of body) {
      if (member === 'ignore_failure') ignoreFailure = lenientBoolean(content, false);
      else members.read(member, content);
    }
    const script = members.result(context.services.scripts());
    if (script === null) {
      throw new EngineError('NullPointerException', `script field [${name}] has no script`);
    }
    fields.push({ name, ignoreFailure, ...scriptRun(script, context) });
  }
  return fields;
}

/**
 * `{name: {include, exclude}}`; what is no object in it is passed over.
 *
 * @throws EngineError ElasticsearchParseException for what is no object itself
 */
export function parsePartialFields(value: JsonValue): readonly PartialField[] {
  if (!isJsonObject(value)) throw incompleteSource();
  return [...value].flatMap(([name, body]) =>
    isJsonObject(body) ? [{ name, filter: parseSourceFilter(known(body)) }] : [],
  );
}

/** compat: in the plural they are known as lists only. */
function known(body: Extract<JsonValue, ReadonlyMap<string, unknown>>): typeof body {
  const isKnown = (name: string, value: JsonValue): boolean =>
    name === 'include' ||
    name === 'exclude' ||
    (Array.isArray(value) && (name === 'includes' || name === 'excludes'));
  return new Map([...body].filter(([name, value]) => isKnown(name, value)));
}
