// Kinds of requests, as their times are told apart: few, because each is a set of time series.

import type { Route } from './router';

/** All families. `none`: no route, or the request was refused before one was looked for. */
export const ROUTE_FAMILIES = [
  'search',
  'count',
  'msearch',
  'bulk',
  'index',
  'update',
  'get',
  'mget',
  'delete',
  'delete_by_query',
  'refresh',
  'aliases',
  'snapshot',
  'stats',
  'admin',
  'none',
] as const;

/** A kind of request that metrics count apart. */
export type RouteFamily = (typeof ROUTE_FAMILIES)[number];

/** By the first literal segment of the path; paths that are not listed are administration. */
const BY_SEGMENT: ReadonlyMap<string, RouteFamily> = new Map<string, RouteFamily>([
  ['_search', 'search'],
  ['_mlt', 'search'],
  ['_suggest', 'search'],
  ['_percolate', 'search'],
  ['_count', 'count'],
  ['_msearch', 'msearch'],
  ['_bulk', 'bulk'],
  ['_create', 'index'],
  ['_update', 'update'],
  ['_source', 'get'],
  ['_mget', 'mget'],
  ['_query', 'delete_by_query'],
  ['_refresh', 'refresh'],
  ['_flush', 'refresh'],
  ['_optimize', 'refresh'],
  ['_alias', 'aliases'],
  ['_aliases', 'aliases'],
  ['_snapshot', 'snapshot'],
  ['_stats', 'stats'],
  ['_status', 'stats'],
  ['_segments', 'stats'],
  ['_recovery', 'stats'],
  ['_nodes', 'stats'],
  ['_cluster', 'stats'],
  ['_cat', 'stats'],
  ['_metrics', 'stats'],
]);

const DOCUMENT = '/{index}/{type}/{id}';

/** The family of a line of the table of routes. */
export function familyOf({ methods, path }: Pick<Route<unknown>, 'methods' | 'path'>): RouteFamily {
  const literal = path.split('/').find((segment) => segment.startsWith('_'));
  if (literal !== undefined) return BY_SEGMENT.get(literal) ?? 'admin';
  if (path === DOCUMENT) {
    if (methods.includes('DELETE')) return 'delete';
    return methods.includes('PUT') ? 'index' : 'get';
  }
  return path === '/{index}/{type}' && methods.includes('POST') ? 'index' : 'admin';
}
