// `case=camelCase`: member names of a response without their underscores. What users stored or named stays.

import { JsonScanner, JsonToken } from '../../engine/index';

/** Members whose contents are the users' own. */
const USER_CONTENT: ReadonlySet<string> = new Set(['_source', 'aliases', 'mappings', 'properties']);

/** The member of which only the names directly inside are: those of indices. */
const INDICES = 'indices';

/** Rewrites member names: `_index` → `Index`, `timed_out` → `timedOut`; `_source` keeps its own. */
export function camelCaseNames(text: string): string {
  const scanner = new JsonScanner(text, Number.POSITIVE_INFINITY);
  let result = '';
  let copied = 0;
  /** How deep the names of indices stand that are being passed; 0: none. */
  let indexDepth = 0;
  for (let token = scanner.next(); token !== JsonToken.End; token = scanner.next()) {
    if (token !== JsonToken.Name) continue;
    if (scanner.depth < indexDepth) indexDepth = 0;
    if (scanner.depth === indexDepth) continue;
    const name = scanner.text;
    // compat: flat settings keep their names, those that are nested do not.
    if (name.includes('_') && name !== '_source' && !name.includes('.')) {
      result += text.slice(copied, scanner.start) + JSON.stringify(camelCase(name));
      copied = scanner.end;
    }
    if (name === INDICES && indexDepth === 0) indexDepth = scanner.depth + 1;
    if (!USER_CONTENT.has(name)) continue;
    scanner.next();
    scanner.skipChildren();
  }
  return result + text.slice(copied);
}

function camelCase(name: string): string {
  return name.replace(/_+(.?)/g, (_match, letter: string) => letter.toUpperCase());
}
