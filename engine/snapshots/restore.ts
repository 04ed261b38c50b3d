// Restoring: records are written into the logs of new shards, segments are built from them, and then the
// indices appear in one step of the cluster state, all of them or none.
//
// Until then intents to delete the new shards are on disk, so that a start after a crash removes what there
// is of them. The step in which the indices appear removes the intents, in the same batch.

import { randomBytes } from 'node:crypto';
import type { ClusterStateService, IndexMetadata } from '../metadata/index';
import type { IndicesService } from '../shard/index';
import type { RestoreInfo, RestoreProgress, RestoreRequest, RestoredShard } from '../api/index';
import { RECORD_OVERHEAD, unitEnd } from '../documents/index';
import { decodeChunk } from './chunk-format';
import { chunksOf, type ChunkFile, type Manifest, type ShardSnapshot } from './manifest';
import type { Repository } from './repository';
import {
  restoredMetadata,
  restoreError,
  withRestored,
  type PlannedIndex,
  type ReservedIds,
} from './restore-plan';
import type { LogRecord, LogStore, ShardId } from '../../storage/index';
import type { EngineLogger } from '../common/index';

/** One unit of the committer at most, which keeps its turns short. */
const UNIT = { records: 256, bytes: 256 * 1024 };
/** Units that wait for the committer at once; some of them share a sync. */
const UNITS_IN_FLIGHT = 24;

/** What restoring needs of the node. */
export interface RestoreHost {
  readonly cluster: ClusterStateService;
  readonly indicesService: IndicesService;
  readonly log: () => LogStore;
  readonly now: () => number;
  readonly logger: EngineLogger;
  /**
   * Looks at the disk of the data folder.
   * @throws EngineError (503) while there is too little space for more data
   */
  readonly checkSpace: () => Promise<void>;
}

/** A restore that was planned. */
export interface RestoreTask {
  readonly request: RestoreRequest;
  readonly manifest: Manifest;
  readonly planned: readonly PlannedIndex[];
  readonly repository: Repository;
  readonly progress: (progress: RestoreProgress) => void;
  readonly signal: AbortSignal;
}

/**
 * Runs a restore that was planned.
 *
 * @throws EngineError CorruptIndexException that names a damaged file, before anything is changed;
 *   SnapshotRestoreException; StorageError. None of the indices is there then.
 */
export async function runRestore(host: RestoreHost, task: RestoreTask): Promise<RestoreInfo> {
  const { request, planned } = task;
  await verifyChunks(task.repository, planned, task);
  // Writes go to the storage that is open now: when it fails, the next one finds the intents.
  const log = host.log();
  const ids = await reserve(host, planned);
  try {
    const restored = await writeRecords(host, log, task, ids);
    const { indices } = host.cluster.state();
    const metadata = planned.map((index, i) =>
      restoredMetadata(request, index, ids[i]!, indices.get(index.name)),
    );
    task.progress({ stage: 'index', bytes: 0, processedBytes: 0 });
    for (const [i, index] of metadata.entries())
      await host.indicesService.admit(index, restored[i]!);
    await publish(host, task, metadata, log);
  } catch (error) {
    await dismiss(host, planned, ids);
    throw error;
  }
  return {
    snapshot: request.snapshot,
    indices: planned.map(({ name }) => name),
    shards: ids.reduce((sum, { shardIds }) => sum + shardIds.length, 0),
  };
}

/** Reads every chunk of indices and compares its checksum. @returns bytes read. */
export async function verifyChunks(
  repository: Repository,
  indices: readonly Pick<PlannedIndex, 'source'>[],
  { progress, signal }: Pick<RestoreTask, 'progress' | 'signal'>,
): Promise<ReadonlyMap<string, ChunkFile>> {
  const chunks = chunksOf(indices.map(({ source }) => source));
  const bytes = totalBytes(chunks.values());
  let processedBytes = 0;
  progress({ stage: 'verify', bytes, processedBytes });
  for (const chunk of chunks.values()) {
    signal.throwIfAborted();
    await repository.readChunk(chunk.file);
    processedBytes += chunk.bytes;
    progress({ stage: 'verify', bytes, processedBytes });
  }
  return chunks;
}

/** Sets ids aside, with the intents to delete what comes to be under them. */
async function reserve(
  { cluster }: RestoreHost,
  planned: readonly PlannedIndex[],
): Promise<readonly ReservedIds[]> {
  let ids: ReservedIds[] = [];
  await cluster.change(
    (state) => {
      let { nextIndexId, nextShardId } = state;
      ids = planned.map(({ source }) => ({
        id: nextIndexId++,
        shardIds: source.shards.map(() => nextShardId++),
        uuid: randomBytes(16).toString('base64url'),
      }));
      return planned.length === 0 ? state : { ...state, nextIndexId, nextShardId };
    },
    (batch) => {
      for (const { shardIds } of ids)
        for (const shard of shardIds) batch.putDeleteIntent(shard, []);
    },
  );
  return ids;
}

/** @returns how it went, by index and shard number */
async function writeRecords(
  { now, checkSpace }: RestoreHost,
  log: LogStore,
  task: RestoreTask,
  ids: readonly ReservedIds[],
): Promise<Omit<RestoredShard, 'startMs'>[][]> {
  const { planned, request } = task;
  const shards = planned.flatMap(({ source }) => source.shards);
  const bytes = shards.reduce((sum, { chunks }) => sum + totalBytes(chunks), 0);
  let processedBytes = 0;
  const advance = (by: number): void => {
    processedBytes += by;
    task.progress({ stage: 'write', bytes, processedBytes });
  };
  advance(0);
  const restored: Omit<RestoredShard, 'startMs'>[][] = [];
  for (const [i, { source }] of planned.entries()) {
    const shardsOfIndex: Omit<RestoredShard, 'startMs'>[] = [];
    for (const [number, shard] of source.shards.entries()) {
      const [startedAt, started] = [now(), performance.now()];
      await writeShard(log, task, shard, ids[i]!.shardIds[number]!, checkSpace, advance);
      shardsOfIndex.push({
        repository: request.repository,
        snapshot: request.snapshot,
        index: source.metadata.name,
        files: shard.chunks.length,
        bytes: totalBytes(shard.chunks),
        startedAt,
        writeMs: performance.now() - started,
      });
    }
    restored.push(shardsOfIndex);
  }
  return restored;
}

/** Writes the documents of a shard under the sequence numbers 1, 2, 3 ... */
async function writeShard(
  log: LogStore,
  { repository, signal }: RestoreTask,
  shard: ShardSnapshot,
  shardId: ShardId,
  checkSpace: () => Promise<void>,
  advance: (bytes: number) => void,
): Promise<void> {
  let sequence = 1;
  let waiting: Promise<void>[] = [];
  for (const chunk of shard.chunks) {
    signal.throwIfAborted();
    await checkSpace();
    const records = await decodeChunk(chunk.file, await repository.readChunk(chunk.file));
    for (let from = 0; from < records.length;) {
      const to = unitEnd(records, from, UNIT);
      const first = sequence;
      waiting.push(writeUnit(log, shardId, first, records.slice(from, to)));
      sequence += to - from;
      from = to;
      if (waiting.length < UNITS_IN_FLIGHT) continue;
      await Promise.all(waiting);
      waiting = [];
    }
    await Promise.all(waiting);
    waiting = [];
    advance(chunk.bytes);
  }
}

function writeUnit(
  log: LogStore,
  shardId: ShardId,
  first: number,
  records: readonly LogRecord[],
): Promise<void> {
  return log.submit({
    estimatedBytes: records.reduce((sum, { source }) => sum + RECORD_OVERHEAD + source.length, 0),
    prepare: (batch) => {
      for (const [i, record] of records.entries()) {
        const { type, id, version } = record;
        const sequence = first + i;
        batch.putRecord(shardId, sequence, record);
        batch.putUid(shardId, type, id, { sequence, version, deleted: false, deletedAt: 0 });
      }
    },
  });
}

/** Shows the restored indices, unless something has come in between. */
async function publish(
  { cluster, indicesService, log }: RestoreHost,
  { request, manifest }: RestoreTask,
  restored: readonly IndexMetadata[],
  written: LogStore,
): Promise<void> {
  await cluster.change(
    (state) => {
      // Another storage than the records were written to has removed them when it was opened.
      if (log() !== written) throw restoreError(request, 'storage was opened again meanwhile');
      return withRestored(state, request, manifest, restored);
    },
    (batch, before) => {
      for (const { name, shardIds } of restored) {
        const replaced = before.indices.get(name);
        if (replaced !== undefined) indicesService.stageRemoval(batch, replaced);
        for (const shard of shardIds) batch.removeDeleteIntent(shard);
      }
    },
  );
}

async function dismiss(
  { indicesService, logger }: RestoreHost,
  planned: readonly PlannedIndex[],
  ids: readonly ReservedIds[],
): Promise<void> {
  for (const [i, { id, shardIds }] of ids.entries()) {
    try {
      await indicesService.dismiss(id, shardIds);
    } catch (error) {
      // The intents are there: the next start does it.
      logger.warn(
        { index: planned[i]!.name, err: error },
        'removing a half restored index was put off',
      );
    }
  }
}

function totalBytes(chunks: Iterable<ChunkFile>): number {
  let bytes = 0;
  for (const chunk of chunks) bytes += chunk.bytes;
  return bytes;
}
