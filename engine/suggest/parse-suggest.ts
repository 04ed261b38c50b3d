// The body of `_suggest`, and the element `suggest` of searches: suggestions by name, and a text for those
// without one of their own.

import { type EngineError, illegalArgument, incompleteSource } from '../errors';
import { isJsonObject, javaText, type JsonObject, type JsonValue } from '../json/index';
import type { SuggestSpec } from './contract/suggest';
import { isValue, type SuggestScope } from './contract/suggest-scope';
import { SUGGEST_PARSERS } from './registry';

/**
 * The suggestions in the order of the request; members that are no suggestions are passed over.
 *
 * @throws EngineError
 */
export function parseSuggest(body: JsonValue, scope: SuggestScope): readonly SuggestSpec[] {
  if (!isJsonObject(body)) {
    throw incompleteSource();
  }
  let globalText: string | null = null;
  const drafts: ((text: string | null) => SuggestSpec)[] = [];
  for (const [name, value] of body) {
    if (isValue(value)) {
      if (name !== 'text') throw unknown(name);
      globalText = javaText(value);
    } else if (isJsonObject(value)) {
      const draft = parseNamed(name, value, scope);
      if (draft !== null) drafts.push(draft);
    }
  }
  return drafts.map((draft) => draft(globalText));
}

function parseNamed(
  name: string,
  body: JsonObject,
  scope: SuggestScope,
): ((text: string | null) => SuggestSpec) | null {
  let own: string | null = null;
  let complete: ReturnType<NonNullable<ReturnType<typeof SUGGEST_PARSERS.get>>> | null = null;
  for (const [member, value] of body) {
    if (isValue(value)) {
      if (member !== 'text') throw unknown(member);
      own = javaText(value);
    } else if (isJsonObject(value)) {
      const parser = SUGGEST_PARSERS.get(member);
      if (parser === undefined) throw illegalArgument(`Suggester[${member}] not supported`);
      complete = parser(value, scope);
    }
  }
  const finish = complete;
  if (finish === null) return null;
  return (globalText) =>
    finish(name, () => {
      const text = own ?? globalText;
      if (text === null) throw illegalArgument('The required text option is missing');
      return text;
    });
}

function unknown(name: string): EngineError {
  return illegalArgument(`[suggest] does not support [${name}]`);
}
