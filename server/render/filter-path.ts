// `filter_path`: keeps the parts of a response that match dotted patterns. `*` stands for (part of) one name,
// `**` for any depth; arrays are transparent; a stored `_source` is one piece (reference server).

import { JsonScanner, JsonToken, matchesPattern } from '../../engine/index';

/** A pattern's parts still to be matched; an empty list means "everything below". */
type Pattern = readonly string[];

const ATOMIC = '_source';

/**
 * @param text JSON text of one object
 * @param patterns dotted patterns
 * @returns the filtered object, `{}` when nothing matches; the text itself when there are no patterns
 */
export function filterPath(text: string, patterns: readonly string[]): string {
  if (patterns.length === 0) return text;
  const scanner = new JsonScanner(text, Number.POSITIVE_INFINITY);
  if (scanner.next() !== JsonToken.ObjectStart) return text;
  const open = patterns.map((pattern) => pattern.split('.').filter((part) => part !== ''));
  return filterObject(text, scanner, open) || '{}';
}

function filterObject(text: string, scanner: JsonScanner, patterns: readonly Pattern[]): string {
  let result = '';
  while (scanner.next() === JsonToken.Name) {
    const name = scanner.text;
    const spelling = text.slice(scanner.start, scanner.end);
    scanner.next();
    const value = filterValue(text, scanner, advance(patterns, name), name === ATOMIC);
    if (value !== '') result += (result === '' ? '{' : ',') + spelling + ':' + value;
  }
  return result === '' ? '' : result + '}';
}

/** The value at the scanner's token as far as it is wanted, or ''. */
function filterValue(
  text: string,
  scanner: JsonScanner,
  patterns: readonly Pattern[],
  isAtomic: boolean,
): string {
  const { start } = scanner;
  if (patterns.some(isComplete)) {
    scanner.skipChildren();
    return text.slice(start, scanner.end);
  }
  if (patterns.length === 0 || isAtomic) {
    scanner.skipChildren();
    return '';
  }
  if (scanner.token === JsonToken.ObjectStart) return filterObject(text, scanner, patterns);
  if (scanner.token !== JsonToken.ArrayStart) return '';
  let result = '';
  while (scanner.next() !== JsonToken.ArrayEnd) {
    const element = filterValue(text, scanner, patterns, false);
    if (element !== '') result += (result === '' ? '[' : ',') + element;
  }
  return result === '' ? '' : result + ']';
}

/** What is left of each pattern after a member of this name. */
function advance(patterns: readonly Pattern[], name: string): Pattern[] {
  const next: Pattern[] = [];
  for (const pattern of patterns) {
    const [head, ...rest] = pattern;
    if (head === undefined) continue;
    if (head === '**') {
      next.push(pattern, ...advance([rest], name));
    } else if (matchesPattern(head, name)) {
      next.push(rest);
    }
  }
  return next;
}

/** `**` at the end asks for all that lies below. */
function isComplete(pattern: Pattern): boolean {
  return pattern.length === 0 || (pattern.length === 1 && pattern[0] === '**');
}
