// Snapshots as clients read them (reference server).

import type { JsonOutput, ShardProgress, SnapshotInfo, SnapshotStatus } from '../../engine/index';
import { COMPATIBLE_VERSION, COMPATIBLE_VERSION_ID } from '../config/index';

/** What a finished snapshot holds. */
export function snapshotInfo(info: SnapshotInfo, nodeId: string): JsonOutput {
  const failed = info.failures.length;
  return {
    snapshot: info.snapshot,
    version_id: COMPATIBLE_VERSION_ID,
    version: COMPATIBLE_VERSION,
    indices: info.indices,
    state: info.state,
    ...(info.state === 'FAILED' ? { reason: failureReason(info) } : {}),
    start_time: new Date(info.startedAt).toISOString(),
    start_time_in_millis: info.startedAt,
    end_time: new Date(info.endedAt).toISOString(),
    end_time_in_millis: info.endedAt,
    duration_in_millis: info.endedAt - info.startedAt,
    failures: info.failures.map(({ index, shard, reason }) => ({
      node_id: nodeId,
      index,
      reason,
      shard_id: shard,
      status: 'INTERNAL_SERVER_ERROR',
    })),
    shards: { total: info.totalShards, failed, successful: info.totalShards - failed },
  };
}

function failureReason({ failures }: SnapshotInfo): string {
  const indices = [...new Set(failures.map(({ index }) => index))];
  return `Indices don't have primary shards [${indices.join(', ')}]`;
}

/** Files, bytes and stages of all shards of a snapshot. */
export function snapshotStatus({
  snapshot,
  repository,
  state,
  indices,
}: SnapshotStatus): JsonOutput {
  const all = [...indices.values()].flat();
  const byIndex = new Map<string, JsonOutput>();
  for (const [index, shards] of indices) {
    const byNumber = shards.map(
      (shard, number) =>
        [String(number), { stage: shard.stage, stats: statistics([shard]) }] as const,
    );
    byIndex.set(index, {
      shards_stats: stages(shards),
      stats: statistics(shards),
      shards: new Map<string, JsonOutput>(byNumber),
    });
  }
  return {
    snapshot,
    repository,
    state,
    shards_stats: stages(all),
    stats: statistics(all),
    indices: byIndex,
  };
}

function stages(shards: readonly ShardProgress[]): JsonOutput {
  const count = (stage: ShardProgress['stage']): number =>
    shards.filter((shard) => shard.stage === stage).length;
  return {
    initializing: count('INIT'),
    started: count('STARTED'),
    finalizing: 0,
    done: count('DONE'),
    failed: count('FAILURE'),
    total: shards.length,
  };
}

function statistics(shards: readonly ShardProgress[]): JsonOutput {
  const total = (figure: 'files' | 'processedFiles' | 'bytes' | 'processedBytes'): number =>
    shards.reduce((sum, shard) => sum + shard[figure], 0);
  let first = Infinity;
  let last = 0;
  for (const { startedAt, tookMs } of shards) {
    first = Math.min(first, startedAt);
    last = Math.max(last, startedAt + tookMs);
  }
  return {
    number_of_files: total('files'),
    processed_files: total('processedFiles'),
    total_size_in_bytes: total('bytes'),
    processed_size_in_bytes: total('processedBytes'),
    start_time_in_millis: shards.length === 0 ? 0 : first,
    time_in_millis: shards.length === 0 ? 0 : last - first,
  };
}
