// JSON text to JsonValue without losses: Maps in source order, numbers with their spelling. Iterative, so
// that depth is a limit of ours and not of the call stack.

import { isAscii, isUtf8 } from 'node:buffer';
import { EngineError } from '../errors';
import { JsonNumber, type JsonObject, type JsonValue } from './json';
import { DEFAULT_MAX_DEPTH, JsonScanner, JsonToken } from './scanner';
import { JsonSyntaxError } from './syntax-error';
export { JsonSyntaxError } from './syntax-error';

/**
 * Parses the first JSON value of `text` (lenient dialect, see scanner.ts). Of duplicate members the last
 * value wins, at the place of the first.
 *
 * @throws JsonSyntaxError also for blank text and for nesting beyond `maxDepth`; EngineError (400) for more
 *         than `maxValues` names and values
 */
export function parseJson(
  text: string,
  maxDepth: number = DEFAULT_MAX_DEPTH,
  maxValues = Infinity,
): JsonValue {
  const scanner = new JsonScanner(text, maxDepth);
  if (scanner.next() === JsonToken.End) throw scanner.error('Unexpected end-of-input');
  return readValue(scanner, maxValues);
}

/**
 * Parses a request body, which has to be an object.
 *
 * @throws EngineError `ElasticsearchParseException[Failed to derive xcontent]` (400) when the text does not
 *         begin with an object, as the reference's format detection does
 * @throws JsonSyntaxError; EngineError (400) for more than `maxValues` names and values
 */
export function parseJsonObject(
  text: string,
  maxDepth: number = DEFAULT_MAX_DEPTH,
  maxValues = Infinity,
): JsonObject {
  if (!startsWithObject(text)) {
    throw new EngineError('ElasticsearchParseException', 'Failed to derive xcontent');
  }
  return parseJson(text, maxDepth, maxValues) as JsonObject;
}

/** How far into a text that begins with a comment an object must open. */
const SNIFFED_CHARACTERS = 20;

/**
 * True when the first character that is not blank opens an object, or when a comment stands there and an
 * object opens soon: what the reference takes for JSON.
 */
export function startsWithObject(text: string): boolean {
  for (let at = text.charCodeAt(0) === 0xfeff ? 1 : 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x7b) return true;
    if (code === 0x2f) return text.slice(0, SNIFFED_CHARACTERS).includes('{');
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return false;
  }
  return false;
}

/**
 * The value that begins at the scanner's current token; afterwards the scanner stands on its last token.
 * Lets callers that walk a text themselves take one part of it as a tree.
 */
export function readValue(scanner: JsonScanner, maxValues = Infinity): JsonValue {
  const top = scalarOrNull(scanner);
  if (top !== undefined) return top;
  const root: JsonValue[] | JsonObject =
    scanner.token === JsonToken.ObjectStart ? new Map<string, JsonValue>() : [];
  const parents: (JsonValue[] | JsonObject)[] = [];
  const names: string[] = [];
  let current = root;
  let name = '';
  for (let count = 0; ; count++) {
    if (count > maxValues) {
      const message = `request body has more than [${maxValues}] names and values`;
      throw new EngineError('ElasticsearchIllegalArgumentException', message);
    }
    const token = scanner.next();
    if (token === JsonToken.Name) name = scanner.text;
    else if (token === JsonToken.ObjectStart || token === JsonToken.ArrayStart) {
      const child: JsonValue[] | JsonObject =
        token === JsonToken.ObjectStart ? new Map<string, JsonValue>() : [];
      if (Array.isArray(current)) current.push(child);
      else current.set(name, child);
      parents.push(current);
      names.push(name);
      current = child;
    } else if (token === JsonToken.ObjectEnd || token === JsonToken.ArrayEnd) {
      const parent = parents.pop();
      if (parent === undefined) return root;
      current = parent;
      name = names.pop() ?? '';
    } else {
      const value = scalarOrNull(scanner) ?? null;
      if (Array.isArray(current)) current.push(value);
      else current.set(name, value);
    }
  }
}

/** The scalar at the scanner's token; undefined when it begins an object or array. */
function scalarOrNull(scanner: JsonScanner): null | boolean | string | JsonNumber | undefined {
  switch (scanner.token) {
    case JsonToken.String:
      return scanner.text;
    case JsonToken.Number:
      return new JsonNumber(scanner.text);
    case JsonToken.True:
      return true;
    case JsonToken.False:
      return false;
    case JsonToken.Null:
      return null;
    case JsonToken.End:
    case JsonToken.ObjectStart:
    case JsonToken.ObjectEnd:
    case JsonToken.ArrayStart:
    case JsonToken.ArrayEnd:
    case JsonToken.Name:
      return undefined;
  }
}

/**
 * Strict UTF-8: a byte order mark is skipped, invalid bytes are an error and never replaced.
 *
 * @throws JsonSyntaxError
 */
export function decodeUtf8(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes)) throw new JsonSyntaxError('Invalid UTF-8 in JSON text');
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', hasMark ? 3 : 0);
}
