// `_cat`: tables for people (reference server).

import { type Action, matchesPattern, type ShardStats } from '../../engine/index';
import {
  text,
  type ApiRequest,
  type ApiResponse,
  type Handler,
  type RouteContext,
  READ_OPTIONS,
  SEARCH_OPTIONS,
} from '../request/index';
import { cachesOf, clusterHealth, indexHealth, missingReplicas } from '../stats/index';
import { type CatColumn, type CatRow, bytesText, clockTime, timeText } from '../render/index';
import { INDEX_MONITOR, MONITOR, READ } from './actions';
import { column, numeric, table } from './cat-columns';
import { statisticCells, statisticColumns, memoryTotal } from './cat-statistics';
import { MASTER, NODES, PLUGINS, THREAD_POOL } from './cat-nodes';
import { ALLOCATION, FIELDDATA, PENDING_TASKS, RECOVERY, SEGMENTS } from './cat-storage';
import { unassignedInfo } from './cluster-state';
import { hostOf } from './nodes';

/** The paths of `_cat` and what keys need for them, in the order in which `GET /_cat` lists them. */
export const CAT_PATHS: readonly (readonly [string, Handler, Action])[] = [
  ['/_cat/allocation', ALLOCATION, MONITOR],
  [
    '/_cat/shards',
    table({ columns: shardColumns(), rows: shardRows, asksMaster: true }),
    INDEX_MONITOR,
  ],
  [
    '/_cat/shards/{index}',
    table({ columns: shardColumns(), rows: shardRows, asksMaster: true }),
    INDEX_MONITOR,
  ],
  ['/_cat/master', MASTER, MONITOR],
  ['/_cat/nodes', NODES, MONITOR],
  [
    '/_cat/indices',
    table({ columns: indexColumns(), rows: indexRows, asksMaster: true }),
    INDEX_MONITOR,
  ],
  [
    '/_cat/indices/{index}',
    table({ columns: indexColumns(), rows: indexRows, asksMaster: true }),
    INDEX_MONITOR,
  ],
  ['/_cat/segments', SEGMENTS, INDEX_MONITOR],
  ['/_cat/segments/{index}', SEGMENTS, INDEX_MONITOR],
  ['/_cat/count', table({ columns: countColumns(), rows: countRows }), READ],
  ['/_cat/count/{index}', table({ columns: countColumns(), rows: countRows }), READ],
  ['/_cat/recovery', RECOVERY, INDEX_MONITOR],
  ['/_cat/recovery/{index}', RECOVERY, INDEX_MONITOR],
  ['/_cat/health', table({ columns: healthColumns(), rows: healthRows }), INDEX_MONITOR],
  ['/_cat/pending_tasks', PENDING_TASKS, MONITOR],
  ['/_cat/aliases', table({ columns: aliasColumns(), rows: aliasRows }), READ],
  ['/_cat/aliases/{alias}', table({ columns: aliasColumns(), rows: aliasRows }), READ],
  ['/_cat/thread_pool', THREAD_POOL, MONITOR],
  ['/_cat/plugins', PLUGINS, MONITOR],
  ['/_cat/fielddata', FIELDDATA, MONITOR],
  ['/_cat/fielddata/{fields}', FIELDDATA, MONITOR],
];

/** `GET /_cat`. */
export function catOverview(): ApiResponse {
  return text(['=^.^=', ...CAT_PATHS.map(([path]) => path), ''].join('\n'));
}

function timeCells(context: RouteContext): [string, string] {
  const now = context.now();
  return [String(Math.floor(now / 1000)), clockTime(now)];
}

function aliasColumns(): CatColumn[] {
  return [
    column('alias', 'a', 'alias name'),
    column('index', 'i,idx', 'index alias points to'),
    column('filter', 'f,fi', 'filter'),
    column('routing.index', 'ri,routingIndex', 'index routing'),
    column('routing.search', 'rs,routingSearch', 'search routing'),
  ];
}

function aliasRows({ params }: ApiRequest, { engine }: RouteContext): CatRow[] {
  const pattern = params.get('alias') ?? '*';
  const state = engine.state();
  return engine.admin
    .resolve([], READ_OPTIONS, 'metadata_read')
    .flatMap((index) =>
      [...(state.indices.get(index)?.aliases.values() ?? [])]
        .filter(({ name }) => pattern === '_all' || matchesPattern(pattern, name))
        .map(({ name, filter, indexRouting, searchRouting }) => [
          name,
          index,
          filter === null ? '-' : '*',
          blankAsDash(indexRouting),
          blankAsDash(searchRouting),
        ]),
    );
}

function blankAsDash(value: string | null): string {
  return value === null || value === '' ? '-' : value;
}

function countColumns(): CatColumn[] {
  return [
    column('epoch', 't,time', 'seconds since 1970-01-01 00:00:00, that the count was executed'),
    column('timestamp', 'ts,hms', 'time that the count was executed'),
    column('count', 'dc,docs.count,docsCount', 'the document count'),
  ];
}

async function countRows({ params }: ApiRequest, context: RouteContext): Promise<CatRow[]> {
  const { count } = await context.engine.count({
    indices: params.list('index'),
    types: [],
    options: SEARCH_OPTIONS,
    body: new Map(),
    bodyText: null,
    params: new Map(),
    routing: undefined,
    preference: undefined,
  });
  return [[...timeCells(context), String(count)]];
}

function healthColumns(): CatColumn[] {
  return [
    column('epoch', 't,time', 'seconds since 1970-01-01 00:00:00'),
    column('timestamp', 'ts,hms,hhmmss', 'time in HH:MM:SS'),
    column('cluster', 'cl', 'cluster name'),
    column('status', 'st', 'health status'),
    numeric('node.total', 'nt,nodeTotal', 'total number of nodes'),
    numeric('node.data', 'nd,nodeData', 'number of nodes that can store data'),
    numeric('shards', 't,sh,shards.total,shardsTotal', 'total number of shards'),
    numeric('pri', 'p,shards.primary,shardsPrimary', 'number of primary shards'),
    numeric('relo', 'r,shards.relocating,shardsRelocating', 'number of relocating nodes'),
    numeric('init', 'i,shards.initializing,shardsInitializing', 'number of initializing nodes'),
    numeric('unassign', 'u,shards.unassigned,shardsUnassigned', 'number of unassigned shards'),
    numeric('pending_tasks', 'pt,pendingTasks', 'number of pending tasks'),
  ];
}

async function healthRows(_request: ApiRequest, context: RouteContext): Promise<CatRow[]> {
  const { engine } = context;
  const stats = await engine.maintenance.stats(engine.admin.resolve([], READ_OPTIONS));
  const { status, active, activePrimaries, unassigned } = clusterHealth(stats);
  const counts = [1, 1, active, activePrimaries, 0, 0, unassigned, 0].map(String);
  return [[...timeCells(context), engine.clusterName, status, ...counts]];
}

function indexColumns(): CatColumn[] {
  return [
    column('health', 'h', 'current health status'),
    column('status', 's', 'open/close status'),
    column('index', 'i,idx', 'index name'),
    numeric('pri', 'p,shards.primary,shardsPrimary', 'number of primary shards'),
    numeric('rep', 'r,shards.replica,shardsReplica', 'number of replica shards'),
    numeric('docs.count', 'dc,docsCount', 'available docs'),
    numeric('docs.deleted', 'dd,docsDeleted', 'deleted docs'),
    numeric('store.size', 'ss,storeSize', 'store size of primaries & replicas'),
    numeric('pri.store.size', '', 'store size of primaries'),
    ...statisticColumns('indices').flatMap((own) => [own, primaryTwin(own)]),
    { ...numeric('memory.total', 'tm,memoryTotal', 'total used memory'), isHidden: true },
    { ...numeric('pri.memory.total', '', 'total user memory'), isHidden: true },
  ];
}

function primaryTwin(own: CatColumn): CatColumn {
  return { ...own, name: `pri.${own.name}`, aliases: [] };
}

async function indexRows({ params }: ApiRequest, { engine }: RouteContext): Promise<CatRow[]> {
  const names = params.list('index');
  // Closed indices are only listed when nothing or their very name is asked for.
  const options = { ...READ_OPTIONS, expandClosed: names.length === 0 };
  const concrete = engine.admin.resolve(names, options, 'metadata_read');
  const indices = await engine.maintenance.stats(concrete);
  const caches = await cachesOf(engine);
  return indices.map((stats): CatRow => {
    const { name, open, primaries, replicas, docCount, deletedCount, storeBytes, shards } = stats;
    if (!open) return [null, 'close', name];
    const size = (bytes: number) => bytesText(bytes, params.get('bytes'));
    const counts = [primaries, replicas, docCount, deletedCount].map(String);
    const sizes = [size(storeBytes), size(storeBytes)];
    const cells = statisticCells('indices', shards, caches, params).flatMap((cell) => [cell, cell]);
    const memory = size(memoryTotal(shards, caches));
    const { status } = indexHealth(stats);
    return [status, 'open', name, ...counts, ...sizes, ...cells, memory, memory];
  });
}

function shardColumns(): CatColumn[] {
  return [
    column('index', 'i,idx', 'index name'),
    column('shard', 's,sh', 'shard name'),
    column('prirep', 'p,pr,primaryOrReplica', 'primary or replica'),
    column('state', 'st', 'shard state'),
    numeric('docs', 'd,dc', 'number of docs in shard'),
    numeric('store', 'sto', 'store size of shard (how much disk it uses)'),
    column('ip', '', 'ip of node where it lives'),
    { ...column('id', '', 'unique id of node where it lives'), isHidden: true },
    column('node', 'n', 'name of node where it lives'),
    { ...column('unassigned.reason', 'ur', 'reason shard is unassigned'), isHidden: true },
    { ...column('unassigned.at', 'ua', 'time shard became unassigned (UTC)'), isHidden: true },
    { ...numeric('unassigned.for', 'uf', 'time has been unassigned'), isHidden: true },
    {
      ...column(
        'unassigned.details',
        'ud',
        'additional details as to why the shard became unassigned',
      ),
      isHidden: true,
    },
    ...statisticColumns('shards'),
  ];
}

function stateOf({ isDamaged, isRebuilding }: ShardStats): string {
  return isDamaged ? 'UNASSIGNED' : isRebuilding ? 'INITIALIZING' : 'STARTED';
}

/** compat: names are literal here; patterns and aliases stand for nothing. */
async function shardRows({ params }: ApiRequest, context: RouteContext): Promise<CatRow[]> {
  const { engine } = context;
  const asked = params.list('index');
  const open = engine.admin.resolve([], READ_OPTIONS, 'metadata_read');
  const names = asked.length === 0 ? open : open.filter((name) => asked.includes(name));
  const here = [hostOf(context.address()), engine.nodeId, engine.nodeName];
  const caches = await cachesOf(engine);
  const state = engine.state();
  const nothing = (cells: number) => Array.from({ length: cells }, () => null);
  return (await engine.maintenance.stats(names)).flatMap(({ name, replicas, shards }) =>
    shards.flatMap((shard, number): CatRow[] => {
      const head = [name, String(number)];
      const size = [String(shard.docCount), bytesText(shard.storeBytes, params.get('bytes'))];
      const cells = statisticCells('shards', [shard], caches, params);
      const { reason, at } = unassignedInfo(state.indices.get(name)!);
      const since = timeText(context.now() - Date.parse(at), params.get('time'));
      return [
        [...head, 'p', stateOf(shard), ...size, ...here, ...nothing(4), ...cells],
        ...Array.from({ length: shard.startedReplicas }, () => [
          ...[...head, 'r', 'STARTED', ...size, ...nothing(7)],
        ]),
        ...Array.from({ length: missingReplicas(shard, replicas) }, () => [
          ...[...head, 'r', 'UNASSIGNED', ...nothing(5), reason, at, since],
        ]),
      ];
    }),
  );
}
