// The part of a document that somebody may see, member by member. Unlike the `_source` filters of requests
// (source-filter.ts) nothing is let through that is not named: no scalars in lists of objects either.

import { decodeUtf8 } from './parse';
import { JsonScanner, JsonToken } from './scanner';

/** Deeper than any document that was ever accepted. */
const MAX_DEPTH = 1000;

/** What may be seen of a document, by dotted path. */
export interface SeenMembers {
  /** The member at a path, with all that is in it. */
  readonly whole: (path: string) => boolean;
  /** Perhaps some of what is below a path. */
  readonly some: (path: string) => boolean;
}

/**
 * A document without the members that may not be seen, in their order and as they were written. Objects in
 * lists keep their places, empty where nothing of them is seen; lists and objects of which nothing is left
 * are left out.
 *
 * @throws JsonSyntaxError when the source is not a JSON object
 */
export function seenMembers(source: Buffer, seen: SeenMembers): Buffer {
  const text = decodeUtf8(source);
  const scanner = new JsonScanner(text, MAX_DEPTH);
  if (scanner.next() !== JsonToken.ObjectStart) throw scanner.error('expected an object');
  return Buffer.from(objectOf({ text, scanner, seen }, '') ?? '{}');
}

interface Walk {
  readonly text: string;
  readonly scanner: JsonScanner;
  readonly seen: SeenMembers;
}

/** The object that has just begun; null: nothing of it is seen. */
function objectOf(walk: Walk, path: string): string | null {
  const { scanner, seen, text } = walk;
  const members: string[] = [];
  while (scanner.next() === JsonToken.Name) {
    const name = scanner.text;
    const own = path === '' ? name : `${path}.${name}`;
    scanner.next();
    let value: string | null;
    if (seen.whole(own)) {
      const { start } = scanner;
      scanner.skipChildren();
      value = text.slice(start, scanner.end);
    } else if (seen.some(own)) {
      value = partOf(walk, own);
    } else {
      scanner.skipChildren();
      value = null;
    }
    if (value !== null) members.push(`${JSON.stringify(name)}:${value}`);
  }
  return members.length === 0 ? null : `{${members.join()}}`;
}

/** The value that has just begun, of which only members may be seen; null: nothing is. */
function partOf(walk: Walk, path: string): string | null {
  const { scanner } = walk;
  if (scanner.token === JsonToken.ObjectStart) return objectOf(walk, path);
  if (scanner.token !== JsonToken.ArrayStart) return null;
  const elements: string[] = [];
  let isEmpty = true;
  for (let token = scanner.next(); token !== JsonToken.ArrayEnd; token = scanner.next()) {
    const isObject = token === JsonToken.ObjectStart;
    if (!isObject && token !== JsonToken.ArrayStart) continue;
    const element = partOf(walk, path);
    if (element !== null) isEmpty = false;
    elements.push(element ?? (isObject ? '{}' : '[]'));
  }
  return isEmpty ? null : `[${elements.join()}]`;
}
