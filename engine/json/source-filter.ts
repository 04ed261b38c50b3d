// Parts of a stored document: `_source` filtering (reference server) and the values behind a field
// name (7.1). Both walk the source text; subtrees that are wanted whole are copied as they were written.

import { PatternWork } from '../common/index';
import { type JsonNumber, type JsonObject, type JsonValue, isJsonObject } from './json';
import { decodeUtf8, parseJsonObject } from './parse';
import { JsonScanner, JsonToken } from './scanner';

/** Deeper than any document that was ever accepted. */
const MAX_SOURCE_DEPTH = 1000;

/** What {@link extractValues} finds: leaves only. */
export type JsonLeaf = boolean | string | JsonNumber;

/**
 * Applies include and exclude patterns to a stored source. Members keep their order.
 *
 * `true`, and a filter without patterns, give the source itself; `false` gives an empty object (callers that
 * leave the member out do not call this).
 *
 * @throws JsonSyntaxError when the source is not a JSON object; EngineError (400) when paths would be
 *   compared with too many patterns
 */
export function filterSource(source: Buffer, filter: SourceFilter): Buffer {
  if (filter === true) return source;
  if (filter === false) return Buffer.from('{}');
  if (filter.includes.length === 0 && filter.excludes.length === 0) return source;
  const text = decodeUtf8(source);
  const scanner = new JsonScanner(text, MAX_SOURCE_DEPTH);
  if (scanner.next() !== JsonToken.ObjectStart) throw scanner.error('expected an object');
  const { includes, excludes } = pathsOf(filter);
  const run: Run = { text, scanner, excludes, matched: new Map(), work: new PatternWork() };
  return Buffer.from(filterObject(run, includes, '') || '{}');
}

interface Run {
  readonly text: string;
  readonly scanner: JsonScanner;
  readonly excludes: Paths | null;
  /** Whether the patterns of a side name the paths that were met. */
  readonly matched: Map<Paths, Map<string, boolean>>;
  /** Comparisons of paths with patterns, which are as many as the product of both. */
  readonly work: PatternWork;
}

/** Names and patterns of one side of a filter. */
interface Paths {
  /** Those without a star. */
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly string[];
  /** What any of them begins with, up to each of its dots. */
  readonly beginnings: ReadonlySet<string>;
  /** One of them begins with a star: everything may hold something that it matches. */
  readonly isAnywhere: boolean;
}

interface FilterPaths {
  /** Null: everything. */
  readonly includes: Paths | null;
  /** Null: nothing. */
  readonly excludes: Paths | null;
}

const known = new WeakMap<SourcePatterns, FilterPaths>();

/** The two sides of a filter, worked out once. */
function pathsOf(filter: SourcePatterns): FilterPaths {
  let paths = known.get(filter);
  if (paths === undefined) {
    paths = { includes: pathsIn(filter.includes), excludes: pathsIn(filter.excludes) };
    known.set(filter, paths);
  }
  return paths;
}

function pathsIn(list: readonly string[]): Paths | null {
  if (list.length === 0) return null;
  const names = new Set<string>();
  const patterns = new Set<string>();
  const beginnings = new Set<string>();
  let isAnywhere = false;
  for (const path of list) {
    (path.includes('*') ? patterns : names).add(path);
    if (path.startsWith('*')) {
      isAnywhere = true;
      continue;
    }
    let levels = 0;
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      // No document is deeper, and a path may be nothing but dots.
      if (++levels > MAX_SOURCE_DEPTH) break;
      beginnings.add(path.slice(0, dot));
    }
  }
  return { names, patterns: [...patterns], beginnings, isAnywhere };
}

function names(paths: Paths, path: string, { matched, work }: Run): boolean {
  const { names: exact, patterns } = paths;
  if (exact.has(path)) return true;
  if (patterns.length === 0) return false;
  // The objects of a list have the same paths again and again.
  let met = matched.get(paths);
  if (met === undefined) matched.set(paths, (met = new Map<string, boolean>()));
  let isNamed = met.get(path);
  if (isNamed === undefined) {
    work.add(patterns.length);
    isNamed = patterns.some((pattern) => matchesPattern(pattern, path));
    met.set(path, isNamed);
  }
  return isNamed;
}

/** The filtered object that has just begun, or '' when nothing of it is left. */
function filterObject(run: Run, includes: Paths | null, prefix: string): string {
  const { scanner } = run;
  let result = '';
  while (scanner.next() === JsonToken.Name) {
    const name = scanner.text;
    const path = prefix === '' ? name : `${prefix}.${name}`;
    scanner.next();
    const isExcluded = run.excludes !== null && names(run.excludes, path, run);
    const wanted = isExcluded ? 'no' : includedness(includes, path, run);
    const value = wanted === 'no' ? skip(scanner) : filterMember(run, includes, path, wanted);
    if (value === '') continue;
    result += (result === '' ? '{' : ',') + JSON.stringify(name) + ':' + value;
  }
  return result === '' ? '' : result + '}';
}

function filterMember(
  run: Run,
  includes: Paths | null,
  path: string,
  wanted: 'exact' | 'deeper',
): string {
  const { scanner, text } = run;
  const exact = wanted === 'exact';
  const deeper = exact ? null : includes;
  if (exact && run.excludes === null) {
    const { start } = scanner;
    scanner.skipChildren();
    return text.slice(start, scanner.end);
  }
  const { token } = scanner;
  if (token === JsonToken.ObjectStart) {
    return filterObject(run, deeper, path) || (exact ? '{}' : '');
  }
  if (token === JsonToken.ArrayStart) return filterArray(run, deeper, path) || '[]';
  return exact ? text.slice(scanner.start, scanner.end) : '';
}

/** The filtered array that has just begun, or '' when no element is left. Scalars always stay. */
function filterArray(run: Run, includes: Paths | null, path: string): string {
  const { scanner, text } = run;
  let result = '';
  while (scanner.next() !== JsonToken.ArrayEnd) {
    let element: string;
    if (scanner.token === JsonToken.ObjectStart) element = filterObject(run, includes, path);
    else if (scanner.token === JsonToken.ArrayStart) element = filterArray(run, includes, path);
    else element = text.slice(scanner.start, scanner.end);
    if (element !== '') result += (result === '' ? '[' : ',') + element;
  }
  return result === '' ? '' : result + ']';
}

function skip(scanner: JsonScanner): '' {
  scanner.skipChildren();
  return '';
}

/** Whether the includes name this path, may name something below it, or neither. */
function includedness(includes: Paths | null, path: string, run: Run): 'exact' | 'deeper' | 'no' {
  if (includes === null || names(includes, path, run)) return 'exact';
  // A pattern with its star in the middle is not followed downwards: `o.*.q` ends at `o`.
  return includes.isAnywhere || includes.beginnings.has(path) ? 'deeper' : 'no';
}

/** Simple wildcards: `*` stands for any characters, dots included; everything else for itself. */
export function matchesPattern(pattern: string, text: string): boolean {
  let star = pattern.indexOf('*');
  if (star < 0) return pattern === text;
  if (!text.startsWith(pattern.slice(0, star))) return false;
  let at = star;
  for (;;) {
    const nextStar = pattern.indexOf('*', star + 1);
    if (nextStar < 0) {
      const suffix = pattern.slice(star + 1);
      return text.length - at >= suffix.length && text.endsWith(suffix);
    }
    const part = pattern.slice(star + 1, nextStar);
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
    star = nextStar;
  }
}

/** A stored document, for those who ask it for more than one path. @throws JsonSyntaxError */
export function parseSource(source: Buffer): JsonObject {
  return parseJsonObject(decodeUtf8(source), MAX_SOURCE_DEPTH);
}

/**
 * The leaf values at a dotted path of a document, in order: arrays are walked through and nulls skipped. A
 * name that holds dots itself is found where no shorter name exists.
 *
 * @param source stored bytes, or the parsed document when several paths are asked of one
 * @throws JsonSyntaxError when the bytes are not a JSON object
 */
export function extractValues(source: Buffer | JsonObject, path: string): JsonLeaf[] {
  const document = isJsonObject(source) ? source : parseSource(source);
  const values: JsonLeaf[] = [];
  const parts = path.split('.').filter((part) => part !== '');
  if (parts.length > 0) collect(document, parts, 0, values);
  return values;
}

/**
 * The value at a dotted path as it stands in the document: an object, an array, or of a path through arrays
 * the list of what its elements have there. Null when there is none.
 */
export function extractValue(document: JsonObject, path: string): JsonValue {
  const parts = path.split('.').filter((part) => part !== '');
  return parts.length === 0 ? null : valueAt(document, parts, 0);
}

function valueAt(value: JsonValue, parts: readonly string[], index: number): JsonValue {
  if (index === parts.length || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((item) => valueAt(item, parts, index)).filter((item) => item !== null);
  }
  if (!isJsonObject(value)) return null;
  const { member, next } = memberAt(value, parts, index);
  return valueAt(member, parts, next);
}

/**
 * The member that a path goes on with; a name that holds dots itself is found where no shorter one exists.
 */
function memberAt(
  object: JsonObject,
  parts: readonly string[],
  index: number,
): { readonly member: JsonValue; readonly next: number } {
  let name = parts[index] ?? '';
  let next = index + 1;
  let member = object.get(name) ?? null;
  while (member === null && next < parts.length) {
    name += `.${parts[next] ?? ''}`;
    next++;
    member = object.get(name) ?? null;
  }
  return { member, next };
}

function collect(
  value: JsonValue,
  parts: readonly string[],
  index: number,
  values: JsonLeaf[],
): void {
  if (value === null) return;
  if (Array.isArray(value)) {
    for (const element of value) collect(element, parts, index, values);
  } else if (isJsonObject(value)) {
    if (index === parts.length) return;
    const { member, next } = memberAt(value, parts, index);
    collect(member, parts, next, values);
  } else {
    values.push(value);
  }
}

/** `true`: everything; `false`: nothing; otherwise include and exclude patterns. */
export type SourceFilter = boolean | SourcePatterns;

interface SourcePatterns {
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}
