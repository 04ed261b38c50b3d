// How request bodies name a template and its parameters (reference server).

import { EngineError } from '../../errors';
import {
  isJsonObject,
  JsonNumber,
  JsonScanner,
  type JsonSyntaxError,
  JsonToken,
  readValue,
  startsWithObject,
  writeJson,
  type JsonObject,
  type JsonValue,
} from '../../json/index';
import type { ScriptName } from './script-name';

/** A template with its parameters. */
export interface TemplateRequest {
  readonly name: ScriptName;
  readonly params: JsonObject;
}

/** Where the members of a body say that a template is. */
const KIND_OF: ReadonlyMap<string, ScriptName['kind']> = new Map([
  ['template', 'inline'],
  ['query', 'inline'],
  ['id', 'stored'],
  ['file', 'file'],
]);

/**
 * The template that a body names; the last one counts. Null: none.
 *
 * compat: members of an object that is no template are taken for members of the body, and its end for the
 * body's.
 */
export function readTemplate(body: JsonObject): TemplateRequest | null {
  const found: { name: ScriptName | null; params: JsonObject } = { name: null, params: new Map() };
  walk(body, found);
  return found.name === null ? null : { name: found.name, params: found.params };
}

/** True: the end of an object has been met. */
function walk(body: JsonObject, found: { name: ScriptName | null; params: JsonObject }): boolean {
  for (const [member, value] of body) {
    const kind = KIND_OF.get(member);
    if (kind !== undefined) found.name = { kind, text: textOf(value) };
    else if (member === 'params')
      found.params = isJsonObject(value) ? value : new Map<string, JsonValue>();
    else if (endsIn(value, found)) return true;
  }
  return true;
}

function endsIn(value: JsonValue, found: Parameters<typeof walk>[1]): boolean {
  if (isJsonObject(value)) return walk(value, found);
  return Array.isArray(value) && value.some((element) => endsIn(element, found));
}

/** compat: of a list its last token. */
function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return ']';
  if (isJsonObject(value)) return writeJson(value);
  return value instanceof JsonNumber ? value.text : String(value);
}

/**
 * What an inline template of a search stands for: itself, the name of a file if it is no JSON object, or the
 * template that it names by a member `id` or `file`. It is read as it is, before it is rendered, up to the
 * end of the first object that is none of these members (reference server).
 *
 * @throws JsonSyntaxError when it cannot be read so far
 */
export function templateBehind(text: string): ScriptName {
  if (!startsWithObject(text)) return { kind: 'file', text };
  let name: ScriptName = { kind: 'inline', text };
  const scanner = new JsonScanner(text);
  if (scanner.next() !== JsonToken.ObjectStart) return { kind: 'file', text };
  let member = '';
  for (;;) {
    const token = scanner.next();
    if (token === JsonToken.ObjectEnd) return name;
    if (token === JsonToken.Name) {
      member = scanner.text;
      continue;
    }
    // The reference does not look how deep a member is, and fails for filters on a field `id`.
    const kind = member === 'params' ? undefined : KIND_OF.get(member);
    if (member === 'params') readValue(scanner);
    else if (kind === 'inline') {
      name = { kind: 'inline', text };
      scanner.skipChildren();
    } else if (kind !== undefined && scanner.depth === 1 && isScalar(token)) {
      name = { kind, text: scanner.text };
    }
  }
}

function isScalar(token: JsonToken): boolean {
  return token !== JsonToken.ObjectStart && token !== JsonToken.ArrayStart;
}

/** 400: the body, or the template in it, is not JSON. */
export function unreadableTemplate(cause: JsonSyntaxError): EngineError {
  return new EngineError('ElasticsearchParseException', 'Failed to parse template', { cause });
}
