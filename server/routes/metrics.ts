// `_metrics`: everything that is measured, for Prometheus. Beyond the reference server.

import { performance } from 'node:perf_hooks';
import {
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  READ_OPTIONS,
} from '../request/index';
import {
  cacheTotalsOf,
  INDEX_METRICS,
  largestIndices,
  NODE_METRICS,
  type MetricStats,
  heapUsage,
  maxFileDescriptors,
  memoryLimit,
  openFileDescriptors,
  residentAnonymousBytes,
  PROMETHEUS_TYPE,
  renderMetrics,
  threadsOf,
} from '../stats/index';
import { COMPATIBLE_VERSION, facetdVersion } from '../config/index';

const BUILD = {
  version: facetdVersion(),
  compatible_with: COMPATIBLE_VERSION,
  node: process.versions.node,
};

/** `GET /_metrics[?level=indices]`. */
export async function getMetrics(
  { params }: ApiRequest,
  context: RouteContext,
): Promise<ApiResponse> {
  const { engine } = context;
  let content = renderMetrics(NODE_METRICS, await readStats(context));
  if (params.get('level') === 'indices') {
    const open = await engine.maintenance.stats(engine.admin.resolve([], READ_OPTIONS));
    content += renderMetrics(INDEX_METRICS, largestIndices(open));
  }
  return { kind: 'text', status: 200, type: PROMETHEUS_TYPE, text: content };
}

async function readStats(context: RouteContext): Promise<MetricStats> {
  const { engine, settings } = context;
  // Before the threads are asked something themselves.
  const threads = await threadsOf(engine);
  const caches = await cacheTotalsOf(engine);
  const { heapUsed, heapTotal, heapMax, external, arrayBuffers, rss } = heapUsage();
  const limit = memoryLimit();
  const { user, system } = process.cpuUsage();
  let cached = 0;
  for (const { bytes } of caches.kinds.values()) cached += bytes;
  return {
    node: await engine.nodeStats(),
    caches,
    threads,
    requests: context.requests,
    connections: context.connections(),
    loopDelay: context.loopDelay?.(),
    memory: {
      resident: rss,
      resident_anonymous: residentAnonymousBytes(),
      heap_used: heapUsed,
      heap_total: heapTotal,
      external,
      array_buffers: arrayBuffers,
      caches: cached,
      requests: context.memory.used,
    },
    memoryLimits: {
      node_memory: settings.node.memoryBytes,
      heap: heapMax,
      requests: context.memory.limit,
      ...(limit === null ? {} : { process: limit }),
    },
    processor: { user: user / 1e6, system: system / 1e6 },
    mainBusyMs: performance.eventLoopUtilization().active,
    openFiles: openFileDescriptors(),
    maxOpenFiles: maxFileDescriptors(),
    startedAt: engine.startedAt,
    build: BUILD,
  };
}
