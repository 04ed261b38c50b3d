// `_nodes/stats`, `_cluster/stats` and hot threads: measured statistics of the one node (reference server).

import { hostname } from 'node:os';
import { resourceUsage } from 'node:process';
import {
  Double,
  type CacheStats,
  type IndexStats,
  type JsonOutput,
  type SearchEngine,
  type ShardStats,
  type ThreadPoolStats,
  splitCommas,
  greatestOf,
  leastOf,
} from '../../engine/index';
import {
  text,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  READ_OPTIONS,
  type Params,
} from '../request/index';
import { COMPATIBLE_VERSION } from '../config/index';
import {
  cachesOf,
  clusterHealth,
  cpuPercent,
  diskSpace,
  heapUsage,
  machineStats,
  openFileDescriptors,
  residentAnonymousBytes,
  fieldColumns,
  renderSections,
  threadPools,
  type PoolStats,
  threadsOf,
  withFormer,
} from '../stats/index';
import { statistics, humanBytes } from '../render/index';
import { isThisNode, transportAddress } from './nodes';
import { shardStats } from './stats';

/** `GET /_nodes[/{nodeId}]/stats[/{metric}[/{indexMetric}]]`. */
export async function getNodesStats(
  { params }: ApiRequest,
  context: RouteContext,
): Promise<ApiResponse> {
  params.timeMs('timeout');
  const { engine } = context;
  const nodes = new Map<string, JsonOutput>();
  if (isThisNode(splitCommas(params.get('nodeId') ?? '_all'), engine)) {
    nodes.set(engine.nodeId, await nodeStats(params, context));
  }
  return statistics(params, { cluster_name: engine.clusterName, nodes });
}

async function nodeStats(params: Params, context: RouteContext): Promise<JsonOutput> {
  const { engine, settings } = context;
  const caches = await cachesOf(engine);
  const metrics = params.list('metric');
  const wants = (metric: string): boolean =>
    metrics.length === 0 || metrics.includes('_all') || metrics.includes(metric);
  const address = transportAddress(context);
  const timestamp = context.now();
  return {
    timestamp,
    name: engine.nodeName,
    transport_address: address,
    host: hostname(),
    ip: [address, 'NONE'],
    indices: wants('indices') ? await indicesStats(params, caches, engine) : undefined,
    os: wants('os') ? osStats(timestamp) : undefined,
    process: wants('process') ? processStats(timestamp) : undefined,
    jvm: wants('jvm') ? heapStats(timestamp, await threadsOf(engine)) : undefined,
    thread_pool: wants('thread_pool')
      ? poolStats(threadPools(await threadsOf(engine), context.requests))
      : undefined,
    network: wants('network') ? {} : undefined,
    fs: wants('fs') ? fsStats(timestamp, settings.node.dataPath) : undefined,
    transport: wants('transport')
      ? { server_open: 0, rx_count: 0, rx_size_in_bytes: 0, tx_count: 0, tx_size_in_bytes: 0 }
      : undefined,
    http: wants('http') ? httpStats(params, context) : undefined,
    // Beyond the reference: every kind of what is kept in memory.
    caches: wants('caches') ? cacheStats(caches) : undefined,
    breakers: wants('breaker') ? breakers(context, caches) : undefined,
  };
}

/** The sections of all shards together, and besides by index or shard as `level` says. */
async function indicesStats(
  params: Params,
  caches: CacheStats,
  engine: SearchEngine,
): Promise<JsonOutput> {
  const metrics = params.list('indexMetric');
  const level = params.get('level');
  const stats = await engine.maintenance.stats(openIndices(engine));
  const fields = fieldColumns(params, stats, engine.state(), caches);
  const sections = (shards: readonly ShardStats[]) =>
    renderSections(shards, metrics, caches, fields);
  // compat: the statistics of a node, unlike those of indices, count what deleted and closed ones have done.
  const all = await withFormer(
    stats.flatMap(({ shards }) => shards),
    engine,
  );
  const result = new Map(sections(all));
  if (level === 'indices') {
    result.set('indices', new Map(stats.map(({ name, shards }) => [name, sections(shards)])));
  } else if (level === 'shards') {
    const numbered = ({ shards }: IndexStats) =>
      shards.map((shard, number) => {
        return new Map([[String(number), shardStats(shard, sections, engine)]]);
      });
    result.set('shards', new Map(stats.map((index) => [index.name, numbered(index)])));
  }
  return result;
}

function cacheStats({ kinds }: CacheStats): JsonOutput {
  return new Map(
    [...kinds].map(([kind, { hits, misses, evictions, entries, bytes }]): [string, JsonOutput] => [
      kind,
      { entries, memory_size_in_bytes: bytes, hit_count: hits, miss_count: misses, evictions },
    ]),
  );
}

function openIndices(engine: SearchEngine): readonly string[] {
  return engine.admin.resolve([], READ_OPTIONS);
}

function osStats(timestamp: number): JsonOutput {
  const { uptimeMs, load, total, free, usedPercent } = machineStats();
  return {
    timestamp,
    uptime_in_millis: uptimeMs,
    load_average: load.map((value) => Math.round(value * 100) / 100),
    cpu: { usage: cpuPercent() },
    mem: {
      free_in_bytes: free,
      used_in_bytes: total - free,
      free_percent: 100 - usedPercent,
      used_percent: usedPercent,
    },
  };
}

function processStats(timestamp: number): JsonOutput {
  const { user, system } = process.cpuUsage();
  const { majorPageFault } = resourceUsage();
  return {
    timestamp,
    open_file_descriptors: openFileDescriptors(),
    cpu: {
      percent: cpuPercent(),
      sys_in_millis: Math.round(system / 1000),
      user_in_millis: Math.round(user / 1000),
      total_in_millis: Math.round((user + system) / 1000),
    },
    mem: {
      resident_in_bytes: process.memoryUsage.rss(),
      // Beyond the reference: without mapped files.
      resident_anonymous_in_bytes: residentAnonymousBytes(),
      major_page_faults: majorPageFault,
    },
  };
}

/** Clients look for memory under this name; the statistics are those of the main thread's heap. */
function heapStats(timestamp: number, { search, indexer }: ThreadPoolStats): JsonOutput {
  const { heapUsed, heapTotal, heapMax, external, arrayBuffers } = heapUsage();
  // Those that run our code; LevelDB and the runtime have more.
  const count = 1 + search.length + indexer.length;
  return {
    timestamp,
    uptime_in_millis: Math.round(process.uptime() * 1000),
    mem: {
      heap_used_in_bytes: heapUsed,
      heap_used_percent: Math.round((100 * heapUsed) / heapMax),
      heap_committed_in_bytes: heapTotal,
      heap_max_in_bytes: heapMax,
      non_heap_used_in_bytes: external,
      non_heap_committed_in_bytes: external,
      pools: {},
    },
    threads: { count, peak_count: count },
    gc: { collectors: {} },
    buffer_pools: {
      direct: { count: 1, used_in_bytes: arrayBuffers, total_capacity_in_bytes: arrayBuffers },
    },
  };
}

function poolStats(pools: ReadonlyMap<string, PoolStats>): JsonOutput {
  return new Map(
    [...pools].map(([name, { threads, queue, active, rejected, largest, completed, replaced }]) => [
      name,
      // Beyond the reference: `replaced`, threads that died or hung.
      { threads, queue, active, rejected, largest, completed, replaced },
    ]),
  );
}

function fsStats(timestamp: number, path: string): JsonOutput {
  const { total, free, available } = diskSpace(path);
  const sizes = { total_in_bytes: total, free_in_bytes: free, available_in_bytes: available };
  return { timestamp, total: sizes, data: [{ path, mount: path, type: 'unknown', ...sizes }] };
}

function httpStats(params: Params, { connections, requests }: RouteContext): JsonOutput {
  const { open, opened } = connections();
  return {
    current_open: open,
    total_opened: opened,
    // Beyond the reference.
    slow_requests: params.flag('slow_requests')
      ? requests.slow.map(({ timestamp, tookMs, method, path, status }) => ({
          timestamp,
          took_in_millis: tookMs,
          method,
          path,
          status,
        }))
      : undefined,
  };
}

function breakers({ settings, memory }: RouteContext, { kinds }: CacheStats): JsonOutput {
  const breaker = (limit: number, estimated: number, tripped: number) => ({
    limit_size_in_bytes: limit,
    limit_size: humanBytes(limit),
    estimated_size_in_bytes: estimated,
    estimated_size: humanBytes(estimated),
    overhead: new Double(1),
    tripped,
  });
  const columns = kinds.get('column')?.bytes ?? 0;
  return {
    // What one request may hold is checked request by request: the sum stands below.
    request: breaker(memory.perRequest, memory.used, memory.trippedAlone),
    // Columns are dropped instead of being refused.
    fielddata: breaker(settings.node.memoryBytes, columns, 0),
    parent: breaker(memory.limit, memory.used, memory.tripped - memory.trippedAlone),
  };
}

/** `GET /_cluster/stats`. */
export async function getClusterStats(
  { params }: ApiRequest,
  context: RouteContext,
): Promise<ApiResponse> {
  params.timeMs('timeout');
  const { engine, settings } = context;
  const stats = await engine.maintenance.stats(openIndices(engine));
  const shards = stats.flatMap((index) => index.shards);
  const counts = stats.map(({ shards: own }) => own.length);
  const { heapUsed, heapMax } = heapUsage();
  const { total, free, available } = diskSpace(settings.node.dataPath);
  const descriptors = openFileDescriptors();
  const { processors, total: memory } = machineStats();
  const wanted = [
    'docs',
    'store',
    'fielddata',
    'filter_cache',
    'id_cache',
    'completion',
    'segments',
    'percolate',
  ];
  const sections = renderSections(shards, wanted, await cachesOf(engine));
  return statistics(params, {
    timestamp: context.now(),
    cluster_name: engine.clusterName,
    status: clusterHealth(stats).status,
    indices: new Map<string, JsonOutput>([
      ['count', stats.length],
      ['shards', stats.length === 0 ? {} : shardCounts(counts)],
      ...sections,
    ]),
    nodes: {
      count: { total: 1, master_only: 0, data_only: 0, master_data: 1, client: 0 },
      versions: [COMPATIBLE_VERSION],
      os: { available_processors: processors, mem: { total_in_bytes: memory }, cpu: [] },
      process: {
        cpu: { percent: cpuPercent() },
        open_file_descriptors: { min: descriptors, max: descriptors, avg: descriptors },
      },
      jvm: {
        max_uptime_in_millis: Math.round(process.uptime() * 1000),
        versions: [
          {
            version: process.versions.node,
            vm_name: 'node',
            vm_version: process.versions.v8,
            vm_vendor: 'node',
            count: 1,
          },
        ],
        mem: { heap_used_in_bytes: heapUsed, heap_max_in_bytes: heapMax },
        threads: 1,
      },
      fs: { total_in_bytes: total, free_in_bytes: free, available_in_bytes: available },
      plugins: [],
    },
  });
}

function shardCounts(counts: readonly number[]): JsonOutput {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const range = {
    min: leastOf(counts),
    max: greatestOf(counts),
    avg: new Double(total / counts.length),
  };
  return {
    total,
    primaries: total,
    replication: new Double(0),
    index: {
      shards: range,
      primaries: range,
      replication: { min: new Double(0), max: new Double(0), avg: new Double(0) },
    },
  };
}

/** `GET /_nodes[/{nodeId}]/hot_threads`: what the threads have to do now. */
export async function getHotThreads(
  { params }: ApiRequest,
  context: RouteContext,
): Promise<ApiResponse> {
  params.timeMs('timeout');
  const { engine } = context;
  const { search, indexer } = await threadsOf(engine);
  const header = `::: [${engine.nodeName}][${engine.nodeId}][${hostname()}][${transportAddress(context)}]`;
  const at = new Date(context.now()).toISOString();
  const lines = [...search, ...indexer].map(
    ({ name, pending, completed }) =>
      `   thread '${name}': ${pending} requests at hand, ${completed} completed`,
  );
  const main = `   ${cpuPercent()}% cpu usage of all processors by the process`;
  return text([header, `   Hot threads at ${at}:`, '', main, ...lines, ''].join('\n'));
}
