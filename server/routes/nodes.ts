// `/` and `_nodes`: who answers here. Clients read the version and, when they sniff, the HTTP address.

import { splitCommas } from '../../engine/index';
import { hostname } from 'node:os';
import type { JsonOutput, SearchEngine, ThreadPoolStats } from '../../engine/index';
import { empty, type ApiRequest, type ApiResponse, type RouteContext } from '../request/index';
import { COMPATIBLE_VERSION, LUCENE_VERSION } from '../config/index';
import { statistics } from '../render/index';
import { heapUsage, machineStats, maxFileDescriptors, threadsOf } from '../stats/index';

/** What clients are told of the build. */
export const BUILD = 'facetd';
const METRICS = [
  'settings',
  'os',
  'process',
  'jvm',
  'thread_pool',
  'network',
  'transport',
  'http',
  'plugins',
];

/** `GET /`, always laid out. */
export function getRoot(_request: ApiRequest, { engine }: RouteContext): ApiResponse {
  return {
    kind: 'json',
    status: 200,
    isPretty: true,
    body: {
      status: 200,
      name: engine.nodeName,
      cluster_name: engine.clusterName,
      version: {
        number: COMPATIBLE_VERSION,
        build_hash: BUILD,
        build_timestamp: 'NA',
        build_snapshot: false,
        lucene_version: LUCENE_VERSION,
      },
      tagline: 'You Know, for Search',
    },
  };
}

/** `HEAD /`. */
export function headRoot(): ApiResponse {
  return empty(200);
}

/** `GET /_nodes[/{nodeId}[/{metrics}]]`; the first part may be metrics too. */
export async function getNodes(
  { params }: ApiRequest,
  context: RouteContext,
): Promise<ApiResponse> {
  params.timeMs('timeout');
  const { engine } = context;
  let ids = splitCommas(params.get('nodeId') ?? '_all');
  let metrics = params.has('metrics') ? params.list('metrics') : ['_all'];
  if (!params.has('metrics') && ids.every((id) => METRICS.includes(id))) {
    metrics = ids;
    ids = ['_all'];
  }
  const nodes = new Map<string, JsonOutput>();
  if (isThisNode(ids, engine)) nodes.set(engine.nodeId, await describe(context, metrics));
  return statistics(params, { cluster_name: engine.clusterName, nodes });
}

/** Whether one of the ids stands for this node. */
export function isThisNode(ids: readonly string[], engine: SearchEngine): boolean {
  const names = ['_all', '_local', '_master', engine.nodeId, engine.nodeName];
  return ids.some((id) => names.includes(id));
}

async function describe(context: RouteContext, metrics: readonly string[]): Promise<JsonOutput> {
  const { engine, settings } = context;
  const wants = (metric: string) => metrics.includes('_all') || metrics.includes(metric);
  const address = httpAddress(context);
  return {
    name: engine.nodeName,
    transport_address: transportAddress(context),
    host: hostname(),
    ip: hostOf(context.address()),
    version: COMPATIBLE_VERSION,
    build: BUILD,
    http_address: address,
    // Where clients look that found the node over TLS.
    https_address: settings.tls === null ? undefined : address,
    settings: wants('settings')
      ? { cluster: { name: engine.clusterName }, name: engine.nodeName }
      : undefined,
    os: wants('os')
      ? {
          refresh_interval_in_millis: 1000,
          available_processors: machineStats().processors,
          mem: { total_in_bytes: machineStats().total },
        }
      : undefined,
    process: wants('process')
      ? {
          refresh_interval_in_millis: 1000,
          id: process.pid,
          max_file_descriptors: maxFileDescriptors(),
          mlockall: false,
        }
      : undefined,
    jvm: wants('jvm') ? runtime(engine) : undefined,
    thread_pool: wants('thread_pool') ? threadPools(await threadsOf(engine)) : undefined,
    network: wants('network') ? { refresh_interval_in_millis: 5000 } : undefined,
    transport: wants('transport')
      ? { bound_address: address, publish_address: address, profiles: {} }
      : undefined,
    http: wants('http')
      ? {
          bound_address: address,
          publish_address: address,
          max_content_length_in_bytes: settings.maxContentLength,
        }
      : undefined,
    plugins: wants('plugins') ? [] : undefined,
  };
}

/** Clients look for the runtime under this name. */
function runtime(engine: SearchEngine): JsonOutput {
  const { heapTotal, heapMax } = heapUsage();
  return {
    pid: process.pid,
    version: process.versions.node,
    vm_name: 'node',
    vm_version: process.versions.v8,
    vm_vendor: 'node',
    start_time_in_millis: engine.startedAt,
    mem: { heap_init_in_bytes: heapTotal, heap_max_in_bytes: heapMax },
    gc_collectors: [],
    memory_pools: [],
  };
}

function threadPools({ searches, indexer }: ThreadPoolStats): JsonOutput {
  const fixed = (threads: number, capacity: number) => ({
    type: 'fixed',
    min: threads,
    max: threads,
    queue_size: capacity < 0 ? -1 : countText(capacity),
  });
  return {
    search: fixed(searches.threads, searches.capacity),
    merge: fixed(indexer.length, -1),
  };
}

/** A number as the reference prints sizes without a unit: 999, 1k, 1.5k, 2m. */
function countText(count: number): string {
  const [unit, divisor] =
    count >= 1e6
      ? (['m', 1e6] as const)
      : count >= 1e3
        ? (['k', 1e3] as const)
        : (['', 1] as const);
  return `${Math.floor((10 * count) / divisor) / 10}${unit}`;
}

/** The HTTP address as the reference prints socket addresses. */
function httpAddress(context: RouteContext): string {
  return `inet[/${context.address()}]`;
}

/** There is no transport protocol here; the HTTP address stands in for it. */
export function transportAddress(context: RouteContext): string {
  return httpAddress(context);
}

/** The host of `host:port`. */
export function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(':'));
}
