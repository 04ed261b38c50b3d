// `case=camelCase`: member names of a response without their underscores. The reference rewrites names of
// fields and types as well, where they are members; which names it leaves alone depends on the place.

import { JsonScanner, JsonToken } from '../../engine/index';
import type { KeptNames } from '../request/index';

/** Members whose contents stay as they are. */
const OWN_CONTENT: ReadonlySet<string> = new Set(['_source', 'mapping']);

/** Members of which the names directly inside stay: those of indices, aliases and the like. */
const HOLDS_OWN_NAMES: ReadonlySet<string> = new Set([
  'aliases',
  'indices',
  '_indices',
  'nodes',
  'templates',
  'warmers',
]);

/** Members in which names with dots are flat settings, which stay. */
const HOLDS_SETTINGS: ReadonlySet<string> = new Set(['settings', 'persistent', 'transient']);

/**
 * Rewrites member names: `_index` → `Index`, `timed_out` → `timedOut`; `_source` keeps its own.
 *
 * @param kept what the answer says of its names
 */
export function camelCaseNames(text: string, kept: KeptNames = []): string {
  if (kept === 'all') return text;
  const scanner = new JsonScanner(text, Number.POSITIVE_INFINITY);
  let result = '';
  let copied = 0;
  /** The members around the current one, by depth. */
  const around: string[] = [];
  for (let token = scanner.next(); token !== JsonToken.End; token = scanner.next()) {
    if (token !== JsonToken.Name) continue;
    const { text: name, depth } = scanner;
    const isKept =
      name === '_source' ||
      kept.includes(depth) ||
      HOLDS_OWN_NAMES.has(around[depth - 1] ?? '') ||
      (name.includes('.') && HOLDS_SETTINGS.has(around[depth - 1] ?? ''));
    if (!isKept && name.includes('_')) {
      result += text.slice(copied, scanner.start) + JSON.stringify(camelCase(name));
      copied = scanner.end;
    }
    around[depth] = name;
    around.length = depth + 1;
    if (!OWN_CONTENT.has(name)) continue;
    scanner.next();
    scanner.skipChildren();
  }
  return result + text.slice(copied);
}

function camelCase(name: string): string {
  return name.replace(/_+(.?)/g, (_match, letter: string) => letter.toUpperCase());
}
