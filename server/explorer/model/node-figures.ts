// A node in figures: two looks at its counters, and what happened between them.

import { isObject, own, ownObject, type JsonObject } from './own';
import { valueText } from './values';

/** Counters of a node at a moment. */
export interface NodeLook {
  readonly name: string;
  readonly version: string;
  readonly atMs: number;
  readonly uptimeMs: number;
  readonly load: number | null;
  readonly cpuMs: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly heapMaxBytes: number;
  readonly fieldDataBytes: number;
  readonly documents: number;
  readonly storeBytes: number;
  readonly freeDiskBytes: number;
  readonly connections: number;
  readonly searches: number;
  readonly writes: number;
  readonly merging: number;
  /** Requests, by kind. */
  readonly requests: ReadonlyMap<string, RequestTimes>;
}

/** How long requests of a kind took since the start. */
export interface RequestTimes {
  readonly count: number;
  readonly seconds: number;
  /** Upper bounds in seconds, with how many took no longer. */
  readonly buckets: readonly (readonly [upTo: number, count: number])[];
}

function at(object: unknown, ...path: readonly string[]): number {
  let value = object;
  for (const name of path) value = isObject(value) ? own(value, name) : undefined;
  return typeof value === 'number' ? value : 0;
}

/** A look at a node. @param metrics of `_metrics`; empty where they are not to be had */
export function readLook(answer: JsonObject, metrics: string): NodeLook {
  const [node] = Object.values(ownObject(answer, 'nodes'));
  const stats = isObject(node) ? node : {};
  const load = ownObject(stats, 'os')['load_average'];
  return {
    name: valueText(stats['name']),
    version: /facetd_build_info\{[^}]*[{,]?version="([^"]*)"/.exec(metrics)?.[1] ?? '',
    atMs: at(stats, 'timestamp'),
    uptimeMs: at(stats, 'jvm', 'uptime_in_millis'),
    load: Array.isArray(load) && typeof load[0] === 'number' ? load[0] : null,
    cpuMs: at(stats, 'process', 'cpu', 'total_in_millis'),
    residentBytes: at(stats, 'process', 'mem', 'resident_in_bytes'),
    heapBytes: at(stats, 'jvm', 'mem', 'heap_used_in_bytes'),
    heapMaxBytes: at(stats, 'jvm', 'mem', 'heap_max_in_bytes'),
    fieldDataBytes: at(stats, 'indices', 'fielddata', 'memory_size_in_bytes'),
    documents: at(stats, 'indices', 'docs', 'count'),
    storeBytes: at(stats, 'indices', 'store', 'size_in_bytes'),
    freeDiskBytes: at(stats, 'fs', 'total', 'available_in_bytes'),
    connections: at(stats, 'http', 'current_open'),
    searches: at(stats, 'indices', 'search', 'query_total'),
    writes: at(stats, 'indices', 'indexing', 'index_total'),
    merging: at(stats, 'indices', 'merges', 'current'),
    requests: readRequests(metrics),
  };
}

const SAMPLE =
  /^facetd_http_request_seconds_(bucket|sum|count)\{family="([^"]*)",outcome="[^"]*"(?:,le="([^"]*)")?\} (\S+)$/gm;

/** Times of requests by kind, all outcomes together. */
function readRequests(metrics: string): Map<string, RequestTimes> {
  const counts = new Map<
    string,
    { count: number; seconds: number; buckets: Map<number, number> }
  >();
  for (const [, sample, family = '', le, text] of metrics.matchAll(SAMPLE)) {
    let known = counts.get(family);
    if (known === undefined) {
      known = { count: 0, seconds: 0, buckets: new Map() };
      counts.set(family, known);
    }
    const value = Number(text);
    if (sample === 'count') known.count += value;
    else if (sample === 'sum') known.seconds += value;
    else {
      const upTo = le === '+Inf' ? Infinity : Number(le);
      known.buckets.set(upTo, (known.buckets.get(upTo) ?? 0) + value);
    }
  }
  return new Map(
    [...counts].map(([family, { count, seconds, buckets }]) => [
      family,
      { count, seconds, buckets: [...buckets].sort(([a], [b]) => a - b) },
    ]),
  );
}

/** What happened between two looks. */
export interface NodeRates {
  /** Processors in use: 1 is all of one. */
  readonly processors: number;
  readonly searchesPerSecond: number;
  readonly writesPerSecond: number;
}

/** The rates between two looks; null where the server was started anew, or no time has passed. */
export function ratesBetween(before: NodeLook, now: NodeLook): NodeRates | null {
  const ms = now.atMs - before.atMs;
  if (ms <= 0 || now.uptimeMs < before.uptimeMs) return null;
  const perSecond = (count: number) => Math.max(0, (1000 * count) / ms);
  return {
    processors: Math.max(0, (now.cpuMs - before.cpuMs) / ms),
    searchesPerSecond: perSecond(now.searches - before.searches),
    writesPerSecond: perSecond(now.writes - before.writes),
  };
}

/** A row about requests of a kind. */
export interface RequestRow {
  readonly family: string;
  readonly count: number;
  readonly meanMs: number;
  /** Half of them took no longer; as exact as the bounds of the server. */
  readonly medianMs: number;
  readonly percentile99Ms: number;
}

/** How long requests took that ended between two looks; since the start where `before` is null. */
export function requestRows(before: NodeLook | null, now: NodeLook): RequestRow[] {
  const rows: RequestRow[] = [];
  for (const [family, times] of now.requests) {
    const earlier = before?.requests.get(family);
    const count = times.count - (earlier?.count ?? 0);
    if (count <= 0) continue;
    const buckets = times.buckets.map(
      ([upTo, until], i) => [upTo, until - (earlier?.buckets[i]?.[1] ?? 0)] as const,
    );
    rows.push({
      family,
      count,
      meanMs: (1000 * (times.seconds - (earlier?.seconds ?? 0))) / count,
      medianMs: 1000 * percentile(buckets, 0.5 * count),
      percentile99Ms: 1000 * percentile(buckets, 0.99 * count),
    });
  }
  return rows.sort((a, b) => b.percentile99Ms - a.percentile99Ms || b.count - a.count);
}

function percentile(buckets: readonly (readonly [number, number])[], rank: number): number {
  const found = buckets.find(([, count]) => count >= rank);
  const [last = 0] = buckets.filter(([upTo]) => Number.isFinite(upTo)).at(-1) ?? [];
  return found !== undefined && Number.isFinite(found[0]) ? found[0] : last;
}

/** A request that took long. */
export interface SlowRequest {
  readonly atMs: number;
  readonly tookMs: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** Requests that took long, the newest first, where the server tells them. */
export function slowRequests(answer: JsonObject): SlowRequest[] {
  const [node] = Object.values(ownObject(answer, 'nodes'));
  const list = ownObject(node, 'http')['slow_requests'];
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).map((one) => ({
    atMs: at(one, 'timestamp'),
    tookMs: at(one, 'took_in_millis'),
    method: String(one['method']),
    path: String(one['path']),
    status: at(one, 'status'),
  }));
}
