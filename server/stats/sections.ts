// The sections of `_stats`, in the reference's order: what each prints of the summed statistics of shards.
//
// What has no counterpart in this engine (throttling, an id cache of its own) is there with
// zeros, because clients expect the members; everything else is measured.

import type { CacheStats, JsonOutput, LocalShardStats, ShardStats } from '../../engine/index';
import type { FieldColumns } from './field-columns';
import { humanBytes } from '../render/index';
import { localShard } from './local';

/**
 * What is kept in memory of some shards, in bytes. How often something was evicted, found or missed is
 * counted for the whole node.
 */
interface MemoryStats {
  readonly columns: number;
  /** Of the columns of single fields that were asked about; undefined: not requested. */
  readonly fields: JsonOutput | undefined;
  readonly filters: number;
  readonly facets: number;
  readonly completions: number;
  /** Everything else that belongs to segments. */
  readonly segments: number;
  readonly evictedColumns: number;
  readonly evictedFilters: number;
  readonly evictedFacets: number;
  readonly facetHits: number;
  readonly facetMisses: number;
}

const COLUMN_KINDS = ['column'];
const FILTER_KINDS = ['filter', 'termFilter', 'termDocs'];
const FACET_KINDS = ['facet'];
const COMPLETION_KINDS = ['completion'];

function memoryOf(
  shards: readonly ShardStats[],
  caches: CacheStats,
  fields: JsonOutput | undefined,
): MemoryStats {
  let all = 0;
  const byKind = new Map<string, number>();
  for (const shard of shards) {
    for (const { id } of localShard(shard).segments) {
      for (const [kind, bytes] of caches.bytes.get(id) ?? []) {
        all += bytes;
        byKind.set(kind, (byKind.get(kind) ?? 0) + bytes);
      }
    }
  }
  const held = (kinds: readonly string[]): number =>
    kinds.reduce((total, kind) => total + (byKind.get(kind) ?? 0), 0);
  const counted = (kinds: readonly string[], counter: 'hits' | 'misses' | 'evictions'): number =>
    kinds.reduce((total, kind) => total + (caches.kinds.get(kind)?.[counter] ?? 0), 0);
  const columns = held(COLUMN_KINDS);
  const filters = held(FILTER_KINDS);
  const facets = held(FACET_KINDS);
  const completions = held(COMPLETION_KINDS);
  return {
    columns,
    fields,
    filters,
    facets,
    completions,
    segments: all - columns - filters - facets - completions,
    evictedColumns: counted(COLUMN_KINDS, 'evictions'),
    evictedFilters: counted(FILTER_KINDS, 'evictions'),
    evictedFacets: counted(FACET_KINDS, 'evictions'),
    facetHits: counted(FACET_KINDS, 'hits'),
    facetMisses: counted(FACET_KINDS, 'misses'),
  };
}

/** One section by its name in the path, its member, and what it prints. */
interface Section {
  /** What `/_stats/{metric}` calls it. */
  readonly metric: string;
  readonly member: string;
  readonly render: (shards: readonly ShardStats[], memory: MemoryStats) => JsonOutput;
}

function sum(shards: readonly ShardStats[], figure: (shard: ShardStats) => number): number {
  let total = 0;
  for (const shard of shards) total += figure(shard);
  return total;
}

function sumLocal(
  shards: readonly ShardStats[],
  figure: (local: LocalShardStats) => number,
): number {
  let total = 0;
  for (const shard of shards) total += figure(localShard(shard));
  return total;
}

function millis(shards: readonly ShardStats[], figure: (local: LocalShardStats) => number): number {
  return Math.round(sumLocal(shards, figure));
}

/** Only when there are any: the reference has no such member. */
function failedDocuments(shards: readonly ShardStats[]): { readonly index_failed?: number } {
  const failed = sumLocal(shards, ({ operations }) => operations.failedDocuments);
  return failed === 0 ? {} : { index_failed: failed };
}

/** Shards built again because their segments were damaged, if there are any; beyond the reference. */
function rebuilds(shards: readonly ShardStats[]): Readonly<Record<string, number>> {
  const current = sum(shards, ({ isRebuilding }) => Number(isRebuilding));
  const total = sumLocal(shards, ({ operations }) => operations.rebuilds.total);
  if (current + total === 0) return {};
  return {
    rebuilds_current: current,
    rebuilds_total: total,
    rebuilds_time_in_millis: millis(shards, ({ operations }) => operations.rebuilds.ms),
  };
}

/** All sections, in the order in which they are printed. */
const SECTIONS: readonly Section[] = [
  {
    metric: 'docs',
    member: 'docs',
    render: (shards) => ({
      count: sum(shards, ({ docCount }) => docCount),
      deleted: sum(shards, ({ deletedCount }) => deletedCount),
    }),
  },
  {
    metric: 'store',
    member: 'store',
    render: (shards) => ({
      size_in_bytes: sum(shards, ({ storeBytes }) => storeBytes),
      throttle_time_in_millis: 0,
    }),
  },
  {
    metric: 'indexing',
    member: 'indexing',
    render: (shards) => ({
      index_total: sumLocal(shards, ({ operations }) => operations.indexing.total),
      index_time_in_millis: millis(shards, ({ operations }) => operations.indexing.ms),
      index_current: 0,
      delete_total: sumLocal(shards, ({ operations }) => operations.deleting.total),
      delete_time_in_millis: millis(shards, ({ operations }) => operations.deleting.ms),
      delete_current: 0,
      noop_update_total: 0,
      is_throttled: false,
      throttle_time_in_millis: 0,
      ...failedDocuments(shards),
    }),
  },
  {
    metric: 'get',
    member: 'get',
    render: (shards) => {
      const found = sumLocal(shards, ({ reads }) => reads.found.total);
      const missed = sumLocal(shards, ({ reads }) => reads.missed.total);
      const foundMs = sumLocal(shards, ({ reads }) => reads.found.ms);
      const missedMs = sumLocal(shards, ({ reads }) => reads.missed.ms);
      return {
        total: found + missed,
        time_in_millis: Math.round(foundMs + missedMs),
        exists_total: found,
        exists_time_in_millis: Math.round(foundMs),
        missing_total: missed,
        missing_time_in_millis: Math.round(missedMs),
        current: 0,
      };
    },
  },
  {
    metric: 'search',
    member: 'search',
    render: (shards) => ({
      open_contexts: sumLocal(shards, ({ reads }) => reads.searches.current + reads.openScrolls),
      query_total: sumLocal(shards, ({ reads }) => reads.searches.total),
      query_time_in_millis: millis(shards, ({ reads }) => reads.searches.ms),
      query_current: sumLocal(shards, ({ reads }) => reads.searches.current),
      // Hits are rendered by the same job that finds them.
      fetch_total: sumLocal(shards, ({ reads }) => reads.searches.total),
      fetch_time_in_millis: 0,
      fetch_current: 0,
    }),
  },
  { metric: 'merge', member: 'merges', render: renderMerges },
  { metric: 'refresh', member: 'refresh', render: renderRefresh },
  { metric: 'flush', member: 'flush', render: renderFlush },
  {
    metric: 'warmer',
    member: 'warmer',
    render: (shards) => ({
      current: sumLocal(shards, ({ reads }) => reads.warmers.current),
      total: sumLocal(shards, ({ reads }) => reads.warmers.total),
      total_time_in_millis: millis(shards, ({ reads }) => reads.warmers.ms),
    }),
  },
  {
    metric: 'filter_cache',
    member: 'filter_cache',
    render: (_shards, { filters, evictedFilters }) => ({
      memory_size_in_bytes: filters,
      evictions: evictedFilters,
    }),
  },
  { metric: 'id_cache', member: 'id_cache', render: () => ({ memory_size_in_bytes: 0 }) },
  {
    metric: 'fielddata',
    member: 'fielddata',
    render: (_shards, { columns, evictedColumns, fields }) => ({
      memory_size_in_bytes: columns,
      evictions: evictedColumns,
      fields,
    }),
  },
  {
    metric: 'percolate',
    member: 'percolate',
    render: (shards) => {
      const bytes = sumLocal(shards, ({ queries }) => queries.bytes);
      return {
        total: sumLocal(shards, ({ reads }) => reads.percolations.total),
        time_in_millis: millis(shards, ({ reads }) => reads.percolations.ms),
        current: sumLocal(shards, ({ reads }) => reads.percolations.current),
        memory_size_in_bytes: bytes,
        // Not only where texts for people are asked for.
        memory_size: humanBytes(bytes),
        queries: sumLocal(shards, ({ queries }) => queries.count),
      };
    },
  },
  {
    metric: 'completion',
    member: 'completion',
    render: (_shards, { completions }) => ({ size_in_bytes: completions }),
  },
  {
    metric: 'segments',
    member: 'segments',
    render: (shards, { segments: memory }) => ({
      count: sumLocal(shards, ({ segments }) => segments.length),
      memory_in_bytes: memory,
      index_writer_memory_in_bytes: 0,
      index_writer_max_memory_in_bytes: 0,
      version_map_memory_in_bytes: 0,
      fixed_bit_set_memory_in_bytes: 0,
    }),
  },
  {
    metric: 'translog',
    member: 'translog',
    render: (shards) => ({
      operations: sumLocal(shards, ({ unindexedOperations }) => unindexedOperations),
      size_in_bytes: sumLocal(shards, ({ unindexedBytes }) => unindexedBytes),
    }),
  },
  {
    metric: 'suggest',
    member: 'suggest',
    render: (shards) => ({
      total: sumLocal(shards, ({ reads }) => reads.suggests.total),
      time_in_millis: millis(shards, ({ reads }) => reads.suggests.ms),
      current: sumLocal(shards, ({ reads }) => reads.suggests.current),
    }),
  },
  {
    metric: 'query_cache',
    member: 'query_cache',
    // What is remembered of facets, which is what the reference's cache of answers is used for.
    render: (_shards, { facets, facetHits, facetMisses, evictedFacets }) => ({
      memory_size_in_bytes: facets,
      evictions: evictedFacets,
      hit_count: facetHits,
      miss_count: facetMisses,
    }),
  },
  {
    metric: 'recovery',
    member: 'recovery',
    render: (shards) => ({
      current_as_source: 0,
      current_as_target: 0,
      throttle_time_in_millis: 0,
      ...rebuilds(shards),
    }),
  },
];

/**
 * The chosen sections of some shards together; unknown metrics are simply not there.
 *
 * @param fields what `fielddata` tells of single fields; null: not requested
 */
export function renderSections(
  shards: readonly ShardStats[],
  metrics: readonly string[],
  caches: CacheStats,
  fields: FieldColumns | null = null,
): ReadonlyMap<string, JsonOutput> {
  const isAll = metrics.length === 0 || (metrics.length === 1 && metrics[0] === '_all');
  const memory = memoryOf(shards, caches, fields?.(shards));
  const result = new Map<string, JsonOutput>();
  for (const { metric, member, render } of SECTIONS) {
    if (isAll || metrics.includes(metric)) result.set(member, render(shards, memory));
  }
  return result;
}

/** Merges done and under way. */
export function renderMerges(shards: readonly ShardStats[]): JsonOutput {
  return {
    current: sumLocal(shards, ({ operations }) => operations.merges.current),
    current_docs: sumLocal(shards, ({ operations }) => operations.merges.currentDocs),
    current_size_in_bytes: sumLocal(shards, ({ operations }) => operations.merges.currentBytes),
    total: sumLocal(shards, ({ operations }) => operations.merges.total),
    total_time_in_millis: millis(shards, ({ operations }) => operations.merges.ms),
    total_docs: sumLocal(shards, ({ operations }) => operations.merges.docs),
    total_size_in_bytes: sumLocal(shards, ({ operations }) => operations.merges.bytes),
  };
}

/** The section `refresh`. */
export function renderRefresh(shards: readonly ShardStats[]): JsonOutput {
  return {
    total: sumLocal(shards, ({ operations }) => operations.refreshes.total),
    total_time_in_millis: millis(shards, ({ operations }) => operations.refreshes.ms),
  };
}

/** The section `flush`. */
export function renderFlush(shards: readonly ShardStats[]): JsonOutput {
  return {
    total: sumLocal(shards, ({ operations }) => operations.flushes.total),
    total_time_in_millis: millis(shards, ({ operations }) => operations.flushes.ms),
  };
}
