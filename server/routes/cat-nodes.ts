// `_cat` tables about nodes, their threads and plugins (reference server).

import { hostname } from 'node:os';
import { type ApiRequest, type RouteContext, READ_OPTIONS } from '../request/index';
import { type CatColumn, type CatRow, bytesText, timeText } from '../render/index';
import {
  cachesOf,
  diskSpace,
  heapUsage,
  machineStats,
  maxFileDescriptors,
  openFileDescriptors,
  threadPools,
  type PoolStats,
  threadsOf,
  withFormer,
} from '../stats/index';
import { COMPATIBLE_VERSION } from '../config/index';
import { statisticCells, statisticColumns } from './cat-statistics';
import { column, numeric, table } from './cat-columns';
import { BUILD, hostOf } from './nodes';

function hidden(made: CatColumn): CatColumn {
  return { ...made, isHidden: true };
}

/** The node's id, short unless `full_id` is given. */
function nodeId({ params }: ApiRequest, { engine }: RouteContext): string {
  return params.flag('full_id') ? engine.nodeId : engine.nodeId.slice(0, 4);
}

function portOf(context: RouteContext): string {
  const address = context.address();
  return address.slice(address.lastIndexOf(':') + 1);
}

/** `/_cat/master`. */
export const MASTER = table({
  asksMaster: true,
  columns: [
    column('id', '', 'node id'),
    column('host', 'h', 'host name'),
    column('ip', '', 'ip address '),
    column('node', 'n', 'node name'),
  ],
  rows: (_request, context): CatRow[] => {
    const { engine } = context;
    return [[engine.nodeId, hostname(), hostOf(context.address()), engine.nodeName]];
  },
});

/** `/_cat/nodes`. */
export const NODES = table({
  asksMaster: true,
  columns: [
    hidden(column('id', 'id,nodeId', 'unique node id')),
    hidden(column('pid', 'p', 'process id')),
    column('host', 'h', 'host name'),
    column('ip', 'i', 'ip address'),
    hidden(column('port', 'po', 'bound transport port')),
    hidden(column('version', 'v', 'es version')),
    hidden(column('build', 'b', 'es build hash')),
    hidden(column('jdk', 'j', 'jdk version')),
    hidden(numeric('disk.avail', 'd,disk,diskAvail', 'available disk space')),
    hidden(numeric('heap.current', 'hc,heapCurrent', 'used heap')),
    numeric('heap.percent', 'hp,heapPercent', 'used heap ratio'),
    hidden(numeric('heap.max', 'hm,heapMax', 'max configured heap')),
    hidden(numeric('ram.current', 'rc,ramCurrent', 'used machine memory')),
    numeric('ram.percent', 'rp,ramPercent', 'used machine memory ratio'),
    hidden(numeric('ram.max', 'rm,ramMax', 'total machine memory')),
    hidden(numeric('file_desc.current', 'fdc,fileDescriptorCurrent', 'used file descriptors')),
    hidden(numeric('file_desc.percent', 'fdp,fileDescriptorPercent', 'used file descriptor ratio')),
    hidden(numeric('file_desc.max', 'fdm,fileDescriptorMax', 'max file descriptors')),
    numeric('load', 'l', 'most recent load avg'),
    hidden(numeric('uptime', 'u', 'node uptime')),
    column('node.role', 'r,role,dc,nodeRole', 'd:data node, c:client node'),
    column('master', 'm', 'm:master-eligible, *:current master'),
    column('name', 'n', 'node name'),
    ...statisticColumns('nodes'),
  ],
  rows: async (request, context): Promise<CatRow[]> => {
    const { engine, settings } = context;
    const { params } = request;
    const size = (bytes: number) => bytesText(bytes, params.get('bytes'));
    const { heapUsed, heapTotal, heapMax } = heapUsage();
    const { total, free, usedPercent, load } = machineStats();
    const descriptors = openFileDescriptors();
    const most = maxFileDescriptors();
    const percent = (part: number, whole: number) => String(Math.round((100 * part) / whole));
    const stats = await engine.maintenance.stats(engine.admin.resolve([], READ_OPTIONS));
    const shards = await withFormer(
      stats.flatMap((index) => index.shards),
      engine,
    );
    return [
      [
        ...[nodeId(request, context), String(process.pid), hostname(), hostOf(context.address())],
        ...[portOf(context), COMPATIBLE_VERSION, BUILD, process.versions.node],
        size(diskSpace(settings.node.dataPath).available),
        ...[size(heapUsed), percent(heapUsed, heapTotal), size(heapMax)],
        ...[size(total - free), String(usedPercent), size(total)],
        ...[String(descriptors), percent(descriptors, most), String(most)],
        (load[0] ?? 0).toFixed(2),
        timeText(Math.round(process.uptime() * 1000), params.get('time')),
        ...['d', '*', engine.nodeName],
        ...statisticCells('nodes', shards, await cachesOf(engine), params),
      ],
    ];
  },
});

/** `/_cat/plugins`: there are none. */
export const PLUGINS = table({
  asksMaster: true,
  columns: [
    hidden(column('id', '', 'unique node id')),
    column('name', 'n', 'node name'),
    column('component', 'c', 'component'),
    column('version', 'v', 'component version'),
    column('type', 't', 'type (j for JVM, s for Site)'),
    column('url', 'u', 'url for site plugins'),
    hidden(column('description', 'd', 'plugin details')),
  ],
  rows: () => [],
});

/** Pools by the reference's names with what their columns are abbreviated to. */
const POOLS: readonly (readonly [name: string, letters: string])[] = [
  ['bulk', 'b'],
  ['flush', 'f'],
  ['generic', 'ge'],
  ['get', 'g'],
  ['index', 'i'],
  ['management', 'ma'],
  ['merge', 'm'],
  ['optimize', 'o'],
  ['percolate', 'p'],
  ['refresh', 'r'],
  ['search', 's'],
  ['snapshot', 'sn'],
  ['suggest', 'su'],
  ['warmer', 'w'],
];
const SHOWN_POOLS = new Set(['bulk', 'index', 'search']);
const POOL_COLUMNS: readonly (readonly [
  name: string,
  letters: string,
  documentation: (pool: string) => string,
])[] = [
  ['type', 't', (pool) => `${pool} thread pool type`],
  ['active', 'a', (pool) => `number of active ${pool} threads`],
  ['size', 's', (pool) => `number of ${pool} threads`],
  ['queue', 'q', (pool) => `number of ${pool} threads in queue`],
  ['queueSize', 'qs', (pool) => `maximum number of ${pool} threads in queue`],
  ['rejected', 'r', (pool) => `number of rejected ${pool} threads`],
  ['largest', 'l', (pool) => `highest number of seen active ${pool} threads`],
  ['completed', 'c', (pool) => `number of completed ${pool} threads`],
  ['min', 'mi', (pool) => `minimum number of ${pool} threads`],
  ['max', 'ma', (pool) => `maximum number of ${pool} threads`],
  ['keepAlive', 'k', (pool) => `${pool} thread keep alive time`],
];
const SHOWN_COLUMNS = new Set(['active', 'queue', 'rejected']);

/** `/_cat/thread_pool`. */
export const THREAD_POOL = table({
  asksMaster: true,
  columns: [
    hidden(column('id', 'nodeId', 'unique node id')),
    hidden(column('pid', 'p', 'process id')),
    column('host', 'h', 'host name'),
    column('ip', 'i', 'ip address'),
    hidden(column('port', 'po', 'bound transport port')),
    ...POOLS.flatMap(([pool, letters]) =>
      POOL_COLUMNS.map(([name, letter, documentation]) => {
        const aligned = name === 'type' ? column : numeric;
        const made = aligned(`${pool}.${name}`, letters + letter, documentation(pool));
        return SHOWN_POOLS.has(pool) && SHOWN_COLUMNS.has(name) ? made : hidden(made);
      }),
    ),
  ],
  rows: async (request, context): Promise<CatRow[]> => {
    const pools = threadPools(await threadsOf(context.engine), context.requests);
    return [
      [
        ...[nodeId(request, context), String(process.pid), hostname()],
        ...[hostOf(context.address()), portOf(context)],
        ...POOLS.flatMap(([pool]) => poolCells(pools.get(pool))),
      ],
    ];
  },
});

/** Threads are started with the node and never ended. A pool may not be there. */
function poolCells(pool: PoolStats | undefined): CatRow {
  if (pool === undefined) return POOL_COLUMNS.map(() => null);
  const { active, threads, queue, capacity, rejected, largest, completed } = pool;
  const counts = [active, threads, queue].map(String);
  const totals = [rejected, largest, completed, threads, threads].map(String);
  return ['fixed', ...counts, capacity < 0 ? null : String(capacity), ...totals, null];
}
