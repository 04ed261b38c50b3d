// `_stats`, `_status`, `_segments` and `_recovery`: what indices and their shards are made of and have done
// (reference server).

import type {
  IndexStats,
  JsonOutput,
  LocalShardStats,
  RestoredShard,
  SearchEngine,
  ShardStats,
} from '../../engine/index';
import {
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  indicesOptions,
  SEARCH_OPTIONS,
} from '../request/index';
import { statistics } from '../render/index';
import {
  cachesOf,
  fieldColumns,
  broadcastHeader,
  localShard,
  placeOf,
  routingOf,
  renderFlush,
  renderMerges,
  renderRefresh,
  renderSections,
} from '../stats/index';
import { LUCENE_VERSION } from '../config/index';
import { hostOf, transportAddress } from './nodes';

/** `GET [/{index}]/_stats[/{metric}]`; an unknown `level` leaves out everything. */
export async function getStats(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const { params } = request;
  const stats = await statsOf(request, engine);
  const metrics = params.list('metric');
  const caches = await cachesOf(engine);
  const fields = fieldColumns(params, stats, engine.state(), caches);
  const render: RenderShards = (shards) => renderSections(shards, metrics, caches, fields);
  const both = (shards: readonly ShardStats[]) => {
    const sections = render(shards);
    return { primaries: sections, total: sections };
  };
  const level = params.get('level') ?? 'indices';
  const showsIndices = level === 'indices' || level === 'shards';
  const indices = new Map<string, JsonOutput>();
  for (const { name, shards } of showsIndices ? stats : []) {
    const own = both(shards);
    const byShard = () => byNumber(shards, (shard) => shardStats(shard, render, engine));
    indices.set(name, level === 'shards' ? { ...own, shards: byShard() } : own);
  }
  const none = { primaries: {}, total: {} };
  const all = () => (stats.length === 0 ? none : both(stats.flatMap(({ shards }) => shards)));
  return statistics(params, {
    _shards: broadcastHeader(stats),
    _all: showsIndices || level === 'cluster' ? all() : undefined,
    indices: showsIndices ? indices : undefined,
  });
}

/** The sections of some shards together. */
type RenderShards = (shards: readonly ShardStats[]) => ReadonlyMap<string, JsonOutput>;

/** The sections of one shard, with where it is and what of it is on disk. */
export function shardStats(
  shard: ShardStats,
  render: RenderShards,
  engine: SearchEngine,
): JsonOutput {
  const { commitGeneration } = localShard(shard);
  return {
    routing: placeOf(engine),
    ...Object.fromEntries(render([shard])),
    commit: {
      generation: commitGeneration,
      user_data: { translog_id: String(commitGeneration) },
      num_docs: shard.docCount,
    },
  };
}

/** `GET [/{index}]/_status`. */
export async function getStatus(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const stats = await statsOf(request, engine);
  const indices = new Map<string, JsonOutput>();
  for (const { name, shards, storeBytes } of stats) {
    indices.set(name, {
      index: { primary_size_in_bytes: storeBytes, size_in_bytes: storeBytes },
      translog: {
        operations: shards.reduce((sum, one) => sum + localShard(one).unindexedOperations, 0),
      },
      ...activityOf(shards),
      shards: byNumber(shards, (shard, number) => ({
        routing: routingOf(name, number, engine),
        state: 'STARTED',
        index: { size_in_bytes: shard.storeBytes },
        translog: translogOf(shard),
        ...activityOf([shard]),
      })),
    });
  }
  return statistics(request.params, { _shards: broadcastHeader(stats), indices });
}

function translogOf(shard: ShardStats): JsonOutput {
  const { commitGeneration, unindexedOperations } = localShard(shard);
  return { id: commitGeneration, operations: unindexedOperations };
}

function activityOf(shards: readonly ShardStats[]) {
  const docs = shards.reduce((sum, { docCount }) => sum + docCount, 0);
  const deleted = shards.reduce((sum, { deletedCount }) => sum + deletedCount, 0);
  return {
    docs: { num_docs: docs, max_doc: docs + deleted, deleted_docs: deleted },
    merges: renderMerges(shards),
    refresh: renderRefresh(shards),
    flush: renderFlush(shards),
  };
}

/** `GET [/{index}]/_segments`. */
export async function getSegments(
  request: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const stats = await statsOf(request, engine);
  const indices = new Map<string, JsonOutput>();
  for (const { name, shards } of stats) {
    indices.set(name, {
      shards: byNumber(shards, (shard) => segmentsOf(localShard(shard).segments, engine)),
    });
  }
  return statistics(request.params, { _shards: broadcastHeader(stats), indices });
}

function segmentsOf(segments: LocalShardStats['segments'], engine: SearchEngine): JsonOutput {
  return {
    routing: { state: 'STARTED', primary: true, node: engine.nodeId },
    num_committed_segments: segments.length,
    num_search_segments: segments.length,
    segments: new Map(
      segments.map((segment): [string, JsonOutput] => [
        segmentName(segment.id),
        {
          generation: segment.id,
          num_docs: segment.docCount - segment.deletedCount,
          deleted_docs: segment.deletedCount,
          size_in_bytes: segment.bytes,
          memory_in_bytes: 0,
          committed: true,
          search: true,
          version: LUCENE_VERSION,
          compound: true,
        },
      ]),
    ),
  };
}

/** Segments are named as the reference names them: the number in base 36. */
export function segmentName(id: number): string {
  return `_${id.toString(36)}`;
}

/**
 * `GET [/{index}]/_recovery`: a shard came from its own disk when the node started, or from a snapshot since.
 */
export async function getRecovery(
  request: ApiRequest,
  context: RouteContext,
): Promise<ApiResponse> {
  const { engine } = context;
  const result = new Map<string, JsonOutput>();
  if (!request.params.flag('active_only')) {
    const node = {
      id: engine.nodeId,
      host: hostOf(context.address()),
      transport_address: transportAddress(context),
      ip: hostOf(context.address()),
      name: engine.nodeName,
    };
    for (const { name, shards } of await statsOf(request, engine)) {
      result.set(name, {
        shards: shards.map((shard, id) =>
          recoveryOf(localShard(shard), id, node, engine.startedAt),
        ),
      });
    }
  }
  return statistics(request.params, result);
}

function recoveryOf(
  { opening }: LocalShardStats,
  id: number,
  node: JsonOutput,
  startedAt: number,
): JsonOutput {
  const { operations, restored } = opening;
  const ms = Math.round(opening.ms);
  if (restored !== null) return restoreOf(restored, id, node);
  return {
    id,
    type: 'GATEWAY',
    stage: 'DONE',
    primary: true,
    start_time_in_millis: startedAt,
    stop_time_in_millis: startedAt + ms,
    total_time_in_millis: ms,
    source: node,
    target: node,
    index: {
      size: { total_in_bytes: 0, reused_in_bytes: 0, recovered_in_bytes: 0, percent: '0.0%' },
      files: { total: 0, reused: 0, recovered: 0, percent: '0.0%' },
      total_time_in_millis: 0,
      source_throttle_time_in_millis: 0,
      target_throttle_time_in_millis: 0,
    },
    translog: {
      recovered: operations,
      total: operations,
      percent: '100.0%',
      total_on_start: operations,
      total_time_in_millis: ms,
    },
    start: { check_index_time_in_millis: 0, total_time_in_millis: ms },
  };
}

function restoreOf(restored: RestoredShard, id: number, node: JsonOutput): JsonOutput {
  const { repository, snapshot, index, startedAt, files, bytes } = restored;
  const [writeMs, startMs] = [Math.round(restored.writeMs), Math.round(restored.startMs)];
  return {
    id,
    type: 'SNAPSHOT',
    stage: 'DONE',
    primary: true,
    start_time_in_millis: startedAt,
    stop_time_in_millis: startedAt + writeMs + startMs,
    total_time_in_millis: writeMs + startMs,
    source: { repository, snapshot, index },
    target: node,
    index: {
      size: {
        total_in_bytes: bytes,
        reused_in_bytes: 0,
        recovered_in_bytes: bytes,
        percent: percentRecovered(bytes),
      },
      files: { total: files, reused: 0, recovered: files, percent: percentRecovered(files) },
      total_time_in_millis: writeMs,
      source_throttle_time_in_millis: 0,
      target_throttle_time_in_millis: 0,
    },
    translog: {
      recovered: 0,
      total: 0,
      percent: '100.0%',
      total_on_start: 0,
      total_time_in_millis: 0,
    },
    start: { check_index_time_in_millis: 0, total_time_in_millis: startMs },
  };
}

/** All of it, or `0.0%` of nothing. */
export function percentRecovered(total: number): string {
  return total === 0 ? '0.0%' : '100.0%';
}

/** @throws EngineError 404, 403 for closed indices */
async function statsOf(
  { params }: ApiRequest,
  { admin, maintenance }: SearchEngine,
): Promise<readonly IndexStats[]> {
  const options = indicesOptions(params, SEARCH_OPTIONS);
  return maintenance.stats(admin.resolve(params.list('index'), options, 'metadata_read'));
}

function byNumber(
  shards: readonly ShardStats[],
  render: (shard: ShardStats, number: number) => JsonOutput,
): JsonOutput {
  return new Map(
    shards.map((shard, number): [string, JsonOutput] => [String(number), [render(shard, number)]]),
  );
}
