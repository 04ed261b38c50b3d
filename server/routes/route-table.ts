// The table of routes. One line per path and handler, with what a key has to be granted for it; which path a
// request belongs to is decided in server/request/router.ts, so this table can be asked before Express is.

import type { Action } from '../../engine/index';
import type { Handler, Route } from '../request/index';
import {
  ALIASES,
  CLUSTER,
  EVERYTHING,
  INDEX_ADMIN,
  INDEX_MONITOR,
  KEYS,
  MONITOR,
  NOTHING,
  READ,
  SNAPSHOTS,
  WRITE,
} from './actions';
import { aliasExists, getAlias, getAliasesLegacy } from './alias-read';
import { deleteAlias, putAlias, updateAliases } from './alias-write';
import { bulk } from './bulk';
import { CAT_PATHS, catOverview } from './cat';
import { ALLOCATION } from './cat-storage';
import {
  getClusterSettings,
  getPendingTasks,
  putClusterSettings,
  reroute,
  shutdown,
} from './cluster-admin';
import { getClusterHealth } from './cluster-health';
import { getClusterState } from './cluster-state';
import { fieldStats } from './field-stats';
import { deleteByQuery } from './delete-by-query';
import {
  createDocument,
  deleteDocument,
  documentExists,
  getDocument,
  getSource,
  indexDocument,
  updateDocument,
} from './documents';
import {
  closeIndex,
  createIndex,
  deleteIndex,
  getIndex,
  indexExists,
  openIndex,
  typeExists,
} from './indices';
import {
  analyze,
  clearCache,
  flush,
  flushSynced,
  getUpgrade,
  optimize,
  refresh,
  upgrade,
} from './maintenance';
import { createKey, getKey, getOwnKey, listKeys, revokeKey, rotateKey } from './keys';
import { deleteMapping, getFieldMapping, getMapping, putMapping } from './mappings';
import { getMetrics } from './metrics';
import { explain } from './explain';
import { moreLikeThis } from './more-like-this';
import { percolate, percolateCount } from './percolate';
import { multiPercolate } from './mpercolate';
import { multiSearch } from './msearch';
import { multiGet } from './multi-get';
import { getNodes, getRoot, headRoot } from './nodes';
import { getClusterStats, getHotThreads, getNodesStats } from './nodes-stats';
import { cancelTask, getTask, listTasks, reindex } from './reindex';
import { deleteRepository, getRepositories, putRepository, verifyRepository } from './repositories';
import { count, search, searchTemplate } from './search';
import { clearScroll, scroll } from './scroll';
import { searchExists } from './search-exists';
import { searchShards } from './search-shards';
import { getSettings, updateSettings } from './settings';
import {
  createSnapshot,
  deleteSnapshot,
  getRestores,
  getSnapshots,
  getSnapshotStatus,
  restoreSnapshot,
  verifySnapshot,
} from './snapshots';
import { getRecovery, getSegments, getStats, getStatus } from './stats';
import {
  createScript,
  createTemplateScript,
  deleteScript,
  deleteTemplateScript,
  getScript,
  getTemplateScript,
  putScript,
  putTemplateScript,
} from './scripts';
import { deleteTemplate, getTemplates, putTemplate, templateExists } from './templates';
import { multiTermVectors, termVectors } from './term-vectors';
import { suggest } from './suggest';
import { validateQuery } from './validate-query';
import { deleteWarmers, getWarmers, putWarmer } from './warmers';

/** A line of the table. */
export interface ApiRoute extends Route<Handler> {
  /** What a key has to be granted for it. */
  readonly action: Action;
  /** See {@link reading}. */
  readonly isReading?: true;
}

function route(action: Action, methods: string, path: string, handler: Handler): ApiRoute {
  return { action, methods: methods.split(' '), path, handler };
}

/** One handler on the same path with and without index, and with index and type. */
function everywhere(action: Action, methods: string, suffix: string, handler: Handler): ApiRoute[] {
  return [
    route(action, methods, `/${suffix}`, handler),
    route(action, methods, `/{index}/${suffix}`, handler),
    route(action, methods, `/{index}/{type}/${suffix}`, handler),
  ];
}

/** One handler on the same path with and without index. */
function perIndex(action: Action, methods: string, suffix: string, handler: Handler): ApiRoute[] {
  return [
    route(action, methods, `/${suffix}`, handler),
    route(action, methods, `/{index}/${suffix}`, handler),
  ];
}

/** Routes whose GET changes or costs something. */
function guarded(routes: readonly ApiRoute[]): ApiRoute[] {
  return routes.map((one) => ({ ...one, isGuarded: true }));
}

/** Routes that read what every thread knows: each may be answered by whichever gets the request. */
function reading(routes: readonly ApiRoute[]): ApiRoute[] {
  return routes.map((one) => ({ ...one, isReading: true }));
}

/** All routes; a path is matched as the router says. */
export const ROUTES: readonly ApiRoute[] = [
  route(NOTHING, 'GET', '/', getRoot),
  route(NOTHING, 'HEAD', '/', headRoot),

  // documents
  route(WRITE, 'POST', '/{index}/{type}', indexDocument),
  route(WRITE, 'PUT POST', '/{index}/{type}/{id}', indexDocument),
  route(WRITE, 'PUT POST', '/{index}/{type}/{id}/_create', createDocument),
  ...reading([
    route(READ, 'GET', '/{index}/{type}/{id}', getDocument),
    route(READ, 'HEAD', '/{index}/{type}/{id}', documentExists),
    route(READ, 'GET HEAD', '/{index}/{type}/{id}/_source', getSource),
  ]),
  route(WRITE, 'DELETE', '/{index}/{type}/{id}', deleteDocument),
  route(WRITE, 'POST', '/{index}/{type}/{id}/_update', updateDocument),
  route(WRITE, 'DELETE', '/{index}/_query', deleteByQuery),
  route(WRITE, 'DELETE', '/{index}/{type}/_query', deleteByQuery),
  ...everywhere(WRITE, 'POST PUT', '_bulk', bulk),
  ...reading(everywhere(READ, 'GET POST', '_mget', multiGet)),
  route(READ, 'GET POST', '/{index}/{type}/_termvector', termVectors),
  route(READ, 'GET POST', '/{index}/{type}/{id}/_termvector', termVectors),
  ...everywhere(READ, 'GET POST', '_mtermvectors', multiTermVectors),

  // search
  ...reading(everywhere(READ, 'GET POST', '_search', search)),
  route(READ, 'GET POST', '/_search/scroll', scroll),
  route(READ, 'GET POST', '/_search/scroll/{scroll_id}', scroll),
  route(READ, 'DELETE', '/_search/scroll', clearScroll),
  route(READ, 'DELETE', '/_search/scroll/{scroll_id}', clearScroll),
  ...reading([
    ...everywhere(READ, 'GET POST', '_msearch', multiSearch),
    ...everywhere(READ, 'GET POST', '_count', count),
    ...everywhere(READ, 'GET POST', '_search/template', searchTemplate),
  ]),
  ...perIndex(READ, 'GET POST', '_suggest', suggest),
  ...everywhere(READ, 'GET POST', '_search/exists', searchExists),
  ...everywhere(READ, 'GET POST', '_validate/query', validateQuery),
  ...everywhere(READ, 'GET POST', '_search_shards', searchShards),
  ...perIndex(READ, 'GET POST', '_field_stats', fieldStats),
  route(READ, 'GET POST', '/{index}/{type}/{id}/_explain', explain),
  route(READ, 'GET POST', '/{index}/{type}/{id}/_mlt', moreLikeThis),
  ...['/{index}/{type}', '/{index}/{type}/{id}'].flatMap((place) => [
    route(READ, 'GET POST', `${place}/_percolate`, percolate),
    route(READ, 'GET POST', `${place}/_percolate/count`, percolateCount),
  ]),
  ...everywhere(READ, 'GET POST', '_mpercolate', multiPercolate),

  // indices
  route(INDEX_ADMIN, 'PUT POST', '/{index}', createIndex),
  route(INDEX_ADMIN, 'DELETE', '/', deleteIndex),
  route(INDEX_ADMIN, 'DELETE', '/{index}', deleteIndex),
  route(READ, 'HEAD', '/{index}', indexExists),
  route(READ, 'HEAD', '/{index}/{type}', typeExists),
  route(READ, 'GET', '/{index}', getIndex),
  route(READ, 'GET', '/{index}/{type}', getIndex),
  ...perIndex(INDEX_ADMIN, 'POST', '_open', openIndex),
  ...perIndex(INDEX_ADMIN, 'POST', '_close', closeIndex),
  ...guarded([
    ...perIndex(WRITE, 'GET POST', '_refresh', refresh),
    ...perIndex(WRITE, 'GET POST', '_flush', flush),
    ...perIndex(WRITE, 'GET POST', '_flush/synced', flushSynced),
    ...perIndex(INDEX_ADMIN, 'GET POST', '_cache/clear', clearCache),
    ...perIndex(INDEX_ADMIN, 'GET POST', '_optimize', optimize),
  ]),
  ...perIndex(INDEX_MONITOR, 'GET', '_upgrade', getUpgrade),
  ...perIndex(INDEX_ADMIN, 'POST', '_upgrade', upgrade),
  ...perIndex(INDEX_MONITOR, 'GET', '_stats', getStats),
  ...perIndex(INDEX_MONITOR, 'GET', '_stats/{metric}', getStats),
  route(INDEX_MONITOR, 'GET', '/_stats/{metric}/{indexMetric}', getStats),
  ...perIndex(INDEX_MONITOR, 'GET', '_status', getStatus),
  ...perIndex(INDEX_MONITOR, 'GET', '_segments', getSegments),
  ...perIndex(INDEX_MONITOR, 'GET', '_recovery', getRecovery),
  ...perIndex(READ, 'GET POST', '_analyze', analyze),

  // mappings
  ...perIndex(READ, 'GET', '_mapping/{type}', getMapping),
  ...perIndex(INDEX_ADMIN, 'PUT POST', '_mapping/{type}', putMapping),
  ...perIndex(READ, 'GET', '_mapping/field/{fields}', getFieldMapping),
  ...perIndex(READ, 'GET', '_mapping/{type}/field/{fields}', getFieldMapping),
  route(READ, 'GET', '/{index}/{type}/_mapping/field/{fields}', getFieldMapping),
  route(INDEX_ADMIN, 'PUT POST', '/{index}/_mapping', putMapping),
  route(INDEX_ADMIN, 'PUT POST', '/{index}/_mappings', putMapping),
  route(INDEX_ADMIN, 'DELETE', '/{index}/_mapping/{type}', deleteMapping),
  route(READ, 'GET', '/{index}/_mappings/{type}', getMapping),
  ...perIndex(INDEX_ADMIN, 'PUT POST', '_mappings/{type}', putMapping),
  route(INDEX_ADMIN, 'DELETE', '/{index}/_mappings/{type}', deleteMapping),
  route(READ, 'GET', '/{index}/{type}/_mapping', getMapping),
  route(INDEX_ADMIN, 'PUT POST', '/{index}/{type}/_mapping', putMapping),
  route(INDEX_ADMIN, 'PUT POST', '/{index}/{type}/_mappings', putMapping),
  route(INDEX_ADMIN, 'DELETE', '/{index}/{type}/_mapping', deleteMapping),
  route(INDEX_ADMIN, 'DELETE', '/{index}/{type}/_mappings', deleteMapping),
  route(INDEX_ADMIN, 'DELETE', '/{index}/{type}', deleteMapping),

  // settings
  ...perIndex(INDEX_ADMIN, 'PUT', '_settings', updateSettings),
  ...perIndex(READ, 'GET', '_settings/{name}', getSettings),
  route(READ, 'GET', '/{index}/_setting/{name}', getSettings),

  // templates and warmers
  route(CLUSTER, 'GET', '/_template', getTemplates),
  route(CLUSTER, 'GET', '/_template/{name}', getTemplates),
  route(CLUSTER, 'HEAD', '/_template/{name}', templateExists),
  route(CLUSTER, 'PUT POST', '/_template/{name}', putTemplate),
  route(CLUSTER, 'DELETE', '/_template/{name}', deleteTemplate),
  // stored scripts
  route(CLUSTER, 'GET', '/_scripts/{lang}/{id}', getScript),
  route(CLUSTER, 'PUT POST', '/_scripts/{lang}/{id}', putScript),
  route(CLUSTER, 'PUT POST', '/_scripts/{lang}/{id}/_create', createScript),
  route(CLUSTER, 'DELETE', '/_scripts/{lang}/{id}', deleteScript),
  route(CLUSTER, 'GET', '/_search/template/{id}', getTemplateScript),
  route(CLUSTER, 'PUT POST', '/_search/template/{id}', putTemplateScript),
  route(CLUSTER, 'PUT POST', '/_search/template/{id}/_create', createTemplateScript),
  route(CLUSTER, 'DELETE', '/_search/template/{id}', deleteTemplateScript),
  ...everywhere(INDEX_ADMIN, 'PUT POST', '_warmer/{name}', putWarmer),
  ...everywhere(INDEX_ADMIN, 'PUT POST', '_warmers/{name}', putWarmer),
  ...everywhere(READ, 'GET', '_warmer/{name}', getWarmers),
  route(READ, 'GET', '/{index}/_warmers/{name}', getWarmers),
  route(INDEX_ADMIN, 'DELETE', '/{index}/_warmer', deleteWarmers),
  route(INDEX_ADMIN, 'DELETE', '/{index}/_warmers', deleteWarmers),
  route(INDEX_ADMIN, 'DELETE', '/{index}/_warmer/{name}', deleteWarmers),
  route(INDEX_ADMIN, 'DELETE', '/{index}/_warmers/{name}', deleteWarmers),

  // aliases
  route(ALIASES, 'POST', '/_aliases', updateAliases),
  route(ALIASES, 'PUT', '/_alias', putAlias),
  route(ALIASES, 'PUT', '/{index}/_alias', putAlias),
  route(ALIASES, 'PUT', '/{index}/_aliases', putAlias),
  ...perIndex(ALIASES, 'PUT POST', '_alias/{name}', putAlias),
  ...perIndex(ALIASES, 'PUT POST', '_aliases/{name}', putAlias),
  ...perIndex(READ, 'GET', '_alias/{name}', getAlias),
  ...perIndex(READ, 'GET', '_aliases/{name}', getAliasesLegacy),
  ...perIndex(READ, 'HEAD', '_alias/{name}', aliasExists),
  route(READ, 'HEAD', '/{index}/_alias', aliasExists),
  route(ALIASES, 'DELETE', '/{index}/_alias/{name}', deleteAlias),
  route(ALIASES, 'DELETE', '/{index}/_aliases/{name}', deleteAlias),

  // cluster
  route(INDEX_MONITOR, 'GET', '/_cluster/health', getClusterHealth),
  route(INDEX_MONITOR, 'GET', '/_cluster/health/{index}', getClusterHealth),
  route(MONITOR, 'GET', '/_cluster/state', getClusterState),
  route(MONITOR, 'GET', '/_cluster/state/{metric}', getClusterState),
  route(MONITOR, 'GET', '/_cluster/state/{metric}/{indices}', getClusterState),
  route(MONITOR, 'GET', '/_cluster/settings', getClusterSettings),
  route(CLUSTER, 'PUT', '/_cluster/settings', putClusterSettings),
  route(MONITOR, 'GET', '/_cluster/pending_tasks', getPendingTasks),
  route(CLUSTER, 'POST', '/_cluster/reroute', reroute),
  route(CLUSTER, 'POST', '/_shutdown', shutdown),
  route(CLUSTER, 'POST', '/_cluster/nodes/_shutdown', shutdown),
  route(CLUSTER, 'POST', '/_cluster/nodes/{nodeId}/_shutdown', shutdown),
  route(MONITOR, 'GET', '/_cluster/stats', getClusterStats),
  route(MONITOR, 'GET', '/_cluster/stats/nodes/{nodeId}', getClusterStats),
  ...['_cluster/nodes', '_nodes'].flatMap((path) =>
    ['hot_threads', 'hotthreads'].flatMap((name) => [
      ...guarded([
        route(MONITOR, 'GET', `/${path}/${name}`, getHotThreads),
        route(MONITOR, 'GET', `/${path}/{nodeId}/${name}`, getHotThreads),
      ]),
    ]),
  ),
  route(MONITOR, 'GET', '/_metrics', getMetrics),
  route(MONITOR, 'GET', '/_nodes/stats', getNodesStats),
  route(MONITOR, 'GET', '/_nodes/stats/{metric}', getNodesStats),
  route(MONITOR, 'GET', '/_nodes/stats/{metric}/{indexMetric}', getNodesStats),
  route(MONITOR, 'GET', '/_nodes/{nodeId}/stats', getNodesStats),
  route(MONITOR, 'GET', '/_nodes/{nodeId}/stats/{metric}', getNodesStats),
  route(MONITOR, 'GET', '/_nodes/{nodeId}/stats/{metric}/{indexMetric}', getNodesStats),
  route(MONITOR, 'GET', '/_nodes/{nodeId}/info/{metrics}', getNodes),
  route(MONITOR, 'GET', '/_nodes', getNodes),
  route(MONITOR, 'GET', '/_nodes/{nodeId}', getNodes),
  route(MONITOR, 'GET', '/_nodes/{nodeId}/{metrics}', getNodes),

  // keys
  route(KEYS, 'GET', '/_facetd/keys', listKeys),
  route(KEYS, 'GET', '/_facetd/keys/{id}', getKey),
  route(KEYS, 'PUT POST', '/_facetd/keys/{id}', createKey),
  route(KEYS, 'DELETE', '/_facetd/keys/{id}', revokeKey),
  route(KEYS, 'POST', '/_facetd/keys/{id}/_rotate', rotateKey),
  route(NOTHING, 'GET', '/_facetd/me', getOwnKey),

  // copying indices
  route(EVERYTHING, 'POST', '/_reindex', reindex),
  route(MONITOR, 'GET', '/_tasks', listTasks),
  route(MONITOR, 'GET', '/_tasks/{task}', getTask),
  route(CLUSTER, 'POST', '/_tasks/{task}/_cancel', cancelTask),

  // snapshots
  route(SNAPSHOTS, 'GET', '/_snapshot', getRepositories),
  route(SNAPSHOTS, 'GET', '/_snapshot/_status', getSnapshotStatus),
  route(SNAPSHOTS, 'GET', '/_snapshot/{repository}', getRepositories),
  route(SNAPSHOTS, 'PUT POST', '/_snapshot/{repository}', putRepository),
  route(SNAPSHOTS, 'DELETE', '/_snapshot/{repository}', deleteRepository),
  route(SNAPSHOTS, 'POST', '/_snapshot/{repository}/_verify', verifyRepository),
  route(SNAPSHOTS, 'GET', '/_snapshot/{repository}/_status', getSnapshotStatus),
  route(SNAPSHOTS, 'GET', '/_snapshot/{repository}/{snapshot}', getSnapshots),
  route(SNAPSHOTS, 'PUT POST', '/_snapshot/{repository}/{snapshot}', createSnapshot),
  route(SNAPSHOTS, 'DELETE', '/_snapshot/{repository}/{snapshot}', deleteSnapshot),
  route(SNAPSHOTS, 'GET', '/_snapshot/{repository}/{snapshot}/_status', getSnapshotStatus),
  route(SNAPSHOTS, 'GET', '/_snapshot/{repository}/{snapshot}/_restore', getRestores),
  route(SNAPSHOTS, 'POST', '/_snapshot/{repository}/{snapshot}/_restore', restoreSnapshot),
  route(SNAPSHOTS, 'POST', '/_snapshot/{repository}/{snapshot}/_verify', verifySnapshot),

  route(NOTHING, 'GET', '/_cat', catOverview),
  ...CAT_PATHS.map(([path, handler, action]) => route(action, 'GET', path, handler)),
  route(MONITOR, 'GET', '/_cat/allocation/{nodes}', ALLOCATION),
];
