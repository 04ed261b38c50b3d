// Comparing an answer with a recorded one.
//
// Members in any order, arrays in order, integers exactly, floats to a relative 1e-6; `1` and `1.0` differ.
// What no server can reproduce (times, sizes, generated ids, node names, versions) counts by JSON type only,
// except inside what users stored or named. Error texts count by the names of their exceptions, nested ones
// included. Hits that tie may stand in any order.

import {
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
} from '../../../engine/json/json';
import { writeJson } from '../../../engine/json/write';
import type { Answer } from './cases';

const TOLERANCE = 1e-6;

/** Below these members lies what users stored or chose the names of: nothing there is volatile. */
const USER_CONTENT = new Set([
  '_source',
  'fields',
  'properties',
  'highlight',
  'sort',
  'filter',
  'query',
  'aliases',
  'term',
]);

const VOLATILE = new Set([
  'took',
  '_scroll_id',
  'uuid',
  'cluster_name',
  'build_hash',
  'build_timestamp',
  'build_snapshot',
  'lucene_version',
  'creation_date',
  'timestamp',
  'node',
  'host',
  'hostname',
  'ip',
  'http_address',
  'transport_address',
  'pid',
  'master_node',
  'number_of_pending_tasks',
  'number_of_in_flight_fetch',
]);
const VOLATILE_ENDING = /(_in_millis|_in_bytes|_time)$/;
const VOLATILE_PATH = /(^|\.)(version\.(created|number)|uuid|creation_date)$/;
const GENERATED_ID = /^(?=.*[A-Z])(?=.*[a-z0-9])[\w-]{20,22}$/;
const NODE_ID = /^[\w-]{22}$/;

type Path = readonly string[];

/** What differs first between two answers: one line; null when nothing does. */
export function compareAnswers(
  expected: Answer,
  got: Answer,
  ignore: readonly string[],
  statusOnly: boolean,
): string | null {
  if (expected.status !== got.status) {
    return `status: expected ${expected.status}, got ${got.status} ${brief(got.text)}`;
  }
  if (statusOnly) return null;
  const isEmpty = (answer: Answer) => answer.body === undefined && answer.text.trim() === '';
  if (isEmpty(expected) && isEmpty(got)) return null;
  if (expected.type !== got.type) return `content type: expected ${expected.type}, got ${got.type}`;
  if (expected.body === undefined) return compareText(expected.text, got.text);
  if (got.body === undefined) return `body: expected JSON, got ${brief(got.text)}`;
  return new Comparison(expected.body, ignore).compare(expected.body, got.body, []);
}

/** Beginning and end of a text, the same for each run. The end of an error says why. */
function brief(text: string): string {
  const stable = text
    .replace(/("took":)\d+/g, '$10')
    // A node's id may have no digit; it stands before an index and a shard.
    .replace(/(?<=\{\[)[\w-]{22}(?=\]\[)/g, '<id>')
    .replace(/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{22}(?![\w-])/g, '<id>')
    .replace(/\b127\.0\.0\.1:\d+/g, '<address>');
  return stable.length > 400 ? `${stable.slice(0, 150)}…${stable.slice(-250)}` : stable;
}

/** Plain text (`_cat`): column widths, sizes, times and addresses do not count. */
function compareText(expected: string, got: string): string | null {
  const clean = (text: string) =>
    text
      .split('\n')
      .map((line) =>
        line
          .trim()
          .replace(/\s+/g, ' ')
          .replace(/\b\d+(\.\d+)?(b|kb|mb|gb|ms|micros)\b/g, '<size>')
          .replace(/\b1\d{9}\b/g, '<epoch>')
          .replace(/\b\d\d:\d\d:\d\d\b/g, '<time>')
          .replace(/\b\d+\.\d+\.\d+\.\d+\b/g, '<ip>')
          // Recorded answers name their placeholders differently.
          .replace(/<n>/g, '<size>'),
      )
      .join('\n')
      .replace(/\n+$/, '');
  const [a, b] = [clean(expected), clean(got)];
  return a === b
    ? null
    : `text: expected ${JSON.stringify(brief(a))}, got ${JSON.stringify(brief(b))}`;
}

function isScalar(value: JsonValue): boolean {
  return value === null || typeof value !== 'object' || value instanceof JsonNumber;
}

function sameNumber(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(TOLERANCE * Math.max(Math.abs(a), Math.abs(b)), 1e-9);
}

function isFloat(number: JsonNumber): boolean {
  return !number.isInteger;
}

/**
 * The classes that an error text names, in order, each once: several shards may have failed for one reason,
 * and their number and order do not count. Null when the text does not begin with one.
 */
function exceptionNames(text: string): string | null {
  const first = /^([A-Za-z_$][\w.$]*)(?=\[|:|;|$)/.exec(text)?.[1];
  if (first === undefined) return null;
  const nested = text.match(/\b[A-Z]\w*(?:Exception|Error|Failure|Clauses)(?=\[|:|;|$)/g) ?? [];
  return [...new Set([first, ...nested])].join(' ');
}

class Comparison {
  private readonly ignored: readonly RegExp[];

  constructor(
    private readonly root: JsonValue,
    ignore: readonly string[],
  ) {
    this.ignored = ignore.map((path) => {
      const escaped = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^.]*');
      return new RegExp(`^${escaped}$`);
    });
  }

  compare(expected: JsonValue, got: JsonValue, path: Path): string | null {
    if (path.length > 0 && this.isIgnored(path)) return null;
    if (isScalar(expected) || isScalar(got)) return this.scalars(expected, got, path);
    if (Array.isArray(expected)) {
      return Array.isArray(got)
        ? this.arrays(expected, got, path)
        : differ(path, 'an array', 'an object');
    }
    if (!isJsonObject(expected) || !isJsonObject(got)) return differ(path, 'an object', 'an array');
    return this.objects(expected, got, path);
  }

  private isIgnored(path: Path): boolean {
    if (this.ignored.length === 0) return false;
    const whole = path.join('.');
    const withoutIndices = path.filter((key) => !/^\d+$/.test(key)).join('.');
    return this.ignored.some((pattern) => pattern.test(whole) || pattern.test(withoutIndices));
  }

  private isVolatile(path: Path): boolean {
    const key = path.at(-1)!;
    if (path.slice(0, -1).some((part) => USER_CONTENT.has(part))) return false;
    if (key === 'name') {
      const isRootName = path.length === 1 && isJsonObject(this.root) && this.root.has('tagline');
      return path[0] === 'nodes' || isRootName;
    }
    return VOLATILE.has(key) || VOLATILE_ENDING.test(key) || VOLATILE_PATH.test(path.join('.'));
  }

  private scalars(expected: JsonValue, got: JsonValue, path: Path): string | null {
    if (path.length > 0 && this.isVolatile(path)) {
      return kind(expected) === kind(got) ? null : differ(path, `a ${kind(expected)}`, show(got));
    }
    if (expected instanceof JsonNumber && got instanceof JsonNumber) {
      if (isFloat(expected) !== isFloat(got)) return differ(path, expected.text, got.text);
      const same = isFloat(expected)
        ? sameNumber(expected.value, got.value)
        : BigInt(expected.text) === BigInt(got.text);
      return same ? null : differ(path, expected.text, got.text);
    }
    if (expected === got) return null;
    if (typeof expected === 'string' && typeof got === 'string') {
      const key = path.at(-1);
      const generated = expected === '<generated>' || GENERATED_ID.test(expected);
      if (key === '_id' && generated && got !== '') return null;
      const isError = key === 'error' || key === 'reason';
      if (isError && !path.some((part) => USER_CONTENT.has(part))) {
        const names = exceptionNames(expected);
        const gotNames = exceptionNames(got);
        if (names === null || names === gotNames) return null;
        return differ(path, names, gotNames ?? show(got));
      }
    }
    return differ(path, show(expected), show(got));
  }

  private arrays(expected: JsonValue[], got: JsonValue[], path: Path): string | null {
    let a: readonly JsonValue[] = expected;
    let b: readonly JsonValue[] = got;
    if (isHits(path, expected) && isHits(path, got)) {
      const [hitsA, hitsB] = [orderTies(expected), orderTies(got)];
      for (let i = 0; i < Math.min(hitsA.length, hitsB.length); i++) {
        const id = hitsA[i]!.get('_id');
        const generated = typeof id === 'string' && (id === '<generated>' || GENERATED_ID.test(id));
        if (!generated && identity(hitsA[i]!) !== identity(hitsB[i]!)) {
          const ids = (hits: readonly JsonObject[]) => `ids ${hits.map(idOf).join(' ')}`;
          return differ(path, ids(hitsA), ids(hitsB));
        }
      }
      [a, b] = [hitsA, hitsB];
    }
    for (let i = 0; i < Math.min(a.length, b.length); i++) {
      const difference = this.compare(a[i]!, b[i]!, [...path, String(i)]);
      if (difference !== null) return difference;
    }
    return a.length === b.length
      ? null
      : differ(path, `${a.length} elements`, `${b.length} elements`);
  }

  private objects(expected: JsonObject, got: JsonObject, path: Path): string | null {
    const [a, b] = [anonymousNodes(expected, path), anonymousNodes(got, path)];
    for (const [key, value] of a) {
      const at = [...path, key];
      const other = b.get(key);
      if (other === undefined) {
        if (!this.isIgnored(at)) return differ(at, show(value), 'nothing');
        continue;
      }
      const difference = this.compare(value, other, at);
      if (difference !== null) return difference;
    }
    for (const [key, value] of b) {
      const at = [...path, key];
      if (!a.has(key) && !this.isIgnored(at)) return differ(at, 'nothing', show(value));
    }
    return null;
  }
}

function differ(path: Path, expected: string, got: string): string {
  return `${path.join('.') || 'body'}: expected ${brief(expected)}, got ${brief(got)}`;
}

function show(value: JsonValue): string {
  return writeJson(value);
}

function kind(value: JsonValue): string {
  if (value === null) return 'null';
  return value instanceof JsonNumber ? 'number' : typeof value;
}

/** Node ids are random; below `nodes` their order decides. */
function anonymousNodes(map: JsonObject, path: Path): JsonObject {
  if (path.at(-1) !== 'nodes' || path.some((part) => USER_CONTENT.has(part))) return map;
  let count = 0;
  return new Map(
    [...map].map(([key, value]) => [NODE_ID.test(key) ? `<node ${count++}>` : key, value]),
  );
}

function isHits(path: Path, array: readonly JsonValue[]): array is JsonObject[] {
  const key = path.at(-1);
  return (
    (key === 'hits' || key === 'matches') &&
    array.length > 0 &&
    array.every((hit) => isJsonObject(hit) && hit.has('_id'))
  );
}

function idOf(hit: JsonObject): string {
  return show(hit.get('_id') ?? null);
}

function identity(hit: JsonObject): string {
  return ['_index', '_type', '_id'].map((key) => show(hit.get(key) ?? null)).join('/');
}

/** What orders a hit: its sort values, else its score. */
function rank(hit: JsonObject): readonly JsonValue[] {
  const sort = hit.get('sort');
  return Array.isArray(sort) ? sort : [hit.get('_score') ?? null];
}

function sameRank(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  return (
    a.length === b.length &&
    a.every((x, i) => {
      const y = b[i]!;
      const numbers = x instanceof JsonNumber && y instanceof JsonNumber;
      return numbers ? sameNumber(x.value, y.value) : show(x) === show(y);
    })
  );
}

/** Puts each run of hits that tie into the order of their ids. */
function orderTies(hits: readonly JsonObject[]): JsonObject[] {
  const runs: JsonObject[][] = [];
  for (const hit of hits) {
    const run = runs.at(-1);
    if (run !== undefined && sameRank(rank(run.at(-1)!), rank(hit))) run.push(hit);
    else runs.push([hit]);
  }
  return runs.flatMap((run) => run.sort((a, b) => (identity(a) < identity(b) ? -1 : 1)));
}
