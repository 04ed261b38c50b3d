// `case=camelCase`: member names of a response without their underscores. What users stored or named stays.

import { JsonScanner, JsonToken } from '../../engine/index';

/** Members whose contents, or the names directly inside, are the users' own. */
const USER_CONTENT = new Set([
  '_source',
  'aliases',
  'facets',
  'indices',
  'mappings',
  'properties',
  'settings',
]);

/** Rewrites member names: `_index` → `Index`, `timed_out` → `timedOut`; `_source` keeps its own. */
export function camelCaseNames(text: string): string {
  const scanner = new JsonScanner(text, Number.POSITIVE_INFINITY);
  let result = '';
  let copied = 0;
  for (let token = scanner.next(); token !== JsonToken.End; token = scanner.next()) {
    if (token !== JsonToken.Name) continue;
    const name = scanner.text;
    if (name.includes('_') && name !== '_source') {
      result += text.slice(copied, scanner.start) + JSON.stringify(camelCase(name));
      copied = scanner.end;
    }
    if (!USER_CONTENT.has(name)) continue;
    scanner.next();
    scanner.skipChildren();
  }
  return result + text.slice(copied);
}

function camelCase(name: string): string {
  return name.replace(/_+(.?)/g, (_match, letter: string) => letter.toUpperCase());
}
