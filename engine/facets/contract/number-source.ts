// What facets say of the numbers they count: scripts by their names, what is read, what may be kept.

import type { NumberOrigin } from '../../counting/index';
import type { JsonObject, JsonValue } from '../../json/index';
import { type ScriptName, planScript } from '../../script/index';
import type { FacetCollector, FacetParseContext, FacetReads } from './facet';
import type { FieldId } from '../../metadata/index';

/**
 * A script as a number for each document.
 *
 * @param body the facet's body, for `params` and the language
 * @param langNames how the member for the language may be called
 * @throws EngineError for scripts that do not exist or compile (400)
 */
export function scriptNumbers(
  name: ScriptName,
  body: JsonObject,
  context: FacetParseContext,
  langNames: readonly string[] = LANG_NAMES,
): NumberOrigin {
  const lang = langNames.map((member) => body.get(member)).find(isText) ?? null;
  const params = body.get('params') ?? null;
  const script = context.scripts().resolve({
    name,
    lang,
    params: params instanceof Map ? params : null,
  });
  context.meter.add('scripts', 1);
  return { kind: 'script', script: { plan: planScript(script, context), now: context.now() } };
}

const LANG_NAMES: readonly string[] = ['lang', 'script_lang', 'scriptLang'];

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string';
}

/** What a facet reads of the fields among some origins; null where one is a script. */
export function readsOf(
  origins: readonly (NumberOrigin | { readonly kind: 'none' | 'keys' })[],
): FacetReads | null {
  const fields: FieldId[] = [];
  for (const origin of origins) {
    if (origin.kind === 'script') return null;
    if (origin.kind === 'field' && origin.field !== null) fields.push(origin.field);
  }
  return { fields, queries: [] };
}

/** The same collector without remembering: scripts may depend on more than the documents. */
export function forgetful(collector: FacetCollector): FacetCollector {
  return {
    collect: (segment, docs) => collector.collect(segment, docs),
    partial: () => collector.partial(),
  };
}
