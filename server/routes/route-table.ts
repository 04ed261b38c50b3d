// The table of routes. One line per path and handler; which path a request belongs to is decided in
// server/request/router.ts, so this table can be asked before Express is.

import type { Handler, Route } from '../request/index';
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

function route(methods: string, path: string, handler: Handler): Route<Handler> {
  return { methods: methods.split(' '), path, handler };
}

/** One handler on the same path with and without index, and with index and type. */
function everywhere(methods: string, suffix: string, handler: Handler): Route<Handler>[] {
  return [
    route(methods, `/${suffix}`, handler),
    route(methods, `/{index}/${suffix}`, handler),
    route(methods, `/{index}/{type}/${suffix}`, handler),
  ];
}

/** One handler on the same path with and without index. */
function perIndex(methods: string, suffix: string, handler: Handler): Route<Handler>[] {
  return [route(methods, `/${suffix}`, handler), route(methods, `/{index}/${suffix}`, handler)];
}

/** Routes whose GET changes or costs something. */
function guarded(routes: readonly Route<Handler>[]): Route<Handler>[] {
  return routes.map((one) => ({ ...one, isGuarded: true }));
}

/** All routes; a path is matched as the router says. */
export const ROUTES: readonly Route<Handler>[] = [
  route('GET', '/', getRoot),
  route('HEAD', '/', headRoot),

  // documents
  route('POST', '/{index}/{type}', indexDocument),
  route('PUT POST', '/{index}/{type}/{id}', indexDocument),
  route('PUT POST', '/{index}/{type}/{id}/_create', createDocument),
  route('GET', '/{index}/{type}/{id}', getDocument),
  route('HEAD', '/{index}/{type}/{id}', documentExists),
  route('GET HEAD', '/{index}/{type}/{id}/_source', getSource),
  route('DELETE', '/{index}/{type}/{id}', deleteDocument),
  route('POST', '/{index}/{type}/{id}/_update', updateDocument),
  route('DELETE', '/{index}/_query', deleteByQuery),
  route('DELETE', '/{index}/{type}/_query', deleteByQuery),
  ...everywhere('POST PUT', '_bulk', bulk),
  ...everywhere('GET POST', '_mget', multiGet),
  route('GET POST', '/{index}/{type}/_termvector', termVectors),
  route('GET POST', '/{index}/{type}/{id}/_termvector', termVectors),
  ...everywhere('GET POST', '_mtermvectors', multiTermVectors),

  // search
  ...everywhere('GET POST', '_search', search),
  route('GET POST', '/_search/scroll', scroll),
  route('GET POST', '/_search/scroll/{scroll_id}', scroll),
  route('DELETE', '/_search/scroll', clearScroll),
  route('DELETE', '/_search/scroll/{scroll_id}', clearScroll),
  ...everywhere('GET POST', '_msearch', multiSearch),
  ...everywhere('GET POST', '_count', count),
  ...everywhere('GET POST', '_search/template', searchTemplate),
  ...perIndex('GET POST', '_suggest', suggest),
  ...everywhere('GET POST', '_search/exists', searchExists),
  ...everywhere('GET POST', '_validate/query', validateQuery),
  ...everywhere('GET POST', '_search_shards', searchShards),
  ...perIndex('GET POST', '_field_stats', fieldStats),
  route('GET POST', '/{index}/{type}/{id}/_explain', explain),
  route('GET POST', '/{index}/{type}/{id}/_mlt', moreLikeThis),
  ...['/{index}/{type}', '/{index}/{type}/{id}'].flatMap((place) => [
    route('GET POST', `${place}/_percolate`, percolate),
    route('GET POST', `${place}/_percolate/count`, percolateCount),
  ]),
  ...everywhere('GET POST', '_mpercolate', multiPercolate),

  // indices
  route('PUT POST', '/{index}', createIndex),
  route('DELETE', '/', deleteIndex),
  route('DELETE', '/{index}', deleteIndex),
  route('HEAD', '/{index}', indexExists),
  route('HEAD', '/{index}/{type}', typeExists),
  route('GET', '/{index}', getIndex),
  route('GET', '/{index}/{type}', getIndex),
  ...perIndex('POST', '_open', openIndex),
  ...perIndex('POST', '_close', closeIndex),
  ...guarded([
    ...perIndex('GET POST', '_refresh', refresh),
    ...perIndex('GET POST', '_flush', flush),
    ...perIndex('GET POST', '_flush/synced', flushSynced),
    ...perIndex('GET POST', '_cache/clear', clearCache),
    ...perIndex('GET POST', '_optimize', optimize),
  ]),
  ...perIndex('GET', '_upgrade', getUpgrade),
  ...perIndex('POST', '_upgrade', upgrade),
  ...perIndex('GET', '_stats', getStats),
  ...perIndex('GET', '_stats/{metric}', getStats),
  route('GET', '/_stats/{metric}/{indexMetric}', getStats),
  ...perIndex('GET', '_status', getStatus),
  ...perIndex('GET', '_segments', getSegments),
  ...perIndex('GET', '_recovery', getRecovery),
  ...perIndex('GET POST', '_analyze', analyze),

  // mappings
  ...perIndex('GET', '_mapping/{type}', getMapping),
  ...perIndex('PUT POST', '_mapping/{type}', putMapping),
  ...perIndex('GET', '_mapping/field/{fields}', getFieldMapping),
  ...perIndex('GET', '_mapping/{type}/field/{fields}', getFieldMapping),
  route('GET', '/{index}/{type}/_mapping/field/{fields}', getFieldMapping),
  route('PUT POST', '/{index}/_mapping', putMapping),
  route('PUT POST', '/{index}/_mappings', putMapping),
  route('DELETE', '/{index}/_mapping/{type}', deleteMapping),
  route('GET', '/{index}/_mappings/{type}', getMapping),
  ...perIndex('PUT POST', '_mappings/{type}', putMapping),
  route('DELETE', '/{index}/_mappings/{type}', deleteMapping),
  route('GET', '/{index}/{type}/_mapping', getMapping),
  route('PUT POST', '/{index}/{type}/_mapping', putMapping),
  route('PUT POST', '/{index}/{type}/_mappings', putMapping),
  route('DELETE', '/{index}/{type}/_mapping', deleteMapping),
  route('DELETE', '/{index}/{type}/_mappings', deleteMapping),
  route('DELETE', '/{index}/{type}', deleteMapping),

  // settings
  ...perIndex('PUT', '_settings', updateSettings),
  ...perIndex('GET', '_settings/{name}', getSettings),
  route('GET', '/{index}/_setting/{name}', getSettings),

  // templates and warmers
  route('GET', '/_template', getTemplates),
  route('GET', '/_template/{name}', getTemplates),
  route('HEAD', '/_template/{name}', templateExists),
  route('PUT POST', '/_template/{name}', putTemplate),
  route('DELETE', '/_template/{name}', deleteTemplate),
  // stored scripts
  route('GET', '/_scripts/{lang}/{id}', getScript),
  route('PUT POST', '/_scripts/{lang}/{id}', putScript),
  route('PUT POST', '/_scripts/{lang}/{id}/_create', createScript),
  route('DELETE', '/_scripts/{lang}/{id}', deleteScript),
  route('GET', '/_search/template/{id}', getTemplateScript),
  route('PUT POST', '/_search/template/{id}', putTemplateScript),
  route('PUT POST', '/_search/template/{id}/_create', createTemplateScript),
  route('DELETE', '/_search/template/{id}', deleteTemplateScript),
  ...everywhere('PUT POST', '_warmer/{name}', putWarmer),
  ...everywhere('PUT POST', '_warmers/{name}', putWarmer),
  ...everywhere('GET', '_warmer/{name}', getWarmers),
  route('GET', '/{index}/_warmers/{name}', getWarmers),
  route('DELETE', '/{index}/_warmer', deleteWarmers),
  route('DELETE', '/{index}/_warmers', deleteWarmers),
  route('DELETE', '/{index}/_warmer/{name}', deleteWarmers),
  route('DELETE', '/{index}/_warmers/{name}', deleteWarmers),

  // aliases
  route('POST', '/_aliases', updateAliases),
  route('PUT', '/_alias', putAlias),
  route('PUT', '/{index}/_alias', putAlias),
  route('PUT', '/{index}/_aliases', putAlias),
  ...perIndex('PUT POST', '_alias/{name}', putAlias),
  ...perIndex('PUT POST', '_aliases/{name}', putAlias),
  ...perIndex('GET', '_alias/{name}', getAlias),
  ...perIndex('GET', '_aliases/{name}', getAliasesLegacy),
  ...perIndex('HEAD', '_alias/{name}', aliasExists),
  route('HEAD', '/{index}/_alias', aliasExists),
  route('DELETE', '/{index}/_alias/{name}', deleteAlias),
  route('DELETE', '/{index}/_aliases/{name}', deleteAlias),

  // cluster
  route('GET', '/_cluster/health', getClusterHealth),
  route('GET', '/_cluster/health/{index}', getClusterHealth),
  route('GET', '/_cluster/state', getClusterState),
  route('GET', '/_cluster/state/{metric}', getClusterState),
  route('GET', '/_cluster/state/{metric}/{indices}', getClusterState),
  route('GET', '/_cluster/settings', getClusterSettings),
  route('PUT', '/_cluster/settings', putClusterSettings),
  route('GET', '/_cluster/pending_tasks', getPendingTasks),
  route('POST', '/_cluster/reroute', reroute),
  route('POST', '/_shutdown', shutdown),
  route('POST', '/_cluster/nodes/_shutdown', shutdown),
  route('POST', '/_cluster/nodes/{nodeId}/_shutdown', shutdown),
  route('GET', '/_cluster/stats', getClusterStats),
  route('GET', '/_cluster/stats/nodes/{nodeId}', getClusterStats),
  ...['_cluster/nodes', '_nodes'].flatMap((path) =>
    ['hot_threads', 'hotthreads'].flatMap((name) => [
      ...guarded([
        route('GET', `/${path}/${name}`, getHotThreads),
        route('GET', `/${path}/{nodeId}/${name}`, getHotThreads),
      ]),
    ]),
  ),
  route('GET', '/_metrics', getMetrics),
  route('GET', '/_nodes/stats', getNodesStats),
  route('GET', '/_nodes/stats/{metric}', getNodesStats),
  route('GET', '/_nodes/stats/{metric}/{indexMetric}', getNodesStats),
  route('GET', '/_nodes/{nodeId}/stats', getNodesStats),
  route('GET', '/_nodes/{nodeId}/stats/{metric}', getNodesStats),
  route('GET', '/_nodes/{nodeId}/stats/{metric}/{indexMetric}', getNodesStats),
  route('GET', '/_nodes/{nodeId}/info/{metrics}', getNodes),
  route('GET', '/_nodes', getNodes),
  route('GET', '/_nodes/{nodeId}', getNodes),
  route('GET', '/_nodes/{nodeId}/{metrics}', getNodes),

  // copying indices
  route('POST', '/_reindex', reindex),
  route('GET', '/_tasks', listTasks),
  route('GET', '/_tasks/{task}', getTask),
  route('POST', '/_tasks/{task}/_cancel', cancelTask),

  // snapshots
  route('GET', '/_snapshot', getRepositories),
  route('GET', '/_snapshot/_status', getSnapshotStatus),
  route('GET', '/_snapshot/{repository}', getRepositories),
  route('PUT POST', '/_snapshot/{repository}', putRepository),
  route('DELETE', '/_snapshot/{repository}', deleteRepository),
  route('POST', '/_snapshot/{repository}/_verify', verifyRepository),
  route('GET', '/_snapshot/{repository}/_status', getSnapshotStatus),
  route('GET', '/_snapshot/{repository}/{snapshot}', getSnapshots),
  route('PUT POST', '/_snapshot/{repository}/{snapshot}', createSnapshot),
  route('DELETE', '/_snapshot/{repository}/{snapshot}', deleteSnapshot),
  route('GET', '/_snapshot/{repository}/{snapshot}/_status', getSnapshotStatus),
  route('GET', '/_snapshot/{repository}/{snapshot}/_restore', getRestores),
  route('POST', '/_snapshot/{repository}/{snapshot}/_restore', restoreSnapshot),
  route('POST', '/_snapshot/{repository}/{snapshot}/_verify', verifySnapshot),

  route('GET', '/_cat', catOverview),
  ...CAT_PATHS.map(([path, handler]) => route('GET', path, handler)),
  route('GET', '/_cat/allocation/{nodes}', ALLOCATION),
];
