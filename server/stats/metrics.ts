// The metrics of a node: names, meanings, and where each value is read. All of them are counted where the
// work is done; `_nodes/stats` and the `_cat` tables show the same numbers. docs/metrics.md has the table.

import type {
  BackendStats,
  CacheStatsByKind,
  HistogramStats,
  LocalNodeStats,
  NodeStats,
  ThreadPoolStats,
} from '../../engine/index';
import type { ConnectionStats, RequestRecorder } from '../request/index';
import type { Metric, Sample } from './prometheus';
import { NO_NODE } from './local';
import { sumThreads, type PoolStats } from './thread-pool';

/** What metrics are read from, at one moment. */
export interface MetricStats {
  readonly node: NodeStats;
  readonly caches: CacheStatsByKind;
  readonly threads: ThreadPoolStats;
  readonly requests: RequestRecorder;
  readonly connections: ConnectionStats;
  readonly loopDelay: HistogramStats | undefined;
  /** Bytes by kind. */
  readonly memory: Readonly<Record<string, number>>;
  readonly memoryLimits: Readonly<Record<string, number>>;
  /** Seconds of processor time by mode. */
  readonly processor: Readonly<Record<string, number>>;
  /** Milliseconds in which the event loop of the main thread did not wait for work. */
  readonly mainBusyMs: number;
  readonly openFiles: number;
  readonly maxOpenFiles: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Names and values of versions. */
  readonly build: Readonly<Record<string, string>>;
}

type NodeMetric = Metric<MetricStats>;

/** What a node counts of its own machinery. */
function localNode({ node: { local = NO_NODE } }: MetricStats): LocalNodeStats {
  return local;
}

/** A sample for each member, which is the value of the label. */
function byLabel(label: string, values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
}

const seconds = (ms: number): number => ms / 1000;

function counter(name: string, help: string, read: NodeMetric['read']): NodeMetric {
  return { name, type: 'counter', help, read };
}

function gauge(name: string, help: string, read: NodeMetric['read']): NodeMetric {
  return { name, type: 'gauge', help, read };
}

function histogram(name: string, help: string, read: NodeMetric['read']): NodeMetric {
  return { name, type: 'histogram', help, read };
}

/** A value of each pool of threads. */
const perPool =
  (figure: (pool: PoolStats) => number): NodeMetric['read'] =>
  ({ threads: { search, indexer } }) =>
    byLabel('pool', {
      search: figure(sumThreads(search)),
      indexer: figure(sumThreads(indexer)),
    });

/** A value of each kind of what is kept in memory for searches. */
const perCache =
  (figure: 'bytes' | 'entries' | 'hits' | 'misses' | 'evictions'): NodeMetric['read'] =>
  ({ caches }) =>
    Array.from(caches.kinds, ([cache, stats]) => ({ labels: { cache }, value: stats[figure] }));

const PROCESS: readonly NodeMetric[] = [
  gauge('facetd_build_info', 'Always 1; versions are in the labels.', ({ build }) => [
    { labels: build, value: 1 },
  ]),
  gauge('facetd_start_time_seconds', 'When the node was started, in Unix time.', ({ startedAt }) =>
    seconds(startedAt),
  ),
  counter('facetd_processor_seconds_total', 'Processor time of all threads.', ({ processor }) =>
    byLabel('mode', processor),
  ),
  gauge(
    'facetd_memory_bytes',
    'Memory: of the process (resident, and without mapped files), of the main thread (heap, external, array_buffers), and of all caches.',
    ({ memory }) => byLabel('kind', memory),
  ),
  gauge(
    'facetd_memory_limit_bytes',
    'Limits: node.memory, the heap of the main thread, and MemoryMax or the limit of the container where there is one.',
    ({ memoryLimits }) => byLabel('kind', memoryLimits),
  ),
  gauge('facetd_open_files', 'Open file descriptors.', ({ openFiles }) => openFiles),
  gauge('facetd_max_open_files', 'Most open file descriptors allowed.', (f) => f.maxOpenFiles),
  histogram(
    'facetd_event_loop_delay_seconds',
    'How late the event loop of the main thread was, looked at every 20 ms.',
    ({ loopDelay }) => loopDelay ?? [],
  ),
  counter(
    'facetd_thread_busy_seconds_total',
    'Time in which the event loop of a thread did not wait for work; its rate is the utilisation.',
    ({ mainBusyMs, threads: { search, http, indexer } }) => [
      { labels: { thread: 'main' }, value: seconds(mainBusyMs) },
      ...[...http, ...search, ...indexer].map(({ name, busyMs }) => ({
        labels: { thread: name },
        value: seconds(busyMs),
      })),
    ],
  ),
];

const HTTP: readonly NodeMetric[] = [
  histogram(
    'facetd_http_request_seconds',
    'Requests by family and outcome, from the arrival of the headers until the answer was handed to the connection.',
    ({ requests }) =>
      requests.stats().map(({ family, outcome, seconds: value }) => ({
        labels: { family, outcome },
        value,
      })),
  ),
  gauge('facetd_http_requests_running', 'Requests not answered yet.', (f) => f.requests.current),
  gauge('facetd_http_connections', 'Open connections.', (f) => f.connections.open),
  counter(
    'facetd_http_connections_total',
    'Connections opened.',
    ({ connections }) => connections.opened,
  ),
];

const DATA: readonly NodeMetric[] = [
  gauge('facetd_indices', 'Indices.', ({ node: { totals } }) =>
    byLabel('state', { open: totals.openIndices, closed: totals.closedIndices }),
  ),
  gauge('facetd_shards', 'Shards of open indices.', (f) => f.node.totals.shards),
  gauge(
    'facetd_damaged_shards',
    'Shards that refuse searches and writes because their data is damaged.',
    ({ node }) => node.totals.damagedShards,
  ),
  gauge(
    'facetd_rebuilding_shards',
    'Shards whose segments were damaged and are being built again; they refuse searches until then.',
    ({ node }) => node.totals.rebuildingShards,
  ),
  gauge(
    'facetd_documents',
    'Documents that searches see, nested ones included.',
    ({ node }) => node.totals.docCount,
  ),
  gauge(
    'facetd_deleted_documents',
    'Deleted documents that merges have not removed yet.',
    ({ node }) => node.totals.deletedCount,
  ),
  gauge('facetd_segments', 'Segments that searches see.', (f) => localNode(f).shards.segments),
  gauge(
    'facetd_store_bytes',
    'Bytes of the segments that searches see.',
    (f) => f.node.totals.storeBytes,
  ),
  gauge(
    'facetd_unindexed_operations',
    'Acknowledged operations that are in the document log and in no segment yet.',
    (f) => localNode(f).shards.unindexedOperations,
  ),
  gauge(
    'facetd_unindexed_bytes',
    'Source bytes of acknowledged operations that are in no segment yet.',
    (f) => localNode(f).shards.unindexedBytes,
  ),
];

/** A counter of operations and one of the time they took. */
function operations(
  name: string,
  what: string,
  read: (shards: LocalNodeStats['shards']) => { readonly total: number; readonly ms: number },
): readonly NodeMetric[] {
  return [
    counter(`facetd_${name}_total`, `${what}.`, (f) => read(localNode(f).shards).total),
    counter(`facetd_${name}_seconds_total`, `${what}: the time they took.`, (f) =>
      seconds(read(localNode(f).shards).ms),
    ),
  ];
}

const WORK: readonly NodeMetric[] = [
  ...operations(
    'indexing',
    'Index operations, updates included; parsed, checked and encoded',
    ({ operations }) => operations.indexing,
  ),
  ...operations('deletions', 'Documents deleted', ({ operations }) => operations.deleting),
  ...operations('gets_found', 'Gets that found their document', ({ reads }) => reads.found),
  ...operations('gets_missed', 'Gets that did not find it', ({ reads }) => reads.missed),
  ...operations(
    'shard_searches',
    'Searches and counts on each shard; the time of one is divided among its shards',
    ({ reads }) => reads.searches,
  ),
  gauge(
    'facetd_shard_searches_running',
    'Searches and counts under way, on each shard.',
    (f) => localNode(f).shards.reads.searches.current,
  ),
  ...operations('warmers', 'Warmers run', ({ reads }) => reads.warmers),
  ...operations(
    'refreshes',
    'Refreshes that made something visible, with the building they waited for',
    ({ operations }) => operations.refreshes,
  ),
  ...operations('flushes', 'Flushes by request', ({ operations }) => operations.flushes),
  ...operations('builds', 'Segments built', ({ operations }) => operations.builds),
  ...operations(
    'shard_rebuilds',
    'Shards built again from the document log because their segments were damaged',
    ({ operations }) => operations.rebuilds,
  ),
  counter(
    'facetd_failed_documents_total',
    'Documents of the indices there are that could not be indexed when a segment was built: searches did not find them.',
    (f) => localNode(f).shards.operations.failedDocuments,
  ),
  ...operations('merges', 'Merges', ({ operations }) => operations.merges),
  counter(
    'facetd_merged_documents_total',
    'Documents that went into merges.',
    (f) => localNode(f).shards.operations.merges.docs,
  ),
  counter(
    'facetd_merged_bytes_total',
    'Bytes of segments that went into merges.',
    (f) => localNode(f).shards.operations.merges.bytes,
  ),
  gauge(
    'facetd_merges_running',
    'Merges under way.',
    (f) => localNode(f).shards.operations.merges.current,
  ),
];

const STORAGE: readonly NodeMetric[] = [
  histogram(
    'facetd_commit_units',
    'Units of work (up to 128 writes of an index each) in a batch of the document log.',
    (f) => localNode(f).commits.units,
  ),
  histogram(
    'facetd_commit_bytes',
    'Bytes of a batch of the document log.',
    (f) => localNode(f).commits.bytes,
  ),
  histogram(
    'facetd_commit_sync_seconds',
    'From handing a batch of the document log to the database until it is synced to disk.',
    (f) => localNode(f).commits.syncSeconds,
  ),
  counter(
    'facetd_commit_refused_units_total',
    'Units that did not get into a batch, because what they relied on had changed.',
    (f) => localNode(f).commits.refusedUnits,
  ),
  gauge('facetd_commit_queue', 'Units that wait for a batch.', (f) => localNode(f).queuedUnits),
  counter(
    'facetd_storage_failures_total',
    'Batches that failed; after each one writes are refused until storage is reopened.',
    (f) => localNode(f).storageFailures,
  ),
  counter(
    'facetd_segment_databases_set_aside_total',
    'Databases of segments that were damaged as a whole, set aside, and built again.',
    (f) => localNode(f).segmentsSetAside,
  ),
  gauge(
    'facetd_damaged_tables',
    'Tables of the databases that were damaged when they were checked last: run verify.',
    (f) => localNode(f).damagedTables,
  ),
  gauge(
    'facetd_writable',
    '1 when writes are possible; 0 after a failed batch, and while disk space is low.',
    ({ node }) => Number(node.isWritable),
  ),
  gauge('facetd_disk_bytes', 'The disk of path.data.', (f) => {
    const { total, free, available } = localNode(f).disk;
    return byLabel('kind', { total, free, available });
  }),
  gauge(
    'facetd_disk_min_free_bytes',
    'Available bytes below which writes are refused (node.min_free_disk).',
    (f) => localNode(f).disk.minFreeBytes,
  ),
  gauge('facetd_disk_low', '1 while writes are refused because disk space is low.', (f) =>
    Number(localNode(f).disk.isLow),
  ),
  gauge(
    'facetd_snapshot_success_time_seconds',
    'When the newest complete snapshot of a repository ended, in Unix time; missing without one.',
    ({ node }) =>
      Array.from(node.newestSnapshots, ([repository, end]) => ({
        labels: { repository },
        value: seconds(end),
      })),
  ),
];

const THREADS: readonly NodeMetric[] = [
  gauge(
    'facetd_threads',
    'Worker threads.',
    perPool(({ threads }) => threads),
  ),
  gauge(
    'facetd_threads_active',
    'Worker threads that have requests.',
    perPool(({ active }) => active),
  ),
  gauge(
    'facetd_thread_queue',
    'Requests to worker threads that wait for another one.',
    perPool(({ queue }) => queue),
  ),
  counter(
    'facetd_thread_requests_total',
    'Requests that worker threads have answered.',
    perPool(({ completed }) => completed),
  ),
  counter(
    'facetd_threads_replaced_total',
    'Worker threads that died or hung.',
    perPool(({ replaced }) => replaced),
  ),
];

const CACHES: readonly NodeMetric[] = [
  gauge(
    'facetd_cache_limit_bytes',
    'Budget of all caches of searches together.',
    ({ caches }) => caches.limitBytes,
  ),
  gauge('facetd_cache_bytes', 'What caches of searches hold.', perCache('bytes')),
  gauge('facetd_cache_entries', 'Entries in caches of searches.', perCache('entries')),
  counter('facetd_cache_hits_total', 'Look-ups in caches that found something.', perCache('hits')),
  counter(
    'facetd_cache_misses_total',
    'Look-ups in caches that found nothing.',
    perCache('misses'),
  ),
  counter(
    'facetd_cache_evictions_total',
    'Entries of caches dropped for others.',
    perCache('evictions'),
  ),
];

/** Absent from the embedded engine. */
function ofBackend(figure: (backend: BackendStats) => number): NodeMetric['read'] {
  return ({ node: { backend } }) =>
    backend === undefined ? [] : [{ labels: {}, value: figure(backend) }];
}

const BACKEND: readonly NodeMetric[] = [
  counter(
    'facetd_backend_requests_total',
    'Requests to the cluster of OpenSearch (engine.backend); missing without one, as the next three.',
    ofBackend(({ requests }) => requests),
  ),
  counter(
    'facetd_backend_failures_total',
    'Those of them without an answer that can be used.',
    ofBackend(({ failures }) => failures),
  ),
  counter(
    'facetd_backend_retries_total',
    'How often they were sent again, to another of its nodes.',
    ofBackend(({ retries }) => retries),
  ),
  counter(
    'facetd_backend_request_seconds_total',
    'How long they took, all together.',
    ofBackend(({ milliseconds }) => seconds(milliseconds)),
  ),
];

/** All metrics of a node. */
export const NODE_METRICS: readonly NodeMetric[] = [
  ...PROCESS,
  ...HTTP,
  ...DATA,
  ...WORK,
  ...STORAGE,
  ...THREADS,
  ...CACHES,
  ...BACKEND,
];
