// The metrics of single indices, shown with `?level=indices`: the largest ones only, so that answers stay
// small.

import type { IndexStats } from '../../engine/index';
import { localShard } from './local';
import type { Metric, Sample } from './prometheus';

/** Indices that have metrics of their own, at most. */
const MAX_INDICES = 1000;

/** Indices with metrics of their own, largest first, and how many there are besides. */
interface PerIndexStats {
  readonly shown: readonly IndexStats[];
  readonly others: number;
}

/** The largest indices. */
export function largestIndices(stats: readonly IndexStats[]): PerIndexStats {
  const shown = [...stats].sort((a, b) => b.storeBytes - a.storeBytes).slice(0, MAX_INDICES);
  return { shown, others: stats.length - shown.length };
}

function perIndex(
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  figure: (index: IndexStats) => number,
): Metric<PerIndexStats> {
  const read = ({ shown }: PerIndexStats): Sample[] =>
    shown.map((index) => ({ labels: { index: index.name }, value: figure(index) }));
  return { name, type, help, read };
}

function sumOf(
  { shards }: IndexStats,
  figure: (shard: IndexStats['shards'][number]) => number,
): number {
  return shards.reduce((sum, shard) => sum + figure(shard), 0);
}

/** Metrics of single indices, shown with `?level=indices`. */
export const INDEX_METRICS: readonly Metric<PerIndexStats>[] = [
  perIndex('gauge', 'facetd_index_documents', 'Documents of an index.', (i) => i.docCount),
  perIndex(
    'gauge',
    'facetd_index_deleted_documents',
    'Deleted documents of an index that merges have not removed yet.',
    (index) => index.deletedCount,
  ),
  perIndex('gauge', 'facetd_index_segments', 'Segments of an index.', (index) =>
    sumOf(index, (shard) => localShard(shard).segments.length),
  ),
  perIndex(
    'gauge',
    'facetd_index_store_bytes',
    'Bytes of the segments of an index.',
    (index) => index.storeBytes,
  ),
  perIndex('counter', 'facetd_index_indexing_total', 'Index operations on an index.', (index) =>
    sumOf(index, (shard) => localShard(shard).operations.indexing.total),
  ),
  perIndex(
    'counter',
    'facetd_index_shard_searches_total',
    'Searches and counts on each shard of an index.',
    (index) => sumOf(index, (shard) => localShard(shard).reads.searches.total),
  ),
  perIndex(
    'counter',
    'facetd_index_shard_searches_seconds_total',
    'Searches and counts on each shard of an index: the time they took.',
    (index) => sumOf(index, (shard) => localShard(shard).reads.searches.ms) / 1000,
  ),
  {
    name: 'facetd_indices_not_shown',
    type: 'gauge',
    help: `Indices beyond the ${MAX_INDICES} largest, without metrics of their own.`,
    read: ({ others }) => others,
  },
];
