// The text of a stored script, which is a document (reference server).

import { illegalArgument } from '../errors';
import {
  decodeUtf8,
  JsonSyntaxError,
  parseJsonObject,
  writeJson,
  type JsonObject,
  type JsonValue,
} from '../json/index';
import type { ScriptLanguage } from '../metadata/index';

/**
 * The script in a document: its `template`, else its `script`, else the document itself. What is no text is
 * taken for its JSON.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException for a document that is no JSON object
 */
export function storedSource(document: Buffer): string {
  const members = parse(document);
  return textOf(members.get('template') ?? members.get('script') ?? members);
}

/**
 * The script in a document that is about to be stored; a template may be the document itself, as a search
 * with a query.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException for one without a script
 */
export function sourceToStore(document: Buffer, lang: ScriptLanguage): string {
  const members = parse(document);
  const isSearch = lang === 'mustache' && members.has('query');
  const value =
    members.get('template') ?? members.get('script') ?? (isSearch ? members : undefined);
  const source = value === undefined ? '' : textOf(value);
  if (source === '') throw illegalArgument(`Unable to find script in : ${decodeUtf8(document)}`);
  return source;
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : writeJson(value);
}

function parse(document: Buffer): JsonObject {
  try {
    return parseJsonObject(decodeUtf8(document));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw illegalArgument('failed to parse template script', error);
  }
}
