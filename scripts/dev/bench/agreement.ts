// Whether two servers gave the same answer: totals, order, sources, counts. Which of several equal entries
// stands at a cut is left open; everything else must agree.

import { isDeepStrictEqual } from 'node:util';

interface Hit {
  readonly _id: string;
  readonly _score: number | null;
  readonly _source: unknown;
  readonly sort?: readonly unknown[];
}

interface Entry {
  readonly count: number;
  readonly term: unknown;
}

interface Parsed {
  readonly hits?: { readonly total: number; readonly hits: readonly Hit[] };
  readonly facets?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What a comparison found. */
interface Agreement {
  /** Where the answers differ; null when they agree. */
  readonly difference: string | null;
  /** Documents that only one answer holds, rightly: their sources are still to be compared. */
  readonly loose: readonly { readonly id: string; readonly source: unknown }[];
}

/** Scores and sums may differ by rounding. */
const TOLERANCE = 1e-5;
/**
 * Members that say when, where and how fast, not what; and the ten of all queries that a percolation shows,
 * which are any ten.
 */
const IGNORED = new Set([
  'took',
  '_shards',
  '_index',
  '_scroll_id',
  'hits',
  'facets',
  'matches',
  'timed_out',
]);

/** Compares two parsed answers to the same request. */
export function compareAnswers(ours: unknown, theirs: unknown): Agreement {
  const a = ours as Parsed;
  const b = theirs as Parsed;
  const loose: Agreement['loose'][number][] = [];
  const difference =
    compareMembers(
      a as Readonly<Record<string, unknown>>,
      b as Readonly<Record<string, unknown>>,
    ) ??
    compareHits(a.hits, b.hits, loose) ??
    compareFacets(a.facets ?? {}, b.facets ?? {});
  return { difference, loose };
}

function compareMembers(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): string | null {
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (IGNORED.has(name)) continue;
    if (!isClose(a[name], b[name])) return `${name}: ${show(a[name])} and ${show(b[name])}`;
  }
  return null;
}

function compareHits(
  a: Parsed['hits'],
  b: Parsed['hits'],
  loose: Agreement['loose'][number][],
): string | null {
  if (a === undefined || b === undefined) return a === b ? null : 'hits: only one has them';
  if (a.total !== b.total) return `total: ${a.total} and ${b.total}`;
  if (a.hits.length !== b.hits.length) return `hits: ${a.hits.length} and ${b.hits.length}`;
  const keys = a.hits.map(sortKey);
  const position = b.hits.map(sortKey).findIndex((key, at) => !isClose(key, keys[at]));
  if (position >= 0) {
    return `sort values of hit ${position}: ${show(keys[position])} and ${show(sortKey(b.hits[position]!))}`;
  }
  const atCut = (hit: Hit) =>
    isClose(sortKey(hit), keys[0]) || isClose(sortKey(hit), keys[keys.length - 1]);
  const byId = new Map(b.hits.map((hit) => [hit._id, hit]));
  for (const hit of a.hits) {
    const other = byId.get(hit._id);
    byId.delete(hit._id);
    if (other === undefined) {
      if (!atCut(hit)) return `hit ${hit._id}: only one has it`;
      loose.push({ id: hit._id, source: hit._source });
    } else if (!isDeepStrictEqual(hit._source, other._source)) {
      return `source of ${hit._id}`;
    }
  }
  for (const hit of byId.values()) {
    if (!atCut(hit)) return `hit ${hit._id}: only the other has it`;
  }
  return null;
}

function sortKey({ sort, _score }: Hit): unknown {
  return sort ?? _score;
}

function compareFacets(
  a: NonNullable<Parsed['facets']>,
  b: NonNullable<Parsed['facets']>,
): string | null {
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const ours = a[name];
    const theirs = b[name];
    if (ours === undefined || theirs === undefined) return `facet ${name}: only one has it`;
    const { terms, ...rest } = ours;
    const { terms: otherTerms, ...otherRest } = theirs;
    if (!isClose(rest, otherRest)) return `facet ${name}: ${show(rest)} and ${show(otherRest)}`;
    const difference = compareEntries(
      (terms ?? []) as readonly Entry[],
      (otherTerms ?? []) as readonly Entry[],
    );
    if (difference !== null) return `facet ${name}: ${difference}`;
  }
  return null;
}

function compareEntries(a: readonly Entry[], b: readonly Entry[]): string | null {
  if (a.length !== b.length) return `${a.length} and ${b.length} entries`;
  const position = a.findIndex(({ count }, at) => count !== b[at]!.count);
  if (position >= 0) return `count ${position}: ${a[position]!.count} and ${b[position]!.count}`;
  const last = a[a.length - 1]?.count;
  const byTerm = new Map(b.map((entry) => [entry.term, entry]));
  for (const entry of a) {
    const other = byTerm.get(entry.term);
    if (other === undefined) {
      if (entry.count !== last) return `term ${show(entry.term)}: only one has it`;
    } else if (!isClose(entry, other)) {
      return `term ${show(entry.term)}: ${show(entry)} and ${show(other)}`;
    }
  }
  return null;
}

/** Deep equality in which numbers may differ by rounding. */
function isClose(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') {
    return a === b || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => isClose(item, b[at]));
  }
  if (isObject(a) && isObject(b)) {
    const names = Object.keys(a);
    return (
      names.length === Object.keys(b).length && names.every((name) => isClose(a[name], b[name]))
    );
  }
  return Object.is(a, b);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
