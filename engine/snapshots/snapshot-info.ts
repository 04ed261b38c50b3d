// What clients are told of a finished snapshot, from its manifest.

import type { Manifest, ShardSnapshot } from './manifest';
import type { ShardProgress, SnapshotInfo, SnapshotStatus, VerifiedSnapshot } from '../api/index';

/** A snapshot in short. */
export function infoOf(manifest: Manifest): SnapshotInfo {
  const { snapshot, indices, state, startedAt, endedAt } = manifest;
  return {
    snapshot,
    indices: indices.map(({ metadata }) => metadata.name),
    state,
    startedAt,
    endedAt,
    totalShards: sum(indices.map(({ shards }) => shards.length)),
    failures: indices.flatMap(({ metadata, shards }) =>
      shards.flatMap(({ failure }, shard) =>
        failure === null ? [] : [{ index: metadata.name, shard, reason: failure }],
      ),
    ),
  };
}

/** A snapshot shard by shard. */
export function statusOf(repository: string, manifest: Manifest): SnapshotStatus {
  const { snapshot, state, indices } = manifest;
  const shards = indices.map(
    ({ metadata, shards: all }) => [metadata.name, all.map(finishedShard)] as const,
  );
  return { snapshot, repository, state, indices: new Map(shards) };
}

/** A snapshot whose files were all read back. */
export function verifiedOf(
  { indices }: Manifest,
  files: readonly { readonly bytes: number }[],
): VerifiedSnapshot {
  const shards = indices.flatMap((index) => index.shards);
  return {
    files: files.length,
    bytes: sum(files.map(({ bytes }) => bytes)),
    documents: sum(shards.map(({ documents }) => documents)),
  };
}

function finishedShard(shard: ShardSnapshot): ShardProgress {
  const files = shard.chunks.length;
  const bytes = sum(shard.chunks.map((chunk) => chunk.bytes));
  const { documents, startedAt, tookMs, failure } = shard;
  const stage = failure === null ? 'DONE' : 'FAILURE';
  return {
    stage,
    files,
    processedFiles: files,
    bytes,
    processedBytes: bytes,
    documents,
    startedAt,
    tookMs,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
