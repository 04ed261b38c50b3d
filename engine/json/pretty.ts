// The reference's `pretty` layout: members on lines of their own, indented by two blanks, `"name" : value`;
// array elements inline between blanks; empty `{ }` and `[ ]`; a final line feed.

import { JsonScanner, JsonToken } from './scanner';

/**
 * Lays out JSON text. Names, strings and numbers keep their spelling.
 *
 * @param verbatim name of a member whose value is spliced as it stands, without blanks around the colon: the
 *        reference does so with the stored `_source` of gets and hits
 * @throws JsonSyntaxError when `text` is not JSON
 */
export function prettyJson(text: string, verbatim?: string): string {
  const scanner = new JsonScanner(text, Number.POSITIVE_INFINITY);
  /** Whether each open container is an object; only objects add to the indentation. */
  const containers: boolean[] = [];
  let inObject = false;
  let indent = 0;
  let result = '';
  /** True before the first member or element of the innermost container. */
  let isFirst = true;
  let afterName = false;
  for (let token = scanner.next(); token !== JsonToken.End; token = scanner.next()) {
    if (token === JsonToken.ObjectEnd) {
      indent--;
      result += isFirst ? ' }' : lineFeed(indent) + '}';
    } else if (token === JsonToken.ArrayEnd) {
      result += ' ]';
    }
    if (token === JsonToken.ObjectEnd || token === JsonToken.ArrayEnd) {
      inObject = containers.pop() === true;
      isFirst = false;
      continue;
    }
    if (!afterName && containers.length > 0) {
      if (!isFirst) result += ',';
      result += inObject ? lineFeed(indent) : ' ';
      isFirst = false;
    }
    afterName = token === JsonToken.Name;
    if (token === JsonToken.ObjectStart || token === JsonToken.ArrayStart) {
      containers.push(inObject);
      inObject = token === JsonToken.ObjectStart;
      if (inObject) indent++;
      isFirst = true;
      result += inObject ? '{' : '[';
      continue;
    }
    result += text.slice(scanner.start, scanner.end);
    if (!afterName) continue;
    if (scanner.text !== verbatim) {
      result += ' : ';
      continue;
    }
    scanner.next();
    const { start } = scanner;
    scanner.skipChildren();
    result += ':' + text.slice(start, scanner.end);
    afterName = false;
  }
  return result + '\n';
}

function lineFeed(indent: number): string {
  return '\n' + '  '.repeat(indent);
}
